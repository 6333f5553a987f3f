"""Errors of the reader."""

from __future__ import annotations


class TableError(Exception):
    """A table cannot be read: damaged, of another version, or in need of something that is missing."""


class DamagedTable(TableError):
    """The bytes of a file contradict each other or a checksum."""


class MissingPackage(TableError):
    """An optional package is needed and not installed."""

    def __init__(self, package: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the package `{package}`: pip install {package}")
        self.package = package

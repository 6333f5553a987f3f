"""Folders of tables."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from ._numbering import numbering
from ._table import Entry, Table


class Found(NamedTuple):
    """The entry of a position, and where it was found."""

    entry: Entry
    table: Table
    slot: int


class Tables:
    """All tables in folders and the folders below them."""

    def __init__(self, *folders: str | PathLike[str]) -> None:
        """
        folders: each a folder, or one table file.

        Raises: `TableError` for a damaged file, `OSError` if a folder cannot be read.
        """
        self._tables: dict[tuple[str, str, str], Table] = {}
        try:
            for file in _files(folders):
                table = Table(file)
                self._tables.setdefault((table.game, table.variant, table.layer), table)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Releases the files."""
        for table in self._tables.values():
            table.close()

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<{len(self)} tables>"

    def table(self, game: str, layer: str, variant: str | None = None) -> Table:
        """The table of a layer.

        variant: needed if there are tables of several variants.

        Raises: `KeyError` if there is none, or more than one.
        """
        found = [
            table for table in self if (table.game, table.layer) == (game, layer) and variant in (None, table.variant)
        ]
        if len(found) != 1:
            raise KeyError(f"{len(found)} tables of {game} {layer}" + (f", {variant}" if variant else ""))
        return found[0]

    def find(self, game: str, position: str, *, immobile: str = "loss") -> Found | None:
        """The entry of a position; None if no table has it.

        immobile: in Swish and Squeeze what happens to a player who cannot move: `loss` or `pass`.

        Raises: `ValueError` if the text is not a position, `TableError`.
        """
        variants = dict.fromkeys(variant for own, variant, _ in self._tables if own == game)
        for variant in variants:
            words = variant.split(" ")
            if any(word.startswith("immobile=") for word in words) and f"immobile={immobile}" not in words:
                continue
            located = numbering(game, variant).locate(position)
            if located is None:
                continue
            table = self._tables.get((game, variant, located[0]))
            if table is not None:
                return Found(table.entry(located[1]), table, located[1])
        return None

    def probe(self, game: str, position: str, *, immobile: str = "loss") -> Entry | None:
        """Value and plies of a position, or its chance in Senet; None if no table has it."""
        found = self.find(game, position, immobile=immobile)
        return found.entry if found else None


def _files(folders: tuple[str | PathLike[str], ...]) -> Iterator[Path]:
    for folder in map(Path, folders):
        if folder.is_dir():
            yield from sorted(file for file in folder.rglob("*.mqt") if not file.name.startswith("."))
        else:
            yield folder

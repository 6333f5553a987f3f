"""Packages that are used if they are installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from ._errors import DamagedTable, MissingPackage


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


NUMPY: Any = _imported("numpy")
_BLAKE3: Any = _imported("blake3")
_OWN_ZSTD: Any = _imported("compression.zstd")  # Python 3.14
_ZSTANDARD: Any = _imported("zstandard")


def numpy() -> Any:
    """The module NumPy.

    Raises: `MissingPackage`.
    """
    if NUMPY is None:
        raise MissingPackage("numpy", "an array of NumPy")
    return NUMPY


class Hasher(Protocol):
    """A hash that grows."""

    def update(self, data: bytes, /) -> object: ...
    def digest(self) -> bytes: ...


def blake3() -> Hasher:
    """A hasher of BLAKE3.

    Raises: `MissingPackage`.
    """
    if _BLAKE3 is None:
        raise MissingPackage("blake3", "the check of a content hash")
    hasher: Hasher = _BLAKE3.blake3()
    return hasher


class Zstd:
    """Decodes Zstandard frames, with a dictionary or without."""

    def __init__(self, dictionary: bytes | None = None) -> None:
        self._dictionary: Any = None
        self._decoder: Any = None
        if _OWN_ZSTD is not None:
            if dictionary is not None:
                # It refuses the number 0; frames name no number, so any other decodes the same.
                numbered = dictionary[:4] + b"\x01\x00\x00\x00" + dictionary[8:]
                self._dictionary = _OWN_ZSTD.ZstdDict(numbered)
        elif _ZSTANDARD is not None:
            options = {}
            if dictionary is not None:
                kind = _ZSTANDARD.DICT_TYPE_FULLDICT
                options["dict_data"] = _ZSTANDARD.ZstdCompressionDict(dictionary, dict_type=kind)
            self._decoder = _ZSTANDARD.ZstdDecompressor(**options)
        else:
            raise MissingPackage("zstandard", "a compressed table, before Python 3.14,")

    def decode(self, frame: bytes, most: int, place: str) -> bytes:
        """The content of a frame.

        most: the most bytes that it may have.
        place: the name of the frame in errors.
        """
        try:
            if self._decoder is not None:
                reader = self._decoder.stream_reader(frame)
                content = bytes(reader.read(most + 1))
            else:
                decoder = _OWN_ZSTD.ZstdDecompressor(zstd_dict=self._dictionary)
                content = decoder.decompress(frame, most + 1)
        except Exception as error:
            raise DamagedTable(f"{place}: not a Zstandard frame: {error}") from error
        if len(content) > most:
            raise DamagedTable(f"{place}: more than {most:,} bytes decoded")
        return content

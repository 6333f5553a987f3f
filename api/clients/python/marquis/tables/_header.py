"""Head, header and trailer of a table: FORMAT.md, "Head" to "Header"."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from ._errors import DamagedTable, TableError

MAGIC = b"\x89MARQTB\n"
END = b"MARQEND\n"
VERSION = 1
HEAD_BYTES = 12
TRAILER_BYTES = 16
MOST_HEADER_BYTES = 1 << 20
MOST_BLOCK_BYTES = 32768
BLOCKS_A_PAGE = 64

T = TypeVar("T")


class Codec(IntEnum):
    """How a stream is packed."""

    RAW = 0
    ZSTD = 1
    DICTIONARY = 2
    MODELLED = 3
    IMPLIED = 4
    AHEAD = 5
    DIFFERENCES = 6


@dataclass(frozen=True)
class StreamHeader:
    """A stream in the header."""

    name: str
    width: int
    """Bytes a cell."""
    block_cells: int
    """Cells of a block."""
    codec: Codec
    given: int | None
    """The number of the stream that is needed to decode this one."""
    hints: str | None
    packed: int
    """Bytes of all its blocks."""
    model_length: int
    model_crc: int
    content: bytes
    """The BLAKE3 of all its cells."""

    def has_blocks(self) -> bool:
        return self.codec not in (Codec.IMPLIED, Codec.AHEAD)


@dataclass(frozen=True)
class Header:
    """The header of a table."""

    game: str
    variant: str
    layer: str
    rules: bytes
    slots: int
    streams: tuple[StreamHeader, ...]
    counts: dict[str, int]
    notes: dict[str, str]


class _Reader:
    """Values of bincode 2 in its standard configuration."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, length: int) -> bytes:
        part = self.data[self.at : self.at + length]
        if len(part) < length:
            raise DamagedTable("the header ends too early")
        self.at += length
        return part

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self) -> int:
        first = self.byte()
        if first <= 250:
            return first
        length = {251: 2, 252: 4, 253: 8}.get(first)
        if length is None:
            raise DamagedTable(f"a number in the header begins with {first}")
        return int.from_bytes(self.take(length), "little")

    def text(self) -> str:
        try:
            return self.take(self.number()).decode()
        except UnicodeDecodeError as error:
            raise DamagedTable("a text in the header is not UTF-8") from error

    def optional(self, read: Callable[[], T]) -> T | None:
        kind = self.byte()
        if kind > 1:
            raise DamagedTable(f"an optional value in the header begins with {kind}")
        return read() if kind else None


def _stream(reader: _Reader) -> StreamHeader:
    name, width, block, codec = reader.text(), reader.byte(), reader.byte(), reader.byte()
    if width not in (1, 2, 4) or width << block > MOST_BLOCK_BYTES:
        raise DamagedTable(f'stream "{name}": cells of {width} bytes in blocks of 2^{block}')
    if codec not in list(Codec):
        raise TableError(f'stream "{name}": unknown codec {codec}; this reader is older than the table')
    given, hints = reader.optional(reader.byte), reader.optional(reader.text)
    packed, model_length, model_crc = reader.number(), reader.number(), reader.number()
    content = reader.take(32)
    return StreamHeader(name, width, 1 << block, Codec(codec), given, hints, packed, model_length, model_crc, content)


def read_header(data: bytes | memoryview) -> tuple[Header, int]:
    """The header of a table and the place where it starts.

    data: the whole file.
    """
    if len(data) < HEAD_BYTES + TRAILER_BYTES or bytes(data[:8]) != MAGIC:
        raise DamagedTable("not a table: the file does not begin with the magic bytes")
    version = int.from_bytes(data[8:12], "little")
    if version != VERSION:
        raise TableError(f"a table of version {version} of the format; this reader knows version {VERSION}")
    trailer = bytes(data[-TRAILER_BYTES:])
    if trailer[8:] != END:
        raise DamagedTable("the file has been cut short: its last bytes are missing")
    length, expected = (int.from_bytes(trailer[at : at + 4], "little") for at in (0, 4))
    start = len(data) - TRAILER_BYTES - length
    if length > MOST_HEADER_BYTES or start < HEAD_BYTES:
        raise DamagedTable(f"a header of {length:,} bytes")
    packed = bytes(data[start : start + length])
    found = zlib.crc32(packed + trailer[:4])
    if found != expected:
        raise DamagedTable(f"checksum of the header {found:08x}, expected {expected:08x}")
    reader = _Reader(packed)
    header = Header(
        game=reader.text(),
        variant=reader.text(),
        layer=reader.text(),
        rules=reader.take(32),
        slots=reader.number(),
        streams=tuple(_stream(reader) for _ in range(reader.number())),
        counts={reader.text(): reader.number() for _ in range(reader.number())},
        notes={reader.text(): reader.text() for _ in range(reader.number())},
    )
    if reader.at != length:
        raise DamagedTable("the header is longer than its fields")
    return header, start

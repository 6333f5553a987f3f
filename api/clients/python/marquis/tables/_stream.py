"""A stream of a table: FORMAT.md, "Stream" to "Codec 6"."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Protocol

from ._errors import DamagedTable, TableError
from ._header import BLOCKS_A_PAGE, Codec, StreamHeader
from ._modelled import Model
from ._optional import NUMPY, Zstd

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
STORED = 0x8000
CONSTANT = 0x8001
MOST_MODEL_BYTES = 1 << 20
MOST_CACHED_BLOCKS = 256

Hints = Callable[[int, int], bytes]
"""The hints of some slots, from the first slot and their number."""


class Source(Protocol):
    """The table of a stream."""

    name: str

    @property
    def slots(self) -> int: ...
    @property
    def streams(self) -> Mapping[str, Stream]: ...
    def bytes_at(self, start: int, length: int) -> bytes: ...
    def hints_of(self, name: str) -> Hints: ...


class Stream:
    """A stream of cells, one for each slot."""

    def __init__(self, table: Source, header: StreamHeader, start: int) -> None:
        self._table, self.header, self._start = table, header, start
        self.name, self.width = header.name, header.width
        self.blocks = -(-table.slots // header.block_cells) if header.has_blocks() else 0
        self._pages: dict[int, tuple[list[tuple[int, int, int]], int]] = {}
        self._cached: OrderedDict[int, bytes] = OrderedDict()
        self._lock = Lock()
        self._decoder: Zstd | None = None
        self._model: Model | None = None
        self._implied: bytes | None = None

    def length(self) -> int:
        """The bytes of the stream in the file."""
        pages = -(-self.blocks // BLOCKS_A_PAGE)
        return self.header.packed + 12 * pages + 6 * self.blocks + self.header.model_length

    def block_cells(self, block: int) -> int:
        """The number of cells of a block."""
        return min(self.header.block_cells, self._table.slots - block * self.header.block_cells)

    def bytes_of(self, start: int, stop: int) -> bytes:
        """The cells of slots as they are, little-endian."""
        header = self.header
        if header.codec is Codec.AHEAD:
            raise TableError(
                f'{self._table.name}: the cells of the stream "{self.name}" are not in the file (built with --half);'
                " build the tables with `marquis generate` without --half"
            )
        if header.codec is Codec.IMPLIED:
            return self._given().bytes_of(start, stop).translate(self._table_of_implied())
        parts = []
        for block in range(start // header.block_cells, -(-stop // header.block_cells)):
            first = block * header.block_cells
            cells = self._decoded(block)
            parts.append(cells[max(0, start - first) * self.width : (stop - first) * self.width])
        return b"".join(parts)

    def _given(self) -> Stream:
        given, streams = self.header.given, self._table.streams
        own = list(streams.values()).index(self)
        if given is None or given >= own:
            raise DamagedTable(f'{self._table.name}: the stream "{self.name}" has no given stream before it')
        return list(streams.values())[given]

    def _model_bytes(self) -> bytes:
        start = self._start + self.length() - self.header.model_length
        model = self._table.bytes_at(start, self.header.model_length)
        if zlib.crc32(model) != self.header.model_crc:
            raise DamagedTable(f'{self._table.name}: wrong checksum of the model of the stream "{self.name}"')
        return model

    def _table_of_implied(self) -> bytes:
        if self._implied is None:
            model = self._model_bytes()
            self._implied = model + bytes(256 - len(model))
        return self._implied

    def _page(self, number: int) -> tuple[list[tuple[int, int, int]], int]:
        """Place, form and checksum of the blocks of a page."""
        page = self._pages.get(number)
        if page is None:
            page = self._pages[number] = self._read_page(number)
        return page

    def _read_page(self, number: int) -> tuple[list[tuple[int, int, int]], int]:
        first = number * BLOCKS_A_PAGE
        entries = min(BLOCKS_A_PAGE, self.blocks - first)
        start = self._start + self.header.packed + number * (12 + 6 * BLOCKS_A_PAGE)
        page = self._table.bytes_at(start, 12 + 6 * entries)
        if zlib.crc32(page[:-4]) != int.from_bytes(page[-4:], "little"):
            raise DamagedTable(f'{self._table.name}: wrong checksum of index page {number} of "{self.name}"')
        at = int.from_bytes(page[:8], "little")
        places = []
        for entry in range(entries):
            form = int.from_bytes(page[8 + 6 * entry : 10 + 6 * entry], "little")
            places.append((at, form, int.from_bytes(page[10 + 6 * entry : 14 + 6 * entry], "little")))
            at += self._length_of(form, self.block_cells(first + entry))
        if at > self.header.packed:
            raise DamagedTable(f'{self._table.name}: a block of "{self.name}" outside the stream')
        return places, at

    def _length_of(self, form: int, cells: int) -> int:
        if form < STORED:
            return form
        if form == STORED:
            return cells * self.width
        if form == CONSTANT:
            return self.width
        raise DamagedTable(f'{self._table.name}: a block of "{self.name}" of the unknown form {form:#x}')

    def _decoded(self, block: int) -> bytes:
        with self._lock:
            found = self._cached.get(block)
            if found is not None:
                self._cached.move_to_end(block)
                return found
        cells = self._decode(block)
        with self._lock:
            self._cached[block] = cells
            if len(self._cached) > MOST_CACHED_BLOCKS:
                self._cached.popitem(last=False)
        return cells

    def _decode(self, block: int) -> bytes:
        at, form, crc = self._page(block // BLOCKS_A_PAGE)[0][block % BLOCKS_A_PAGE]
        cells = self.block_cells(block)
        place = f'{self._table.name}: block {block} of "{self.name}"'
        data = self._table.bytes_at(self._start + at, self._length_of(form, cells))
        if zlib.crc32(data) != crc:
            raise DamagedTable(f"{place}: wrong checksum")
        if form == CONSTANT:
            return data * cells
        if form == STORED:
            return data
        decoded = self._unpacked(block, data, cells, place)
        if len(decoded) != cells * self.width:
            raise DamagedTable(f"{place}: {len(decoded):,} bytes decoded, expected {cells * self.width:,}")
        return decoded

    def _unpacked(self, block: int, data: bytes, cells: int, place: str) -> bytes:
        most = cells * self.width
        match self.header.codec:
            case Codec.ZSTD | Codec.DICTIONARY:
                return self._zstd().decode(ZSTD_MAGIC + data, most, place)
            case Codec.DIFFERENCES:
                return add_up(self._zstd().decode(ZSTD_MAGIC + data, most, place), self.width)
            case Codec.MODELLED:
                first = block * self.header.block_cells
                given = None
                if self.header.given is not None:
                    given = self._given().bytes_of(first, first + cells)
                try:
                    return self._learnt().decode(data, cells, given, self._hints(first, cells))
                except DamagedTable as error:
                    raise DamagedTable(f"{place}: {error}") from error
        raise DamagedTable(f"{place}: packed, in a stream that is not")

    def _zstd(self) -> Zstd:
        if self._decoder is None:
            self._decoder = Zstd(self._model_bytes() if self.header.codec is Codec.DICTIONARY else None)
        return self._decoder

    def _learnt(self) -> Model:
        if self._model is None:
            data = Zstd().decode(self._model_bytes(), MOST_MODEL_BYTES, f'the model of "{self.name}"')
            self._model = Model(data, self.width)
        return self._model

    def _hints(self, first: int, cells: int) -> bytes | None:
        if self.header.hints is None:
            return None
        return self._table.hints_of(self.header.hints)(first, cells)


def add_up(packed: bytes, width: int) -> bytes:
    """The cells of the differences of codec 6."""
    count, bits = len(packed) // width, 8 * width
    if NUMPY is not None:
        bytes_of = NUMPY.frombuffer(packed, dtype="u1").reshape(width, count).astype("i8")
        stored = sum(plane << 8 * place for place, plane in enumerate(reversed(bytes_of)))
        differences = NUMPY.where(stored & 1, -(stored >> 1) - 1, stored >> 1)
        # Only the lowest bits are kept, so the sums may pass the width of a cell.
        found: bytes = NUMPY.cumsum(differences).astype(f"<u{width}").tobytes()
        return found
    out = bytearray(len(packed))
    cell, mask = 0, (1 << bits) - 1
    planes = [packed[byte * count : (byte + 1) * count] for byte in range(width)]
    for slot in range(count):
        number = 0
        for plane in planes:
            number = number << 8 | plane[slot]
        difference = -(number >> 1) - 1 if number & 1 else number >> 1
        cell = (cell + difference) & mask
        out[slot * width : (slot + 1) * width] = cell.to_bytes(width, "little")
    return bytes(out)

"""A table file."""

from __future__ import annotations

import mmap
import sys
import zlib
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple

from ._errors import DamagedTable, TableError
from ._header import BLOCKS_A_PAGE, HEAD_BYTES, Codec, StreamHeader, read_header
from ._hints import NAME as RACE_HINTS
from ._hints import race_hints
from ._modelled import Model
from ._numbering import Numbering, numbering, pair
from ._optional import Zstd, blake3, numpy

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
STORED = 0x8000
CONSTANT = 0x8001
MOST_MODEL_BYTES = 1 << 20
MOST_CACHED_BLOCKS = 256
TYPECODES = {1: "B", 2: "H", 4: "I"}

Hints = Callable[[int, int], bytes]
"""The hints of some slots, from the first slot and their number."""

Outcome = Literal["win", "draw", "loss"]
OUTCOMES: dict[int, Outcome] = {1: "draw", 2: "loss", 3: "win"}


class Entry(NamedTuple):
    """What a table says about a position, for the player to move or to throw."""

    value: Outcome | None
    """None in Senet."""
    plies: int | None
    """Plies to the end, the winner hastening and the loser delaying; None for a draw, and in Senet."""
    chance: float | None = None
    """The chance of the player to throw, in Senet."""
    error: float | None = None
    """The largest possible error of the chance."""


class Stream:
    """A stream of cells, one for each slot."""

    def __init__(self, table: Table, header: StreamHeader, start: int) -> None:
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
        table = self._table
        if self.header.hints in table.hints:
            return table.hints[self.header.hints](first, cells)
        if self.header.hints != RACE_HINTS or table.game not in ("squish", "flowish"):
            raise TableError(f"{table.name}: unknown hints `{self.header.hints}`")
        side = int(table.variant.removeprefix("side="))
        return race_hints(table.game, side).fill(pair(table.layer), first, cells)


def add_up(packed: bytes, width: int) -> bytes:
    """The cells of the differences of codec 6."""
    count, bits = len(packed) // width, 8 * width
    out = bytearray(len(packed))
    cell, mask = 0, (1 << bits) - 1
    planes = [packed[byte * count : (byte + 1) * count] for byte in range(width)]
    for slot in range(count):
        stored = 0
        for plane in planes:
            stored = stored << 8 | plane[slot]
        difference = -(stored >> 1) - 1 if stored & 1 else stored >> 1
        cell = (cell + difference) & mask
        out[slot * width : (slot + 1) * width] = cell.to_bytes(width, "little")
    return bytes(out)


class Table:
    """A table file: one layer of one game.

        with Table("squish-s3/03v03.mqt") as table:
            print(table.game, table.layer, table.slots, list(table.streams))
            print(table.position(1234), table.entry(1234))

    Every block, index page, model and header is compared with its checksum when it is read.
    Safe to use from several threads.
    """

    def __init__(self, file: str | PathLike[str] | bytes, *, hints: Mapping[str, Hints] | None = None) -> None:
        """
        file: a path, or the bytes of a file.
        hints: by name, hints of other games than Squish and Flowish.

        Raises: `TableError`, or `OSError` if the file cannot be read.
        """
        self.hints = dict(hints or {})
        self._mapped: mmap.mmap | None = None
        if isinstance(file, bytes):
            self.path, self.name, data = None, "table", memoryview(file)
        else:
            self.path = Path(file)
            self.name = str(self.path)
            with self.path.open("rb") as opened:
                if self.path.stat().st_size == 0:
                    raise DamagedTable(f"{self.name}: the file is empty")
                self._mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
            data = memoryview(self._mapped)
        self._data = data
        try:
            self.header, end = read_header(data)
            self.streams = self._read_streams(end)
        except TableError as error:
            self.close()
            raise type(error)(f"{self.name}: {error}") from error

    def _read_streams(self, end: int) -> dict[str, Stream]:
        streams: dict[str, Stream] = {}
        at = HEAD_BYTES
        for header in self.header.streams:
            streams[header.name] = stream = Stream(self, header, at)
            at += stream.length()
        if at != end or len(streams) != len(self.header.streams):
            raise DamagedTable(f"the streams end at byte {at:,}, expected {end:,}")
        return streams

    def close(self) -> None:
        """Releases the file."""
        self._data.release()
        if self._mapped is not None:
            self._mapped.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<table {self.game} {self.layer}, {self.slots:,} slots>"

    def __len__(self) -> int:
        return self.slots

    @property
    def game(self) -> str:
        """Such as `squish`."""
        return self.header.game

    @property
    def variant(self) -> str:
        """What a whole game fixes, such as `side=3`."""
        return self.header.variant

    @property
    def layer(self) -> str:
        """Such as `03v05`."""
        return self.header.layer

    @property
    def slots(self) -> int:
        """The number of slots."""
        return self.header.slots

    @property
    def counts(self) -> dict[str, int]:
        """Figures such as `wins` and `holes`, the unused indices."""
        return self.header.counts

    @property
    def notes(self) -> dict[str, str]:
        """Words for people."""
        return self.header.notes

    def bytes_at(self, start: int, length: int) -> bytes:
        """Bytes of the file."""
        part = bytes(self._data[start : start + length])
        if len(part) < length:
            raise DamagedTable(f"{self.name}: the file ends too early")
        return part

    def _stream(self, name: str) -> Stream:
        stream = self.streams.get(name)
        if stream is None:
            raise KeyError(f"{self.name} has no stream `{name}`; it has {', '.join(self.streams)}")
        return stream

    def _bytes(self, stream: str, start: int, stop: int | None) -> bytes:
        stop = self.slots if stop is None else stop
        if not 0 <= start <= stop <= self.slots:
            raise IndexError(f"slots {start} to {stop} of {self.slots}")
        return self._stream(stream).bytes_of(start, stop)

    def cells(self, stream: str, start: int = 0, stop: int | None = None) -> array[int]:
        """The cells of the slots from `start` up to, not including, `stop`; cells of unused indices are arbitrary.

        Raises: `TableError`, or `KeyError` if there is no such stream.
        """
        data = self._bytes(stream, start, stop)
        found = array(TYPECODES[self._stream(stream).width], data)
        if sys.byteorder == "big":
            found.byteswap()
        return found

    def numpy(self, stream: str, start: int = 0, stop: int | None = None) -> Any:
        """The same as an array of NumPy, which cannot be written to.

        Raises: `MissingPackage` without NumPy, and the errors of `cells`.
        """
        width = self._stream(stream).width
        return numpy().frombuffer(self._bytes(stream, start, stop), dtype=f"<u{width}")

    def cell(self, stream: str, slot: int) -> int:
        """The cell of one slot."""
        return int.from_bytes(self._bytes(stream, slot, slot + 1), "little")

    @property
    def numbering(self) -> Numbering:
        """The slots of all layers of this variant.

        Raises: `TableError` if the layer does not have that many slots.
        """
        found = numbering(self.game, self.variant)
        slots = found.slots(self.layer)
        if slots != self.slots:
            raise DamagedTable(f"{self.name}: {self.slots:,} slots, expected {slots:,} for the layer {self.layer}")
        return found

    def position(self, slot: int) -> str | None:
        """The text of the position of a slot; None for an unused index.

        The player to move is the first one: White, in Squinch Red, in Senet Black.
        """
        if not 0 <= slot < self.slots:
            raise IndexError(f"slot {slot} of {self.slots}")
        return self.numbering.position(self.layer, slot)

    def positions(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, str]]:
        """Slots and texts of all positions from slot `start` up to, not including, `stop`."""
        own = self.numbering
        for slot in range(start, self.slots if stop is None else stop):
            text = own.position(self.layer, slot)
            if text is not None:
                yield slot, text

    def slot(self, position: str) -> int | None:
        """The slot of a position; None if it is of another layer or variant.

        Raises: `ValueError` if the text is not a position.
        """
        found = self.numbering.locate(position)
        return found[1] if found is not None and found[0] == self.layer else None

    def entry(self, slot: int) -> Entry:
        """What the table says about a slot, which must not be an unused index."""
        if "chance" in self.streams:
            certainty = (1 << 8 * self.streams["chance"].width) - 1
            chance = self.cell("chance", slot) / certainty
            return Entry(None, None, chance, float(self.notes["error"]))
        if "score" in self.streams:
            return entry_of_score(self.cell("score", slot))
        outcome = OUTCOMES[self.cell("value", slot)]
        return Entry(outcome, None if outcome == "draw" else self.cell("plies", slot))

    def entries(self, slots: Sequence[int]) -> list[Entry]:
        """The entries of several slots."""
        return [self.entry(slot) for slot in slots]

    def verify(self) -> None:
        """Compares all cells with the content hashes.

        Raises: `DamagedTable`, or `MissingPackage` without the package `blake3`.
        """
        for stream in self.streams.values():
            hasher = blake3()
            step = stream.header.block_cells * BLOCKS_A_PAGE
            for first in range(0, self.slots, step):
                hasher.update(stream.bytes_of(first, min(first + step, self.slots)))
            if hasher.digest() != stream.header.content:
                raise DamagedTable(f'{self.name}: the content hash of "{stream.name}" is wrong')


def entry_of_score(cell: int) -> Entry:
    """The entry of a cell of the stream `score`."""
    if cell == 1:
        return Entry("draw", None)
    if cell < 2:
        raise DamagedTable(f"the score {cell}; expected at least 1")
    plies, is_win = divmod(cell - 2, 2)
    return Entry("win" if is_win else "loss", plies)

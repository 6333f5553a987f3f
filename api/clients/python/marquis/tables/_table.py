"""A table file."""

from __future__ import annotations

import mmap
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ._errors import DamagedTable, TableError
from ._header import BLOCKS_A_PAGE, HEAD_BYTES, read_header
from ._hints import NAME as RACE_HINTS
from ._hints import race_hints
from ._numbering import Numbering, numbering, pair
from ._optional import blake3, numpy
from ._stream import Hints, Stream

TYPECODES = {1: "B", 2: "H", 4: "I"}

Outcome = Literal["win", "draw", "loss"]
OUTCOMES: dict[int, Outcome] = {1: "draw", 2: "loss", 3: "win"}


class Entry(NamedTuple):
    """The result of a position in a table, for the player to move or to throw."""

    value: Outcome | None
    """None in Senet."""
    plies: int | None
    """Plies to the end, the winner hastening and the loser delaying; None for a draw, and in Senet."""
    chance: float | None = None
    """The chance of the player to throw, in Senet."""
    error: float | None = None
    """The largest possible error of the chance."""


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
        self._hints = dict(hints or {})
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
        """The board or set-up, such as `side=3`."""
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

    def hints_of(self, name: str) -> Hints:
        """The hints of this name.

        Raises: `TableError` if they are unknown.
        """
        if name in self._hints:
            return self._hints[name]
        if name != RACE_HINTS or self.game not in ("squish", "flowish"):
            raise TableError(f"{self.name}: unknown hints `{name}`")
        known, layer = race_hints(self.game, int(self.variant.removeprefix("side="))), pair(self.layer)
        return lambda first, count: known.fill(layer, first, count)

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
        """The result of the position of a slot, which must not be an unused index."""
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

"""Slots of Swish and Squeeze: FORMAT.md, "Slots of Swish and Squeeze"."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

from ._hexagon import Hexagon, hexagon, number_in, read_rows
from ._numbering import fields, turn
from ._sets import cells_of, rank_beside, spread_beside, unrank

OVER = "over"
"""The layer of all finished games."""


class BeadLayer(NamedTuple):
    """The counts in the name of a layer; those of the player to move first."""

    beads: int
    rooks: tuple[int, int]
    needs: tuple[int, int]

    @staticmethod
    def named(name: str) -> BeadLayer:
        beads, rooks, needs = name.split("-")
        if (beads[0], rooks[0], needs[0]) != ("k", "r", "n"):
            raise ValueError(f"the layer `{name}`; expected a name such as `k05-r2v1-n3v4`")
        (mover, opponent), (first, second) = (part[1:].split("v") for part in (rooks, needs))
        return BeadLayer(int(beads[1:]), (int(mover), int(opponent)), (int(first), int(second)))

    @property
    def name(self) -> str:
        (mover, opponent), (first, second) = self.rooks, self.needs
        return f"k{self.beads:02}-r{mover}v{opponent}-n{first}v{second}"


@dataclass(frozen=True)
class BeadRows:
    """The boards with one number of beads, and their rows for one number of rooks of the player to move."""

    boards: list[int]
    plain: int
    """The boards that only the identity takes to themselves; they come first."""
    place: dict[int, int]
    """The number of each board."""
    each: int
    """Rows on each plain board."""
    first: list[int]
    """The first row on each of the other boards, and the number of all rows."""


class BeadNumbering:
    """The layers of the tables of a set-up, or of all placements of beads."""

    def __init__(self, words: dict[str, str]) -> None:
        self.board = hexagon(int(words["side"]))
        self.immobile_loses = words["immobile"] == "loss"
        self.by_rows = "beads" in words
        if self.by_rows:
            self.root = BeadLayer.named(words["root"]) if words["root"] != OVER else None
            self.universe = read_rows(words["beads"], "wbo")[1]["o"]
            self.target = max(self.root.needs) if self.root else 1
        else:
            self.root = BeadLayer.named(words["free"])
            self.universe = self.board.all
            self.target = self.root.beads + 1
        self.symmetries = self.board.keeping(self.universe)
        self._left: dict[int, set[int]] | None = None
        self._rows: dict[tuple[int, int], BeadRows] = {}

    def _listed(self, beads: int) -> list[int]:
        """The boards with this number of beads, rising."""
        if not self.by_rows:
            return self.board.smallest_sets(beads, 0, self.symmetries)
        if self._left is None:
            self._left = left_by_rows(self.board, self.universe, self.symmetries)
        return sorted(self._left.get(beads, set()))

    def rows(self, beads: int, rooks: int) -> BeadRows:
        """The rows of the layers with these numbers of beads and of rooks of the player to move."""
        found = self._rows.get((beads, rooks))
        if found is None:
            found = self._rows[beads, rooks] = self._number(beads, rooks)
        return found

    def _number(self, beads: int, rooks: int) -> BeadRows:
        listed = self._listed(beads)
        keeping = {board: self.board.keeping(board, self.symmetries) for board in listed}
        plain = [board for board in listed if len(keeping[board]) == 1]
        others = [board for board in listed if len(keeping[board]) > 1]
        each = comb(self.board.count - beads, rooks)
        first = [len(plain) * each]
        for board in others:
            first.append(first[-1] + count_smallest(self.board, rooks, board, keeping[board]))
        boards = plain + others
        place = {board: number for number, board in enumerate(boards)}
        return BeadRows(boards, len(plain), place, each, first)

    def _slots_a_row(self, layer: BeadLayer) -> int:
        return comb(self.board.count - layer.beads - layer.rooks[0], layer.rooks[1])

    def slots(self, layer: str) -> int:
        if layer == OVER:
            return 1
        counts = BeadLayer.named(layer)
        return self.rows(counts.beads, counts.rooks[0]).first[-1] * self._slots_a_row(counts)

    def position(self, layer: str, slot: int) -> str | None:
        if layer == OVER:
            return self.board.write({}) + f" w 0-{self.target} {self.target}"
        counts = BeadLayer.named(layer)
        row, column = divmod(slot, self._slots_a_row(counts))
        rows = self.rows(counts.beads, counts.rooks[0])
        symmetries: tuple[int, ...] = (0,)
        if row < rows.first[0]:
            number, within = divmod(row, rows.each)
            beads = rows.boards[number]
            mover = spread_beside(unrank(within, counts.rooks[0]), beads)
        else:
            at = bisect_right(rows.first, row) - 1
            beads = rows.boards[rows.plain + at]
            keeping = self.board.keeping(beads, self.symmetries)
            mover = self.board.smallest_sets(counts.rooks[0], beads, keeping)[row - rows.first[at]]
            symmetries = self.board.keeping(mover, keeping)
        opponent = spread_beside(unrank(column, counts.rooks[1]), beads | mover)
        if any(self.board.image(number, opponent) < opponent for number in symmetries):
            return None
        # A target is at most all beads on the board and in stores.
        target = max(self.target, sum(counts.needs) - counts.beads)
        stores = [target - need for need in counts.needs]
        text = self.board.write({"w": mover, "b": opponent, "o": beads})
        return f"{text} w {stores[0]}-{stores[1]} {target}"

    def locate(self, position: str) -> tuple[str, int] | None:
        board, sets, player, stores, target = read_position(position)
        if board is not self.board:
            return None
        rooks = sets["w"], sets["b"]
        own, other, beads = rooks[player], rooks[1 - player], sets["o"]
        count = beads.bit_count()
        needs = [min(max(target - stores[of], 0), count + 1) for of in (player, 1 - player)]
        if needs[1] == 0 or (own == 0 and self.immobile_loses):
            return OVER, 0
        if needs[0] == 0:
            return None
        layer = BeadLayer(count, (own.bit_count(), other.bit_count()), (needs[0], needs[1]))
        images = (tuple(board.image(number, members) for members in (beads, own, other)) for number in range(12))
        inside = (image for image in images if image[0] & ~self.universe == 0)
        for image in inside:
            beads, own, other = min(
                tuple(board.image(number, members) for members in image) for number in self.symmetries
            )
            slot = self._slot(layer, beads, own, other)
            if slot is not None:
                return layer.name, slot
        return None

    def _slot(self, layer: BeadLayer, beads: int, own: int, other: int) -> int | None:
        """The slot of a normal form; None if its beads are not listed."""
        rows = self.rows(layer.beads, layer.rooks[0])
        number = rows.place.get(beads)
        if number is None:
            return None
        if number < rows.plain:
            row = number * rows.each + rank_beside(own, beads)
        else:
            keeping = self.board.keeping(beads, self.symmetries)
            within = number_in(self.board.smallest_sets(layer.rooks[0], beads, keeping), own)
            assert within is not None, "a smallest image is listed"
            row = rows.first[number - rows.plain] + within
        return row * self._slots_a_row(layer) + rank_beside(other, beads | own)


def left_by_rows(board: Hexagon, universe: int, symmetries: tuple[int, ...]) -> dict[int, set[int]]:
    """By number of beads the sets that remain after taking rows, the smallest of all images of each."""
    found: dict[int, set[int]] = {size: set() for size in range(universe.bit_count() + 1)}
    found[universe.bit_count()].add(universe)
    for size in range(universe.bit_count(), 0, -1):
        for beads in found[size]:
            for row in rows_of(board, beads):
                left = beads & ~row
                found[left.bit_count()].add(min(board.image(number, left) for number in symmetries))
    return found


def rows_of(board: Hexagon, beads: int) -> Iterator[int]:
    """Each longest run of beads along a line with a cell of the board beyond each end."""
    for first in range(board.count):
        if beads >> first & 1:
            continue
        for way in range(3):
            row = 0
            for cell in board.lines[first][way]:
                if not beads >> cell & 1:
                    if row:
                        yield row
                    break
                row |= 1 << cell


def count_smallest(board: Hexagon, size: int, outside: int, symmetries: tuple[int, ...]) -> int:
    """The number of classes of sets of `size` cells not in `outside`, by Burnside's lemma."""
    fixed = 0
    for number in symmetries:
        points = board.symmetries[number]
        ways = [1] + [0] * size
        left = board.all & ~outside
        while left:
            cell, length = next(cells_of(left)), 0
            while left >> cell & 1:
                left &= ~(1 << cell)
                cell = points[cell]
                length += 1
            for count in range(size, length - 1, -1):
                ways[count] += ways[count - length]
        fixed += ways[size]
    return fixed // len(symmetries)


def read_position(position: str) -> tuple[Hexagon, dict[str, int], int, tuple[int, int], int]:
    """Board, sets by letter, player to move, stores of White and Black, and target."""
    parts = fields(position)
    board, sets = read_rows(parts[0] if parts else "", "wbo")
    player = turn(parts[1] if len(parts) in (2, 4) else None, "wb")
    if len(parts) == 2:
        return board, sets, player, (0, 0), sets["o"].bit_count() // 2 + 1
    white, dash, black = parts[2].partition("-")
    if not (dash and white.isdecimal() and black.isdecimal() and parts[3].isdecimal()):
        raise ValueError(f"`{parts[2]} {parts[3]}`; expected stores and target, such as `0-1 2`")
    return board, sets, player, (int(white), int(black)), int(parts[3])

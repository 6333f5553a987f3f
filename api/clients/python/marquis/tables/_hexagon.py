"""The hexagonal boards: cells, lines, symmetries and texts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from math import comb

from ._errors import TableError
from ._numbering import signs
from ._optional import NUMPY
from ._sets import all_sets, cells_of, spread_beside

DIRECTIONS = ((1, 0), (-1, 1), (0, 1), (-1, 0), (1, -1), (0, -1))
"""Axial steps; the number of the cell rises along the first three."""

MOST_SETS = 1 << 24
"""The most sets that are listed to find the symmetric ones among them."""

FEW_SETS = 2000
"""Fewer sets are listed without NumPy."""


class Hexagon:
    """The board of one side. Sets of cells are numbers, bit c for cell c."""

    def __init__(self, side: int) -> None:
        self.side = side
        most = side - 1
        self.axial = [(q, r) for r in range(-most, most + 1) for q in range(-most, most + 1) if abs(q + r) <= most]
        self.count = len(self.axial)
        self.all = (1 << self.count) - 1
        number = {place: cell for cell, place in enumerate(self.axial)}
        self.number = number
        self.neighbour = [[number.get((q + dq, r + dr), -1) for dq, dr in DIRECTIONS] for q, r in self.axial]
        self.symmetries = self._symmetries()
        self._bytes = [self._byte_images(points) for points in self.symmetries]
        self.lines = [[self._line(cell, way) for way in range(6)] for cell in range(self.count)]
        """For each cell and direction the cells up to the edge, nearest first."""
        self.rays = [[sum(1 << cell for cell in line) for line in lines] for lines in self.lines]
        """The same as sets."""
        self._smallest: dict[tuple[int, int, tuple[int, ...]], list[int]] = {}

    def _symmetries(self) -> list[list[int]]:
        found = []
        for mirrored in (False, True):
            places = [(r, q) if mirrored else (q, r) for q, r in self.axial]
            for _ in range(6):
                found.append([self.number[place] for place in places])
                places = [(-r, q + r) for q, r in places]
        return found

    def _byte_images(self, points: Sequence[int]) -> list[list[int]]:
        images = []
        for first in range(0, self.count, 8):
            part = points[first : first + 8]
            images.append([sum(1 << to for bit, to in enumerate(part) if byte >> bit & 1) for byte in range(256)])
        return images

    def _line(self, cell: int, way: int) -> list[int]:
        line = []
        while (cell := self.neighbour[cell][way]) >= 0:
            line.append(cell)
        return line

    def image(self, symmetry: int, members: int) -> int:
        """The image of a set."""
        image = 0
        for table in self._bytes[symmetry]:
            image |= table[members & 255]
            members >>= 8
        return image

    def keeping(self, members: int, symmetries: Iterable[int] = range(12)) -> tuple[int, ...]:
        """Those symmetries that take a set to itself."""
        return tuple(number for number in symmetries if self.image(number, members) == members)

    def first_group(self, members: int) -> int:
        """The cells of a set that are connected with the lowest one; empty for the empty set."""
        group = members & -members
        grown = group
        while grown:
            next_to = 0
            for cell in cells_of(grown):
                for to in self.neighbour[cell]:
                    if to >= 0:
                        next_to |= 1 << to
            grown = next_to & members & ~group
            group |= grown
        return group

    def smallest_sets(self, size: int, outside: int = 0, symmetries: tuple[int, ...] = tuple(range(12))) -> list[int]:
        """The sets of `size` cells not in `outside` that are not greater than any of their images, rising.

        symmetries: a group that takes `outside` to itself.
        """
        key = (size, outside, symmetries)
        found = self._smallest.get(key)
        if found is None:
            found = self._smallest[key] = self._list_smallest(size, outside, symmetries)
        return found

    def _list_smallest(self, size: int, outside: int, symmetries: tuple[int, ...]) -> list[int]:
        cells = self.count - outside.bit_count()
        sets = comb(cells, size)
        if sets > MOST_SETS:
            raise TableError(f"{sets:,} sets of {size} of {cells} cells; this reader lists at most {MOST_SETS:,}")
        turns = [number for number in symmetries if number != 0]
        if NUMPY is not None and sets >= FEW_SETS:
            return self._list_smallest_at_once(size, outside, turns)
        found = []
        for packed in all_sets(cells, size):
            members = spread_beside(packed, outside) if outside else packed
            if all(self.image(number, members) >= members for number in turns):
                found.append(members)
        return found

    def _list_smallest_at_once(self, size: int, outside: int, turns: list[int]) -> list[int]:
        cells = [cell for cell in range(self.count) if not outside >> cell & 1]
        # By the number of cells seen: the sets of each size, rising.
        sets = [NUMPY.zeros(1, dtype="uint64")] + [NUMPY.empty(0, dtype="uint64")] * size
        for cell in cells:
            bit = NUMPY.uint64(1 << cell)
            for own in range(size, 0, -1):
                sets[own] = NUMPY.concatenate((sets[own], sets[own - 1] | bit))
        left = sets[size]
        for number in turns:
            image = NUMPY.zeros_like(left)
            for place, table in enumerate(self._bytes[number]):
                image |= NUMPY.array(table, dtype="uint64")[left >> NUMPY.uint64(8 * place) & NUMPY.uint64(255)]
            left = left[image >= left]
        found: list[int] = left.tolist()
        return found

    def name(self, cell: int) -> str:
        """The name of a cell, such as `c4`."""
        r = self.axial[cell][1]
        first = next(number for number, place in enumerate(self.axial) if place[1] == r)
        return f"{chr(ord('a') + r + self.side - 1)}{cell - first + 1}"

    def rows(self) -> list[list[int]]:
        """The cells of each row from left to right, the top row first."""
        most = self.side - 1
        return [[cell for cell, place in enumerate(self.axial) if place[1] == r] for r in range(most, -most - 1, -1)]

    def write(self, sets: dict[str, int]) -> str:
        """The rows of a position: the letter of the set that has a cell, or the number of empty cells."""
        rows = []
        for row in self.rows():
            text, empty = "", 0
            for cell in row:
                letter = next((letter for letter, members in sets.items() if members >> cell & 1), None)
                if letter is None:
                    empty += 1
                    continue
                text += (str(empty) if empty else "") + letter
                empty = 0
            rows.append(text + (str(empty) if empty else ""))
        return "/".join(rows)


@cache
def hexagon(side: int) -> Hexagon:
    """The board of a side from 2 to 5."""
    if not 2 <= side <= 5:
        raise TableError(f"no board has the side {side}; expected 2 to 5")
    return Hexagon(side)


def read_rows(text: str, letters: str) -> tuple[Hexagon, dict[str, int]]:
    """The board and the set of each letter of the rows of a position."""
    rows = text.split("/")
    if len(rows) not in (3, 5, 7, 9):
        raise ValueError(f"{len(rows)} rows; expected 3, 5, 7 or 9, separated by `/`")
    board = hexagon((len(rows) + 1) // 2)
    sets = dict.fromkeys(letters, 0)
    for cells, row in zip(board.rows(), rows, strict=True):
        found = list(islice(signs(row), len(cells) + 1))
        for cell, sign in zip(cells, found, strict=False):
            if sign and sign not in sets:
                raise ValueError(f"`{sign}` in the row `{row}`; expected one of `{letters}` or a number")
            if sign:
                sets[sign] |= 1 << cell
        if len(found) != len(cells):
            raise ValueError(f"the row `{row}` does not have {len(cells)} cells")
    return board, sets


def number_in(sets: Sequence[int], members: int) -> int | None:
    """The place of a set in a rising list."""
    place = bisect_left(sets, members)
    return place if place < len(sets) and sets[place] == members else None

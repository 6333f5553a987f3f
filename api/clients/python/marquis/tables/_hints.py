"""The hints `race-1`: FORMAT.md, "Streams and hints of Squish and Flowish"; moves by the rules of both games."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from functools import cache
from math import comb
from typing import NamedTuple

from ._errors import TableError
from ._hexagon import Hexagon, hexagon
from ._sets import all_sets, cells_of, rank, spread_beside, unrank

NAME = "race-1"
FARTHEST = 7
"""Stands for a distance of seven, of more, and for "never"."""
MOST_SETS = 1 << 20

Step = tuple[int, int]
"""The cells before and after."""


class Racer(NamedTuple):
    """The facts about a set of pieces."""

    distance: int
    reached: int
    """The cells where its steps end."""
    gained: int
    """Those of steps that lower its distance."""
    after: dict[int, int]
    """The distance without the piece on each of its cells."""


def squish_steps(board: Hexagon, own: int) -> list[Step]:
    """One cell towards a friend on the same line, not onto a friend."""
    return [
        (cell, line[0])
        for cell in cells_of(own)
        for line, ray in zip(board.lines[cell], board.rays[cell], strict=True)
        if line and not own >> line[0] & 1 and (ray & ~(1 << line[0])) & own
    ]


def groups_of(board: Hexagon, own: int) -> list[int]:
    """The connected parts of a set."""
    groups = []
    while own:
        groups.append(board.first_group(own))
        own &= ~groups[-1]
    return groups


def flowish_steps(board: Hexagon, own: int) -> list[Step]:
    """Towards the nearest target on a line; if no piece has one, towards its nearest flowline."""
    groups = groups_of(board, own)
    most = max(group.bit_count() for group in groups)
    largest = [group for group in groups if group.bit_count() == most]
    pieces = [
        (cell, sum(other for other in largest if not other >> cell & 1)) for group in groups for cell in cells_of(group)
    ]
    steps: list[Step] = []
    on_flowline = False
    for cell, targets in pieces:
        away: dict[int, int] = {}
        for way, line in enumerate(board.lines[cell]):
            nearest = next((place for place, to in enumerate(line) if targets >> to & 1), None)
            if nearest is not None:
                away[way] = nearest
        if away:
            on_flowline = True
            shortest = min(away.values())
            ends = (board.lines[cell][way][0] for way, far in away.items() if far == shortest)
            steps += [(cell, to) for to in ends if not own >> to & 1]
    if on_flowline:
        return steps
    return [step for cell, targets in pieces for step in _towards_flowlines(board, own, cell, targets)]


def _towards_flowlines(board: Hexagon, own: int, cell: int, targets: int) -> list[Step]:
    if not targets:
        return []

    def away(start: int) -> int:
        """Steps from a cell to the nearest line through a target."""
        q, r = board.axial[start]
        differences = ((q - board.axial[to][0], r - board.axial[to][1]) for to in cells_of(targets))
        return min(min(abs(dq), abs(dr), abs(dq + dr)) for dq, dr in differences)

    here = away(cell)
    ends = (to for to in board.neighbour[cell] if to >= 0 and not own >> to & 1)
    return [(cell, to) for to in ends if away(to) == here - 1]


class RaceHints:
    """The hints of one game on one board."""

    def __init__(self, game: str, side: int) -> None:
        self.board = hexagon(side)
        self.steps: Callable[[Hexagon, int], list[Step]] = {"squish": squish_steps, "flowish": flowish_steps}[game]
        self._distances: dict[int, bytes] = {}
        self._racers: dict[int, Racer] = {}

    def distances(self, size: int) -> bytes:
        """The distance of each set of a size, by rank."""
        if size not in self._distances:
            self._distances[size] = self._list_distances(size)
        return self._distances[size]

    def _list_distances(self, size: int) -> bytes:
        board = self.board
        count = comb(board.count, size)
        if count > MOST_SETS:
            raise TableError(f"hints exist for at most {MOST_SETS:,} sets of one size, not for {count:,}")
        distances = bytearray([FARTHEST]) * count
        after, ends = array("I"), array("Q", [0])
        for number, own in enumerate(all_sets(board.count, size)):
            if board.first_group(own) == own:
                distances[number] = 0
            else:
                after.extend(rank(own & ~(1 << cell) | 1 << to) for cell, to in self.steps(board, own))
            ends.append(len(after))
        for near in range(FARTHEST - 1):
            reached = [
                number
                for number in range(count)
                if distances[number] == FARTHEST
                and any(distances[to] == near for to in after[ends[number] : ends[number + 1]])
            ]
            for number in reached:
                distances[number] = near + 1
        return bytes(distances)

    def racer(self, own: int) -> Racer:
        """The facts about a set."""
        found = self._racers.get(own)
        if found is None:
            size = own.bit_count()
            here, fewer = self.distances(size), self.distances(size - 1)
            distance = here[rank(own)]
            reached = gained = 0
            for cell, to in self.steps(self.board, own):
                reached |= 1 << to
                if here[rank(own & ~(1 << cell) | 1 << to)] < distance:
                    gained |= 1 << to
            after = {cell: fewer[rank(own & ~(1 << cell))] for cell in cells_of(own)}
            found = self._racers[own] = Racer(distance, reached, gained, after)
        return found

    def fill(self, layer: tuple[int, int], first: int, count: int) -> bytes:
        """The hints of `count` slots of a layer, two bytes each."""
        mover_size, opponent_size = layer
        each = comb(self.board.count - mover_size, opponent_size)
        movers = self.board.smallest_sets(mover_size)
        out = bytearray()
        for slot in range(first, first + count):
            mover = movers[slot // each]
            opponent = spread_beside(unrank(slot % each, opponent_size), mover)
            keeping = self.board.keeping(mover)
            if len(keeping) > 1 and any(self.board.image(number, opponent) < opponent for number in keeping):
                out += b"\xc0\x00"
            else:
                out += race(self.racer(mover), mover, self.racer(opponent), opponent)
        return bytes(out)


def race(x: Racer, mover: int, y: Racer, opponent: int) -> bytes:
    """The two bytes of a position."""
    first = x.distance | y.distance << 3
    if x.distance == 0 or y.distance == 0:
        return bytes((first, 0))
    captures, threats = x.reached & opponent, y.reached & mover
    second = _set_back(x, threats)
    second |= _code(y, x.gained & opponent) << 2
    second |= _code(x, y.gained & mover) << 4
    second |= bool(captures) << 6 | bool(threats) << 7
    return bytes((first | _set_back(y, captures) << 6, second))


def _greatest(racer: Racer, captures: Iterable[int]) -> int:
    return max(racer.after[cell] for cell in captures)


def _set_back(racer: Racer, captures: int) -> int:
    """The greatest increase of the distance by one of the captures, at most 3."""
    if not captures:
        return 0
    return min(3, max(0, _greatest(racer, cells_of(captures)) - racer.distance))


def _code(racer: Racer, captures: int) -> int:
    """The code of captures at which the captor gains."""
    if not captures:
        return 0
    return 1 + min(2, max(0, _greatest(racer, cells_of(captures)) + 1 - racer.distance))


@cache
def race_hints(game: str, side: int) -> RaceHints:
    """The hints of a game on the board of a side."""
    return RaceHints(game, side)

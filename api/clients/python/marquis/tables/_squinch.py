"""Slots of Squinch: FORMAT.md, "Slots of Squinch"."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import combinations_with_replacement, groupby
from math import comb

from ._errors import TableError
from ._numbering import fields, pair, turn

MOST_PLACEMENTS = 1 << 22
"""The most placements of one side that are listed."""

Squares = tuple[int, ...]
"""A square a checker, as its owner sees it, rising."""


def rank_of_list(squares: Squares) -> int:
    """The rank of a rising list of squares among all lists of its length."""
    return sum(comb(square + place - 1, place) for place, square in enumerate(squares, 1))


class Camp:
    """All placements of some checkers of one side."""

    def __init__(self, files: int, ranks: int, checkers: int) -> None:
        count = comb(files * ranks + checkers - 1, checkers)
        if count > MOST_PLACEMENTS:
            wanted = f"{count:,} placements of {checkers} checkers"
            raise TableError(f"{wanted}; this reader lists at most {MOST_PLACEMENTS:,}")

        def image(squares: Squares) -> Squares:
            return tuple(sorted(square // files * files + files - 1 - square % files for square in squares))

        def key(squares: Squares) -> tuple[int, int, int, int]:
            to_go = sum(ranks - square // files for square in squares)
            squared = sum(height * height for height in Counter(squares).values())
            own, mirrored = rank_of_list(squares), rank_of_list(image(squares))
            return to_go, -squared, (own > mirrored) - (own < mirrored), min(own, mirrored)

        listed = sorted((key(own), own) for own in combinations_with_replacement(range(files * ranks), checkers))
        self.placements = [squares for _, squares in listed]
        self.number = {squares: number for number, squares in enumerate(self.placements)}
        self.mirror = [self.number[image(squares)] for squares in self.placements]
        self.rows = [number for number, (own, _) in enumerate(listed) if own[2] <= 0]
        """The placement of each row."""

    def row(self, number: int) -> int:
        """The row of a placement that is not the greater one of two images."""
        return bisect_right(self.rows, number) - 1


class SquinchNumbering:
    """The layers of a board."""

    def __init__(self, files: int, ranks: int) -> None:
        self.files, self.ranks = files, ranks
        self._camps: dict[int, Camp] = {}

    def _camp(self, checkers: int) -> Camp:
        if checkers not in self._camps:
            self._camps[checkers] = Camp(self.files, self.ranks, checkers)
        return self._camps[checkers]

    def turned(self, square: int) -> int:
        """The square as the other player sees it."""
        return (self.ranks - 1 - square // self.files) * self.files + square % self.files

    def _camps_of(self, mover: int, opponent: int) -> tuple[Camp, Camp]:
        """The placements that give the rows, and those that give the columns."""
        rows, columns = (mover, opponent) if mover > opponent else (opponent, mover)
        return self._camp(rows), self._camp(columns)

    def slots(self, layer: str) -> int:
        rows, columns = self._camps_of(*pair(layer))
        return len(rows.rows) * len(columns.placements)

    def position(self, layer: str, slot: int) -> str | None:
        mover, opponent = pair(layer)
        rows, columns = self._camps_of(mover, opponent)
        row, column = divmod(slot, len(columns.placements))
        number = rows.rows[row]
        if rows.mirror[number] == number and columns.mirror[column] < column:
            return None
        placements = rows.placements[number], columns.placements[column]
        own, other = placements if mover > opponent else placements[::-1]
        seen = [self.turned(square) for square in other]
        if not set(own).isdisjoint(seen):
            return None
        return self.write(own, seen) + " r"

    def write(self, red: Squares, white: list[int]) -> str:
        """The ranks of a position from the top, by the squares as Red sees them."""
        stacks = {square: f"r{height}" for square, height in Counter(red).items()}
        stacks |= {square: f"w{height}" for square, height in Counter(white).items()}
        ranks = []
        for rank in range(self.ranks - 1, -1, -1):
            squares = range(rank * self.files, (rank + 1) * self.files)
            words: list[str] = []
            for stack, same in groupby(stacks.get(square) for square in squares):
                count = len(list(same))
                words += [str(count)] if stack is None else [stack] * count
            ranks.append(",".join(words))
        return "/".join(ranks)

    def locate(self, position: str) -> tuple[str, int] | None:
        files, ranks, red, white, player = read_position(position)
        if (files, ranks) != (self.files, self.ranks):
            return None
        sides = [tuple(sorted(red)), tuple(sorted(self.turned(square) for square in white))]
        own, other = sides[player], sides[1 - player]
        rows, columns = self._camps_of(len(own), len(other))
        first, second = (own, other) if len(own) > len(other) else (other, own)
        row, column = rows.number[first], columns.number[second]
        if rows.mirror[row] < row:
            row, column = rows.mirror[row], columns.mirror[column]
        elif rows.mirror[row] == row:
            column = min(column, columns.mirror[column])
        slot = rows.row(row) * len(columns.placements) + column
        return f"{len(own):02}v{len(other):02}", slot


def read_position(position: str) -> tuple[int, int, list[int], list[int], int]:
    """Files, ranks, a square for each red and each white checker as Red sees them, and the player to move."""
    parts = fields(position)
    rows = parts[0].split("/") if parts else []
    player = turn(parts[1] if len(parts) == 2 else None, "rw")
    found: dict[str, list[tuple[int, int]]] = {"r": [], "w": []}
    widths = set()
    for rank, row in zip(range(len(rows) - 1, -1, -1), rows, strict=True):
        file = 0
        for word in row.split(","):
            if word.isdecimal():
                file += int(word)
            elif word[:1] in found and word[1:].isdecimal():
                found[word[0]] += [(rank, file)] * int(word[1:])
                file += 1
            else:
                raise ValueError(f"`{word}`; expected a number of empty squares or a stack such as `r2`")
        widths.add(file)
    if len(widths) != 1:
        raise ValueError("the ranks of the position have different lengths")
    files = widths.pop()
    squares = {letter: [rank * files + file for rank, file in places] for letter, places in found.items()}
    return files, len(rows), squares["r"], squares["w"], player

"""Slots of Senet: FORMAT.md, "Slots of Senet"."""

from __future__ import annotations

from itertools import islice
from math import comb

from ._numbering import fields, pair, signs, turn
from ._sets import cells_of, rank, rank_beside, spread_beside, unrank

RESTS = [square for square in range(1, 30) if square != 27]
"""The squares on which a piece can rest, in the order of their numbers in sets."""


class SenetNumbering:
    """All layers."""

    def slots(self, layer: str) -> int:
        mover, opponent = pair(layer)
        return comb(28, mover) * comb(28 - mover, opponent)

    def position(self, layer: str, slot: int) -> str | None:
        mover, opponent = pair(layer)
        row, column = divmod(slot, comb(28 - mover, opponent))
        own = unrank(row, mover)
        other = spread_beside(unrank(column, opponent), own)
        return write(own, other) + " b"

    def locate(self, position: str) -> tuple[str, int] | None:
        parts = fields(position)
        sets = read_rows(parts[0] if parts else "")
        player = turn(parts[1] if len(parts) == 2 else None, "bw")
        own, other = sets[player], sets[1 - player]
        counts = own.bit_count(), other.bit_count()
        if 0 in counts:
            return None
        slot = rank(own) * comb(28 - counts[0], counts[1]) + rank_beside(other, own)
        return f"{counts[0]}v{counts[1]}", slot


def write(black: int, white: int) -> str:
    """The rows of a position in the order of the track."""
    letters = dict.fromkeys(range(1, 31), "")
    letters |= {RESTS[cell]: "b" for cell in cells_of(black)}
    letters |= {RESTS[cell]: "w" for cell in cells_of(white)}
    rows = []
    for first in (1, 11, 21):
        text, empty = "", 0
        for square in range(first, first + 10):
            if not letters[square]:
                empty += 1
                continue
            text += (str(empty) if empty else "") + letters[square]
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows)


def read_rows(text: str) -> tuple[int, int]:
    """The sets of Black and White."""
    rows = text.split("/")
    if len(rows) != 3:
        raise ValueError(f"{len(rows)} rows; expected 3, separated by `/`")
    sets = {"b": 0, "w": 0}
    for first, row in zip((1, 11, 21), rows, strict=True):
        found = list(islice(signs(row), 11))
        for square, sign in enumerate(found[:10], first):
            if sign and (sign not in sets or square not in RESTS):
                place = f"`{sign}` on square {square} in the row `{row}`"
                raise ValueError(f"{place}; expected `w` or `b`, and neither on 27 or 30")
            if sign:
                sets[sign] |= 1 << RESTS.index(square)
        if len(found) != 10:
            raise ValueError(f"the row `{row}` does not have ten squares")
    return sets["b"], sets["w"]

"""Slots of Squish and Flowish: FORMAT.md, "Slots of Squish and Flowish"."""

from __future__ import annotations

from math import comb

from ._hexagon import hexagon, number_in, read_rows
from ._numbering import fields, pair, turn
from ._sets import rank_beside, spread_beside, unrank


class UnificationNumbering:
    """The layers of one side."""

    def __init__(self, side: int) -> None:
        self.board = hexagon(side)

    def _slots_a_class(self, mover: int, opponent: int) -> int:
        return comb(self.board.count - mover, opponent)

    def slots(self, layer: str) -> int:
        mover, opponent = pair(layer)
        return len(self.board.smallest_sets(mover)) * self._slots_a_class(mover, opponent)

    def sets(self, layer: str, slot: int) -> tuple[int, int] | None:
        """The pieces of the player to move and of the opponent; None for an unused index."""
        mover_size, opponent_size = pair(layer)
        row, column = divmod(slot, self._slots_a_class(mover_size, opponent_size))
        mover = self.board.smallest_sets(mover_size)[row]
        opponent = spread_beside(unrank(column, opponent_size), mover)
        keeping = self.board.keeping(mover)
        if any(self.board.image(number, opponent) < opponent for number in keeping):
            return None
        return mover, opponent

    def position(self, layer: str, slot: int) -> str | None:
        sets = self.sets(layer, slot)
        return self.board.write({"w": sets[0], "b": sets[1]}) + " w" if sets else None

    def locate(self, position: str) -> tuple[str, int] | None:
        parts = fields(position)
        board, sets = read_rows(parts[0] if parts else "", "wb")
        player = turn(parts[1] if len(parts) == 2 else None, "wb")
        if board is not self.board:
            return None
        pieces = [sets["w"], sets["b"]]
        own, other = pieces[player], pieces[1 - player]
        mover, opponent = min((board.image(number, own), board.image(number, other)) for number in range(12))
        counts = mover.bit_count(), opponent.bit_count()
        if 0 in counts:
            return None
        row = number_in(board.smallest_sets(counts[0]), mover)
        assert row is not None, "a smallest image is listed"
        slot = row * self._slots_a_class(*counts) + rank_beside(opponent, mover)
        return f"{counts[0]:02}v{counts[1]:02}", slot

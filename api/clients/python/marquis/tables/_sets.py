"""Sets of cells as numbers, bit c for cell c, and their ranks: FORMAT.md, "Cells of the hexagonal boards"."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb


def cells_of(members: int) -> Iterator[int]:
    """The cells of a set, rising."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


def rank(members: int) -> int:
    """The rank of a set among all sets of its size."""
    return sum(comb(cell, place) for place, cell in enumerate(cells_of(members), 1))


def pack_beside(members: int, others: int) -> int:
    """The set with the cells numbered without those of `others`, which it does not meet."""
    while others:
        highest = 1 << (others.bit_length() - 1)
        others ^= highest
        members = members & (highest - 1) | members >> 1 & -highest
    return members


def spread_beside(packed: int, others: int) -> int:
    """The inverse of `pack_beside`."""
    while others:
        lowest = others & -others
        others ^= lowest
        packed = packed & (lowest - 1) | (packed & -lowest) << 1
    return packed


def rank_beside(members: int, others: int) -> int:
    """The rank of a set among the sets of its size of the cells outside `others`."""
    return rank(pack_beside(members, others))


def unrank(rank: int, size: int) -> int:
    """The set of `size` cells with this rank."""
    members, cell = 0, 0
    while comb(cell, size) <= rank:
        cell += 1
    for place in range(size, 0, -1):
        while comb(cell, place) > rank:
            cell -= 1
        members |= 1 << cell
        rank -= comb(cell, place)
    return members


def all_sets(cells: int, size: int) -> Iterator[int]:
    """All sets of `size` of the cells below `cells`, in rising order."""
    if size > cells:
        return
    members = (1 << size) - 1
    while members >> cells == 0:
        yield members
        if members == 0:
            return
        lowest = members & -members
        carried = members + lowest
        members = carried | (members ^ carried) // lowest >> 2

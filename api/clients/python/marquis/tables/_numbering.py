"""Positions by slot, for one game and variant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import repeat
from typing import Protocol

from ._errors import TableError


class Numbering(Protocol):
    """The slots of all layers of one variant."""

    def slots(self, layer: str) -> int:
        """The number of slots of a layer."""

    def position(self, layer: str, slot: int) -> str | None:
        """The text of the position of a slot; None for an unused index."""

    def locate(self, position: str) -> tuple[str, int] | None:
        """The layer and slot of a position; None if tables of this variant do not have it.

        Raises: `ValueError` if the text is not a position.
        """


@lru_cache(maxsize=16)
def numbering(game: str, variant: str) -> Numbering:
    """The numbering of a variant, as the header of a table names it."""
    from ._beads import BeadNumbering
    from ._senet import SenetNumbering
    from ._squinch import SquinchNumbering
    from ._unification import UnificationNumbering

    words = {name: value for name, _, value in (word.partition("=") for word in variant.split(" "))}
    try:
        match game:
            case "squish" | "flowish":
                return UnificationNumbering(int(words["side"]))
            case "swish" | "squeeze":
                return BeadNumbering(words)
            case "squinch":
                return SquinchNumbering(int(words["files"]), int(words["ranks"]))
            case "senet":
                return SenetNumbering()
    except (KeyError, ValueError) as error:
        raise TableError(f"cannot read the variant `{variant}` of {game}") from error
    raise TableError(f"unknown game `{game}`")


def fields(text: str) -> list[str]:
    """The fields of a position, separated by blanks or underscores."""
    return text.replace("_", " ").split()


def signs(row: str) -> Iterator[str]:
    """The places of a row, as the sign of a piece or an empty text; a number counts places without pieces."""
    for number, sign in re.findall(r"(\d+)|(.)", row, re.DOTALL):
        yield from repeat("", int(number)) if number else [sign]


def turn(field: str | None, letters: str) -> int:
    """The player to move, 0 or 1, by the letters of both."""
    place = letters.find(field) if field is not None and len(field) == 1 else -1
    if place < 0:
        raise ValueError(f"`{field or ''}` instead of the player to move; expected `{letters[0]}` or `{letters[1]}`")
    return place


def pair(text: str) -> tuple[int, int]:
    """The two numbers of `IvJ`."""
    mover, opponent = text.split("v")
    return int(mover), int(opponent)

"""Drawn boards."""

from __future__ import annotations

import json
import re
import subprocess
from xml.etree import ElementTree

import pytest

from marquis import Board
from marquis.board import start

SVG = "{http://www.w3.org/2000/svg}"
STARTS = [
    ("squish", "start"), ("squish", "start:2"), ("flowish", "start"), ("squinch", "start"),
    ("squinch", "start:4x6"), ("squinch", "start:4x6x2"), ("senet", "start"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "text"), STARTS)
def test_starts_are_those_of_the_program(game: str, text: str, marquis: str) -> None:
    ran = subprocess.run([marquis, "show", game, text, "--json"], capture_output=True, text=True, check=True)
    assert start(game, text) == json.loads(ran.stdout)["position"]


@pytest.mark.parametrize(
    ("game", "position", "arrows", "cells", "pieces"),
    [
        ("squish", "start:3", ["c4-c3", "c1xc2"], 19, 12),
        ("flowish", "start", [], 61, 42),
        ("swish", "w1w/4/1ooo1/4/b1b", [], 19, 7),
        ("squeeze", "w1w/4/1ooo1/4/b1b_w_0-0_2", ["e1-d1"], 19, 7),
        ("squinch", "3/1,r2,1/w1,1,w1/3 r", ["b3-off", "b3-b4"], 12, 3),
        ("senet", "3w1b4/b1w1bww3/b3bb4 b", ["11x13", "26-off", "25-27>1", "pass"], 30, 10),
    ],
)
def test_every_cell_piece_and_arrow_is_drawn(
    game: str, position: str, arrows: list[str], cells: int, pieces: int
) -> None:
    board = Board(game, position, arrows=arrows)
    drawn = ElementTree.fromstring(board._repr_svg_())
    assert len(drawn.findall(f"{SVG}polygon")) == cells
    assert len(drawn.findall(f"{SVG}circle")) == len(board.pieces) == pieces
    assert len(drawn.findall(f"{SVG}g")) == len([move for move in arrows if move != "pass"])


def shapes(drawn: ElementTree.Element) -> list[list[float]]:
    """The coordinates of all cells and pieces, sorted."""
    found = [*drawn.findall(f"{SVG}polygon"), *drawn.findall(f"{SVG}circle")]
    numbers = (
        re.findall(r"[\d.]+", " ".join(one.attrib.get(key, "") for key in ("cx", "cy", "points"))) for one in found
    )
    # The corners of a hexagon may begin anywhere, and be rounded either way.
    return sorted(sorted(round(float(number)) for number in own) for own in numbers)


def test_cells_stand_where_they_do_in_the_program(marquis: str) -> None:
    for game, position in [("squish", "start:3"), ("squinch", "3/1,r2,1/w1,1,w1/3_r"), ("senet", "start")]:
        ran = subprocess.run([marquis, "show", game, position, "--svg"], capture_output=True, text=True, check=True)
        theirs, own = (ElementTree.fromstring(text) for text in (ran.stdout, Board(game, position).svg()))
        assert shapes(theirs) == shapes(own), game


def test_an_answer_is_drawn_with_its_best_moves() -> None:
    answer = {"game": "squish", "position": start("squish", "start:3"), "moves": [{"move": "c4-c3"}, {"move": "c1xc2"}]}
    assert Board.of(answer) == Board("squish", "start:3", arrows=["c4-c3"])
    assert Board.of(answer, moves=2).arrows == ["c4-c3", "c1xc2"]
    assert repr(Board.of(answer)).startswith("Board('squish', 'b1w/")


@pytest.mark.parametrize(
    ("game", "position", "arrows"),
    [
        ("chess", "8/8", []),
        ("squish", "start:9x9", []),
        ("swish", "start", []),
        ("squish", "b1o/4/5/4/3 w", []),
        ("squish", "b1w/4/5/4/2 w", []),
        ("senet", "w9/10/10w w", []),
        ("squinch", "3/2/3 r", []),
        ("squish", "start:3", ["a1-z9"]),
        ("squish", "start:3", ["nonsense"]),
    ],
)
def test_other_texts_are_refused(game: str, position: str, arrows: list[str]) -> None:
    with pytest.raises((ValueError, LookupError)) as refused:
        Board(game, position, arrows=arrows)
    assert isinstance(refused.value, ValueError) or "side" in str(refused.value)

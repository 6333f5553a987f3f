"""Boards that draw themselves in notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from math import hypot, sqrt
from os import PathLike
from pathlib import Path
from typing import Protocol

from .tables._hexagon import Hexagon, hexagon, read_rows
from .tables._numbering import fields
from .tables._senet import RESTS
from .tables._senet import read_rows as read_track
from .tables._sets import cells_of
from .tables._squinch import read_position as read_stacks

HEXAGON_GAMES = ("squish", "flowish", "swish", "squeeze")
CELL, MARGIN = 46.0, 40.0
HEX_RADIUS = CELL / sqrt(3)
SQUARE_FILL, SQUARE_STROKE, LABEL, INK, ARROW = "#f1e6cf", "#9a8a6a", "#8a7c60", "#222222", "#1f6fb2"
COLOURS = {"w": ("#ffffff", INK), "b": (INK, "#ffffff"), "r": ("#c8372d", "#ffffff")}
BEAD = "#d9a520"


@dataclass
class Place:
    """A cell of a drawn board."""

    name: str
    x: float
    y: float
    corners: list[tuple[float, float]]
    label: float
    """How far below the centre its name is written."""


@dataclass
class Drawing:
    """A board as shapes."""

    width: float
    height: float
    places: dict[str, Place]
    pieces: dict[str, str]
    """By the name of its cell a letter, in Squinch with the height of the stack, `o` for a bead."""
    labels: list[tuple[float, float, str]] = field(default_factory=list)


class Replied(Protocol):
    """A mapping with the position of a response."""

    def __getitem__(self, key: str, /) -> object: ...


class Board:
    """A position of a game, with arrows for moves.

        Board("squish", "start:3")
        Board("swish", "w1w/4/1ooo1/4/b1b w 0-0 2", arrows=["e1-d1"])

    The last expression of a notebook's cell draws itself; `svg` and `save` are for other programs.
    """

    def __init__(self, game: str, position: str, *, arrows: Iterable[str] = ()) -> None:
        """
        position: the text of a position or set-up, `start`, or `start:SIZE`.
        arrows: moves, such as `c4-c3`; the first one is the strongest.

        Raises: `ValueError` for a text that is no position of the game, or no move on its board.
        """
        self.game = game
        self.position = start(game, position) if position.startswith("start") else position
        self.arrows = list(arrows)
        self._drawing = _drawing(game, self.position)
        for move in self.arrows:
            self._ends(move)

    @classmethod
    def of(cls, answer: Replied, *, moves: int = 1) -> Board:
        """The position of an answer of the service, with arrows for its best moves.

        moves: the number of arrows.
        """
        found = answer["moves"]
        best = [str(move["move"]) for move in found[:moves]] if isinstance(found, list) else []
        return cls(str(answer["game"]), str(answer["position"]), arrows=best)

    @property
    def pieces(self) -> dict[str, str]:
        """By the name of its cell each piece: its letter, in Squinch with the height of the stack, `o` for a bead."""
        return dict(self._drawing.pieces)

    def _ends(self, move: str) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The points between which the arrow of a move runs; None for a pass."""
        if move == "pass":
            return None
        places = self._drawing.places
        found = re.fullmatch(r"(\w+?)([-x])(\w+)(?:>\w+)?", move)
        start_at = places.get(found[1]) if found else None
        if found is None or start_at is None:
            raise ValueError(f"`{move}` is no move on this board")
        if found[3] == "off":
            return (start_at.x, start_at.y), self._beyond(start_at)
        end = places.get(found[3])
        if end is None:
            raise ValueError(f"`{move}` is no move on this board")
        return (start_at.x, start_at.y), (end.x, end.y)

    def _beyond(self, place: Place) -> tuple[float, float]:
        """Where a piece that is borne off goes."""
        drawing = self._drawing
        if self.game == "senet":
            return place.x, drawing.height - MARGIN / 3
        is_red = drawing.pieces.get(place.name, "r").startswith("r")
        return place.x, MARGIN / 3 if is_red else drawing.height - MARGIN / 3

    def svg(self) -> str:
        """The drawing as an SVG document."""
        drawing = self._drawing
        size = f'height="{drawing.height:.0f}" viewBox="0 0 {drawing.width:.0f} {drawing.height:.0f}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" role="img" {size}'
            f' width="{drawing.width:.0f}">',
            f"<title>{escape(self.game)}: {escape(self.position)}</title>",
            f'<rect fill="white" width="{drawing.width:.0f}" height="{drawing.height:.0f}"/>',
        ]
        for place in drawing.places.values():
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in place.corners)
            lines.append(f'<polygon fill="{SQUARE_FILL}" stroke="{SQUARE_STROKE}" points="{points}"/>')
            if place.name not in drawing.pieces:
                lines.append(_text(place.x, place.y + place.label, 8, LABEL, place.name))
        lines += [_text(x, y, 13, LABEL, label) for x, y, label in drawing.labels]
        for name, piece in drawing.pieces.items():
            lines += _piece(drawing.places[name], piece)
        for number, move in reversed(list(enumerate(self.arrows))):
            ends = self._ends(move)
            if ends is not None:
                lines += _arrow(*ends, opacity=1.0 if number == 0 else 0.45)
        return "\n".join([*lines, "</svg>"]) + "\n"

    def _repr_svg_(self) -> str:
        return self.svg()

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the drawing as a file."""
        Path(path).write_text(self.svg(), encoding="utf-8")

    def __repr__(self) -> str:
        arrows = f", arrows={self.arrows!r}" if self.arrows else ""
        return f"Board({self.game!r}, {self.position!r}{arrows})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.game, self.position, self.arrows) == (other.game, other.position, other.arrows)

    def __hash__(self) -> int:
        return hash((self.game, self.position, tuple(self.arrows)))


def _text(x: float, y: float, size: int, colour: str, text: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}"'
    return f'<text fill="{colour}" font-size="{size}" text-anchor="middle" {place}>{escape(text)}</text>'


def _piece(place: Place, piece: str) -> list[str]:
    centre = f'cx="{place.x:.1f}" cy="{place.y:.1f}"'
    if piece == "o":
        bead = f'<circle {centre} r="11" fill="{BEAD}" stroke="{INK}"/>'
        return [bead, _text(place.x, place.y + 3, 9, INK, place.name)]
    fill, ink = COLOURS[piece[0]]
    shape = f'<circle {centre} r="17" fill="{fill}" stroke="{INK}"/>'
    height = piece[1:]
    if height not in ("", "1"):
        return [shape, _text(place.x, place.y + 5.5, 16, ink, height)]
    return [shape, _text(place.x, place.y + 3, 9, ink, place.name)]


def _arrow(start_at: tuple[float, float], end: tuple[float, float], opacity: float) -> list[str]:
    (x, y), (to_x, to_y) = start_at, end
    length = hypot(to_x - x, to_y - y)
    if length == 0:
        return []
    dx, dy = (to_x - x) / length, (to_y - y) / length
    to_x, to_y = to_x - 5 * dx, to_y - 5 * dy
    base_x, base_y = to_x - 11 * dx, to_y - 11 * dy
    line = f'x1="{x + 17 * dx:.1f}" y1="{y + 17 * dy:.1f}" x2="{base_x:.1f}" y2="{base_y:.1f}"'
    points = [(to_x, to_y), (base_x - 5.5 * dy, base_y + 5.5 * dx), (base_x + 5.5 * dy, base_y - 5.5 * dx)]
    head = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
    return [
        f'<g stroke="{ARROW}" fill="{ARROW}" opacity="{opacity}">',
        f'<line stroke-width="3" stroke-linecap="round" {line}/>',
        f'<polygon stroke="none" points="{head}"/></g>',
    ]


def _drawing(game: str, position: str) -> Drawing:
    if game in HEXAGON_GAMES:
        return _hexagons(position, "wb" if game in ("squish", "flowish") else "wbo")
    if game == "squinch":
        return _ranks(position)
    if game == "senet":
        return _track(position)
    raise ValueError(f"unknown game `{game}`")


def _hexagons(position: str, letters: str) -> Drawing:
    parts = fields(position)
    board, sets = read_rows(parts[0] if parts else "", letters)
    width = 2 * MARGIN + CELL * (2 * board.side - 1)
    step = 1.5 * HEX_RADIUS
    top = MARGIN / 2 + CELL / 2
    places, labels = {}, []
    for number, row in enumerate(board.rows()):
        y = top + number * step
        left = width / 2 - CELL * (len(row) - 1) / 2
        for column, cell in enumerate(row):
            name, x = board.name(cell), left + CELL * column
            half, quarter = CELL / 2, HEX_RADIUS / 2
            corners = [
                (x, y - HEX_RADIUS),
                (x + half, y - quarter),
                (x + half, y + quarter),
                (x, y + HEX_RADIUS),
                (x - half, y + quarter),
                (x - half, y - quarter),
            ]
            places[name] = Place(name, x, y, corners, label=3)
        labels.append((left - CELL * 0.8, y + 4.5, board.name(row[0])[0]))
    pieces = {board.name(cell): letter for letter, members in sets.items() for cell in cells_of(members)}
    height = top + (2 * board.side - 2) * step + CELL / 2 + MARGIN
    return Drawing(width, height, places, pieces, labels)


def _square(name: str, column: int, row: int) -> Place:
    left, top = MARGIN + CELL * column, MARGIN / 2 + CELL * row
    corners = [(left, top), (left + CELL, top), (left + CELL, top + CELL), (left, top + CELL)]
    return Place(name, left + CELL / 2, top + CELL / 2, corners, label=19)


def _ranks(position: str) -> Drawing:
    files, ranks, red, white, _ = read_stacks(position if len(fields(position)) > 1 else position + " r")
    names = [f"{chr(ord('a') + file)}{rank + 1}" for rank in range(ranks) for file in range(files)]
    places = {name: _square(name, at % files, ranks - 1 - at // files) for at, name in enumerate(names)}
    stacks = [(at, f"{letter}{own.count(at)}") for letter, own in (("r", red), ("w", white)) for at in own]
    pieces = {names[at]: stack for at, stack in stacks}
    labels = [(MARGIN * 0.65, places[f"a{rank}"].y + 4.5, str(rank)) for rank in range(1, ranks + 1)]
    bottom = MARGIN / 2 + CELL * ranks + 18
    labels += [(places[names[file]].x, bottom, names[file][0]) for file in range(files)]
    return Drawing(2 * MARGIN + CELL * files, CELL * ranks + 1.5 * MARGIN, places, pieces, labels)


def _track(position: str) -> Drawing:
    parts = fields(position)
    sets = read_track(parts[0] if parts else "")
    places = {}
    for square in range(1, 31):
        row, column = divmod(square - 1, 10)
        places[str(square)] = _square(str(square), 9 - column if row == 1 else column, row)
    pieces = {str(RESTS[cell]): letter for letter, own in zip("bw", sets, strict=True) for cell in cells_of(own)}
    return Drawing(2 * MARGIN + CELL * 10, 3 * CELL + 1.5 * MARGIN, places, pieces)


def start(game: str, text: str = "start") -> str:
    """The start of a game as the text of a position.

    text: `start` for the usual size, or `start:SIZE`.

    Raises: `ValueError` if the game has no such start.
    """
    _, _, size = text.partition(":")
    wrong = ValueError(f"{game} has no start `{text}`")
    numbers = size.split("x") if size else []
    if text.split(":")[0] != "start" or not all(number.isdecimal() for number in numbers):
        raise wrong
    sizes = [int(number) for number in numbers]
    match game:
        case "squish" | "flowish" if len(sizes) <= 1:
            return _three_colours(hexagon(sizes[0] if sizes else {"squish": 4, "flowish": 5}[game]))
        case "squinch" if len(sizes) in (0, 2, 3):
            files, ranks, depth = ([*sizes, 1] if len(sizes) == 2 else sizes) or (8, 8, 3)
            return _camps(files, ranks, depth)
        case "senet" if not sizes:
            return "wbwbwbwbw1/b9/10 b"
    raise wrong


def _three_colours(board: Hexagon) -> str:
    """Cells of the colour (q - r) mod 3 = 1 for White, 2 for Black."""
    sets = {"w": 0, "b": 0}
    for cell, (q, r) in enumerate(board.axial):
        colour = (q - r) % 3
        if colour:
            sets["wb"[colour - 1]] |= 1 << cell
    return board.write(sets) + " w"


def _camps(files: int, ranks: int, depth: int) -> str:
    if not (2 <= files <= 8 and 1 <= depth <= ranks // 2 and ranks <= 8):
        raise ValueError(f"squinch has no start of {files} files, {ranks} ranks and {depth} filled ranks a side")

    def filled(letter: str) -> Sequence[str]:
        return [",".join([f"{letter}1"] * files)] * depth

    return "/".join([*filled("w"), *[str(files)] * (ranks - 2 * depth), *filled("r")]) + " r"

"""The figure "One piece each" of guide/src/research/senet.md, from a table.

    marquis generate senet --pieces 1v1 --out tables
    python3 senet_figure.py tables senet-one-each.svg

Cells begin with `# %%`, so that editors for notebooks run them one by one.
"""

# %% [markdown]
# # Senet with one piece each
#
# The chance of the player to throw, for every pair of squares.

# %%
from __future__ import annotations

import sys
from pathlib import Path

from marquis import Board
from marquis.tables import Tables

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "tables"
FIGURE = Path(sys.argv[2] if len(sys.argv) > 2 else "senet-one-each.svg")

# %% [markdown]
# A table has a cell for each slot, here a chance in units of 1 / (2³² - 1), and each slot has a position.
# Black is to throw: `b` is his piece, `w` the opponent's.

# %%
with Tables(FOLDER) as tables:
    table = tables.table("senet", "1v1")
    certainty = 256 ** table.streams["chance"].width - 1
    chances = [cell / certainty for cell in table.cells("chance")]
    positions = [text for _, text in table.positions()]
    print(f"{table}, error {float(table.notes['error']):.1e}")

best = max(range(len(chances)), key=chances.__getitem__)
print(f"at most {100 * chances[best]:.2f} %: {positions[best]}")
Board("senet", positions[best])

# %% [markdown]
# A board knows the squares of its pieces.

# %%
by_squares: dict[tuple[int, int], float] = {}
for text, chance in zip(positions, chances, strict=True):
    squares = {letter: int(square) for square, letter in Board("senet", text).pieces.items()}
    by_squares[squares["b"], squares["w"]] = chance
most = max(abs(chance - 0.5) for chance in chances)

# %% [markdown]
# Red is a chance below one half, blue above.

# %%
CELL, LEFT, TOP, STEPS = 14, 50, 50, 12
RED, BLUE = (204, 51, 68), (34, 85, 153)
WIDTH, HEIGHT = LEFT + 30 * CELL + 20, TOP + 30 * CELL + 60


def colour(chance: float) -> str:
    """From red for the least chance over white to blue for the greatest."""
    part = (chance - 0.5) / most
    end = RED if part < 0 else BLUE
    # Half a step is rounded up, as in the figure.
    return "#" + "".join(f"{int(255 + (to - 255) * abs(part) + 0.5):02x}" for to in end)


def tile(x: int, y: int, chance: float) -> str:
    return f'<rect fill="{colour(chance)}" height="{CELL}" width="{CELL}" x="{x}" y="{y}"/>'


def label(x: int, y: int, size: int, anchor: str, words: str) -> str:
    style = f'fill="#333" font-family="sans-serif" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {style} x="{x}" y="{y}">\n{words}\n</text>'


lines = [
    f'<svg height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" xmlns="http://www.w3.org/2000/svg">',
    '<rect fill="white" height="100%" width="100%"/>',
    label(LEFT, 18, 12, "start", "One piece each: the chance of who throws, in per cent"),
    label(LEFT, 34, 10, "start", "across: his own piece; down: the opponent's; nobody rests on 27 and 30"),
]
for square in range(5, 31, 5):
    at = CELL * (square - 1)
    lines.append(label(LEFT + at + CELL // 2, TOP - 3, 9, "middle", str(square)))
    lines.append(label(LEFT - 4, TOP + at + 11, 9, "end", str(square)))
for (own, other), chance in sorted(by_squares.items()):
    lines.append(tile(LEFT + CELL * (own - 1), TOP + CELL * (other - 1), chance))
first, below = LEFT + 8 * CELL, HEIGHT - 40
for step in range(STEPS + 1):
    x, chance = first + CELL * step, 0.5 + (2 * step / STEPS - 1) * most
    lines.append(tile(x, below, chance))
    if step % (STEPS // 2) == 0:
        lines.append(label(x + CELL // 2, below + CELL + 12, 10, "middle", f"{100 * chance:.0f} %"))
FIGURE.write_text("\n".join([*lines, "</svg>"]), encoding="utf-8")
print(FIGURE)

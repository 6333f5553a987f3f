#!/usr/bin/env python3
"""Writes the certificates that the Rocq checker reads, from hints of proofs.

    certificate.py HINTS OUT        (`-` for standard input)

A certificate is the moves of the player who holds the strategy, in the order in which the checker
asks for them, five to a word of 60 bits. OUT is a Rocq file if its name ends in `.v`. Otherwise it
has for each strategy the line `GAME HOLDER PROMISE WORDS`, the position, and as many lines with a
word. The checker trusts none of it.
"""
import sys
from array import array

def cell_numbers(side):
    """The number and the coordinates of each cell, by its name."""
    span, cells = range(1 - side, side), {}
    for r in span:
        row = [q for q in span if abs(q + r) < side]
        for place, q in enumerate(row):
            cells[f"{'abcdefghi'[r + side - 1]}{place + 1}"] = len(cells), q, r
    return cells

PLAYERS = {"w": "White", "b": "Black"}
DIRECTIONS = (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)

def code_and_rank(text, cells):
    """Returns the number of a move, and a number by which the moves of `judge` are ordered."""
    if text == "pass":
        return 4095, 0
    origin, q, r = cells[text[:2]]
    goal, x, y = cells[text[3:]]
    steps = max(abs(x - q), abs(y - r), abs(x + y - q - r))
    direction = DIRECTIONS.index(((x - q) // steps, (y - r) // steps))
    return 64 * origin + goal, (origin * 6 + direction) * 16 + steps

class Moves(dict):
    """The numbers of moves by their texts."""
    def __init__(self, cells):
        super().__init__()
        self.cells = cells

    def __missing__(self, text):
        self[text] = value = code_and_rank(text, self.cells)
        return value

def read_strategy(lines, head):
    """Returns the side of the board, who holds the strategy and its promise, the position, and his
    moves."""
    _, holder, promise = head.split(" ")
    root = next(lines)[9:-1]
    count = int(next(lines)[8:])
    side = root.count("/") // 2 + 1
    moves = Moves(cell_numbers(side))
    chosen, first, goals = array("H"), array("L", [0]), array("L")
    for _ in range(count):
        _, move, replies = next(lines)[:-1].split(";")
        chosen.append(0 if move == "-" else moves[move][0])
        later = []
        for item in replies.split(" ") if replies else ():
            reply, _, number = item.partition("=")
            if number != ".":
                later.append((moves[reply][1], int(number)))
        later.sort()
        goals.extend([number for _, number in later])
        first.append(len(goals))
    return side, (PLAYERS[holder], promise), root, order(chosen, first, goals)

def order(chosen, first, goals):
    """Returns the moves in the order of a search from the last entry that enters each once."""
    moves, seen = array("H"), bytearray(len(chosen))
    waiting = [len(chosen) - 1] if chosen else []
    while waiting:
        entry = waiting.pop()
        if not seen[entry]:
            seen[entry] = 1
            if chosen[entry]:
                moves.append(chosen[entry])
            waiting.extend(reversed(goals[first[entry]:first[entry + 1]]))
    return moves

def words(moves):
    """Packs five moves of 12 bits into a number, the first in the lowest bits."""
    return [str(sum(move << 12 * k for k, move in enumerate(moves[i:i + 5])))
            for i in range(0, len(moves), 5)]

def write_text(out, game, strategies):
    for _, claim, root, moves in strategies:
        packed = words(moves)
        out.write(f"{game} {' '.join(claim)} {len(packed)}\n{root}\n")
        out.writelines(f"{word}\n" for word in packed)

ROCQ_HEAD = ("From Coq Require Import List Uint63.\nImport ListNotations.\n"
             "Open Scope uint63_scope.\n")

def write_parts(out, name, numbers):
    """Writes numbers as lists that Rocq's parser takes quickly; returns the term for all of them."""
    starts = range(0, len(numbers), 1000)
    for i, start in enumerate(starts):
        part = "; ".join(numbers[start:start + 1000])
        out.write(f"Definition {name}_{i} : list int := [{part}].\n")
    return f"concat [{'; '.join(f'{name}_{i}' for i in range(len(starts)))}]"

def write_rocq(out, strategies):
    """Writes the only strategy as `words`."""
    [(_, _, _, moves)] = strategies
    out.write(ROCQ_HEAD)
    out.write(f"Definition words : list int := {write_parts(out, 'part', words(moves))}.\n")

def read(lines):
    """Returns the name of the game and its strategies."""
    next(lines)
    game = next(lines)[5:-1]
    if game in ("swish", "squeeze") and next(lines) == "immobile pass\n":
        game += "-pass"
    return game, [read_strategy(lines, head[:-1]) for head in lines]

def main(source, target):
    with open(0 if source == "-" else source) as lines:
        game, strategies = read(lines)
    with open(target, "w") as out:
        if target.endswith(".v"):
            write_rocq(out, strategies)
        else:
            write_text(out, game, strategies)

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

#!/usr/bin/env python3
"""Tests of the extracted rules of Senet and of the checker of its bounds.

    senet.py positions [COUNT]  ends and moves of random positions, against `marquis vectors`
    senet.py samples            the same for the committed test vectors
    senet.py text FILE ...      prints tables of Senet as the checker reads them
    senet.py rocq FILE ...      prints them as a Rocq file, for Senet2v2.v
    senet.py check FILE ...     tables of Senet, with all layers that they lead to, are accepted
    senet.py mutants FILE ...   changed tables are refused

SENET is the extracted program, MARQUIS the command of Marquis. Tables are read by the client in
api/clients/python, which needs Python 3.14 or the package zstandard.
"""
import os
import random
import subprocess
import sys
from fractions import Fraction
from math import ceil
from pathlib import Path

# The tables alone: the rest of the client needs httpx.
sys.path.insert(0, str(Path(__file__).parent / "../../api/clients/python/marquis"))
from tables import Table  # noqa: E402

from certificate import ROCQ_HEAD, write_parts  # noqa: E402
from check import compare, marquis, row_text, sample_lines  # noqa: E402

SENET = os.environ.get("SENET", "generated/senet")
RESTS = [square for square in range(1, 30) if square != 27]
PARTS = 1 << 13
CERTAINTY = ((1 << 32) - 1) * PARTS

def checker(command, text):
    """Returns whether the program accepts, and its lines."""
    done = subprocess.run([SENET, command], input=text, text=True, stdout=subprocess.PIPE)
    assert done.returncode in (0, 1), f"exit code {done.returncode}"
    return done.returncode == 0, done.stdout.splitlines()

def scattered(chance):
    """Returns a random position of up to five pieces a side, often close together."""
    letters = dict.fromkeys(range(1, 31), ".")
    first = chance.choice([0, 0, 8, 14, 18])
    last = min(28, first + chance.choice([8, 12, 28]))
    for letter in "wb":
        for _ in range(chance.randint(chance.random() > 0.1, 5)):
            letters[RESTS[chance.randrange(first, last)]] = letter
    text = "/".join(row_text(letters[s] for s in range(r, r + 10)) for r in (1, 11, 21))
    return f"{text} {chance.choice('wb')}"

def compare_moves(vectors):
    """Compares the rules on vectors; returns the numbers of positions and of moves."""
    return compare(vectors, lambda texts: checker("moves", texts)[1])

def samples():
    total, moves = compare_moves(sample_lines("senet"))
    assert total > 900, f"{total} samples"
    print(f"senet: {total:,} samples with {moves:,} moves agree")

def positions(count):
    chance, total, moves = random.Random(1), 0, 0
    for start in ("start", "start:3", "start:4"):
        games = compare_moves(marquis("vectors", "senet", start, "--count", count // 6).splitlines())
        total, moves = total + games[0], moves + games[1]
    while total < count:
        lines = "".join(scattered(chance) + "\n" for _ in range(min(10_000, count - total)))
        found = compare_moves(marquis("vectors", "senet", "-", text=lines).splitlines())
        total, moves = total + found[0], moves + found[1]
    print(f"senet: {total:,} positions with {moves:,} moves agree")

def choices(size, squares):
    """Sets of squares in the order of their ranks."""
    if size == 0:
        return [0]
    return [1 << squares[i] | rest for i in range(len(squares))
            for rest in choices(size - 1, squares[:i])]

def layer(path):
    """Yields the head of a layer and its lines."""
    with Table(path) as table:
        header = table.header
        assert (header.game, header.variant) == ("senet", "jequier"), path
        own_pieces, other_pieces = map(int, header.layer.split("v"))
        parts = int(header.notes["parts"])
        error = ceil(Fraction(header.notes["error"]) * CERTAINTY)
        yield f"layer {error} {parts}\n"
        cells = zip(*(table.cells(name) for name in ("chance", "above", "below")), strict=True)
        for own in choices(own_pieces, RESTS):
            left = [square for square in RESTS if not own >> square & 1]
            for other in choices(other_pieces, left):
                yield "{} {} {} {} {}\n".format(own, other, *next(cells))
        assert next(cells, None) is None, f"{path}: more cells than states"

def text_of(paths):
    return [line for path in paths for line in layer(path)]

def write_rocq(out, paths):
    """Writes layers as numbers of 62 bits."""
    out.write(ROCQ_HEAD)
    layers = []
    for path in paths:
        lines = layer(path)
        _, error, note = next(lines).split()
        words = []
        for line in lines:
            *_, chance, above, below = map(int, line.split())
            assert max(above, below) < 1 << 15, line
            words.append(str(chance | above << 32 | below << 47))
        cells = write_parts(out, f"part_{Path(path).stem}", words)
        pieces, others = Path(path).stem.split("v")
        layers.append(f"({pieces}%nat, {others}%nat, {error}, {note}, {cells})")
    out.write(f"Definition layers := [{'; '.join(layers)}].\n")

def check(paths):
    accepted, lines = checker("check", "".join(text_of(paths)))
    print("\n".join(lines))
    assert accepted

def mutants(paths, count=40):
    chance, lines = random.Random(1), text_of(paths)
    accepted, spare = checker("spare", "".join(lines))
    notes, states = [], []
    for number, line in enumerate(lines):
        if line.startswith("layer"):
            note = line.split()
        else:
            states.append((number, int(note[2])))
    assert len(states) == len(spare)
    spare = [tuple(map(int, line.split())) for line in spare]

    def verdict(number, cells):
        changed = lines[:]
        changed[number] = " ".join(map(str, cells)) + "\n"
        return checker("check", "".join(changed))[0]

    def tally(name, expected, change):
        made = 0
        while made < count:
            place = chance.randrange(len(states))
            number, note = states[place]
            cells = list(map(int, lines[number].split()))
            changed = change(cells, *spare[place], PARTS // note)
            if changed is None or not all(0 <= cell < 1 << 16 for cell in changed[3:]):
                continue
            found = verdict(number, changed)
            assert found is expected, f"{name}: {lines[number].strip()} changed to {changed}"
            made += 1
        print(f"{name}: {made} of {made} {'accepted' if expected else 'refused'}")

    tally("upper bound lower by what is to spare", True,
          lambda c, low, high, step: c[:3] + [c[3] - high // step, c[4]])
    tally("upper bound lower by one part more", False,
          lambda c, low, high, step: c[:3] + [c[3] - high // step - 1, c[4]])
    tally("lower bound higher by what is to spare", True,
          lambda c, low, high, step: c[:4] + [c[4] - low // step])
    tally("lower bound higher by one part more", False,
          lambda c, low, high, step: c[:4] + [c[4] - low // step - 1])
    tally("chance changed by one unit", False,
          lambda c, low, high, step: c[:2] + [c[2] + chance.choice([-1, 1])] + c[3:])
    tally("chance changed at random", False,
          lambda c, low, high, step: c[:2] + [chance.randrange(1 << 32)] + c[3:])
    tally("bounds of another state", False, lambda c, low, high, step:
          c[:2] + list(map(int, lines[chance.choice(states)[0]].split()))[2:])

def main(command, *arguments):
    if command == "positions":
        positions(int(arguments[0]) if arguments else 100_000)
    elif command == "samples":
        samples()
    elif command == "text":
        for path in arguments:
            sys.stdout.writelines(layer(path))
    elif command == "rocq":
        write_rocq(sys.stdout, arguments)
    elif command == "check":
        check(arguments)
    elif command == "mutants":
        mutants(arguments)
    else:
        sys.exit(__doc__)

if __name__ == "__main__":
    main(*sys.argv[1:] or ["help"])

#!/usr/bin/env python3
"""Tests of the extracted rules and checkers.

    check.py positions [COUNT]   ends and moves of random positions, against `marquis vectors`
    check.py samples             the same for the committed test vectors
    check.py proofs              all committed proofs but Squinch
    check.py mutants             changed certificates: no false claim may be accepted

CHECKER is the extracted program, MARQUIS the command of Marquis.
"""
import gzip
import json
import os
import random
import re
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

import certificate

CHECKER = os.environ.get("CHECKER", "generated/checker")
MARQUIS = shlex.split(os.environ.get("MARQUIS", "marquis"))
PROOFS = Path(__file__).parent / "../../tablebases/proofs"
SAMPLES = Path(__file__).parent / "../data/vectors"

def marquis(*arguments, text=""):
    run = subprocess.run([*MARQUIS, *map(str, arguments)], input=text, text=True,
                         capture_output=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return run.stdout

def checker(*arguments, text):
    return subprocess.run([CHECKER, *arguments], input=text, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()

def listed(move):
    throw = f"{move['throw']}:" if "throw" in move else ""
    return f"{throw}{move['move']} {move['position']}"

def compare(vectors, answers_to):
    """Compares the rules on vectors, lines of JSON; returns the numbers of positions and of moves."""
    vectors, moves = [json.loads(line) for line in vectors], 0
    answers = answers_to("".join(vector["position"] + "\n" for vector in vectors))
    assert len(answers) == len(vectors), f"{len(answers)} answers to {len(vectors)} vectors"
    for vector, answer in zip(vectors, answers):
        over = vector["over"]
        expected = [f"over {over['outcome']}"] if over else sorted(map(listed, vector["moves"]))
        assert sorted(answer.split(";")) == expected, \
            f"{vector['position']}: found {answer}, expected {expected}"
        moves += len(vector["moves"])
    return len(vectors), moves

def compare_game(game, vectors):
    """Compares the rules of a game without throws; returns the number of positions."""
    return compare(vectors, lambda texts: checker("moves", game, text=texts))[0]

def sample_lines(game):
    """Returns the committed test vectors."""
    with gzip.open(SAMPLES / f"{game}.jsonl.gz", "rt") as lines:
        return list(lines)

def row_text(cells):
    """Returns the text of a row; `cells` has one character for each, `.` for a vacant one."""
    return re.sub("[.]+", lambda gap: str(len(gap[0])), "".join(cells))

def board_text(side, cells):
    """Returns the text of a board; `cells` has one character for each, `.` for a vacant one."""
    cells = iter(cells)
    widths = (2 * side - 1 - abs(r) for r in range(1 - side, side))
    rows = [row_text(next(cells) for _ in range(width)) for width in widths]
    return "/".join(reversed(rows))

def scattered_pieces(chance, side):
    """Returns a random position of Squish, reachable or not, most with few pieces."""
    share = chance.random() ** 2
    cells = (chance.choice("wb") if chance.random() < share else "."
             for _ in certificate.cell_numbers(side))
    return f"{board_text(side, cells)} {chance.choice('wb')}"

def scattered_setting(chance, side):
    """Returns a random position of Swish, with up to three rooks of each colour."""
    count, share = len(certificate.cell_numbers(side)), chance.random()
    cells = ["o" if chance.random() < share else "." for _ in range(count)]
    for rook in "wb":
        for _ in range(chance.randint(0, 3)):
            cells[chance.randrange(count)] = rook
    white, black = (chance.randint(0, 9) for _ in "wb")
    target = chance.randint(1, max(1, cells.count("o") + white + black))
    return f"{board_text(side, cells)} {chance.choice('wb')} {white}-{black} {target}"

GAMES = {
    "squish": ([], ["start:3", "start:4", "start:5"], scattered_pieces),
    "flowish": ([], ["start:3", "start:4", "start:5"], scattered_pieces),
} | {
    name: (options, [
        "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10",
        "4/b1oo1/1ooo2/1o2oo1/6/w2o1/wb2 w 0-0 5",
        "w1w/4/1ooo1/4/b1b w 0-0 2",
    ], scattered_setting)
    for name, options in (
        ("swish", []), ("swish-pass", ["--immobile", "pass"]),
        ("squeeze", []), ("squeeze-pass", ["--immobile", "pass"]),
    )
}

def positions(count):
    chance = random.Random(1)
    for name, (options, starts, scattered) in GAMES.items():
        vectors, total = ["vectors", name.removesuffix("-pass"), *options], 0
        for start in starts:
            total += compare_game(name, marquis(*vectors, start, "--count", count // 6).splitlines())
        while total < count:
            lines = "".join(scattered(chance, chance.randint(2, 5)) + "\n" for _ in range(10_000))
            total += compare_game(name, marquis(*vectors, "-", text=lines).splitlines())
        print(f"{name}: {total:,} positions agree", flush=True)

def samples():
    for name in GAMES:
        game, _, immobile = name.partition("-")
        own = [line for line in sample_lines(game)
               if ('"immobile":"pass"' in line) == (immobile == "pass")]
        assert len(own) > 400, f"{name}: {len(own)} samples"
        print(f"{name}: {compare_game(name, own):,} samples agree", flush=True)

def strategies(proof):
    """Returns the name of the game and its strategies."""
    return certificate.read(StringIO(marquis("proof", "hints", proof)))

def text_of(game, strategies):
    out = StringIO()
    certificate.write_text(out, game, strategies)
    return out.getvalue()

def proofs():
    for path in sorted(PROOFS.glob("**/*.proof")):
        name = path.relative_to(PROOFS)
        if not name.parts[0].startswith("squinch"):
            game, found = strategies(path)
            lines = checker("check", text=text_of(game, found))
            assert len(lines) == len(found), f"{name}: {len(lines)} of {len(found)} strategies"
            for line in lines:
                print(f"{name}: {line}", flush=True)
                assert line.startswith("proved"), line

def mutant(chance, side, claim, root, moves):
    """Returns a changed certificate, and whether its claim is the proved one or is false."""
    moves = moves[:]
    kind = chance.randrange(5)
    holder, promise = claim
    if kind == 0:
        other = {"White": "Black", "Black": "White"}[holder]
        # The only proof of strategies that do not lose is of a draw.
        false = (other, chance.choice(["wins", "does-not-lose"])) if promise == "wins" else (
            holder, "wins")
        return (side, false, root, moves), False
    if kind == 1:
        moves[chance.randrange(len(moves))] = chance.choice(moves)
    elif kind == 2:
        moves[chance.randrange(len(moves))] = chance.randrange(1, 4096)
    elif kind == 3:
        del moves[chance.randrange(len(moves))]
    else:
        i, j = (chance.randrange(len(moves)) for _ in "ab")
        moves[i], moves[j] = moves[j], moves[i]
    return (side, claim, root, moves), True

def moved(chance, root):
    """Returns the position with two neighbouring characters of its board exchanged, or the turn."""
    board, turn = root.split(" ")
    if chance.randrange(8) == 0:
        return f"{board} {'wb'[turn == 'w']}"
    places = [i for i in range(len(board) - 1) if "/" not in board[i:i + 2]]
    i = chance.choice(places)
    return f"{board[:i]}{board[i + 1]}{board[i]}{board[i + 2:]} {turn}"

def value(game, root):
    """Returns the winner by a search of Marquis, or None."""
    vector = json.loads(marquis("solve", game, root, "--json"))
    turn = root.split(" ")[1]
    return {"win": turn, "loss": "wb"[turn == "w"]}.get(vector["value"])

def mutants():
    chance = random.Random(1)
    proved = {path.relative_to(PROOFS): strategies(path)
              for path in sorted(PROOFS.glob("*/*.proof")) if path.stat().st_size < 2000}
    for game in ("squish", "flowish"):
        path = f"generated/{game}_3.proof"
        proved[path] = strategies(path)
    for name, (game, found) in proved.items():
        made = [mutant(chance, *strategy) for strategy in found for _ in range(200)]
        lines = checker("check", text=text_of(game, [certificate for certificate, _ in made]))
        assert len(lines) == len(made)
        accepted = [line.startswith("proved") for line in lines]
        false = [line for line, (_, true) in zip(lines, made)
                 if line.startswith("proved") and not true]
        assert not false, false
        print(f"{name}: {len(made):,} mutants, {sum(accepted)} accepted, none with a false claim")
    for game in ("squish", "flowish"):
        _, [(side, claim, root, moves)] = proved[f"generated/{game}_3.proof"]
        made = [(side, claim, moved(chance, root), moves) for _ in range(1000)]
        lines = checker("check", text=text_of(game, made))
        claims = {position for line, (*_, position, _) in zip(lines, made)
                  if line.startswith("proved")}
        for position in claims:
            assert value(game, position) == claim[0][0].lower(), f"{game} {position}: accepted"
        print(f"{game}: 1000 other positions, {len(claims)} accepted, which {claim[0]} does win")

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["positions", *count]:
            positions(int(*count or [100_000]))
        case ["samples"]:
            samples()
        case ["proofs"]:
            proofs()
        case ["mutants"]:
            mutants()
        case _:
            sys.exit(__doc__)

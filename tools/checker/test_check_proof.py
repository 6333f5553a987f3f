#!/usr/bin/env python3
"""Tests of check_proof.py, which need the program: MARQUIS=PATH python3 test_check_proof.py

They make vectors and hints with it in a temporary folder. MARQUIS_VECTORS is a folder with more
vectors, GAME.jsonl or GAME-pass.jsonl from `marquis vectors GAME --count N [--immobile pass]`;
MARQUIS_HINTS is one with more hints, of which those up to MARQUIS_SMALL bytes are mutated.
"""
import collections
import glob
import gzip
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

import check_proof as checker

HERE = os.path.dirname(os.path.abspath(__file__))
PROOFS = os.path.join(HERE, "..", "..", "tablebases", "proofs")
SAMPLES = os.path.join(HERE, "..", "..", "tests", "data", "vectors")
PROGRAM = os.environ.get("MARQUIS")
SCRIPT = os.path.join(HERE, "check_proof.py")
MUTANTS = 2000
SMALL = int(os.environ.get("MARQUIS_SMALL", 20_000))  # longer hints, in bytes, are not mutated

GAMES = {"squish": checker.Squish, "flowish": checker.Flowish, "swish": checker.Swish,
         "squeeze": checker.Squeeze, "squinch": checker.Squinch}
BEADS = ["w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10", "w1w/4/1ooo1/4/b1b w 0-0 2",
         "w1wb/5/1oooo1/1oooo2/2ooo1/1oo2/b1wb w"]
STARTS = {"squish": ["start:3", "start:4", "start:5"], "flowish": ["start:3", "start:4", "start:5"],
          "swish": BEADS, "squeeze": BEADS,
          "squinch": ["start:3x3", "start:2x8", "start:5x3", "start:8x8x3"]}
# Immobile rooks, which random games seldom bring about.
IMMOBILE = ["w2/4/1ooo1/4/3 b 0-0 2", "3/4/1ooo1/4/b1b w 0-0 2", "3/4/1ooo1/4/3 b 0-0 2",
            "wo1/oo2/o4/4/2b w 0-0 2", "wob/ooo1/5/4/3 w 0-0 2", "wo1/oo2/o4/4/3 w 0-0 2",
            "wow/oooo/ooooo/oooo/bob w 0-0 3", "wow/oooo/ooooo/oooo/bob b 3-3 3"]


def marquis(*arguments, text=None):
    return subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True,
                          check=True).stdout


def check(data):
    """Returns the exit code and the output of the checker, in this process."""
    lines = checker.Lines(io.BufferedReader(io.BytesIO(data)))
    try:
        return 0, checker.check_hints(lines)
    except checker.Fault as fault:
        return fault.args


def run(data):
    """The same in a separate process: code, output, errors."""
    done = subprocess.run([sys.executable, SCRIPT, "-"], input=data, capture_output=True)
    return done.returncode, done.stdout, done.stderr


class Rules(unittest.TestCase):
    """Moves, positions after them, end and outcome are those of the program."""

    def compare(self, vectors, name, immobile="loss"):
        counts = collections.Counter()
        for line in vectors:
            vector = json.loads(line)
            game = GAMES[name](*[immobile] if name in ("swish", "squeeze") else [])
            position = game.read(vector["position"])
            winner, moves = game.judge(position)
            over = vector["over"]
            with self.subTest(game=name, immobile=immobile, position=vector["position"]):
                self.assertEqual(winner, over and over["outcome"])
                # Reading maps canonical texts one to one, so equal tuples are equal texts.
                after = {m["move"]: game.read(m["position"]) for m in vector["moves"]}
                self.assertEqual(moves, after)
            counts.update(positions=1, moves=len(after), over=bool(over))
        print(f"\n{name} {immobile}: {dict(counts)}", file=sys.stderr, end="")
        return counts["positions"]

    @unittest.skipUnless(PROGRAM, "needs MARQUIS, its program")
    def test_program(self):
        for name, starts in STARTS.items():
            for immobile in ["loss", "pass"] if starts is BEADS else ["loss"]:
                option = ["--immobile", immobile] if starts is BEADS else []
                found = []
                for start in starts:
                    found += marquis("vectors", name, start, "--count", "300", *option).splitlines()
                self.assertGreater(self.compare(found, name, immobile), 500)
                if option:
                    text = "\n".join(IMMOBILE) + "\n"
                    found = marquis("vectors", name, "-", *option, text=text).splitlines()
                    self.assertEqual(self.compare(found, name, immobile), len(IMMOBILE))

    def test_samples(self):
        for path in sorted(glob.glob(os.path.join(SAMPLES, "*.jsonl.gz"))):
            name = os.path.basename(path).partition(".")[0]
            if name in GAMES:
                with gzip.open(path, "rt") as lines:
                    vectors = sorted(lines, key=lambda line: '"immobile":"pass"' in line)
                for rule, own in itertools.groupby(
                        vectors, lambda line: "pass" if '"immobile":"pass"' in line else "loss"):
                    self.assertGreater(self.compare(own, name, rule), 400)

    @unittest.skipUnless("MARQUIS_VECTORS" in os.environ, "needs MARQUIS_VECTORS")
    def test_folder(self):
        for path in sorted(glob.glob(os.environ["MARQUIS_VECTORS"] + "/*.jsonl")):
            name, _, immobile = os.path.basename(path)[:-6].partition("-")
            with open(path) as vectors:
                self.assertGreater(self.compare(vectors, name, immobile or "loss"), 0)


def make_hints(folder):
    """Returns the hints that the tests make, by name."""
    made = {}

    def keep(name, proof):
        made[name] = marquis("proof", "hints", proof).encode()

    for game, start in [("squish", "start:3"), ("flowish", "start:3"), ("squinch", "start:2x3"),
                        ("squinch", "start:3x3")]:
        proof = os.path.join(folder, game + ".proof")
        marquis("solve", game, start, "--proof", proof)
        keep(f"{game} {start}", proof)
    for number in ("01", "02", "12", "14"):  # Swish and Squeeze; 14 does not lose
        keep("gallery-" + number, os.path.join(PROOFS, "gallery", number + ".proof"))
    for name in ("flowish-4", "squinch-6x3"):
        keep(name, os.path.join(PROOFS, name + ".proof"))
    return made


def mutate(text, chance):
    """Returns the hints with one random change."""
    lines = text.split("\n")
    kind = chance.randrange(12)
    at = chance.randrange(len(lines))
    line = lines[at]
    other = chance.randrange(len(lines))
    numbers = list(re.finditer("[0-9]+", line))
    items = line.split(" ")
    if kind == 0 and line:  # a character becomes another of the file
        place = chance.randrange(len(line))
        lines[at] = line[:place] + chance.choice(text) + line[place + 1:]
    elif kind == 1 and line:  # a character goes
        place = chance.randrange(len(line))
        lines[at] = line[:place] + line[place + 1:]
    elif kind == 2:  # a character comes
        place = chance.randrange(len(line) + 1)
        lines[at] = line[:place] + chance.choice(text + "\0\té٣") + line[place:]
    elif kind == 3 and numbers:  # another number
        found = chance.choice(numbers)
        number = chance.choice([0, 1, -1, at, at - 6, int(found[0]) + 1, int(found[0]) - 1,
                                len(lines), 10 ** 17, 10 ** 30])
        lines[at] = line[:found.start()] + str(number) + line[found.end():]
    elif kind == 4:  # two lines change places
        lines[at], lines[other] = lines[other], line
    elif kind == 5:  # a line goes
        del lines[at]
    elif kind == 6:  # a line comes twice
        lines.insert(other, line)
    elif kind == 7:  # a reply goes
        del items[chance.randrange(len(items))]
        lines[at] = " ".join(items)
    elif kind == 8:  # a reply comes twice, or from elsewhere
        items.append(chance.choice(lines[other].split(" ")))
        lines[at] = " ".join(items)
    elif kind == 9:  # a move or replies from another entry
        fields, others = line.split(";"), lines[other].split(";")
        place = chance.randrange(min(len(fields), len(others)))
        fields[place] = others[place]
        lines[at] = ";".join(fields)
    elif kind == 10:  # another head: the holder, the promise, the game, the player to move
        old, new = chance.choice([
            ("strategy w", "strategy b"), ("strategy b", "strategy w"), ("strategy r", "strategy w"),
            ("wins", "does-not-lose"), ("does-not-lose", "wins"), ("squish", "flowish"),
            ("flowish", "squish"), ("swish", "squeeze"), ("squeeze", "swish"), ("loss", "pass"),
            (" w\n", " b\n"), (" w 0-0", " b 0-0"), ("=", "=."), ("hints 2", "hints 1")])
        return text.replace(old, new, chance.choice([1, 1, -1]))
    else:  # cut short
        return text[:chance.randrange(len(text))]
    return "\n".join(lines)


CLAIM = re.compile(r"(\w+)(?: with immobile=(\w+))?: (\w+), (?:with (\w+) )?to move in (.*), "
                   r"(wins|does not lose): ")


@unittest.skipUnless(PROGRAM, "needs MARQUIS, its program")
class Mutants(unittest.TestCase):
    """What the checker accepts is true.

    A mutant may be accepted if each claim that it proves, which a mutation may have changed, is
    what `marquis solve` says about that position. Nothing else is asserted of accepted mutants. A
    mutant that is refused is refused with a code 1 or 2; any other exception fails the test. As a
    test of the test, more than nine in ten mutants that differ from the hints must be refused.
    """

    known = {}

    def is_true(self, claim):
        game, immobile, holder, mover, text, promise = CLAIM.match(claim).groups()
        option = ["--immobile", immobile] if immobile else []
        key = game, text, immobile
        if key not in self.known:
            answer = json.loads(marquis("solve", game.lower(), text, "--json", *option))
            self.known[key] = answer["value"]
        value = self.known[key]
        if mover:
            value = {"win": "loss", "loss": "win"}.get(value, value)
        return value == "win" or promise == "does not lose" and value == "draw"

    def test_mutants(self):
        with tempfile.TemporaryDirectory() as folder:
            made = make_hints(folder)
        for path in glob.glob(os.environ.get("MARQUIS_HINTS", "/nowhere") + "/*.hints"):
            with open(path, "rb") as stream:
                made[os.path.basename(path)[:-6]] = stream.read()
        for name, data in made.items():
            code, proved = check(data)
            self.assertEqual(code, 0, (name, proved))
            for claim in proved:
                self.assertTrue(self.is_true(claim), claim)
            if len(data) > SMALL:
                continue
            chance, text = random.Random(20261128), data.decode()
            counts = collections.Counter()
            for _ in range(MUTANTS):
                mutant = mutate(text, chance)
                code, found = check(mutant.encode())
                if mutant == text:
                    counts["unchanged"] += 1
                    continue
                counts[("accepted", "refused 1", "refused 2")[code]] += 1
                if code == 0:
                    counts["same claims" if found == proved else "other claims"] += 1
                    for claim in found:
                        self.assertTrue(self.is_true(claim), (name, claim, mutant))
            print(f"\n{name}: {dict(counts)}", file=sys.stderr, end="")
            self.assertLess(counts["accepted"], MUTANTS // 10)


GOOD = """marquis-hints 2
game squish
strategy b wins
position b2/1b2/w1b1w/4/3 w
entries 0
"""


class Malformed(unittest.TestCase):
    """Exit codes and no tracebacks, each in a separate process."""

    def expect(self, code, data):
        data = data.encode() if isinstance(data, str) else data
        found, out, errors = run(data)
        self.assertEqual(found, code, (data[:300], out, errors))
        self.assertNotIn(b"Traceback", errors)
        self.assertEqual(bool(out), code == 0)

    def test_ends(self):
        self.expect(0, GOOD)
        self.expect(1, GOOD.replace("strategy b", "strategy w"))
        self.expect(1, GOOD.replace("w1b1w", "w1b1b"))  # nobody has won

    def test_not_hints(self):
        for data in ["", "\n", "marquis-hints 2", "marquis-hints 2\n", "marquis-hints 2\ngame go\n",
                     "marquis-hints 2\ngame swish\n", "\0" * 100, "é\n", "a" * 1_000_000, GOOD * 2,
                     GOOD + "\n", GOOD + "x", GOOD[:-1], GOOD[:-3], " " + GOOD,
                     GOOD.replace("\n", "\r\n"), GOOD.replace("squish", "swish"),
                     GOOD.replace("squish\n", "squish\nimmobile loss\n")]:
            self.expect(2, data)
        self.expect(2, b"\xff\xfe" + GOOD.encode("utf-16"))

    def test_numbers(self):
        for number in ["-1", "+0", "00", "1", "", " 0", "0 ", "0x0", "1e3", "٠", "²", "0_0", "1_0",
                       "9" * 18, "9" * 19, "9" * 5000, "0.0", "None"]:
            self.expect(2, GOOD.replace("entries 0", "entries " + number))

    def test_positions(self):
        for board in ["b2/1b2/w1b1w/4/12", "b2/1b2/w1b1w/4/03", "b2/1b2/w1b1w/4/0", "b2/1b2/w1b1w/4/4",
                      "b2/1b2/w1b1w/4", "b2/1b2/w1b1w/4/3/", "b2/1b2/w1b1W/4/3", "w", "", "/" * 9000,
                      "b2/1b2/w1b1w/4/99999999999999", "b2/1b2/w1b1w/4/٣", "b2/1b2/w1o1w/4/3"]:
            self.expect(2, GOOD.replace("b2/1b2/w1b1w/4/3", board))
        for turn in ["r", "wb", "", "W", "w ", "w w", "w 0-0 1"]:
            self.expect(2, GOOD.replace("/3 w", "/3 " + turn))

    def test_files(self):
        for path in ["/nowhere/at all", HERE]:
            done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)


class Soundness(unittest.TestCase):
    """Hints that are wrong in one point each, made by hand from hints that hold."""

    ENTRIES = ["b1w/1wb1/1wbwb/2w1/3 w;b3xc3;", "b1w/1w2/1wbwb/1bw1/3 w;b3xc3;",
               "b1w/1wb1/wb1wb/1bw1/3 w;c1xc2;b2-c3=0 d3-c3=1"]
    ROOT = "position b1w/1wb1/wb1wb/1bw1/3 w\n"

    def hints(self, entries, promise="wins", root=ROOT):
        head = f"marquis-hints 2\ngame squish\nstrategy w {promise}\n{root}"
        return (head + f"entries {len(entries)}\n" + "".join(e + "\n" for e in entries)).encode()

    def test_points(self):
        first, second, last = self.ENTRIES
        start = "position b1w/1wb1/wb1wb/1wb1/b1w w\n"
        self.assertEqual(check(self.hints([first, second, last]))[0], 0)
        self.assertEqual(check(self.hints([last, first, second]))[0], 1)
        cases = [
            (1, [first, second, last], dict(root=start)),  # 1: the position of the strategy
            (1, [first, second, last.replace("c1xc2", "c1-c2")], {}),  # 2: an illegal move
            (1, [first, second, last.replace("c1xc2", "-")], {}),
            (1, [first, second, last.replace(" d3-c3=1", "")], {}),  # 2: a missing reply
            (1, [first, second, last + " d3-c3=1"], {}),  # 2: a reply twice
            (1, [first, second, last + " d3-d2=1"], {}),  # 2: an illegal reply
            (1, [first, second, last.replace("=0", "=1")], {}),  # 3: another position
            (1, [first, second, last.replace("=0", "=.")], {}),  # 3: the game is not over
            (1, [first, second, last.replace("=0", "=2")], {}),  # 5: its own number
            (1, [first, second, last.replace("=0", "=3")], {}),
            (1, [first, second, last.replace("=0", "=" + "9" * 18)], {}),
            (2, [first, second, last.replace("=0", "=-3")], {}),
            (2, [first, second, last.replace("=0", "=٠")], {}),
            (2, [first, second, last.replace("=0", "=" + "9" * 5000)], {}),
            (2, [first, second, last.replace("=0", "")], {}),
            (1, [first, second, last + " "], {}),  # 2: a reply without a name
            (2, [first, second, last + ";"], {}),
            (0, [first, second, last], dict(promise="does-not-lose")),
            # 5: for a win no entry may lead to a later one; otherwise it may.
            (1, [first, last.replace("=1", "=2"), second], dict(promise="wins")),
        ]
        for code, entries, options in cases:
            self.assertEqual(check(self.hints(entries, **options))[0], code, (entries, options))

    @unittest.skipUnless(PROGRAM, "needs MARQUIS, its program")
    def test_cycles(self):
        """Entries that lead to each other do not lose, and win nothing."""
        data = marquis("proof", "hints", os.path.join(PROOFS, "gallery", "14.proof")).encode()
        self.assertEqual(check(data)[0], 0)
        code, found = check(data.replace(b"does-not-lose", b"wins", 1))
        self.assertEqual(code, 1)
        self.assertIn("expected an entry before 0 with that position", found)


class SureLines(unittest.TestCase):
    """A line of Squinch that is accepted wins against every reply, each played by the rules."""

    GAME = checker.Squinch()

    def random_position(self, chance):
        files, ranks = chance.choice([(2, 3), (3, 2), (2, 4), (3, 3)])
        heights = [chance.choice([0, 0, 0, 0, 1, 1, 2, -1, -1, -2]) for _ in range(files * ranks)]
        return chance.choice("rw"), files, tuple(heights)

    def random_line(self, position, chance):
        """Returns moves that bear off everything, alone on the board."""
        turn, files, heights = position
        sign = 1 if turn == "r" else -1
        mine, line = tuple(h * (h * sign > 0) for h in heights), []
        while any(mine):
            move, (_, _, mine) = chance.choice(sorted(self.GAME.moves((turn, files, mine)).items()))
            line.append(move)
        return line

    def wins(self, position, line):
        reached = {position}
        for move in line:
            after = [self.GAME.judge(before)[1].get(move) for before in reached]
            if None in after:
                return False
            ends = [self.GAME.judge(own) for own in after]
            reached = {reply for winner, moves in ends if not winner for reply in moves.values()}
            if any(winner not in (None, position[0]) for winner, _ in ends):
                return False
            if any(self.GAME.judge(reply)[0] for reply in reached):
                return False
        return not reached

    def test_accepted(self):
        chance, counts = random.Random(20261128), collections.Counter()
        while counts[True] < 500:
            position = self.random_position(chance)
            if self.GAME.judge(position)[0]:
                continue
            line = self.random_line(position, chance)
            accepted = self.GAME.wins_by(position, line)
            counts[accepted] += 1
            if accepted:
                self.assertTrue(self.wins(position, line), (position, line))
                self.assertFalse(self.GAME.wins_by(position, line[:-1]))
            else:
                counts["refused, but wins"] += self.wins(position, line)
        print(f"\nlines: {dict(counts)}", file=sys.stderr, end="")
        # Few are refused that win: the condition is nearly necessary on these boards.
        self.assertLess(counts["refused, but wins"], counts[True])


if __name__ == "__main__":
    unittest.main()

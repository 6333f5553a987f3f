#!/usr/bin/env python3
"""Checks hints of proofs, which `marquis proof hints` writes: check_proof.py FILE (`-`: input).

`tablebases/FORMAT.md`, section "Hints of proofs", has the format and what makes hints a proof. The
rules are written here a second time, from the pages `rules.md` below `crates/games/src/`, without
a look at the program's code. Trusted are this file, its reading of those pages, and Python.
Exit codes: 0 proved, 1 not proved, 2 not hints, 4 the input cannot be read.
"""
import re
import sys
from functools import lru_cache, partial
from itertools import takewhile

NAMES = {"w": "White", "b": "Black", "r": "Red", "draw": "nobody"}

class Fault(Exception):
    """Input that breaks the format (exit code 2), or in which something is false (1)."""

def need(condition, message, code=2):
    if not condition:
        raise Fault(code, message)

hold = partial(need, code=1)

class Game:
    """A game has `read`, from the text of a position to a tuple that begins with the player to
    move. Only canonical texts are read, so different texts are different tuples.
    """
    opponent = {"w": "b", "b": "w"}

    def judge(self, position):
        """Returns the winner, or None if the game continues, and the positions after each move."""
        turn = position[0]
        theirs, mine = self.finished(position)
        if theirs or mine:
            return self.opponent[turn] if theirs else turn, {}
        return (None, moves) if (moves := self.moves(position)) else self.stuck(position)

    def stuck(self, position):
        return self.opponent[position[0]], {}

    def fields(self, text, count):
        fields = text.split(" ")
        need(len(fields) == count and fields[1] in self.opponent, f"not a position: `{text}`")
        return fields

# Hexagons. A set of cells is an integer, bit i for cell i. Cell 10 (r + 1) + q is in row r from the
# bottom and column q along a slanted axis; the bits between the rows are not on the board.

@lru_cache
class Hexagon:
    def __init__(self, side):
        self.widths = [2 * side - 1 - abs(r - side + 1) for r in range(2 * side - 1)]
        self.starts = [10 * r + 10 + max(0, side - 1 - r) for r in range(2 * side - 1)]
        rows = zip("abcdefghi", self.starts, self.widths)
        self.names = {start + i: f"{row}{i + 1}" for row, start, width in rows for i in range(width)}
        steps = [range(step, 100 if step > 0 else -100, step) for step in (1, 10, 9, -1, -10, -9)]
        self.rays = {cell: [list(takewhile(self.names.__contains__, (cell + by for by in line)))
                            for line in steps] for cell in self.names}

def cells_of(cells):
    return [cell for cell in range(cells.bit_length()) if cells >> cell & 1]

def distance(a, b):
    rows, columns = b // 10 - a // 10, b % 10 - a % 10
    return max(abs(rows), abs(columns), abs(rows + columns))

@lru_cache(1 << 20)
def group_of(piece, pieces):
    """Returns the group to which a piece belongs, all three as sets."""
    group, grown = 0, piece
    while grown != group:
        group = grown
        for step in (1, 9, 10):
            grown |= group << step | group >> step
        grown &= pieces
    return group

def read_hexagon(text, letters):
    """Returns the board and, for each letter, the set of its cells."""
    rows = text.split("/")[::-1]
    need(len(rows) in (3, 5, 7, 9), f"{len(rows)} rows, expected 3, 5, 7 or 9")
    board, sets = Hexagon((len(rows) + 1) // 2), [0] * len(letters)
    for row, start, width in zip(rows, board.starts, board.widths):
        sets = [s | places << start for s, places in zip(sets, read_row(row, width, letters))]
    return board, *sets

@lru_cache(1 << 16)
def read_row(row, width, letters):
    places = "".join("." * int(c) if c in "123456789" else c for c in row)
    need(len(places) == width and re.fullmatch(f"([1-9]?[{letters}])*[1-9]?", row),
         f"row `{row}`, expected {width} cells: {', '.join(letters)} and numbers of empty cells")
    return [sum(1 << i for i, c in enumerate(places) if c == letter) for letter in letters]

def read_number(text):
    need(re.fullmatch("0|[1-9][0-9]{0,17}", text), f"`{text}`, expected a number, no leading zeros")
    return int(text)

class Squish(Game):
    """Positions are (player to move, board, his pieces, the other pieces)."""

    def read(self, text):
        rows, turn = self.fields(text, 2)
        return turn, *read_hexagon(rows, turn + self.opponent[turn])

    def finished(self, position):
        return [group_of(side & -side, side) == side for side in position[:1:-1]]

    def moves(self, position):
        turn, board, mine, theirs = position
        moves = {}
        for origin, goal in self.steps(board, mine):
            text = board.names[origin] + "-x"[theirs >> goal & 1] + board.names[goal]
            moved = mine ^ 1 << origin ^ 1 << goal
            moves[text] = self.opponent[turn], board, theirs & ~(1 << goal), moved
        return moves

    def steps(self, board, mine):
        """Yields origins and destinations: a friend stands beyond the destination."""
        for origin in cells_of(mine):
            for ray in board.rays[origin]:
                if ray and not mine >> ray[0] & 1 and any(mine >> cell & 1 for cell in ray):
                    yield origin, ray[0]

class Flowish(Squish):
    def steps(self, board, mine):
        groups = {cell: group_of(1 << cell, mine) for cell in cells_of(mine)}
        largest = max(group.bit_count() for group in groups.values())
        in_largest = sum({group for group in groups.values() if group.bit_count() == largest})
        on_flowline = False
        for origin, group in groups.items():
            nearest = {}  # the distance of the nearest target, by the first cell towards it
            for ray in board.rays[origin]:
                for cell in ray:
                    if (in_largest & ~group) >> cell & 1:
                        nearest.setdefault(ray[0], distance(origin, cell))
            for goal, far in nearest.items():
                on_flowline = True
                if far == min(nearest.values()) and not mine >> goal & 1:
                    yield origin, goal
        for origin, group in groups.items() if not on_flowline else ():
            targets = cells_of(in_largest & ~group)
            flowlines = set(sum((ray for cell in targets for ray in board.rays[cell]), targets))
            away = min((distance(origin, cell) for cell in flowlines), default=0)
            for goal in (ray[0] for ray in board.rays[origin] if ray):
                if not mine >> goal & 1 and any(distance(goal, cell) < away for cell in flowlines):
                    yield origin, goal

class Swish(Game):
    """Positions are (player to move, board, his rooks, the other rooks, beads, his store, the other
    store, target).
    """
    def __init__(self, immobile):
        self.immobile = immobile

    def read(self, text):
        rows, turn, stores, target = self.fields(text, 4)
        board, mine, theirs, beads = read_hexagon(rows, turn + self.opponent[turn] + "o")
        need(max(mine.bit_count(), theirs.bit_count()) <= 3, "more rooks than three of a colour")
        need(stores.count("-") == 1, f"stores `{stores}`, expected two numbers")
        stores = [read_number(store) for store in stores.split("-")[::1 if turn == "w" else -1]]
        target, beads_of_all = read_number(target), beads.bit_count() + sum(stores)
        need(1 <= target <= max(1, beads_of_all), f"target {target} of {beads_of_all} beads")
        return turn, board, mine, theirs, beads, *stores, target

    def finished(self, position):
        store, their_store, target = position[5:]
        return their_store >= target, store >= target

    def moves(self, position):
        turn, board, mine, theirs, beads, store, their_store, target = position
        moves = {}
        for origin, goal, taken in self.steps(board, mine, theirs, beads):
            text = board.names[origin] + ("x" if taken else "-") + board.names[goal]
            moved, filled = mine ^ 1 << origin ^ 1 << goal, store + (taken & beads).bit_count()
            moves[text] = (self.opponent[turn], board, theirs & ~taken, moved, beads & ~taken,
                           their_store, filled, target)
        return moves

    def stuck(self, position):
        turn, board, mine, theirs, beads, store, their_store, target = position
        turned = self.opponent[turn], board, theirs, mine, beads, their_store, store, target
        if self.immobile == "loss":
            return self.opponent[turn], {}
        return (None, {"pass": turned}) if self.moves(turned) else ("draw", {})

    def steps(self, board, mine, theirs, beads):
        """Yields origins, destinations and captures: a rook slides, or leaps one row."""
        for origin in cells_of(mine):
            for ray in board.rays[origin]:
                row = kind = landing = 0
                for cell in ray:
                    if not (mine | theirs | beads) >> cell & 1:
                        landing = row
                        yield origin, cell, row
                    elif landing or mine >> cell & 1 or row and not kind >> cell & 1:
                        break
                    else:
                        row |= 1 << cell
                        kind = beads if beads >> cell & 1 else theirs

class Squeeze(Swish):
    def steps(self, board, mine, theirs, beads):
        """Yields origins, destinations and captures: a rook slides, then encloses rows."""
        for origin in cells_of(mine):
            for ray in board.rays[origin]:
                for goal in ray:
                    if (mine | theirs | beads) >> goal & 1:
                        break
                    taken = sum(self.enclosed(line, kind, mine & ~(1 << origin))
                                for line in board.rays[goal] for kind in (beads, theirs))
                    yield origin, goal, taken

    def enclosed(self, ray, kind, friends):
        row = list(takewhile(lambda cell: kind >> cell & 1, ray))
        return sum(1 << c for c in row if any(friends >> end & 1 for end in ray[len(row):][:1]))

class Squinch(Game):
    """Positions are (player to move, files, heights of the stacks from a1 on, White's negative)."""
    opponent = {"r": "w", "w": "r"}

    def read(self, text):
        rows, turn = self.fields(text, 2)
        ranks = [self.read_rank(rank) for rank in rows.split("/")[::-1]]
        files, heights = len(ranks[0]), sum(ranks[:8], ())
        need(len(ranks) <= 8 and 2 <= files <= 8 and {files} == set(map(len, ranks)) and all(
            sum(h * sign for h in heights if h * sign > 0) <= 24 for sign in (1, -1)),
             f"position `{text}`, expected 1 to 8 equal ranks, 2 to 8 files, up to 24 checkers each")
        return turn, files, heights

    @lru_cache(1 << 16)
    def read_rank(self, rank):
        tokens = rank.split(",")
        need(all(re.fullmatch("[1-9]|[rw][1-9][0-9]?", token) for token in tokens)
             and not re.search(r"\b\d,\d", rank), f"rank `{rank}`, expected stacks and empty squares")
        return sum(((0,) * int(token) if token.isdigit() else
                    (int(token[1:]) * (1 if token[0] == "r" else -1),) for token in tokens), ())

    def finished(self, position):
        sides = min(position[2]) >= 0, max(position[2]) <= 0
        return sides if position[0] == "r" else sides[::-1]

    def moves(self, position):
        turn, files, heights = position
        sign, other = (1, "w") if turn == "r" else (-1, "r")
        mine, ranks, moves = [h * sign for h in heights], len(heights) // files, {}
        names = [f"{file}{r + 1}" for r in range(ranks) for file in "abcdefgh"[:files]] + ["off"]
        for origin, height in enumerate(mine):
            rank, file = divmod(origin, files)
            for k in range(1, height + 1):
                ahead = rank + k * sign
                goals = [(f, ahead, 0) for f in (file - k, file, file + k) if 0 <= ahead < ranks]
                goals += [(f, rank, height) for f in (file - k, file + k)]
                goals = [r * files + f for f, r, least in goals
                         if 0 <= f < files and mine[r * files + f] >= least]
                for goal in goals + [-1] * (ahead in (-1, ranks)):
                    after = [*heights, 0]  # and what has left the board
                    after[origin] -= sign
                    after[goal] += sign
                    moves[f"{names[origin]}-{names[goal]}"] = other, files, tuple(after[:-1])
        return moves

    def stuck(self, position):
        return None, {"pass": (self.opponent[position[0]], *position[1:])}

    def wins_by(self, position, moves):
        """Whether these moves win, whatever the other player answers: each of them lands on friends
        or ahead of all enemies, who never go back and pass over everything but land on no enemy, so
        that it stays legal; and the enemies need at least as many, even alone on the board.
        """
        turn, files, heights = position
        sign = 1 if turn == "r" else -1
        mine, theirs = [tuple(h * (h * s > 0) for h in heights) for s in (sign, -sign)]
        farthest = max(i // files * sign for i, h in enumerate(theirs) if h)
        ahead = tuple(i // files * sign > farthest for i in range(len(heights)))
        return (self.bears_off(turn, files, mine, ahead, tuple(moves))
                and not self.may_bear_off(self.opponent[turn], files, theirs, len(moves) - 1))

    @lru_cache(None)
    def bears_off(self, turn, files, mine, ahead, moves):
        """Whether the moves bear off all checkers and land on friends or squares ahead."""
        if not moves:
            return not any(mine)
        after = self.moves((turn, files, mine)).get(moves[0], (turn, files, ()))[2]
        return (after and all(free or then or not now for free, then, now in zip(ahead, mine, after))
                and self.bears_off(turn, files, after, ahead, moves[1:]))

    @lru_cache(None)
    def may_bear_off(self, turn, files, heights, moves):
        """Whether this number of moves can bear off all checkers, alone on the board."""
        # Each checker needs a move; without this bound high stacks have too many placements.
        after = self.moves((turn, files, heights)) if sum(map(abs, heights)) <= moves else {}
        return not any(heights) or any(
            self.may_bear_off(turn, files, left, moves - 1) for _, _, left in after.values())

class Lines:
    """The lines of a stream, and the number of the last one read."""
    def __init__(self, stream):
        self.stream, self.number = stream, 0

    def next(self):
        line = self.stream.readline(1 << 16)
        self.number += 1
        need(re.fullmatch(rb"[ -~]+\n", line), "expected a line of printable ASCII")
        return line[:-1].decode()

    def field(self, key, values=".+"):
        """Returns the rest of a line that begins with the key."""
        line = self.next()
        need(re.fullmatch(f"{key} ({values})", line), f"`{line}`, expected `{key} {values}`")
        return line[len(key) + 1:]

def check_strategy(game, lines):
    """Checks the next strategy; returns what it proves."""
    head = f"[{''.join(game.opponent)}] (wins|does-not-lose)"
    holder, promise = lines.field("strategy", head).split(" ")
    ends = {holder} if promise == "wins" else {holder, "draw"}
    root = game.read(root_text := lines.field("position"))
    count, first = read_number(lines.field("entries")), lines.number + 1
    entries = [lines.next().split(";") for _ in range(count)]
    need({3}.issuperset(map(len, entries)), "an entry without the form `TEXT;MOVE;REPLIES`")
    positions = [game.read(entry[0]) for entry in entries]
    hold(game.judge(root)[0] in ends if count == 0 else positions[-1] == root,
         f"expected `{root_text}` in the last entry, or without entries a game that is over there")
    for number, (position, (_, move, replies)) in enumerate(zip(positions, entries)):
        lines.number = first + number
        winner, legal = game.judge(position)
        hold(not winner, "the game is over in the position, expected that it continues")
        if move == "line":
            hold(isinstance(game, Squinch) and position[0] == holder
                 and game.wins_by(position, replies.split(" ")), f"the line `{replies}` is not sure")
            continue
        if position[0] == holder:
            hold(move in legal, f"illegal move `{move}`, expected one of {', '.join(legal)}")
            winner, legal = game.judge(legal[move])
            hold(winner in {None} | ends, f"after {move} {NAMES.get(winner)} has won")
        else:
            hold(move == "-" and number == count - 1, f"expected that {NAMES[holder]} is to move")
        goals = [reply.partition("=") for reply in replies.split(" ") if replies]
        hold(len(goals) == len(legal) and legal.keys() == {reply for reply, _, _ in goals},
             f"replies `{replies}`, expected {', '.join(legal) or 'none'}, each once")
        for reply, _, goal in goals:
            if goal == ".":
                hold(game.judge(legal[reply])[0] in ends, f"after {reply} the promise is not kept")
            else:
                goal, bound = read_number(goal), number if promise == "wins" else count
                hold(goal < bound and positions[goal] == legal[reply],
                     f"`{reply}={goal}`, expected an entry before {bound} with that position")
    mover, promise = f"with {NAMES[root[0]]} " * (root[0] != holder), promise.replace("-", " ")
    return f"{NAMES[holder]}, {mover}to move in {root_text}, {promise}: {count:,} positions checked"

def check_hints(lines):
    """Returns what is proved, a sentence for each strategy."""
    lines.field("marquis-hints", "2")
    name = lines.field("game", "squish|flowish|swish|squeeze|squinch").capitalize()
    options = [lines.field("immobile", "loss|pass")] if name in ("Swish", "Squeeze") else []
    game = {c.__name__: c for c in (Squish, Flowish, Swish, Squeeze, Squinch)}[name](*options)
    proved = []
    while not proved or lines.stream.peek(1):
        proved.append(f"{' with immobile='.join([name, *options])}: {check_strategy(game, lines)}")
    return proved

def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(0 if arguments == ["-"] else arguments[0], "rb") as stream:
            print("\n".join(check_hints(lines := Lines(stream))), flush=True)
        return 0
    except Fault as fault:
        code, message = fault.args
        title = "not proved" if code == 1 else "error: not hints"
        print(f"{title}: line {lines.number}: {message[:500]}", file=sys.stderr)
        return code
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 4

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

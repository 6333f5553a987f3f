#!/usr/bin/env python3
"""Checks hints of proofs, the text form that `marquis proof hints` writes.

    check_proof.py FILE        (`-` for standard input)

`tablebases/FORMAT.md`, section "Hints of proofs", has the format and what makes hints a proof.
The rules of the five games are written here a second time, from their pages `rules.md` below
`crates/games/src/`, without a look at the program's own code.

Trusted: this file, Python, and that those pages are understood rightly here. Nothing in the input
is: each position, move, reply, number and end of a game is checked.

Exit codes: 0 proved, 1 not proved, 2 not hints, 4 the input cannot be read.
"""
import re
import sys
from functools import lru_cache

NAMES = {"w": "White", "b": "Black", "r": "Red", "draw": "nobody"}

class NotHints(Exception):
    """The input breaks the format."""

class NotProved(Exception):
    """The input keeps the format, but says something that is not so."""

def need(condition, message, fault=NotHints):
    if not condition:
        raise fault(message)

class Game:
    """A game has `read`, from the text of a position to a tuple that begins with the player to
    move. Only canonical texts are read, so different texts are different tuples.
    """
    opponent = {"w": "b", "b": "w"}

    def judge(self, position):
        """Returns the winner, or None if the game goes on, and the positions after each move."""
        turn = position[0]
        theirs, mine = self.finished(position)
        if theirs or mine:
            return self.opponent[turn] if theirs else turn, {}
        moves = self.moves(position)
        return (None, moves) if moves else self.stuck(position)

    def stuck(self, position):
        return self.opponent[position[0]], {}

    def fields(self, text, count):
        fields = text.split(" ")
        need(len(fields) == count, f"position `{text}`, expected {count} fields")
        need(fields[1] in self.opponent, f"player `{fields[1]}`, expected {set(self.opponent)}")
        return fields

# A set of cells is an integer, bit i for cell i. Cells are numbered from a1, row after row.

class Hexagon:
    def __init__(self, side):
        span = range(1 - side, side)
        cells = [(q, r) for r in span for q in span if abs(q + r) < side]
        number = {cell: i for i, cell in enumerate(cells)}
        self.widths = [2 * side - 1 - abs(r) for r in span]
        self.names = [f"{row}{place}" for row, width in zip("abcdefghi", self.widths)
                      for place in range(1, width + 1)]
        directions = (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)
        rays = [[[(q + k * x, r + k * y) for k in range(1, 2 * side)] for x, y in directions]
                for q, r in cells]
        self.rays = [[[number[c] for c in ray if c in number] for ray in from_cell]
                     for from_cell in rays]
        self.ray_sets = [[sum(1 << i for i in ray) for ray in rays] for rays in self.rays]
        self.lines = [sum(sets) | 1 << i for i, sets in enumerate(self.ray_sets)]
        self.neighbours = [sum(1 << ray[0] for ray in rays if ray) for rays in self.rays]
        self.distance = [[max(abs(q - s), abs(r - t), abs(q + r - s - t)) for s, t in cells]
                         for q, r in cells]

hexagon = lru_cache(Hexagon)

def cells_of(cells):
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest

def read_hexagon(text, letters):
    """Returns the board and, for each letter, the set of its cells."""
    rows = text.split("/")[::-1]
    need(len(rows) in (3, 5, 7, 9), f"{len(rows)} rows, expected 3, 5, 7 or 9")
    board, sets, first = hexagon((len(rows) + 1) // 2), [0] * len(letters), 0
    for row, width in zip(rows, board.widths):
        sets = [s | places << first for s, places in zip(sets, read_row(row, width, letters))]
        first += width
    return board, *sets

@lru_cache(1 << 16)
def read_row(row, width, letters):
    places = "".join("." * int(c) if c in "123456789" else c for c in row)
    need(len(places) == width and re.fullmatch(f"([1-9]?[{letters}])*[1-9]?", row),
         f"row `{row}`, expected {width} cells: {', '.join(letters)} and numbers of empty cells")
    return [sum(1 << i for i, c in enumerate(places) if c == letter) for letter in letters]

class Squish(Game):
    """Positions are (player to move, board, his pieces, the other pieces)."""

    def read(self, text):
        rows, turn = self.fields(text, 2)
        return turn, *read_hexagon(rows, turn + self.opponent[turn])

    def finished(self, position):
        _, board, mine, theirs = position
        return [group_of(board, side & -side, side) == side for side in (theirs, mine)]

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
            for ray, ray_set in zip(board.rays[origin], board.ray_sets[origin]):
                if ray_set & mine and not mine >> ray[0] & 1:
                    yield origin, ray[0]

def group_of(board, piece, pieces):
    """Returns the group to which a piece belongs, all three as sets."""
    group = waiting = piece
    while waiting:
        lowest = waiting & -waiting
        reached = board.neighbours[lowest.bit_length() - 1] & pieces & ~group
        group |= reached
        waiting ^= lowest | reached
    return group

class Flowish(Squish):
    def steps(self, board, mine):
        groups = {cell: group_of(board, 1 << cell, mine) for cell in cells_of(mine)}
        largest = max(group.bit_count() for group in groups.values())
        in_largest = sum({group for group in groups.values() if group.bit_count() == largest})
        on_flowline = False
        for origin, group in groups.items():
            nearest = {}  # the distance of the nearest target, by the first cell towards it
            for ray in board.rays[origin]:
                for cell in ray:
                    if (in_largest & ~group) >> cell & 1:
                        nearest.setdefault(ray[0], board.distance[origin][cell])
            for goal, distance in nearest.items():
                on_flowline = True
                if distance == min(nearest.values()) and not mine >> goal & 1:
                    yield origin, goal
        for origin, group in groups.items() if not on_flowline else ():
            flowlines = {cell for target in cells_of(in_largest & ~group)
                         for cell in cells_of(board.lines[target])}
            away = min((board.distance[origin][cell] for cell in flowlines), default=0)
            for goal in cells_of(board.neighbours[origin] & ~mine):
                if any(board.distance[goal][cell] < away for cell in flowlines):
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
        row = 0
        for cell in ray:
            if not kind >> cell & 1:
                return row if friends >> cell & 1 else 0
            row |= 1 << cell
        return 0

class Squinch(Game):
    """Positions are (player to move, files, heights of the stacks from a1 on, White's negative)."""
    opponent = {"r": "w", "w": "r"}

    def read(self, text):
        rows, turn = self.fields(text, 2)
        ranks = [read_rank(rank) for rank in rows.split("/")[::-1]]
        files, heights = len(ranks[0]), sum(ranks[:8], ())
        need(len(ranks) <= 8 and 2 <= files <= 8 and {files} == set(map(len, ranks)),
             f"position `{text}`, expected 1 to 8 equal ranks and 2 to 8 files")
        need(sum(h for h in heights if h > 0) <= 24 and sum(h for h in heights if h < 0) >= -24,
             f"position `{text}`, expected at most 24 checkers of a player")
        return turn, files, heights

    def finished(self, position):
        heights = position[2] if position[0] == "r" else [-h for h in position[2]]
        return min(heights) >= 0, max(heights) <= 0

    def moves(self, position):
        turn, files, heights = position
        sign = 1 if turn == "r" else -1
        mine, ranks, moves = [h * sign for h in heights], len(heights) // files, {}
        for origin, height in enumerate(mine):
            rank, file = divmod(origin, files)
            for k in range(1, height + 1):
                ahead, goals = rank + k * sign, []
                if 0 <= ahead < ranks:
                    goals = [(f, ahead, 0) for f in (file - k, file, file + k)]
                goals += [(f, rank, height) for f in (file - k, file + k)]
                goals = [r * files + f for f, r, least in goals
                         if 0 <= f < files and mine[r * files + f] >= least]
                for goal in goals + [None] * (ahead in (-1, ranks)):
                    after = list(heights)
                    after[origin] -= sign
                    if goal is not None:
                        after[goal] += sign
                    text = square_name(origin, files) + "-" + square_name(goal, files)
                    moves[text] = self.opponent[turn], files, tuple(after)
        return moves

    def stuck(self, position):
        return None, {"pass": (self.opponent[position[0]], *position[1:])}

def square_name(square, files):
    return "off" if square is None else "abcdefgh"[square % files] + str(square // files + 1)

@lru_cache(1 << 16)
def read_rank(rank):
    tokens = rank.split(",")
    need(all(re.fullmatch("[1-9]|[rw][1-9][0-9]?", token) for token in tokens)
         and not re.search(r"\b\d,\d", rank), f"rank `{rank}`, expected stacks and empty squares")
    heights = []
    for token in tokens:
        heights += [0] * int(token) if token.isdigit() else [int(token[1:])]
        heights[-1] *= -1 if token[0] == "w" else 1
    return tuple(heights)

def read_number(text):
    need(re.fullmatch("0|[1-9][0-9]{0,17}", text), f"`{text}`, expected a number, no leading zeros")
    return int(text)

class Lines:
    """The lines of a stream, and the number of the last one read."""
    def __init__(self, stream):
        self.stream, self.number = stream, 0

    def next(self, expected, optional=False):
        line = self.stream.readline(1 << 16)
        if optional and not line:
            return None
        self.number += 1
        text = line[:-1].decode("latin-1")
        need(line.endswith(b"\n") and text.isascii() and text.isprintable(),
             f"no whole line of printable ASCII, expected {expected}")
        return text

    def field(self, key, values=".+"):
        """Returns the rest of a line that begins with the key."""
        line = self.next(f"`{key} {values}`")
        need(re.fullmatch(f"{key} ({values})", line), f"`{line}`, expected `{key} {values}`")
        return line.partition(" ")[2]

def read_replies(text):
    """Returns the number of an entry, or None for `.`, by the reply."""
    numbers = {}
    for item in text.split(" ") if text else ():
        reply, sign, number = item.partition("=")
        need(sign, f"`{item}`, expected `REPLY=NUMBER` or `REPLY=.`")
        need(reply not in numbers, f"reply `{reply}` twice, expected it once", NotProved)
        numbers[reply] = None if number == "." else read_number(number)
    return numbers

def check_strategy(game, lines, head):
    """Checks the strategy with that first line; returns what it proves."""
    need(re.fullmatch(f"strategy [{''.join(game.opponent)}] (wins|does-not-lose)", head),
         f"`{head}`, expected `strategy LETTER wins` or `strategy LETTER does-not-lose`")
    _, holder, promise = head.split(" ")
    wins = promise == "wins"

    def hold(condition, message):
        need(condition, message, NotProved)

    def check_end(position, where):
        winner, _ = game.judge(position)
        hold(winner, f"{where} the game is not over, expected that it is")
        hold(winner == holder or winner == "draw" and not wins,
             f"{where} the winner is {NAMES[winner]}, expected that {NAMES[holder]} {promise}")

    root_text = lines.field("position")
    root, count = game.read(root_text), read_number(lines.field("entries"))
    if count == 0:
        check_end(root, "in the position without entries")
    entries, later = [], []
    for number in range(count):
        fields = lines.next(f"entry {number} of {count}").split(";")
        need(len(fields) == 3, f"{len(fields)} fields, expected `TEXT;MOVE;REPLIES`")
        text, move, replies = fields[0], fields[1], read_replies(fields[2])
        position = game.read(text)
        entries.append(position)
        winner, legal = game.judge(position)
        hold(not winner, "the game is over in the position, expected that it goes on")
        hold(position[0] == holder or move == "-" and number == count - 1,
             f"{NAMES[position[0]]} is to move, expected it only in the last entry and with `-`")
        if position[0] == holder:
            hold(move in legal, f"illegal move `{move}`, expected one of {', '.join(legal)}")
            after = legal[move]
            winner, legal = game.judge(after)
            if winner:
                check_end(after, f"after {move}")
        hold(replies.keys() == legal.keys(),
             f"replies {', '.join(replies) or 'none'}, expected {', '.join(legal) or 'none'}")
        for reply, goal in replies.items():
            if goal is None:
                check_end(legal[reply], f"after {reply}")
            else:
                bound = number if wins else count
                hold(goal < bound, f"`{reply}={goal}`, expected a number below {bound}")
                later.append((lines.number, f"{reply}={goal}", goal, legal[reply]))
        # If the game were over after a reply with a number, that entry would be refused above.
        if wins or number == count - 1:
            for lines.number, link, goal, after in later:
                hold(entries[goal] == after, f"`{link}`, expected the entry after that reply")
            later.clear()
    hold(not count or entries[-1] == root, f"the last entry is not `{root_text}`, as expected")
    mover = "" if root[0] == holder else f"with {NAMES[root[0]]} "
    promise = "wins" if wins else "does not lose"
    return f"{NAMES[holder]}, {mover}to move in {root_text}, {promise}: {count:,} positions checked"

def check_hints(lines):
    """Returns what is proved, a sentence for each strategy."""
    lines.field("marquis-hints", "1")
    name = lines.field("game", "squish|flowish|swish|squeeze|squinch").capitalize()
    options = [lines.field("immobile", "loss|pass")] if name in ("Swish", "Squeeze") else []
    game = {c.__name__: c for c in (Squish, Flowish, Swish, Squeeze, Squinch)}[name](*options)
    title = name + "".join(f" with immobile={rule}" for rule in options)
    proved, head = [], lines.next("`strategy ...`")
    while head is not None:
        proved.append(f"{title}: {check_strategy(game, lines, head)}")
        head = lines.next("`strategy ...` or the end", optional=True)
    return proved

def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(0 if arguments == ["-"] else arguments[0], "rb") as stream:
            lines = Lines(stream)
            print("\n".join(check_hints(lines)), flush=True)
        return 0
    except (NotProved, NotHints) as fault:
        code, title = (1, "not proved") if isinstance(fault, NotProved) else (2, "error: not hints")
        print(f"{title}: line {lines.number}: {str(fault)[:500]}", file=sys.stderr)
        return code
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 4

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

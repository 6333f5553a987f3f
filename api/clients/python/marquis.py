"""Client of the Marquis service: proved answers about six abstract games, over HTTP.

Needs Python 3.11 and nothing else.

    from marquis import Marquis

    with_service = Marquis("http://127.0.0.1:8017")
    answer = with_service.ask("squish", "start:3", budget_ms=2000)
    print(answer["value"], answer["moves"][0]["move"])

Every call returns what the service sends, as the types below describe it, or raises `Refused` with the problem
document of RFC 9457 that it sends instead.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

Value = Literal["win", "draw", "loss", "unknown"]


class Wdl(TypedDict):
    """Chances of the player to move; they sum to one."""

    win: float
    draw: float
    loss: float


class Verdict(TypedDict):
    """What is known of a position or move."""

    value: Value
    plies: int | None
    bounds: list[Value]
    proof: str
    estimate: NotRequired[float]
    wdl: NotRequired[Wdl]
    source: NotRequired[Literal["exact", "estimate"]]


class Move(Verdict):
    """A move, and what it is worth to the player who makes it."""

    move: str
    position: str
    delta: int | None


class Answer(Verdict):
    """The answer about a position of a game without throws; moves are best first."""

    game: str
    position: str
    turn: str
    over: str | None
    moves: list[Move]
    depth: NotRequired[int]
    nodes: NotRequired[int]
    pv: NotRequired[list[str]]
    ended: NotRequired[str]


class Chances(TypedDict):
    """The answer about a position of Senet: a chance for each throw."""

    game: str
    position: str
    turn: str
    chance: float | None
    error: float | None
    source: NotRequired[Literal["exact", "estimate"]]
    throws: list[dict[str, Any]]


class LegalMove(TypedDict):
    """A legal move and where it leads."""

    throw: NotRequired[int]
    move: str
    position: str


class Legal(TypedDict):
    """A position, and the moves that the rules allow there."""

    game: str
    position: str
    turn: str
    over: str | None
    moves: list[LegalMove]
    why_not: str | None


RESULTS = {"balance": "result", "review": "review", "design": "design", "solve": "answer", "generate": "built"}
"""Under which name a job of each kind has what it found."""


class Job(TypedDict):
    """Work that goes on after its request."""

    id: str
    kind: str
    state: Literal["queued", "running", "done", "cancelled", "failed"]
    progress: dict[str, Any]
    result: dict[str, Any] | None
    review: NotRequired[dict[str, Any]]
    design: NotRequired[dict[str, Any]]
    answer: NotRequired[Answer]
    built: NotRequired[dict[str, Any]]
    problem: dict[str, Any] | None
    token: NotRequired[str]
    """What it is cancelled with; told to who asked for it alone."""


class Refused(Exception):
    """The service refused, and says why."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"status {status}")
        self.status = status
        """The status of HTTP."""
        self.problem = problem
        """The problem document; `place`, `expected` and `found` name what is wrong with a question."""
        self.retry_after = retry_after
        """Seconds after which the same request may be answered, where the service says so."""


class Marquis:
    """A service at an address."""

    def __init__(self, address: str = "http://127.0.0.1:8017", timeout: float = 60.0) -> None:
        """
        address: where the service is, without a path.
        timeout: seconds to wait for an answer beyond the budget of the question.
        """
        self.address = address.rstrip("/")
        self.timeout = timeout

    def games(self) -> list[dict[str, Any]]:
        """Every game: variants, grammar, players, starts with the names of their cells."""
        return cast(list[dict[str, Any]], self._get("/v1/games")["games"])

    def ask(
        self,
        game: str,
        position: str,
        *,
        budget_ms: int | None = None,
        play: Sequence[str] = (),
        throw: int | None = None,
        line: bool = False,
        immobile: Literal["loss", "pass"] | None = None,
    ) -> Answer:
        """What is known of a position and of its moves; a search within the budget where no table answers."""
        answer = self._get(
            f"/v1/{quote(game, safe='')}",
            position=position,
            budget_ms=budget_ms,
            play=" ".join(play) or None,
            throw=throw,
            line="true" if line else None,
            immobile=immobile,
            wait_ms=budget_ms,
        )
        return cast(Answer, answer)

    def chances(self, position: str, *, throw: int | None = None, budget_ms: int | None = None) -> Chances:
        """The chances of a position of Senet, for each throw or for one."""
        return cast(Chances, self.ask("senet", position, throw=throw, budget_ms=budget_ms))

    def choose(
        self, game: str, position: str, level: int, *, seed: int | None = None, budget_ms: int | None = None
    ) -> dict[str, Any]:
        """The move of a player of a level from 1 to 8, under `chosen` of the answer."""
        place = f"/v1/{quote(game, safe='')}"
        return self._get(
            place, position=position, level=level, seed=seed, budget_ms=budget_ms, wait_ms=budget_ms
        )

    def ask_many(
        self, game: str, positions: Sequence[str], *, moves: bool = True, budget_ms: int | None = None
    ) -> list[dict[str, Any]]:
        """An answer for each of up to 1000 positions; a problem stands in the place of a faulty one."""
        body = {"positions": list(positions), "moves": moves, "budget_ms": budget_ms}
        answers = self._post(f"/v1/{quote(game, safe='')}", body, wait_ms=budget_ms)["answers"]
        return cast(list[dict[str, Any]], answers)

    def moves(self, game: str, position: str, *, throw: int | None = None) -> Legal:
        """The legal moves, without a search."""
        return cast(Legal, self._get(f"/v1/{quote(game, safe='')}/moves", position=position, throw=throw))

    def why_not(
        self, game: str, position: str, start: str, end: str | None = None, *, throw: int | None = None
    ) -> str | None:
        """Why the piece on the cell `start` cannot move, or not to `end`, in a sentence; None where it can."""
        path = f"/v1/{quote(game, safe='')}/moves"
        said = self._get(path, position=position, throw=throw, **{"from": start, "to": end})["why_not"]
        return cast("str | None", said)

    def normal(self, game: str, position: str) -> str:
        """The chosen one among all images of a position: the same text for each of them."""
        return cast(str, self._get(f"/v1/{quote(game, safe='')}/normal", position=position)["normal"])

    def perft(self, game: str, position: str, depth: int, *, budget_ms: int | None = None) -> list[int]:
        """How many positions there are after 1, 2, … `depth` plies; fewer counts where the time is up."""
        path = f"/v1/{quote(game, safe='')}/perft"
        counted = self._get(path, wait_ms=budget_ms, position=position, depth=depth, budget_ms=budget_ms)
        return cast(list[int], counted["leaves"])

    def balance(
        self,
        game: str,
        board: str,
        *,
        bait: int = 0,
        pie: Literal["marquisian", "bait"] = "marquisian",
        target: int | None = None,
        immobile: Literal["loss", "pass"] | None = None,
        both: bool = False,
        patience: float = 3600.0,
    ) -> dict[str, Any]:
        """What Player Two should do with a set-up; waits for the job where it takes longer than a request.

        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        body = {"board": board, "bait": bait, "pie": pie, "target": target, "immobile": immobile, "both": both}
        return self._work(game, "balance", body, patience)

    def solve(
        self,
        game: str,
        position: str,
        *,
        play: Sequence[str] = (),
        throw: int | None = None,
        immobile: Literal["loss", "pass"] | None = None,
        nodes: int | None = None,
        limit_ms: int | None = None,
        patience: float = 3600.0,
    ) -> Answer:
        """What is known of a position once it is solved, or once the limit has passed; waits for the job.

        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        body = {"position": position, "throw": throw, "immobile": immobile, "nodes": nodes, "limit_ms": limit_ms}
        return cast(Answer, self._work(game, "solve", {**body, "play": " ".join(play) or None}, patience))

    def design(
        self,
        game: str,
        *,
        side: int = 3,
        rooks: int = 2,
        beads: int = 3,
        layout: Literal["random", "point-symmetric"] = "random",
        pie: Literal["marquisian", "bait"] = "marquisian",
        seed: int = 1,
        tries: int = 20,
        keep: int = 5,
        set_up_ms: int | None = None,
        patience: float = 3600.0,
    ) -> dict[str, Any]:
        """Set-ups that are hard on Player Two, the hardest first under `designs`; waits for the job.

        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        kind = {"side": side, "rooks": rooks, "beads": beads, "layout": layout, "pie": pie}
        how = {"seed": seed, "tries": tries, "keep": keep, "set_up_ms": set_up_ms}
        return self._work(game, "design", {**kind, **how}, patience)

    def review(
        self, game: str, record: str, *, move_ms: int | None = None, patience: float = 3600.0
    ) -> dict[str, Any]:
        """A game looked over, move by move; waits for the job.

        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        return self._work(game, "review", {"record": record, "move_ms": move_ms}, patience)

    def generate(self, game: str, *, patience: float = 3600.0, **what: object) -> dict[str, Any]:
        """Tables, where the operator allows it; waits for the job.

        what: `side`, `pieces`, `beads`, `from` and the others of the command line; with `dry_run=True` the plan.
        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        return self._work(game, "generate", what, patience)

    def proof(self, href: str) -> bytes:
        """The file with a proof, which `marquis check-proof` replays.

        href: the address that a job or a design tells under `proof`.
        """
        with self._open(Request(self.address + href), None) as reply:
            return cast(bytes, reply.read())

    def events(self, job: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """What a job says until it is over: the name of each event and what it tells; the last one is the whole job."""
        request = Request(f"{self.address}/v1/jobs/{quote(job, safe='')}/events")
        with self._open(request, None) as reply:
            name = ""
            for line in reply:
                field, _, text = line.decode().rstrip("\n").partition(": ")
                if field == "event":
                    name = text
                elif field == "data":
                    yield name, json.loads(text)

    def _work(self, game: str, what: str, body: Mapping[str, object], patience: float) -> dict[str, Any]:
        place = f"/v1/{quote(game, safe='')}/{what}"
        found = self._post(place, {**body, "budget_ms": 1000}, wait_ms=1000)
        return self.wait(cast(Job, found), patience) if "token" in found else found

    def read_record(self, game: str, record: str) -> dict[str, Any]:
        """The game of a record, move by move with every position."""
        return self._post(f"/v1/{quote(game, safe='')}/record", {"record": record})

    def job(self, job: str) -> Job:
        """State and result of a job."""
        return cast(Job, self._get(f"/v1/jobs/{quote(job, safe='')}"))

    def jobs(self, token: str) -> list[Job]:
        """The jobs that were asked for with a token."""
        return cast(list[Job], self._send("GET", "/v1/jobs", token=token)["jobs"])

    def cancel(self, job: str, token: str) -> Job:
        """Cancels a job with the token that came with it; one that is finished, or that others want, stays as it is."""
        return cast(Job, self._send("DELETE", f"/v1/jobs/{quote(job, safe='')}", token=token))

    def wait(self, job: Job, patience: float = 3600.0) -> dict[str, Any]:
        """The result of a job, once there is one.

        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        until = time.monotonic() + patience
        token = job.get("token")
        pause = 0.05
        while job["state"] in ("queued", "running"):
            if time.monotonic() > until:
                if token is not None:
                    self.cancel(job["id"], token)
                raise TimeoutError(f"no result after {patience} s: {job['progress']}")
            time.sleep(pause)
            pause = min(2 * pause, 2.0)
            job = self.job(job["id"])
        found = job.get(RESULTS.get(job["kind"], "result"))
        if found is None:
            raise Refused(200, job["problem"] or {"detail": f"the job is {job['state']}"}, None)
        return cast(dict[str, Any], found)

    def tables(self) -> list[dict[str, Any]]:
        """The loaded tables: game, layer, positions, bytes, checksum."""
        return cast(list[dict[str, Any]], self._get("/v1/tables")["tables"])

    def table(self, file: str, *, begin: int = 0, piece: int = 1 << 20) -> Iterator[bytes]:
        """The bytes of a table in pieces; a download that broke off goes on at `begin`.

        file: as `tables` names it.
        """
        request = Request(f"{self.address}/v1/tables/{quote(file)}", headers={"Range": f"bytes={begin}-"})
        with self._open(request, None) as reply:
            while part := reply.read(piece):
                yield part

    def studies(self) -> list[dict[str, Any]]:
        """The studies that the service shows: what is proved of each by now, and how far it is."""
        return cast(list[dict[str, Any]], self._get("/v1/studies")["studies"])

    def study(self, name: str) -> dict[str, Any]:
        """A study with `tree`, the part of its tree in which most of its effort lies."""
        return self._get(f"/v1/studies/{quote(name, safe='')}")

    def _get(self, place: str, *, wait_ms: int | None = None, **parameters: object) -> dict[str, Any]:
        said = {name: value for name, value in parameters.items() if value is not None}
        return self._send("GET", f"{place}?{urlencode(said)}" if said else place, wait_ms=wait_ms)

    def _post(self, place: str, body: Mapping[str, object], *, wait_ms: int | None = None) -> dict[str, Any]:
        said = {name: value for name, value in body.items() if value is not None}
        return self._send("POST", place, json.dumps(said).encode(), wait_ms=wait_ms)

    def _send(
        self,
        method: str,
        place: str,
        body: bytes | None = None,
        *,
        wait_ms: int | None = None,
        token: str | None = None,
    ) -> dict[str, Any]:
        headers = {"Accept": "application/json"} | ({"Content-Type": "application/json"} if body else {})
        headers |= {"Job-Token": token} if token else {}
        request = Request(self.address + place, data=body, method=method, headers=headers)
        with self._open(request, wait_ms) as reply:
            return cast(dict[str, Any], json.load(reply))

    def _open(self, request: Request, wait_ms: int | None) -> Any:
        try:
            return urlopen(request, timeout=self.timeout + (wait_ms or 0) / 1000)
        except HTTPError as refusal:
            with refusal:
                text = refusal.read().decode(errors="replace")
            try:
                problem = json.loads(text)
            except json.JSONDecodeError:
                problem = {"detail": text}
            later = refusal.headers.get("Retry-After")
            raise Refused(refusal.code, problem, float(later) if later else None) from None

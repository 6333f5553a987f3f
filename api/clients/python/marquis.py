"""Client of the Marquis service: proved answers about six abstract games, over HTTP.

Needs Python 3.11 and nothing else.

    from marquis import Marquis

    with_service = Marquis("http://127.0.0.1:8017")
    answer = with_service.ask("squish", "start:3", budget_ms=2000)
    print(answer["value"], answer["moves"][0]["move"])

Every call returns the response of the service, as one of the types below, or raises `Refused` with its RFC 9457
problem document.
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
    """The value of a position or move, as far as it is known."""

    value: Value
    plies: int | None
    bounds: list[Value]
    proof: str
    estimate: NotRequired[float]
    wdl: NotRequired[Wdl]
    source: NotRequired[Literal["exact", "estimate"]]


class Move(Verdict):
    """A move, with its value for the player who makes it."""

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
    """A position with its legal moves."""

    game: str
    position: str
    turn: str
    over: str | None
    moves: list[LegalMove]
    why_not: str | None


RESULTS = {"balance": "result", "review": "review", "design": "design", "solve": "answer", "generate": "built"}
"""The field of a finished job that holds its result, by kind of job."""


class Job(TypedDict):
    """Work that continues after its request."""

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
    """The token that cancels it; only the requesting client receives it."""


class Refused(Exception):
    """The service refused the request; the message is the reason."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"status {status}")
        self.status = status
        """The HTTP status."""
        self.problem = problem
        """The problem document; `place`, `expected` and `found` locate the error in a request."""
        self.retry_after = retry_after
        """Seconds after which to retry the request, if the service gives them."""


class Marquis:
    """A service at an address."""

    def __init__(self, address: str = "http://127.0.0.1:8017", timeout: float = 60.0) -> None:
        """
        address: the address of the service, without a path.
        timeout: seconds to wait for an answer beyond the budget of the question.
        """
        self.address = address.rstrip("/")
        self.timeout = timeout

    def games(self) -> list[dict[str, Any]]:
        """Every game: variants, grammar, players, start positions with the names of their cells."""
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
        """The value of a position and of its moves, from a table or by a search within the budget."""
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
        """The move of a player of a level from 1 to 8, under `chosen` in the answer."""
        place = f"/v1/{quote(game, safe='')}"
        return self._get(
            place, position=position, level=level, seed=seed, budget_ms=budget_ms, wait_ms=budget_ms
        )

    def ask_many(
        self, game: str, positions: Sequence[str], *, moves: bool = True, budget_ms: int | None = None
    ) -> list[dict[str, Any]]:
        """An answer for each of up to 1000 positions, or a problem for an invalid one."""
        body = {"positions": list(positions), "moves": moves, "budget_ms": budget_ms}
        answers = self._post(f"/v1/{quote(game, safe='')}", body, wait_ms=budget_ms)["answers"]
        return cast(list[dict[str, Any]], answers)

    def moves(self, game: str, position: str, *, throw: int | None = None) -> Legal:
        """The legal moves, without a search."""
        return cast(Legal, self._get(f"/v1/{quote(game, safe='')}/moves", position=position, throw=throw))

    def why_not(
        self, game: str, position: str, start: str, end: str | None = None, *, throw: int | None = None
    ) -> str | None:
        """Why the piece on the cell `start` cannot move, or not to `end`, in a sentence; None if it can."""
        path = f"/v1/{quote(game, safe='')}/moves"
        said = self._get(path, position=position, throw=throw, **{"from": start, "to": end})["why_not"]
        return cast("str | None", said)

    def normal(self, game: str, position: str) -> str:
        """The canonical form of a position: the same text for each of its symmetric images."""
        return cast(str, self._get(f"/v1/{quote(game, safe='')}/normal", position=position)["normal"])

    def perft(self, game: str, position: str, depth: int, *, budget_ms: int | None = None) -> list[int]:
        """The number of positions after 1, 2, … `depth` plies; fewer entries if time runs out."""
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
        """The recommendation to Player Two for a set-up; waits for the job if it takes longer than a request.

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
        """The value of a position once it is solved, or the result when the limit has passed; waits for the job.

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
        """Set-ups that are hard for Player Two, hardest first under `designs`; waits for the job.

        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        kind = {"side": side, "rooks": rooks, "beads": beads, "layout": layout, "pie": pie}
        how = {"seed": seed, "tries": tries, "keep": keep, "set_up_ms": set_up_ms}
        return self._work(game, "design", {**kind, **how}, patience)

    def review(
        self, game: str, record: str, *, move_ms: int | None = None, patience: float = 3600.0
    ) -> dict[str, Any]:
        """The review of a game, move by move; waits for the job.

        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        return self._work(game, "review", {"record": record, "move_ms": move_ms}, patience)

    def generate(self, game: str, *, patience: float = 3600.0, **what: object) -> dict[str, Any]:
        """Generated tables, if the operator allows it; waits for the job.

        what: `side`, `pieces`, `beads`, `from` and the others of the command line; with `dry_run=True` the plan.
        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        return self._work(game, "generate", what, patience)

    def proof(self, href: str) -> bytes:
        """A proof file, which `marquis check-proof` replays.

        href: the address under `proof` in a job or a design.
        """
        with self._open(Request(self.address + href), None) as reply:
            return cast(bytes, reply.read())

    def events(self, job: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of a job until it ends, each as name and data; the data of the last one is the finished job."""
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
        """The state and result of a job."""
        return cast(Job, self._get(f"/v1/jobs/{quote(job, safe='')}"))

    def jobs(self, token: str) -> list[Job]:
        """The jobs requested with a token."""
        return cast(list[Job], self._send("GET", "/v1/jobs", token=token)["jobs"])

    def cancel(self, job: str, token: str) -> Job:
        """Cancels a job with its token; has no effect if the job is finished or other clients want it."""
        return cast(Job, self._send("DELETE", f"/v1/jobs/{quote(job, safe='')}", token=token))

    def wait(self, job: Job, patience: float = 3600.0) -> dict[str, Any]:
        """The result of a job; waits for it.

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
        """The bytes of a table in pieces; pass `begin` to resume a broken download.

        file: the name in the response of `tables`.
        """
        request = Request(f"{self.address}/v1/tables/{quote(file)}", headers={"Range": f"bytes={begin}-"})
        with self._open(request, None) as reply:
            while part := reply.read(piece):
                yield part

    def studies(self) -> list[dict[str, Any]]:
        """The studies of the service: the values proved so far, and the progress of each."""
        return cast(list[dict[str, Any]], self._get("/v1/studies")["studies"])

    def study(self, name: str) -> dict[str, Any]:
        """A study with `tree`, the part of its tree that took most of its effort."""
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

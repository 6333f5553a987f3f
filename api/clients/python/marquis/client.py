"""The client whose calls wait for the answer. `make_aio.py` makes `aio.py` of this file."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, cast
from urllib.parse import quote, urlencode

import httpx

from .wire import RESULTS, Answer, Chances, Job, Legal, Refused, refusal


class Marquis:
    """A service at an address."""

    def __init__(
        self,
        address: str = "http://127.0.0.1:8017",
        timeout: float = 60.0,
        *,
        http: httpx.Client | None = None,
    ) -> None:
        """
        address: the address of the service, without a path.
        timeout: seconds to wait for an answer beyond the budget of the question.
        http: the client that sends the requests, for proxies, certificates and the like.
        """
        self.address = address.rstrip("/")
        self.timeout = timeout
        self._http = httpx.Client() if http is None else http

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Marquis:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def games(self) -> list[dict[str, Any]]:
        """Every game: variants, grammar, players, start positions with the names of their cells."""
        found = self._get("/v1/games")
        return cast(list[dict[str, Any]], found["games"])

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
        nodes: int | None = None,
        until: Literal["value", "moves", "plies"] | None = None,
    ) -> Answer:
        """The value of a position and of its moves, from a table or by a search within the budget.

        nodes: the positions that a search may visit; the same number gives the same answer each time.
        until: what must be known for the search to end before its budget; by default the `plies`.
        """
        answer = self._get(
            f"/v1/{quote(game, safe='')}",
            position=position,
            budget_ms=budget_ms,
            play=" ".join(play) or None,
            throw=throw,
            line="true" if line else None,
            immobile=immobile,
            nodes=nodes,
            until=until,
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
        return self._get(place, position=position, level=level, seed=seed, budget_ms=budget_ms, wait_ms=budget_ms)

    def ask_many(
        self, game: str, positions: Sequence[str], *, moves: bool = True, budget_ms: int | None = None
    ) -> list[dict[str, Any]]:
        """An answer for each of up to 1000 positions, or a problem for an invalid one."""
        body = {"positions": list(positions), "moves": moves, "budget_ms": budget_ms}
        found = self._post(f"/v1/{quote(game, safe='')}", body, wait_ms=budget_ms)
        return cast(list[dict[str, Any]], found["answers"])

    def moves(
        self,
        game: str,
        position: str,
        *,
        throw: int | None = None,
        play: Sequence[str] = (),
        immobile: Literal["loss", "pass"] | None = None,
    ) -> Legal:
        """The legal moves, without a search."""
        path = f"/v1/{quote(game, safe='')}/moves"
        played = " ".join(play) or None
        found = self._get(path, position=position, throw=throw, play=played, immobile=immobile)
        return cast(Legal, found)

    def why_not(
        self, game: str, position: str, start: str, end: str | None = None, *, throw: int | None = None
    ) -> str | None:
        """Why the piece on the cell `start` cannot move, or not to `end`, in a sentence; None if it can."""
        path = f"/v1/{quote(game, safe='')}/moves"
        ends: dict[str, Any] = {"from": start, "to": end}
        found = self._get(path, position=position, throw=throw, **ends)
        return cast("str | None", found["why_not"])

    def normal(self, game: str, position: str) -> str:
        """The canonical form of a position: the same text for each of its symmetric images."""
        found = self._get(f"/v1/{quote(game, safe='')}/normal", position=position)
        return cast(str, found["normal"])

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
        side: int | None = None,
        rooks: int | None = None,
        beads: int | None = None,
        max_rooks: int | None = None,
        max_beads: int | None = None,
        start: str | None = None,
        change: int | None = None,
        harder_than: int | None = None,
        easier_than: int | None = None,
        layout: Literal["random", "point-symmetric"] = "random",
        pie: Literal["marquisian", "bait"] = "marquisian",
        seed: int = 1,
        tries: int = 20,
        keep: int = 5,
        set_up_ms: int | None = None,
        patience: float = 3600.0,
    ) -> dict[str, Any]:
        """Set-ups that are hard for Player Two, hardest first under `designs`; waits for the job.

        start: a board whose pieces are kept but for `change` of them; `from` of the service.
        patience: seconds after which the job is cancelled and `TimeoutError` raised.
        """
        kind = {"side": side, "rooks": rooks, "beads": beads, "layout": layout, "pie": pie}
        rest = {"max_rooks": max_rooks, "max_beads": max_beads, "from": start, "change": change}
        levels = {"harder_than": harder_than, "easier_than": easier_than}
        how = {"seed": seed, "tries": tries, "keep": keep, "set_up_ms": set_up_ms}
        return self._work(game, "design", {**kind, **rest, **levels, **how}, patience)

    def review(self, game: str, record: str, *, move_ms: int | None = None, patience: float = 3600.0) -> dict[str, Any]:
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
        with self._open("GET", href) as reply:
            return reply.read()

    def events(self, job: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of a job until it ends, each as name and data; the data of the last one is the finished job."""
        with self._open("GET", f"/v1/jobs/{quote(job, safe='')}/events") as reply:
            name = ""
            for line in reply.iter_lines():
                field, _, text = line.partition(": ")
                if field == "event":
                    name = text
                elif field == "data":
                    yield name, json.loads(text)

    def _work(self, game: str, what: str, body: Mapping[str, object], patience: float) -> dict[str, Any]:
        place = f"/v1/{quote(game, safe='')}/{what}"
        found = self._post(place, {**body, "budget_ms": 1000}, wait_ms=1000)
        if "token" not in found:
            return found
        return self.wait(cast(Job, found), patience)

    def rules(self, game: str) -> dict[str, Any]:
        """The rules of a game in Markdown, under `rules`, and their diagrams as SVG."""
        return self._get(f"/v1/{quote(game, safe='')}/rules")

    def book(self, game: str) -> dict[str, Any]:
        """The known results of a game: positions with a proved value and the command that proves it again."""
        return self._get(f"/v1/{quote(game, safe='')}/book")

    def gallery(self, game: str) -> list[dict[str, Any]]:
        """The set-ups that come with the program, each proved for both colours; `proof` fetches the proof of one."""
        found = self._get(f"/v1/{quote(game, safe='')}/gallery")
        return cast(list[dict[str, Any]], found["set_ups"])

    def health(self) -> dict[str, Any]:
        """Whether the service is live and ready, its number of tables, and damaged files."""
        return self._get("/healthz")

    def read_record(self, game: str, record: str) -> dict[str, Any]:
        """The game of a record, move by move with every position."""
        return self._post(f"/v1/{quote(game, safe='')}/record", {"record": record})

    def job(self, job: str) -> Job:
        """The state and result of a job."""
        return cast(Job, self._get(f"/v1/jobs/{quote(job, safe='')}"))

    def jobs(self, token: str) -> list[Job]:
        """The jobs requested with a token."""
        found = self._send("GET", "/v1/jobs", token=token)
        return cast(list[Job], found["jobs"])

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
        found = self._get("/v1/tables")
        return cast(list[dict[str, Any]], found["tables"])

    def table(self, file: str, *, begin: int = 0, piece: int = 1 << 20) -> Iterator[bytes]:
        """The bytes of a table in pieces; pass `begin` to resume a broken download.

        file: the name in the response of `tables`.
        """
        with self._open("GET", f"/v1/tables/{quote(file)}", headers={"Range": f"bytes={begin}-"}) as reply:
            for part in reply.iter_bytes(piece):
                yield part

    def studies(self) -> list[dict[str, Any]]:
        """The studies of the service: the values proved so far, and the progress of each."""
        found = self._get("/v1/studies")
        return cast(list[dict[str, Any]], found["studies"])

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
        with self._open(method, place, body, headers=headers, wait_ms=wait_ms) as reply:
            text = reply.read()
        return cast(dict[str, Any], json.loads(text))

    @contextmanager
    def _open(
        self,
        method: str,
        place: str,
        body: bytes | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        wait_ms: int | None = None,
    ) -> Iterator[httpx.Response]:
        timeout = self.timeout + (wait_ms or 0) / 1000
        whole = {"Accept-Encoding": "identity"} | dict(headers or {})
        with self._http.stream(method, self.address + place, content=body, headers=whole, timeout=timeout) as reply:
            if reply.status_code >= 400:
                text = reply.read()
                raise refusal(reply.status_code, text, reply.headers.get("Retry-After"))
            yield reply

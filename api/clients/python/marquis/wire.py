"""The responses of the service, as typed dictionaries, and its refusals."""

from __future__ import annotations

import json
from typing import Any, Literal, NotRequired, TypedDict

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


def refusal(status: int, text: bytes, retry_after: str | None) -> Refused:
    """The refusal in a response."""
    try:
        problem = json.loads(text)
    except ValueError:
        problem = {"detail": text.decode(errors="replace")}
    return Refused(status, problem, float(retry_after) if retry_after else None)

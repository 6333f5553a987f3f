"""Marquis in Python: a client of its service, a reader of its tables, and drawn boards.

    from marquis import Board, Marquis

    service = Marquis("http://127.0.0.1:8017")
    answer = service.ask("squish", "start:3", budget_ms=2000)
    print(answer["value"], answer["moves"][0]["move"])
    Board("squish", answer["position"])  # draws itself in a notebook

Every call returns the response of the service, as one of the types below, or raises `Refused` with its RFC 9457
problem document. `AsyncMarquis` has the same calls to await. `marquis.tables` reads tables without a service.
"""

from __future__ import annotations

from .aio import AsyncMarquis
from .board import Board
from .client import Marquis
from .wire import (
    RESULTS,
    Answer,
    Chances,
    Job,
    Legal,
    LegalMove,
    Move,
    Refused,
    Value,
    Verdict,
    Wdl,
)

__version__ = "0.2.0"

__all__ = [
    "RESULTS",
    "Answer",
    "AsyncMarquis",
    "Board",
    "Chances",
    "Job",
    "Legal",
    "LegalMove",
    "Marquis",
    "Move",
    "Refused",
    "Value",
    "Verdict",
    "Wdl",
]

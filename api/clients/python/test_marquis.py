"""Checks every call of the client against a running service: `python3 test_marquis.py ADDRESS`."""

import asyncio
import inspect
import os
import sys
import unittest
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

from marquis import AsyncMarquis, Marquis, Refused

WON = "3/wb2/5/1w1b/3 w"  # README: White wins in one.


ADDRESS = "MARQUIS_ADDRESS"
"""The address of the service, if it is not an argument."""


class Awaited:
    """The calls of the asynchronous client, each awaited at once; generators become lists."""

    def __init__(self, address: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.client = AsyncMarquis(address)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call = getattr(self.client, name)

        def awaited(*given: object, **named: object) -> object:
            found = call(*given, **named)
            return self.loop.run_until_complete(listed(found) if inspect.isasyncgen(found) else found)

        return awaited


async def listed(parts: AsyncIterator[object]) -> list[object]:
    return [part async for part in parts]


class Asked(unittest.TestCase):
    service: Marquis

    @classmethod
    def setUpClass(cls) -> None:
        if ADDRESS not in os.environ:
            raise unittest.SkipTest(f"{ADDRESS} is not set")
        cls.service = Marquis(os.environ[ADDRESS])

    @classmethod
    def tearDownClass(cls) -> None:
        cls.service.close()

    def test_a_position_is_answered_with_its_moves(self) -> None:
        answer = self.service.ask("squish", WON, budget_ms=30_000)
        self.assertEqual((answer["value"], answer["plies"], answer["turn"]), ("win", 1, "w"))
        self.assertEqual({move["move"] for move in answer["moves"]}, self.names(WON))
        after = self.service.ask("squish", WON, play=[answer["moves"][0]["move"]])
        self.assertEqual((after["value"], after["over"]), ("loss", "unified"))

    def names(self, position: str) -> set[str]:
        return {move["move"] for move in self.service.moves("squish", position)["moves"]}

    def test_games_moves_and_normal_forms(self) -> None:
        games = {game["id"]: game for game in self.service.games()}
        self.assertLessEqual({"squish", "flowish", "swish", "squeeze", "squinch", "senet"}, set(games))
        self.assertEqual(len(self.service.moves("squinch", "start:8x8x3")["moves"]), 108)
        self.assertEqual(
            self.service.normal("squish", "w2/3b/5/4/2b w"), self.service.normal("squish", "b2/4/5/b3/2w w")
        )

    def test_positions_are_counted(self) -> None:
        self.assertEqual(self.service.perft("squish", "start:4", 3), [30, 810, 19794])
        self.assertLess(len(self.service.perft("squish", "start:4", 64, budget_ms=50)), 20)

    def test_rules_book_gallery_and_health(self) -> None:
        self.assertIn("# Squish", self.service.rules("squish")["rules"])
        self.assertTrue(self.service.book("squish")["entries"])
        for set_up in self.service.gallery("swish")[:1]:
            self.assertTrue(self.service.proof(set_up["proof"]["href"]))
        self.assertTrue(self.service.health()["ready"])

    def test_why_a_piece_stays(self) -> None:
        self.assertIsNone(self.service.why_not("squish", "start:3", "c4", "c3"))
        self.assertIsNotNone(self.service.why_not("squish", "start:3", "c1", "c3"))

    def test_studies_are_listed_and_none_is_made_up(self) -> None:
        self.assertEqual(self.service.studies(), [])
        with self.assertRaises(Refused) as refused:
            self.service.study("none")
        self.assertEqual(refused.exception.status, 404)

    def test_chances_levels_and_many_positions(self) -> None:
        chances = self.service.chances("w9/10/8b1 w", throw=1)
        self.assertEqual(chances["game"], "senet")
        chosen = self.service.choose("squish", "start:3", 3, seed=1, budget_ms=200)["chosen"]
        self.assertIn(chosen["move"], self.names("start:3"))
        right, wrong = self.service.ask_many("squish", [WON, "no position"], moves=False)
        self.assertEqual(right["value"], "win")
        self.assertEqual(wrong["problem"]["status"], 400)

    def test_a_set_up_is_balanced_and_a_record_is_read(self) -> None:
        balance = self.service.balance("squeeze", "w1w/4/1ooo1/4/b1b", patience=120)
        self.assertIsNotNone(balance["player_two"]["value"])
        self.assertIsNotNone(balance["balanced"])
        game = self.service.read_record("squish", '[Position "start:3"]\n1. c4-c3 c5-c4')
        self.assertEqual([move["move"] for move in game["moves"]], ["c4-c3", "c5-c4"])

    def test_positions_are_solved_and_set_ups_designed_as_jobs(self) -> None:
        answer = self.service.solve("swish", "w1w/4/1ooo1/4/b1b w 0-0 2", patience=120)
        self.assertEqual((answer["value"], answer["plies"]), ("loss", 12))
        found = self.service.design("swish", rooks=1, beads=2, tries=8, keep=3, seed=7, patience=120)
        self.assertEqual((found["tried"], found["complete"]), (8, True))
        for design in found["designs"]:
            self.assertEqual(len(self.service.proof(design["proof"]["href"])), design["proof"]["bytes"])
        review = self.service.review("squish", '[Position "start:3"]\n1. c4-c3 b3xc3 *', patience=120)
        self.assertEqual((review["complete"], review["moves"][0]["mark"]), (True, "blunder"))
        with self.assertRaises(Refused) as refused:
            self.service.generate("squish", side=2)
        self.assertEqual(refused.exception.status, 403)

    def test_a_job_tells_how_it_gets_on(self) -> None:
        begun = self.service._post("/v1/squish/solve", {"position": "start:5", "limit_ms": 700, "budget_ms": 0})
        told = list(self.service.events(begun["id"]))
        self.assertEqual([name for name, _ in told[:1]], ["progress"])
        last, whole = told[-1]
        self.assertEqual((last, whole["kind"], whole["ended"]), ("done", "solve", "time"))

    def test_tables_are_fetched_and_go_on_where_they_broke_off(self) -> None:
        tables = self.service.tables()
        self.assertTrue(tables)
        for table in tables:
            whole = b"".join(self.service.table(table["file"], piece=100))
            self.assertEqual(len(whole), table["bytes"])
            self.assertEqual(b"".join(self.service.table(table["file"], begin=50)), whole[50:])

    def test_jobs_are_cancelled_when_patience_ends(self) -> None:
        endless = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b"
        with self.assertRaises(TimeoutError):
            self.service.balance("swish", endless, patience=0.2)

    def test_only_who_asked_for_a_job_cancels_it(self) -> None:
        endless = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b"
        job = self.service._post("/v1/squeeze/balance", {"board": endless, "budget_ms": 0})
        with self.assertRaises(Refused) as refused:
            self.service.cancel(job["id"], "0" * 32)
        self.assertEqual(refused.exception.status, 403)
        self.assertEqual([own["id"] for own in self.service.jobs(job["token"])], [job["id"]])
        self.assertEqual(self.service.cancel(job["id"], job["token"])["state"], "cancelled")

    def test_refusals_say_what_is_wrong(self) -> None:
        with self.assertRaises(Refused) as refused:
            self.service.ask("squish", "b1w/x w")
        self.assertEqual(refused.exception.status, 400)
        self.assertIn("expected", refused.exception.problem)
        with self.assertRaises(Refused) as refused:
            self.service.job("none")
        self.assertEqual(refused.exception.status, 404)


class AskedAwaiting(Asked):
    """The same of the asynchronous client."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.service.close()
        cls.service = cast(Marquis, Awaited(os.environ[ADDRESS]))

    @classmethod
    def tearDownClass(cls) -> None:
        awaited = cast(Awaited, cls.service)
        awaited.loop.run_until_complete(awaited.client.close())
        awaited.loop.close()


if __name__ == "__main__":
    os.environ[ADDRESS] = sys.argv.pop()
    unittest.main()

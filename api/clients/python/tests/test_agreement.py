"""Positions, values and plies of random slots against `marquis probe`."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import BUILDS

from marquis.tables import Table, Tables

POSITIONS = int(os.environ.get("MARQUIS_POSITIONS", "300"))


def drawn(tables: list[Table], count: int) -> list[tuple[Table, int, str]]:
    """Random slots with positions, each slot of all tables equally likely."""
    source = random.Random(count)
    found: list[tuple[Table, int, str]] = []
    while len(found) < count:
        table = source.choices(tables, [table.slots for table in tables])[0]
        slot = source.randrange(table.slots)
        text = table.position(slot)
        if text is not None:
            found.append((table, slot, text))
    return found


@pytest.mark.parametrize("build", BUILDS)
def test_the_reader_and_the_program_agree(build: str, built: dict[str, Path], marquis: str) -> None:
    game, _, kind = build.partition("-")
    immobile = "pass" if kind == "pass" else "loss"
    with Tables(built[build]) as tables:
        positions = drawn(list(tables), POSITIONS)
        command = [marquis, "probe", game, "-", "--json", "--tables", str(built[build])]
        if immobile == "pass":
            command += ["--immobile", "pass"]
        texts = "".join(f"{text}\n" for _, _, text in positions)
        ran = subprocess.run(command, input=texts, capture_output=True, text=True, check=True)
        answers: list[dict[str, Any]] = [json.loads(line) for line in ran.stdout.splitlines()]
        assert len(answers) == len(positions)
        for (table, slot, text), answer in zip(positions, answers, strict=True):
            entry = table.entry(slot)
            if game == "senet":
                assert answer["chance"] == pytest.approx(entry.chance, abs=1e-12), text
                assert answer["error"] == pytest.approx(entry.error), text
            else:
                assert (answer["value"], answer["plies"]) == (entry.value, entry.plies), text
            found = tables.find(game, text, immobile=immobile)
            assert found is not None, text
            assert (found.table, found.slot) == (table, slot), text


@pytest.mark.parametrize("game", ["squish", "flowish"])
def test_repacked_tables_have_the_same_cells(game: str, built: dict[str, Path], marquis: str, tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    command = [marquis, "generate", game, *BUILDS[game], "--out", str(copied)]
    subprocess.run(command, check=True, capture_output=True)
    subprocess.run([marquis, "repack", str(copied)], check=True, capture_output=True)
    with Tables(built[game]) as before, Tables(copied) as after:
        assert any(table.streams["score"].header.hints == "race-1" for table in after)
        for table in after:
            own = before.table(game, table.layer)
            assert table.streams["score"].header.codec.name == "MODELLED"
            for stream in ("score", "value", "plies"):
                assert table.cells(stream) == own.cells(stream), (table, stream)

"""The package as a whole: the made file, its version, its pages and examples."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import marquis
from marquis import AsyncMarquis, Marquis

FOLDER = Path(__file__).parents[1]


def test_the_asynchronous_client_is_made_of_the_other() -> None:
    subprocess.run([sys.executable, str(FOLDER / "make_aio.py"), "--check"], check=True)
    calls = [{name for name in vars(client) if not name.startswith("_")} for client in (Marquis, AsyncMarquis)]
    assert calls[0] == calls[1]
    for name in calls[0]:
        plain, awaited = (inspect.signature(getattr(client, name)) for client in (Marquis, AsyncMarquis))
        assert list(plain.parameters) == list(awaited.parameters), name


def test_the_version_is_that_of_the_program() -> None:
    text = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^\[workspace\.package\]\n(?:.+\n)*?version = "(.+)"', text, re.MULTILINE)
    assert found is not None
    assert marquis.__version__ == found[1]


def test_the_licence_is_that_of_the_program() -> None:
    assert (FOLDER / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_questions_run_at_the_same_time() -> None:
    address = os.environ.get("MARQUIS_ADDRESS")
    if address is None:
        pytest.skip("no service")

    async def answers() -> list[str]:
        async with AsyncMarquis(address) as service:
            positions = ["start:3", "3/wb2/5/1w1b/3 w"]
            found = await asyncio.gather(*(service.ask("squish", position) for position in positions))
            tables = [part async for part in service.table((await service.tables())[0]["file"])]
        assert b"".join(tables).startswith(b"\x89MARQTB\n")
        return [answer["value"] for answer in found]

    assert asyncio.run(answers()) == ["win", "win"]


def test_the_examples_of_the_page_run(marquis: str, tmp_path: Path) -> None:
    address = os.environ.get("MARQUIS_ADDRESS")
    if address is None:
        pytest.skip("no service")
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    built = re.search(r"`marquis (generate [^`]+)`", page)
    assert built is not None
    subprocess.run([marquis, *built[1].split()], cwd=tmp_path, check=True, capture_output=True)
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(programs) == 3
    for program in programs:
        text = program.replace("http://127.0.0.1:8017", address)
        ran = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout


def test_the_figure_of_senet_is_that_of_its_page(marquis: str, tmp_path: Path) -> None:
    tables, figure = tmp_path / "tables", tmp_path / "figure.svg"
    command = [marquis, "generate", "senet", "--pieces", "1v1", "--out", str(tables)]
    subprocess.run(command, check=True, capture_output=True)
    subprocess.run([sys.executable, str(FOLDER / "examples/senet_figure.py"), str(tables), str(figure)], check=True)
    shipped = ROOT / "guide/src/research/senet-one-each.svg"
    assert figure.read_text(encoding="utf-8") == shipped.read_text(encoding="utf-8")

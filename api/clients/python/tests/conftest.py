"""The program, tables that it builds, and a service.

MARQUIS is the path of the program; without it `marquis` is looked for on the path and in `target/release`.
MARQUIS_ADDRESS is the address of a service to test against; without it the program serves on a free port.
MARQUIS_REQUIRE_TOOLS makes a missing program an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
BUILDS = {
    "squish": ["--side", "3", "--pieces", "3v3"],
    "flowish": ["--side", "3", "--pieces", "3v3"],
    "swish": ["--from", "w1w/4/1ooo1/4/b1b"],
    "squeeze": ["--from", "w1w/4/1ooo1/4/b1b"],
    "squinch": ["--from", "start:3x3"],
    "senet": ["--pieces", "2v2"],
    # No symmetry, all placements of beads, and the other rule for a player who cannot move.
    "squeeze-plain": ["--from", "w1b/1o2/1oo2/2o1/w1b"],
    "swish-free": ["--side", "3", "--beads", "2", "--pieces", "1v2"],
    "squeeze-pass": ["--from", "w1b/1o2/1oo2/1o2/w1b", "--immobile", "pass"],
}


def program() -> str | None:
    """The path of the program."""
    built = ROOT / "target" / "release" / "marquis"
    return os.environ.get("MARQUIS") or shutil.which("marquis") or (str(built) if built.exists() else None)


@pytest.fixture(scope="session")
def marquis() -> str:
    """The path of the program; skips the test without it."""
    found = program()
    if found is None:
        if os.environ.get("MARQUIS_REQUIRE_TOOLS"):
            pytest.fail("the program is missing: set MARQUIS")
        pytest.skip("the program is missing: set MARQUIS")
    return found


def build(marquis: str, name: str, folder: Path, *more: str) -> Path:
    """The tables of a build in a folder."""
    game = name.partition("-")[0]
    command = [marquis, "generate", game, *BUILDS[name], "--out", str(folder), *more]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def built(marquis: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folder of each build."""
    return {name: build(marquis, name, tmp_path_factory.mktemp(name)) for name in BUILDS}


@pytest.fixture(scope="session", autouse=True)
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A service for the tests of the client, which find it in MARQUIS_ADDRESS."""
    found = program()
    if "MARQUIS_ADDRESS" in os.environ or found is None:
        yield
        return
    folder = tmp_path_factory.mktemp("served")
    subprocess.run(
        [found, "generate", "squish", "--side", "2", "--pieces", "2v2", "--out", str(folder)],
        check=True,
        capture_output=True,
    )
    command = [found, "serve", "--bind", "127.0.0.1:0", "--no-starter", "--tables", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        os.environ["MARQUIS_ADDRESS"] = server.stdout.readline().strip().removeprefix("listening on ")
        try:
            yield
        finally:
            del os.environ["MARQUIS_ADDRESS"]
            server.terminate()

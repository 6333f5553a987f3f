"""The reader against FORMAT.md, the golden files of `crates/table`, and damaged files."""

from __future__ import annotations

import subprocess
from itertools import islice
from math import comb
from pathlib import Path

import pytest
from conftest import BUILDS, ROOT

from marquis.tables import Codec, DamagedTable, MissingPackage, Table, TableError, Tables, _hexagon, _optional, _stream
from marquis.tables._hexagon import Hexagon, hexagon, read_rows
from marquis.tables._numbering import numbering
from marquis.tables._sets import all_sets, cells_of, pack_beside, rank, rank_beside, spread_beside, unrank

PAGE = ROOT / "tablebases" / "FORMAT.md"
GOLDEN = ROOT / "crates" / "table" / "tests" / "golden"
SET_UP = "side=3 beads=3/4/1ooo1/4/3 root=k03-r2v2-n2v2 immobile=loss"


def example() -> bytes:
    """The bytes of the worked example."""
    _, _, text = PAGE.read_text(encoding="utf-8").partition("## A worked example")
    lines = text.split("```")[1].strip().splitlines()
    return b"".join(bytes.fromhex(line[5:].split("  ")[0]) for line in lines)


def golden(name: str) -> bytes:
    return bytes.fromhex((GOLDEN / name).read_text())


def test_the_worked_example_of_the_page() -> None:
    with Table(example()) as table:
        assert (table.game, table.variant, table.layer, table.slots) == ("squish", "side=3", "01v02", 10)
        assert list(table.cells("value")) == [2, 0, 1, 1, 2, 2, 2, 2, 2, 2]
        assert list(table.cells("plies")) == [5, 4, 0, 0, 7, 7, 7, 7, 300, 300]
        assert list(table.cells("plies", 3, 9)) == [0, 7, 7, 7, 7, 300]
        assert table.numpy("plies").tolist() == [5, 4, 0, 0, 7, 7, 7, 7, 300, 300]
        assert table.counts == {"longest": 17, "wins": 3}
        assert table.notes == {"made-by": "a test"}
        assert (table.entry(8).value, table.entry(8).plies) == ("loss", 300)
        assert (table.entry(2).value, table.entry(2).plies) == ("draw", None)
        table.verify()


@pytest.mark.parametrize(
    ("game", "variant", "position", "layer", "slot"),
    [
        ("squish", "side=3", "1w1/4/w3b/1b2/3 w", "02v02", 507),
        ("swish", SET_UP, "w1w/4/1oo2/4/b1b b 0-1 2", "k02-r2v2-n1v2", 208),
        ("squinch", "files=3 ranks=3", "w1,w1,w1/3/r1,r1,r1 r", "03v03", 15179),
        ("senet", "jequier", "wbwb6/10/10 b", "2v2", 1300),
    ],
)
def test_the_slots_in_the_page(game: str, variant: str, position: str, layer: str, slot: int) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"`{position}`" in page
    assert f"= {slot}." in page
    assert numbering(game, variant).locate(position) == (layer, slot)


def test_every_codec(monkeypatch: pytest.MonkeyPatch) -> None:
    with Table(golden("v1-all.hex")) as plain:
        cells = plain.cells("value").tobytes()
        with pytest.raises(TableError, match="unknown hints `value-again`"):
            plain.cells("hinted")
    hints = {"value-again": lambda first, count: cells[first : first + count]}
    with Table(golden("v1-all.hex"), hints=hints) as table:
        table.verify()
        codecs = {name: stream.header.codec for name, stream in table.streams.items()}
        assert codecs["with-dictionary"] is Codec.DICTIONARY
        assert codecs["given"] is codecs["hinted"] is codecs["alone"] is Codec.MODELLED
        assert table.cells("given") == table.cells("hinted") == table.cells("with-dictionary")
        assert table.cell("given", 77) == 201
        assert table.cells("alone") == table.cells("value")
    # Hints that differ from the writer's are found out.
    others = {"value-again": lambda _, count: bytes(count)}
    with Table(golden("v1-all.hex"), hints=others) as table, pytest.raises(DamagedTable):
        table.cells("hinted")
    for module in (_optional.NUMPY, None):
        monkeypatch.setattr(_stream, "NUMPY", module)
        with Table(golden("v1-differences.hex")) as table:
            table.verify()
    with Table(golden("v1-differences.hex")) as table:
        numbers = [30_000 + slot * 37 % 400 + slot * slot % 7 for slot in range(600)]
        assert list(table.cells("four")) == numbers
        assert list(table.cells("two")) == numbers
        assert list(table.cells("one")) == [number % 256 for number in numbers]


@pytest.mark.parametrize("name", ["v1-raw.hex", "v1-all.hex", "v1-differences.hex"])
def test_a_damaged_file_is_an_error_and_never_another_cell(name: str) -> None:
    whole = golden(name)
    with Table(whole) as table:
        streams = list(table.streams)
        values = table.cells(streams[0]).tobytes()
    hints = {"value-again": lambda first, count: values[first : first + count]}
    with Table(whole, hints=hints) as table:
        expected = {stream: table.cells(stream) for stream in streams}
    step = max(1, len(whole) // 400)
    for at in range(0, len(whole), step):
        damaged = bytearray(whole)
        damaged[at] ^= 0x10
        with pytest.raises(TableError), Table(bytes(damaged), hints=hints) as table:
            for stream in streams:
                assert table.cells(stream) == expected[stream]
    for length in range(0, len(whole), step):
        with pytest.raises(TableError):
            Table(whole[:length])


def test_another_version_is_named() -> None:
    whole = bytearray(example())
    whole[8] = 2
    with pytest.raises(TableError, match=r"version 2 .* knows version 1"):
        Table(bytes(whole))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_OWN_ZSTD", "_ZSTANDARD", "_BLAKE3", "NUMPY"):
        monkeypatch.setattr(_optional, name, None)
    with Table(golden("v1-all.hex")) as table, pytest.raises(MissingPackage, match="zstandard"):
        table.cells("value")
    with Table(example()) as table:
        assert table.cell("plies", 9) == 300
        with pytest.raises(MissingPackage, match="blake3"):
            table.verify()
        with pytest.raises(MissingPackage, match="numpy"):
            table.numpy("value")


@pytest.mark.parametrize("name", ["compression.zstd", "backports.zstd", "zstandard"])
def test_every_decoder_of_zstandard(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = pytest.importorskip(name)
    is_other = name == "zstandard"
    monkeypatch.setattr(_optional, "_OWN_ZSTD", None if is_other else module)
    monkeypatch.setattr(_optional, "_ZSTANDARD", module if is_other else None)
    with Table(golden("v1-all.hex")) as table:
        assert table.cells("with-dictionary") == table.cells("given")
        assert table.cells("value") == table.cells("alone")


def test_content_hashes_of_built_tables(built: dict[str, Path]) -> None:
    for folder in built.values():
        with Tables(folder) as tables:
            assert len(tables) > 0
            for table in tables:
                table.verify()


def test_layers_that_follow_one_ply_ahead_are_refused(marquis: str, tmp_path: Path) -> None:
    command = [marquis, "generate", "squish", *BUILDS["squish"], "--half", "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    with Tables(tmp_path) as tables:
        left_out = tables.table("squish", "03v02")
        with pytest.raises(TableError, match="`marquis generate` without --half"):
            left_out.entry(0)
        assert tables.table("squish", "02v03").cells("score")


def images(position: str) -> list[str]:
    """All symmetric images of a position of Squish, with both colours."""
    rows, mover = position.split(" ")[:2]
    board, sets = read_rows(rows, "wbo")
    rest = position.split(" ")[2:]
    found = []
    for number in range(12):
        turned = {letter: board.image(number, members) for letter, members in sets.items()}
        found.append(" ".join([board.write(turned), mover, *rest]))
        swapped = {"w": turned["b"], "b": turned["w"], "o": turned["o"]}
        stores = ["-".join(reversed(rest[0].split("-"))), *rest[1:]] if rest else []
        found.append(" ".join([board.write(swapped), "b" if mover == "w" else "w", *stores]))
    return found


@pytest.mark.parametrize("build", ["squish", "flowish", "swish", "squeeze-plain", "swish-free"])
def test_images_of_a_position_share_its_entry(build: str, built: dict[str, Path]) -> None:
    game = build.partition("-")[0]
    with Tables(built[build]) as tables:
        for table in tables:
            for slot, text in islice(table.positions(table.slots // 2), 3):
                for image in images(text):
                    found = tables.find(game, image)
                    assert found is not None, image
                    # If the beads fit into the set-up in several ways, an image may have another slot.
                    assert (found.table, found.entry) == (table, table.entry(slot)), image


def test_positions_of_all_slots_are_found_again(built: dict[str, Path]) -> None:
    for build in ("squish", "squinch", "swish", "senet"):
        with Tables(built[build]) as tables:
            for table in tables:
                if table.slots > 3000:
                    continue
                found = [(slot, table.slot(text)) for slot, text in table.positions()]
                assert all(slot == own for slot, own in found)
                if build != "senet":
                    assert table.slots - len(found) == table.counts["holes"]


def test_a_position_of_no_table(built: dict[str, Path]) -> None:
    with Tables(built["squish"], built["swish"]) as tables:
        assert tables.probe("squish", "ww1/4/5/2bb/bbb w") is None
        assert tables.probe("squish", "4/5/6/7/6/w1b2/4 w") is None
        assert tables.probe("swish", "w1w/4/ooo2/4/b1b w 0-0 2", immobile="pass") is None
        with pytest.raises(ValueError, match="3, 5, 7 or 9"):
            tables.probe("squish", "ww b")
        with pytest.raises(ValueError, match="player to move"):
            tables.probe("squish", "3/4/5/4/3 x")
        with pytest.raises(KeyError, match="0 tables of squish 09v09"):
            tables.table("squish", "09v09")
        with pytest.raises(KeyError, match="it has score, value, plies"):
            tables.table("squish", "01v01").cells("none")
        with pytest.raises(IndexError):
            tables.table("squish", "01v01").position(10**6)


def test_ranks_of_sets() -> None:
    for size in range(5):
        sets = list(all_sets(7, size))
        assert sets == sorted(members for members in range(128) if members.bit_count() == size)
        assert [rank(members) for members in sets] == list(range(comb(7, size)))
        assert [unrank(place, size) for place in range(len(sets))] == sets
    for others in (0, 0b1, 0b101_0010, 0b1100_0000):
        for members in range(256):
            if members & others == 0:
                packed = pack_beside(members, others)
                assert spread_beside(packed, others) == members
                assert rank_beside(members, others) == rank(packed)
                assert packed.bit_count() == len(list(cells_of(members)))


@pytest.mark.parametrize("side", [2, 3, 4])
def test_symmetries_of_a_board(side: int) -> None:
    board = hexagon(side)
    assert board.count == 3 * side * (side - 1) + 1
    assert len({tuple(points) for points in board.symmetries}) == 12
    for points in board.symmetries:
        for cell in range(board.count):
            around = {points[to] for to in board.neighbour[cell] if to >= 0}
            assert around == {to for to in board.neighbour[points[cell]] if to >= 0}


def test_smallest_sets_are_the_same_with_numpy_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (3, 5):
        own = Hexagon(3).smallest_sets(size, 0b100_0000_0001, (0,))
        with_numpy = Hexagon(3).smallest_sets(size)
        monkeypatch.setattr(_hexagon, "NUMPY", None)
        assert Hexagon(3).smallest_sets(size) == with_numpy
        assert Hexagon(3).smallest_sets(size, 0b100_0000_0001, (0,)) == own
        monkeypatch.undo()

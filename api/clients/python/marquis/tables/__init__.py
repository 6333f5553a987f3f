"""Tables of positions, read from their files.

    from marquis.tables import Table, Tables

    with Table("tablebases/squish-s3/03v03.mqt") as table:
        scores = table.cells("score")       # array('B'); table.numpy("score") with NumPy
        print(table.position(1234), table.entry(1234))

    with Tables("tablebases") as tables:
        print(tables.probe("squish", "w2/1b2/1w1b1/4/3 w"))

The reader follows `tablebases/FORMAT.md`. Compressed tables need Python 3.14 or the package `zstandard`.
"""

from __future__ import annotations

from ._errors import DamagedTable, MissingPackage, TableError
from ._folder import Found, Tables
from ._header import Codec, Header, StreamHeader
from ._stream import Hints, Stream
from ._table import Entry, Outcome, Table

__all__ = [
    "Codec",
    "DamagedTable",
    "Entry",
    "Found",
    "Header",
    "Hints",
    "MissingPackage",
    "Outcome",
    "Stream",
    "StreamHeader",
    "Table",
    "TableError",
    "Tables",
]

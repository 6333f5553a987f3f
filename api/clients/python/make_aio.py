"""Writes `marquis/aio.py`, the asynchronous client, from `marquis/client.py`; `--check` only compares."""

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "marquis"
PLAIN, ASYNC = PACKAGE / "client.py", PACKAGE / "aio.py"

HEAD = "The client whose calls are awaited. Made of `client.py` by `make_aio.py`: change it there."

REPLACEMENTS = [
    (r'^"""The client whose .*', f'"""{HEAD}"""'),
    (r"^import time\n", ""),
    (r"^import json\n", "import asyncio\nimport json\nimport time\n"),
    (r"\bMarquis\b", "AsyncMarquis"),
    (r"\bhttpx\.Client\b", "httpx.AsyncClient"),
    (r"\bIterator\b", "AsyncIterator"),
    (r"\bcontextmanager\b", "asynccontextmanager"),
    (r"^    def (?!__init__)", "    async def "),
    (r"__enter__", "__aenter__"),
    (r"__exit__", "__aexit__"),
    (r"\bself\._http\.close\(", "await self._http.aclose("),
    (r"(?<!await )\bself\.(_get|_post|_send|_work|wait|ask|job|cancel|close)\(", r"await self.\1("),
    (r"\btime\.sleep\(", "await asyncio.sleep("),
    (r"^( +)with self\.", r"\1async with self."),
    (r"^( +)for (\w+) in reply\.iter_", r"\1async for \2 in reply.aiter_"),
    (r"\breply\.read\(", "await reply.aread("),
]


def asynchronous(source: str) -> str:
    for pattern, replacement in REPLACEMENTS:
        source = re.sub(pattern, replacement, source, flags=re.MULTILINE)
    return source


def main() -> int:
    made = asynchronous(PLAIN.read_text())
    if sys.argv[1:] != ["--check"]:
        ASYNC.write_text(made)
    elif ASYNC.read_text() != made:
        print(f"{ASYNC} is not what {Path(__file__).name} makes of {PLAIN}: run it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

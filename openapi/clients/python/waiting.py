"""Makes the client that waits of the one that awaits: ``python waiting.py`` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "decklog_client"
AWAITING, WAITING = FOLDER / "later.py", FOLDER / "client.py"

CHANGES = (
    (r'"""The client, for programs that await.*', '"""The client, for programs that wait.'),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\bimport asyncio\b", "import time"),
    (r"\bAsyncGenerator, AsyncIterator\b", "Generator, Iterator"),
    (r"\bAsyncGenerator\[(\w+), None\]", r"Generator[\1, None, None]"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\ba(close|read|iter_bytes)\b", r"\1"),
    (r"\bAsync([A-Z])", r"\1"),
    (r"\b(async|await) ", ""),
)
NOTE = ' Made of ``later.py``: waiting.py does it anew."""'


def waiting(text: str) -> str:
    """The module of those that wait."""
    for pattern, instead in CHANGES:
        text = re.sub(pattern, instead, text)
    first, _, rest = text.partition("\n")
    return f"{first}{NOTE}\n{rest}"


if __name__ == "__main__":
    WAITING.write_text(waiting(AWAITING.read_text("utf-8")), "utf-8")

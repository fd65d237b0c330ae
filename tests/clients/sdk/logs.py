"""Public logs as a client meets them, time after time: those that grow, and those that do not."""

from __future__ import annotations

import base64
from pathlib import Path

from tests.service.log.logs import leaf, write_log

Files = dict[str, bytes]
"""By their paths below the log's address; none of a service without a log."""


def made(folder: Path, *lengths: int, other: int = -1) -> Files:
    """What lies in the folder when the log was signed at these lengths, the last one newest.

    other  number of the leaf that is another one in it; none by default
    """
    for length in lengths:
        leaves = [leaf(at % 3, at // 3 + 1, int(at == other)) for at in range(length)]
        write_log(folder, leaves)
    found = (path for path in folder.rglob("*") if path.is_file() and "entries" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


GROWS = [(1, 2), (5, 5), (5, 8), (7, 8), (8, 9), (255, 256), (256, 257), (250, 700), (256, 70_000)]
OTHERWISE = {
    "a smaller one": (5, 4, -1), "another of the same size": (5, 5, 2),
    "one that grew from another": (5, 9, 4), "another past of many tiles": (600, 700, 3),
}  # fmt: skip
"""Two lengths, and which leaf was exchanged between them."""


def growing(folder: Path, old: int, new: int) -> list[Files]:
    return [made(folder, old), made(folder, new)]


def changing(folder: Path, old: int, new: int, other: int) -> list[Files]:
    return [made(folder / "one", old), made(folder / "two", new, other=other)]


def gone(folder: Path) -> list[Files]:
    """The log is there no more."""
    return [made(folder, 5), {}]


def hidden(folder: Path) -> list[Files]:
    """The newest head is there, and nothing below it."""
    first, then = growing(folder, 5, 9)
    return [first, {"checkpoint": then["checkpoint"]}]


def spelt(times: list[Files]) -> list[dict[str, str]]:
    """In JSON."""
    return [
        {path: base64.b64encode(data).decode() for path, data in each.items()} for each in times
    ]

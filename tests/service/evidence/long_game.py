"""A bundle as long as one likes, and what it costs to judge it; each in a process of its own.

python -m tests.service.evidence.long_game write FILE MEGABYTES
python -m tests.service.evidence.long_game judge FILE      prints the word and the most memory
"""

from __future__ import annotations

import sys
from pathlib import Path

from domain.examples.pennant.rules import course
from domain.examples.pennant.rules.commands import PennantOptions
from service.evidence.verify import verify
from tests.support import pennant
from tests.support.pennant import Choose, Pass

from .playing import Table

A_TURN = 823
"""Bytes of the bundle for each turn that is passed."""


class AnyNumber(PennantOptions, frozen=True):
    """As many turns as one likes."""

    turns: int = 4


def write(file: Path, megabytes: int) -> None:
    turns = megabytes * 1_000_000 // A_TURN
    table = Table(game=pennant.GAME, setup=pennant.setup(turns), length=64)
    for seat in table.setup.seats:
        table.order(seat, Choose("bold"))
    while table.game.result(table.state) is None:
        table.order(table.game.pending(table.state)[0].seat, Pass())
    file.write_bytes(table.export())


def judge(file: Path) -> None:
    verdict = verify(file.read_bytes(), {"pennant": pennant.GAME})
    print(verdict.word, most_memory(), verdict.reason, verdict.finding or "")


def most_memory() -> int:
    """Bytes that this process has had at most; what getrusage says is its parent's as well."""
    told = Path("/proc/self/status").read_text("ascii").splitlines()
    (line,) = (each for each in told if each.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def main(words: list[str]) -> int:
    vars(course)["PennantOptions"] = AnyNumber
    if words[0] == "write":
        write(Path(words[1]), int(words[2]))
    else:
        judge(Path(words[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

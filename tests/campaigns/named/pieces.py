"""A campaign in pieces: over several processes, and going on where it was stopped.

Each piece has a number, from which everything in it follows, and is one line of the state file when
it is done; a piece that a stop cut off has no line and is done again. So nothing counts twice.
"""

from __future__ import annotations

import fcntl
import multiprocessing
import resource
import shutil
import subprocess
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, NamedTuple

import msgspec

from tests.support.orphans import end_with_parent
from tests.support.server import ROOT

KEPT = ROOT / "build" / "campaigns" / "named"
Figures = Mapping[str, list[float]]
NONE: Figures = MappingProxyType({})


class Done(NamedTuple):
    """What a piece came to: how many of the campaign's units, what was wrong, what was measured."""

    amount: int
    failures: Sequence[str] = ()
    figures: Figures = NONE


class Piece(msgspec.Struct, frozen=True):
    """A piece that is done. ``effort``: seconds of processors, those of its servers included."""

    number: int
    amount: int
    effort: float
    day: str
    failures: tuple[str, ...] = ()
    figures: dict[str, list[float]] = {}


class Campaign(NamedTuple):
    """A campaign that was asked for.

    unit    what is counted
    whole   how many were asked for
    piece   does the piece of a number
    judge   what only all pieces together show to be wrong
    needs   a program that has to be there, besides Python
    """

    unit: str
    whole: int
    piece: Callable[[int], Done]
    judge: Callable[[Sequence[Piece]], list[str]] = lambda pieces: []
    needs: str = ""

    @property
    def lacks(self) -> str:
        """The program that it needs and that is not here; "": it can be run."""
        return "" if not self.needs or shutil.which(self.needs) else self.needs


class Busy(Exception):
    """Somebody else goes on with this state file."""


def commit() -> str:
    """What is tried; with a mark where files differ from it."""
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def state_of(name: str, at: str) -> Path:
    """Where a campaign on a commit is kept."""
    return KEPT / name / f"{at}.jsonl"


def read(file: Path) -> dict[int, Piece]:
    """The pieces that are done, by number."""
    found: dict[int, Piece] = {}
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            piece = msgspec.json.decode(line, type=Piece)
        except msgspec.DecodeError:  # a stop in the middle of a line
            continue
        found.setdefault(piece.number, piece)
    return found


def measured(campaign: Campaign, number: int) -> Piece:
    """Do one piece; whatever it raises is a failure of it."""
    began = _effort()
    try:
        done = campaign.piece(number)
    except Exception:
        done = Done(0, [traceback.format_exc(limit=-6)])
    failures = tuple(f"piece {number}: {each}"[:3000] for each in done.failures)
    effort, day = round(_effort() - began, 3), datetime.now(UTC).date().isoformat()
    return Piece(number, done.amount, effort, day, failures, dict(done.figures))


def _effort() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


Work = Callable[[int], Piece]


def go_on(
    file: Path, work: Work, amount: int, cores: int, say: Callable[[Piece, int], None]
) -> dict[int, Piece]:
    """Do pieces until so much is done in all, those of earlier runs included."""
    with _held(file) as out:
        found = read(file)
        done = sum(each.amount for each in found.values())
        numbers = (number for number in count() if number not in found)
        for piece in _pieces(work, numbers, amount - done, cores):
            found[piece.number] = piece
            done += piece.amount
            out.write(msgspec.json.encode(piece) + b"\n")
            out.flush()
            say(piece, done)
    return found


@contextmanager
def _held(file: Path) -> Iterator[BinaryIO]:
    """The state file, for one run at a time; a line that was cut off is closed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as out:
        try:
            fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"another run goes on with {file}") from None
        if file.stat().st_size and not file.read_bytes().endswith(b"\n"):
            out.write(b"\n")
        yield out


FRUITLESS = 20
"""Pieces in a row that come to nothing, after which a run ends: more would say nothing new."""


def _pieces(work: Work, numbers: Iterator[int], left: int, cores: int) -> Iterator[Piece]:
    """As many at a time as there are cores, each process beginning with a fresh memory."""
    if left <= 0:
        return
    fresh = multiprocessing.get_context("spawn")
    fruitless = 0
    with ProcessPoolExecutor(cores, fresh, initializer=end_with_parent) as pool:
        waiting = {pool.submit(work, next(numbers)) for _ in range(cores)}
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for piece in _in_order(ended):
                left -= piece.amount
                fruitless = 0 if piece.amount else fruitless + 1
                yield piece
                if left > 0 and fruitless < FRUITLESS:
                    waiting.add(pool.submit(work, next(numbers)))


def _in_order(ended: set[Future[Piece]]) -> list[Piece]:
    return sorted((each.result() for each in ended), key=lambda piece: piece.number)


def failures(campaign: Campaign, found: dict[int, Piece]) -> list[str]:
    """All that is wrong: with pieces, and with all of them together."""
    ordered = [found[number] for number in sorted(found)]
    return [*(each for piece in ordered for each in piece.failures), *campaign.judge(ordered)]

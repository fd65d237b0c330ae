"""The drill: the newest copy is restored, read, served, played on and judged; word is left of it.

It is done in a scratch place that is empty before and afterwards. Nothing of it leaves the machine:
the service of the drill sends no webhooks, and knows no Redis.
"""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
import msgspec

from ..bots import ApiError, DecklogClient
from ..bots.demo import DemoFailed, Plan, play, service
from ..clock import SYSTEM, stamp
from ..dice.vault import Vault
from ..errors import ServiceError, StoreRefused
from ..evidence.verdict import REFUTED, UNREADABLE, UPHELD
from ..evidence.verify import Games, verify
from ..ops.measures import DRILLED
from ..play.examining import Examined, walk
from ..settings import from_environment
from ..store.examining import checked_store
from ..views.rulesets import Rulesets
from . import copies
from .copies import Failed

QUIET: Mapping[str, str] = {
    "DECKLOG_WEBHOOK_SECONDS": "0",
    "DECKLOG_UNPLAYED_DAYS": "0",
    "DECKLOG_FORK_DAYS": "0",
    "DECKLOG_DOCUMENT_DAYS": "0",
    "DECKLOG_ARCHIVE_DAYS": "0",
}
"""Settings of the service of a drill: what it was given is looked at, and nothing is sent."""


class Drill(msgspec.Struct, frozen=True):
    """What is to be done.

    folder   of the copies
    key      that opens the store, in hex
    archive  folder of its archived games, which are looked at and left; "" for none
    scratch  an empty database for a dump; "": a file in a folder that goes afterwards
    room     where that folder is made; None: where the system has them
    plan     the game that is played
    games    rulesets that are installed here
    """

    folder: Path
    key: str
    archive: str
    scratch: str
    room: Path | None
    plan: Plan
    games: Games


class Drilled(msgspec.Struct, frozen=True, rename="camel"):
    """How a drill ended; the word that is left beside the copies.

    at       when it began
    copy     which copy it was, of ``bytes``; made at ``made``
    succeeded   whether all of it went well; else ``why`` not
    seconds  that each step took
    played   the game that was played on it, of so many ``events``
    found    a game of the copy itself that was judged too; "" where none in it is over
    """

    at: str
    copy: str = ""
    made: str = ""
    bytes: int = 0
    succeeded: bool = False
    why: str = ""
    seconds: dict[str, float] = {}
    played: str = ""
    events: int = 0
    found: str = ""


class _Steps:
    """How long each step takes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = SYSTEM.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = round(SYSTEM.monotonic() - begun, 2)


def drill(asked: Drill) -> Drilled:
    """Do it, and leave word of it. Never raises for what is in the copy."""
    steps = _Steps()
    told = Drilled(stamp(SYSTEM.now()), seconds=steps.seconds)
    try:
        file = copies.newest(asked.folder)
        made = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        told = msgspec.structs.replace(
            told, copy=file.name, made=stamp(made), bytes=file.stat().st_size
        )
        told = msgspec.structs.replace(_on(asked, file, told, steps), succeeded=True)
    except (Failed, DemoFailed, ApiError, httpx.HTTPError, OSError, sqlite3.Error) as error:
        told = msgspec.structs.replace(told, why=_words(error))
    with contextlib.suppress(OSError):  # a folder that cannot be written is told by its age
        leave_word(asked.folder, told)
    return told


def _words(error: Exception) -> str:
    said = getattr(error, "said", "")
    return " ".join(f"{error}: {said}".split()) if said else " ".join(str(error).split())


def _on(asked: Drill, file: Path, told: Drilled, steps: _Steps) -> Drilled:
    with tempfile.TemporaryDirectory(prefix="decklog-drill-", dir=asked.room) as name:
        scratch = Path(name)
        with _restored(asked, file, scratch, steps) as given:
            with steps.step("check"):
                _check(asked, given)
            with steps.step("start"), contextlib.ExitStack() as stack:
                url = stack.enter_context(service(scratch, given))
                running = stack.pop_all()
            with running:
                return _played(asked, url, told, steps)


@contextmanager
def _restored(
    asked: Drill, file: Path, scratch: Path, steps: _Steps
) -> Iterator[Mapping[str, str]]:
    """The settings of a service on what is in the copy."""
    given = {**QUIET, "DECKLOG_KEY": asked.key, "DECKLOG_ARCHIVE": asked.archive}
    with contextlib.ExitStack() as stack:
        with steps.step("restore"):
            if file.suffix == ".sqlite":
                database = scratch / "decklog.sqlite"
                copies.restore(file, str(database))
                given["DECKLOG_DATABASE"] = str(database)
            elif asked.scratch:
                copies.check(file)
                scratch_database = copies.told_in(asked.scratch)
                stack.enter_context(copies.restored_database(file, scratch_database))
                given["DECKLOG_STORE"] = scratch_database
            else:
                raise Failed("a dump needs --scratch, an empty database")
        yield given


def _check(asked: Drill, given: Mapping[str, str]) -> None:
    """Every game is read as ``decklog store check`` reads it: a service lists none that is damaged,
    and plays beside it. Raises Failed."""
    try:
        damaged = _damaged(asked, given)
    except (StoreRefused, ServiceError) as error:
        raise Failed(f"the store of the copy cannot be read: {error.code}") from None
    if damaged:
        faults = " ".join(damaged[0].faults)
        raise Failed(f"{len(damaged)} games of the copy are damaged; {damaged[0].game}: {faults}")


def _damaged(asked: Drill, given: Mapping[str, str]) -> list[Examined]:
    settings = from_environment(given)
    with checked_store(settings, stamp(SYSTEM.now())) as store:
        if store is None:
            return []
        games, vault = Rulesets(asked.games, store), Vault(settings.chain_length)
        return [each for each in walk(store, games, vault, lambda events: None) if each.faults]


def _played(asked: Drill, url: str, told: Drilled, steps: _Steps) -> Drilled:
    found = ""
    with DecklogClient(url) as onlooker:
        over = next(onlooker.games(status="finished"), None)
        if over is not None:
            found = over["id"]
            with steps.step("judge"):
                verdict = verify(onlooker.evidence(found), asked.games)
            if verdict.code in (REFUTED, UNREADABLE):  # old rules may be nowhere to be found
                raise Failed(f"game {found} of the copy: {verdict.text()}")
    with steps.step("play"):
        battle = play(url, asked.plan, lambda line: None)
    if battle.summary["status"] != "finished":
        raise Failed(f"game {battle.game}, which was played on the copy, has not ended")
    with steps.step("verify"):
        verdict = verify(battle.evidence, asked.games)
    if verdict.code != UPHELD:
        raise Failed(f"game {battle.game}, which was played on the copy: {verdict.text()}")
    return msgspec.structs.replace(
        told, played=battle.game, events=battle.summary["version"], found=found
    )


def leave_word(folder: Path, told: Drilled) -> None:
    """For the service that is told the folder (``DECKLOG_BACKUPS``)."""
    part = folder / f"{DRILLED}.part"
    part.write_bytes(msgspec.json.encode(told) + b"\n")
    part.replace(folder / DRILLED)

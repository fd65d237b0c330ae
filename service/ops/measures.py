"""Figures that cost a question: asked for when somebody looks, and not again for a while.

What cannot be told now is not told, so that nobody takes an old figure for a new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from ..desk import Desk
from ..errors import ServiceError
from ..models import GameId
from ..settings import Settings
from ..store import figures, unopened
from .measuring import nearest, room

Word = TypeVar("Word")

log = logging.getLogger(__name__)

AGE = 10.0
"""Seconds for which a figure is good."""

SECONDS = 2.0
"""How long somebody who looks waits for new ones."""

LAST = "last.json"
"""The word that deploy/backup.py leaves beside its copies."""


class LastBackup(msgspec.Struct, frozen=True):
    """What is known of the copies: when the last whole one was made and how large it is, and
    whether the last attempt came to one."""

    at: datetime
    bytes: int
    whole: bool


DRILLED = "drill.json"
"""The word that ``decklog backup drill`` leaves there."""


SHADOWED = "shadow.json"
"""The word that ``decklog backup follow`` leaves there."""


class LastShadow(msgspec.Struct, frozen=True):
    """What is asked of it: what was committed before that time is in the second folder."""

    at: datetime


class LastDrill(msgspec.Struct, frozen=True):
    """What is asked of it: when the drill was, and whether it has passed."""

    at: datetime
    succeeded: bool


class Measures:
    """Of the store that a desk works on."""

    def __init__(self, settings: Settings, desk: Desk) -> None:
        self._settings = settings
        self._desk = desk
        self._monotonic = desk.clock.monotonic
        self._at = float("-inf")
        self._asking: asyncio.Future[None] | None = None
        self.store: Mapping[str, float] = {}
        """``bytes`` and ``events``, and of what is in the archive ``games`` and ``size``."""
        self.room: Mapping[str, float] = {}
        """Free bytes, by what lies there."""
        self.backup: Mapping[str, float] = {}
        """``timestamp``, ``bytes`` and ``whole``."""
        self.drill: Mapping[str, float] = {}
        """``timestamp`` and ``passed``."""
        self.shadow: Mapping[str, float] = {}
        """``timestamp``."""
        self.archive: Mapping[str, float] = {}
        """``timestamp``, where PostgreSQL archives its log."""
        self.unopened: Mapping[str, float] = {}
        """``seconds``, for which the game that has waited longest for its master was seen to."""
        self._waiting: Mapping[GameId, float] = {}

    async def refresh(self) -> None:
        """Ask again where the figures are old; who looks is never kept long."""
        now = self._monotonic()
        if now - self._at < AGE:
            return
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._desk.threads.read(self._ask))
        with contextlib.suppress(TimeoutError, ServiceError):
            async with asyncio.timeout(SECONDS):
                await asyncio.shield(self._asking)
            self._at = now

    def _ask(self) -> None:
        recorder = self._desk.store.recorder
        self.store = self.archive = self.unopened = {}
        self.room = self._free()
        self.backup = last_backup(self._settings.backups)
        self.drill = last_drill(self._settings.backups)
        self.shadow = last_shadow(self._settings.backups)
        games, size = self._desk.store.archive.held(recorder)
        self.store = {
            "bytes": float(recorder.size()),
            "events": float(figures.newest(recorder)),
            "games": float(games),
            "size": float(size),
        }
        self.unopened = {"seconds": self._waited(unopened.games(recorder), self._monotonic())}
        if self._settings.store and (at := figures.archived(recorder)) is not None:
            self.archive = {"timestamp": at}

    def _waited(self, games: Sequence[GameId], now: float) -> float:
        """Of the games that wait now, how long the first one that was seen to has done so."""
        self._waiting = {game: self._waiting.get(game, now) for game in games}
        return max((now - since for since in self._waiting.values()), default=0.0)

    def _free(self) -> Mapping[str, float]:
        """Of PostgreSQL's disk nobody tells who only asks by SQL."""
        places = {} if self._settings.store else {"store": self._settings.database}
        if (second := self._settings.second_place) is not None:
            places["newest"] = second
        found = {name: room(nearest(path.absolute().parent)) for name, path in places.items()}
        return {name: float(free) for name, free in found.items() if free is not None}


def last_backup(folder: str) -> Mapping[str, float]:
    """What is told of the copies in the folder; nothing where nothing can be read."""
    if (told := _word(folder, LAST, LastBackup)) is None:
        return {}
    return {
        "timestamp": told.at.timestamp(), "bytes": float(told.bytes), "whole": float(told.whole)
    }  # fmt: skip


def last_drill(folder: str) -> Mapping[str, float]:
    """The same of the last drill."""
    if (told := _word(folder, DRILLED, LastDrill)) is None:
        return {}
    return {"timestamp": told.at.timestamp(), "succeeded": float(told.succeeded)}


def last_shadow(folder: str) -> Mapping[str, float]:
    """The same of the copy that follows the file."""
    told = _word(folder, SHADOWED, LastShadow)
    return {} if told is None else {"timestamp": told.at.timestamp()}


def _word(folder: str, name: str, type_: type[Word]) -> Word | None:
    if not folder:
        return None
    try:
        return msgspec.json.decode((Path(folder) / name).read_bytes(), type=type_)
    except (OSError, msgspec.MsgspecError) as error:
        log.debug("nothing is known of the backups: %s", error)
        return None

"""Which workers are at work on the store, and which of them an operator has drained.

A row each, written by the worker itself and taken away when it stops. A drain is of one life of a
worker: what is started anew under the same name takes work again, so that no drain is forgotten.
Rows of ``meta``, which older programs ignore.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from ..clock import stamp
from .bulk import Statement
from .queries import Queries

_WORKER, _DRAIN, _THAW, _RELOAD = "worker/", "drain/", "thaw/", "reload"
_PUT = (
    "INSERT INTO meta (name, value) VALUES (?,?) "
    "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)
_TAKE = "DELETE FROM meta WHERE name = ?"
_TAKE_ALL = "DELETE FROM meta WHERE name > ? AND name < ?"
_ALL = "SELECT value FROM meta WHERE name > ? AND name < ? ORDER BY name"
_NAMES = "SELECT name FROM meta WHERE name > ? AND name < ?"
_READ = "SELECT name, value FROM meta WHERE name IN (?,?)"

MISSED = 3
"""Times that a worker may fail to say that it is there before nobody counts on it."""


class Worker(msgspec.Struct, frozen=True):
    """What a worker says of itself.

    id        of this life of it
    name      by which an operator knows it
    at        when it said so, by the store's clock
    every     seconds after which it says so again
    version   of the program
    draining  whether it takes nothing new; what it has yet are
    streams   event streams that are open then, and
    waiting   commands that wait for the engine
    keys      names of the store's keys that it has; the first one seals
    frozen    games that it plays no more, because their rules came to no end or gave no answer
    """

    id: str
    name: str
    at: str
    every: float
    version: str
    draining: bool = False
    streams: int = 0
    waiting: int = 0
    keys: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()

    def lives(self, now: str) -> bool:
        """Whether it has said so lately."""
        good = datetime.fromisoformat(self.at) + timedelta(seconds=MISSED * self.every)
        return now <= stamp(good)


def said(worker: Worker) -> Statement:
    """Puts down that it is there."""
    return _PUT, (_WORKER + worker.id, msgspec.json.encode(worker))


def left(id_: str) -> list[Statement]:
    """It is there no more, and nothing is wanted of it."""
    thawing = f"{_THAW}{id_}/"
    return [
        (_TAKE, (_WORKER + id_,)),
        (_TAKE, (_DRAIN + id_,)),
        (_TAKE_ALL, (thawing, thawing[:-1] + "0")),
    ]


def listed(recorder: Queries, now: str) -> list[Worker]:
    """Those that are at work, by name."""
    return sorted((w for w in _kept(recorder) if w.lives(now)), key=lambda w: (w.name, w.id))


def dead(recorder: Queries, now: str, *, alone: bool = False) -> list[Statement]:
    """Takes away what is kept of those that were killed: all there are, where one is alone."""
    return [each for w in _kept(recorder) if alone or not w.lives(now) for each in left(w.id)]


def draining(workers: Iterable[Worker], *, drains: bool) -> list[Statement]:
    """Has them take nothing new, or take work again."""
    return [(_PUT, (_DRAIN + w.id, b"")) if drains else (_TAKE, (_DRAIN + w.id,)) for w in workers]


def thawing(workers: Iterable[Worker], game: str) -> list[Statement]:
    """Has them try the rules of a game again that they have frozen."""
    return [(_PUT, (f"{_THAW}{w.id}/{game}", b"")) for w in workers]


def to_thaw(recorder: Queries, id_: str) -> list[str]:
    """The games that an operator has a worker try again."""
    begins = f"{_THAW}{id_}/"
    rows = recorder.query(_NAMES, (begins, begins[:-1] + "0"))
    return [name.removeprefix(begins) for (name,) in rows]


def thawed(id_: str, games: Iterable[str]) -> list[Statement]:
    """It does so."""
    return [(_TAKE, (f"{_THAW}{id_}/{game}",)) for game in games]


def reloading(id_: str) -> Statement:
    """Has every worker read its settings and keys again, once for each id."""
    return _PUT, (_RELOAD, id_.encode())


def wanted(recorder: Queries, id_: str) -> tuple[bool, bytes]:
    """What an operator wants of a worker: whether it takes nothing new, and the last id for which
    settings are read again."""
    found = dict(recorder.query(_READ, (_DRAIN + id_, _RELOAD)))
    return _DRAIN + id_ in found, bytes(found.get(_RELOAD, b""))


def _kept(recorder: Queries) -> list[Worker]:
    rows = recorder.query(_ALL, (_WORKER, _WORKER[:-1] + "0"))  # "0" comes after "/"
    return [msgspec.json.decode(bytes(value), type=Worker) for (value,) in rows]

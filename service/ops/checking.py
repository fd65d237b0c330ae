"""What ``decklog config check`` finds out: whether the service would start, and on what it stands.

It only looks. Nothing is written into a store, no file is made, and no older store is migrated.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from ..clock import SYSTEM, stamp
from ..engines import wall
from ..errors import StoreRefused
from ..publishing.public import check_public_log
from ..settings import SECRETS, Gathered, Settings, variable
from ..store import engines, workers
from ..store.archive import Archive
from ..store.engines import Frozen, InPlay
from ..store.lock import in_use
from ..store.looking import Look, check_key, looking
from ..store.migration import plan
from ..store.places import unusable, unwritable
from ..store.schema import FORMAT
from ..store.signers import signers
from ..store.store import keepers_of
from .listening import PortUnusable, bound, worker_name
from .measuring import IN_MEMORY, file_system, fsync_seconds, nearest, redis_seen, room
from .safety import Unsafe, findings

SLOW_SYNC = 0.1
"""Seconds of a write to the disk from which on every command is slow."""

QUICK_SYNC = 20e-6
"""Seconds in which no disk has written anything: it only says so."""

LITTLE_ROOM = 1 << 30
"""Free bytes that are soon used up."""

SKEW = 1.0
"""Seconds by which the clock may differ: beyond it the service does nothing by time alone."""

Verdict = Literal["ok", "note", "warning", "fault"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    verdict  "fault": the service does not start; "warning": it starts, and you will regret it;
             "note": worth knowing; "ok"
    """

    part: str
    verdict: Verdict
    text: str


class Checked(msgspec.Struct, frozen=True):
    """All that was found.

    frozen   games that stand still, for want of their rules: that stops no start
    in_play  how many games are not over, by their engines: each ends by its own, whatever is
             installed
    """

    findings: tuple[Finding, ...]
    frozen: tuple[Frozen, ...]
    in_play: tuple[InPlay, ...] = ()

    @property
    def faults(self) -> list[str]:
        return [each.text for each in self.findings if each.verdict == "fault"]


def check(gathered: Gathered, environ: Mapping[str, str], installed: Collection[str]) -> Checked:
    """Look at settings, store, disk, clock, Redis, and the wall for strange rules.

    installed  digests of the rules that are installed, of either form
    """
    found = list(_settings(gathered, environ))
    settings = gathered.settings
    if any(each.verdict == "fault" for each in found):
        found.append(Finding("store", "note", "not looked at: the settings come first"))
        return Checked(tuple(found), ())
    games, at_work = engines.Standing(), False
    try:
        with looking(settings) as look:
            at_work = _at_work(look, settings)
            found += _store(look, settings)
            if look is not None and not look.missing():
                games = engines.standing(look, installed)
    except StoreRefused as refused:
        found.append(Finding("store", "fault", str(refused)))
    found += _files(settings)
    found += _second_places(settings)
    found.append(_port(settings, at_work=at_work))
    if not settings.store:
        found += _machine(settings)
    found += _redis(settings)
    found.append(_wall())
    return Checked(tuple(found), games.frozen, games.in_play)


def shown(settings: Settings) -> dict[str, str]:
    """Every setting as one may show it: of secrets only whether they are there."""
    return {name: shown_value(name, getattr(settings, name)) for name in settings.__struct_fields__}


def shown_value(name: str, value: object) -> str:
    """A setting as one may show it."""
    if name not in SECRETS or not value:
        return str(value)
    if name == "key":
        return "(set)"
    parts = urlsplit(str(value))
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"


def _settings(gathered: Gathered, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Everything that is wrong with them at once, each by the name of its variable."""
    hint = "decklog config says what is legal."
    wrong = [Unsafe("settings.malformed", each, hint) for each in gathered.wrong]
    unsafe = [*wrong, *findings(gathered.settings, environ)]
    for each in unsafe:
        yield Finding("settings", "fault", str(each))
    if not unsafe:
        told = ", ".join(f"{variable(n)} ({source})" for n, source in gathered.sources.items())
        yield Finding("settings", "ok", told or "nothing is set: the defaults suit one machine")


def _store(look: Look | None, settings: Settings) -> Iterator[Finding]:
    if look is None:
        where = "the database" if settings.store else str(settings.database)
        yield Finding("store", "ok", f"{where} is empty: a store is made at the first start")
        yield from _archive(None, settings)
        if settings.store:
            yield from _server(settings)
        return
    busy = (
        " A service is at work on it." if not settings.store and in_use(settings.database) else ""
    )
    yield Finding("store", "ok", f"{look.name}, format {look.format()}.{busy}")
    yield from _migration(look)
    try:
        check_key(look, settings)
        yield Finding("key", "ok", "opens the store's secrets")
    except StoreRefused as refused:
        yield Finding("key", "fault", str(refused))
    yield from _archive(look, settings)
    if settings.store:
        yield from _shared(look, settings)


def _at_work(look: Look | None, settings: Settings) -> bool:
    """Whether the worker that these settings make is at work on the store already."""
    if not settings.store:
        return in_use(settings.database)
    if look is None or look.missing():
        return False
    name = worker_name(settings, settings.port)
    return any(each.name == name for each in workers.listed(look, stamp(SYSTEM.now())))


def _files(settings: Settings) -> Iterator[Finding]:
    """What else the settings name, as the start itself reads it."""
    for part, named, judge in (
        ("escrow", settings.escrow, lambda: keepers_of(settings)),
        ("signing", settings.keys, lambda: signers(settings.keys)),
        ("log", settings.log_dir, lambda: check_public_log(settings)),
    ):
        if not named:
            continue
        try:
            judge()
            yield Finding(part, "ok", f"{named} can be used")
        except StoreRefused as refused:
            yield Finding(part, "fault", str(refused))


def _second_places(settings: Settings) -> Iterator[Finding]:
    """Places without which the service starts all the same, and lacks what it is told to keep."""
    second = settings.second_place
    if settings.newest and second is not None:
        why = "" if second.parent.is_dir() else f"{second.parent} is no folder"
        why = why or unwritable(second.parent) or unusable(second)
        if why:
            told = f"DECKLOG_NEWEST cannot be written, and no older backup is noticed: {why}"
            yield Finding("newest", "warning", told)
        else:
            yield Finding("newest", "ok", f"{second} can be written")
    if not settings.backups:
        return
    try:
        os.listdir(settings.backups)
        yield Finding("backups", "ok", f"{settings.backups} can be read")
    except OSError as error:
        why = f"{settings.backups}, {(error.strerror or str(error)).lower()}"
        told = f"DECKLOG_BACKUPS cannot be read, and /metrics tells of no backup: {why}"
        yield Finding("backups", "warning", told)


def _port(settings: Settings, *, at_work: bool) -> Finding:
    """Whether one could listen there; a service that is only to be started anew is no fault."""
    try:
        bound(settings).close()
    except PortUnusable as unusable:
        if unusable.taken and at_work:
            told = f"{settings.host}:{settings.port} is in use, by the service at work as it seems"
            return Finding("port", "note", told)
        return Finding("port", "fault", str(unusable))
    return Finding("port", "ok", f"{settings.host}:{settings.port} is free")


def _archive(look: Look | None, settings: Settings) -> Iterator[Finding]:
    """Whether games that left the table of events are to be read, and others may follow."""
    try:
        archive = Archive(settings.archive)
        games = archive.check(look, settings.archive_days)
    except StoreRefused as refused:
        yield Finding("archive", "fault", str(refused))
        return
    if archive.files is None:
        return
    try:
        if not games:  # else it was looked for them just now
            archive.files.is_bare()
    except OSError as error:
        yield Finding("archive", "fault", f"{archive.files} cannot be read: {error.strerror}")
        return
    told = f"{games} games are in {archive.files}"
    if archive.files.writable():
        yield Finding("archive", "ok", told)
    else:
        why = "DECKLOG_ARCHIVE is a place where nothing can be written"
        yield Finding("archive", "warning", f"{told}: {why}")


def _migration(look: Look) -> Iterator[Finding]:
    """What ``decklog store migrate`` would do; without it an older store is refused."""
    planned = plan(look)
    older = planned.found < FORMAT
    for line in planned.lines():
        yield Finding("migration", "note" if planned.changes else "ok", line)
    if older:
        why = f"store.older-format: the store has format {planned.found}, and {FORMAT} is needed"
        yield Finding("migration", "fault", f"{why}. Back it up, then: decklog store migrate.")


def _server(settings: Settings) -> Iterator[Finding]:
    """The PostgreSQL on which a store will be made: better known before the first game."""
    from ..store.postgres import looking_at_server

    with looking_at_server(settings.store, settings.store_busy_seconds) as look:
        yield from _shared(look, settings)


def _shared(look: Look, settings: Settings) -> Iterator[Finding]:
    """A PostgreSQL: what it keeps, who follows it, and whether its clock is ours."""
    from ..store.facts import facts
    from ..store.postgres import SharedLook

    assert isinstance(look, SharedLook)
    told = facts(look, settings.store, settings.store_busy_seconds)
    yield Finding("server", "ok", f"PostgreSQL {told.version}, {told.bytes / 1e6:,.0f} MB, "
                  f"{told.sessions} other sessions")  # fmt: skip
    for refused in told.unsafe:
        yield Finding("server", "fault", str(refused))
    yield _pooled(settings, loose=told.loose)
    if not told.unsafe:
        yield Finding("crash", "ok", "an answered command survives a crash and a power cut "
                      "(fsync, full_page_writes, synchronous_commit)")  # fmt: skip
    if told.standby:
        why = "name the server that takes writes, or several with target_session_attrs=read-write"
        yield Finding("server", "fault", f"store.unreachable: the server is a standby: {why}")
    else:
        yield _failover(told.standbys, told.synchronous, told.waits)
    yield _skewed(told.skew, "PostgreSQL's")
    yield _commits(told.commit)


def _pooled(settings: Settings, *, loose: bool) -> Finding:
    """What stands between, and whether statements may be kept beyond a transaction."""
    if not loose:
        return Finding("pooler", "ok", "none between, or one that shares sessions")
    if settings.store_prepared:
        told = "shares transactions: DECKLOG_STORE_PREPARED needs one that knows of statements"
        return Finding("pooler", "warning", told)
    return Finding("pooler", "ok", "shares transactions: each brings its own settings")


def _failover(standbys: int, synchronous: int, waits: str) -> Finding:
    """Whether what was answered outlives the server."""
    if synchronous:
        told = f"an answered command survives the loss of this server: {synchronous} standby has it"
        return Finding("failover", "ok", told)
    if waits:
        told = (
            f"synchronous_standby_names is {waits!r}, and none of them is here: commits will wait"
        )
        return Finding("failover", "warning", told)
    if standbys:
        told = (
            f"{standbys} standby, and no commit waits for it: what was answered last is lost in a "
            "failover, and running games get new dice. synchronous_standby_names makes commits wait"
        )
        return Finding("failover", "warning", told)
    told = (
        "no standby: with this server all is lost since the last backup, or the last archived log"
    )
    return Finding("failover", "warning", told)


def _skewed(skew: float, whose: str) -> Finding:
    told = f"{abs(skew):,.3f} s {'behind' if skew > 0 else 'before'} {whose}"
    if abs(skew) > SKEW:
        return Finding(
            "clock", "warning", f"{told}: nothing is done by time alone until it is right"
        )
    return Finding("clock", "ok", told)


def _commits(seconds: float | None) -> Finding:
    if seconds is None:
        return Finding(
            "commit", "note", "not measured: the role may not write to the log of changes"
        )
    told = f"a commit takes {seconds * 1000:,.2f} ms"
    return Finding("commit", "warning" if seconds > SLOW_SYNC else "ok", told)


def _machine(settings: Settings) -> Iterator[Finding]:
    """The disk under an SQLite file, and the clock beside it."""
    folder = nearest(settings.database.absolute().parent)
    yield _disk(fsync_seconds(folder))
    kind = file_system(folder)
    if kind in IN_MEMORY:
        yield Finding("crash", "warning", f"{folder} is in memory ({kind}): a power cut empties it")
    else:
        yield Finding("crash", "ok", "an answered command survives a crash and a power cut, "
                      "as far as the disk keeps its word")  # fmt: skip
    yield Finding("failover", "note", "one file on one disk: with it all is lost since the last "
                  "backup (deploy/backup.py)")  # fmt: skip
    if (free := room(folder)) is not None:
        told = f"{free / 1e9:,.1f} GB are free in {folder}"
        yield Finding("room", "warning" if free < LITTLE_ROOM else "ok", told)
    if settings.database.exists():
        behind = settings.database.stat().st_mtime - SYSTEM.now().timestamp()
        if behind > SKEW:
            yield _skewed(behind, "the last write to the store")
        else:
            yield Finding("clock", "ok", "not before the last write to the store")


def _disk(seconds: float | None) -> Finding:
    if seconds is None:
        return Finding("fsync", "note", "not measured: the folder takes no nameless file")
    told = f"a write to the disk takes {seconds * 1000:,.2f} ms"
    if seconds > SLOW_SYNC:
        return Finding("fsync", "warning", f"{told}: every command waits for one")
    if seconds < QUICK_SYNC:
        return Finding("fsync", "warning", f"{told}, which no disk can: a power cut may lose it")
    return Finding("fsync", "ok", told)


def _wall() -> Finding:
    """Whether rules that came in a file may run on this machine."""
    if program := wall.bubblewrap():
        return Finding("wall", "ok", f"rules from elsewhere run behind one ({program})")
    why = "bubblewrap is not installed"
    if wall.found():
        why = f"{wall.found()} has no user namespaces to make one of"
    return Finding("wall", "note", f"none: {why}; rules that came in a file are refused")


def _redis(settings: Settings) -> Iterator[Finding]:
    if not settings.redis:
        yield Finding("redis", "ok", "none: workers count quotas each for itself")
        return
    seen = redis_seen(settings.redis)
    if seen.answer is None:
        told = f"does not answer ({seen.why}): the service starts all the same, and does without it"
        yield Finding("redis", "warning", told)
    else:
        yield Finding("redis", "ok", f"answers in {seen.answer * 1000:,.1f} ms")

"""What the log says at a start and at a stop: one line for each thing that an operator asks first.

The same lines for people and for machines, whose objects have the figures as fields of their own.
No line has a token, a password, or the name of anybody.
"""

from __future__ import annotations

import logging
import platform
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.kernel.game import Game

from ..build import commit, service_version
from ..desk import Desk
from ..errors import ServiceError
from ..evidence.digest import digests_of
from ..settings import Settings, variable
from ..store import figures, migration
from ..store.figures import GamesFound
from ..store.schema import FORMAT, FORMAT_OF_ARCHIVES
from .checking import shown_value
from .metrics import Metrics

LOG = logging.getLogger("decklog.operation")

Line = tuple[int, str, dict[str, Any]]
"""Level, text, and the fields of the text that machines want by themselves."""

SHORT = 12
"""Digits of a digest that tell one engine from another."""


def say(lines: Iterable[Line]) -> None:
    for level, text, fields in lines:
        LOG.log(level, text, extra=fields)


async def started(desk: Desk, settings: Settings, metrics: Metrics) -> None:
    """Say what has been started, and on what it works; a start does not fail for want of that."""
    try:
        await _started(desk, settings, metrics)
    except ServiceError as error:
        LOG.warning("what was started cannot be told: %s", error)


async def _started(desk: Desk, settings: Settings, metrics: Metrics) -> None:
    say(_program(settings.worker))
    say(await desk.threads.read(lambda: list(_store(desk))))
    say(_settings(settings))
    say(_redis(desk))
    say(await desk.threads.read(lambda: list(_looked_through(desk, metrics))))


def _looked_through(desk: Desk, metrics: Metrics) -> Iterator[Line]:
    found = figures.games(desk.store.recorder, desk.store.box)
    metrics.damaged(*found.damaged)
    yield from _games(found)
    if found.rules:
        yield from _rules(found, desk.games)


def stopping(settings: Settings, streams: int) -> None:
    """Say that the service was told to stop."""
    fields = {"event": "stopping", "streams": streams, "drain_seconds": settings.drain_seconds}
    drain = f"new work is refused for {settings.drain_seconds:g} s"
    text = f"stopping: {streams} streams are open, {drain}"
    LOG.info(text, extra=fields)


def stopped(seconds: float, commands: float) -> None:
    """Say that it has stopped, and that nothing is under way any more."""
    text = (
        f"stopped after {seconds:,.0f} s and {commands:,.0f} commands: all that was taken is stored"
    )
    LOG.info(text, extra={"event": "stopped", "seconds": round(seconds, 1), "commands": commands})


def _program(worker: str) -> Iterator[Line]:
    python = platform.python_version()
    fields = {
        "event": "program", "version": service_version(), "commit": commit(),
        "format": FORMAT, "python": python, "worker": worker,
    }  # fmt: skip
    built = f"commit {commit()}" if commit() else "commit not told"
    named = f", worker {worker}" if worker else ""
    known = f"stores of format {FORMAT} and {FORMAT_OF_ARCHIVES}"
    text = f"Decklog {service_version()}, {built}, {known}, Python {python}{named}"
    yield logging.INFO, text, fields


def _store(desk: Desk) -> Iterator[Line]:
    recorder = desk.store.recorder
    size, events = recorder.size(), figures.newest(recorder)
    archived, _ = desk.store.archive.held(recorder)
    fields: dict[str, Any] = {
        "event": "store", "store": recorder.about(), "history": recorder.lineage,
        "bytes": size, "events": events, "archived": archived,
    }  # fmt: skip
    history = f", history {recorder.lineage}" if recorder.lineage else ""
    beside = f", {archived:,} games in the archive" if archived else ""
    text = f"{recorder.about()}{history}: {events:,} events so far, {size / 1e6:,.1f} MB{beside}"
    yield logging.INFO, text, fields
    last = migration.last(recorder)
    number = figures.number(recorder)
    fields = {"event": "format", "format": number}
    if last is None:
        yield logging.INFO, f"store format {number}, not migrated by this program", fields
        return
    fields |= {"migrated_from": last.before, "migrated_at": last.at}
    yield logging.INFO, f"store format {number}, migrated from {last.before} at {last.at}", fields


def _settings(settings: Settings) -> Iterator[Line]:
    """Those that are not the default; of secrets only that they are there."""
    default = Settings(worker=settings.worker)  # which another line has
    names = [n for n in settings.__struct_fields__ if getattr(settings, n) != getattr(default, n)]
    told = {variable(n): shown_value(n, getattr(settings, n)) for n in names}
    text = ", ".join(f"{name}={value}" for name, value in told.items()) or "all are the default"
    yield logging.INFO, f"settings: {text}", {"event": "settings", "settings": told}


def _redis(desk: Desk) -> Iterator[Line]:
    if desk.line is None:
        yield logging.INFO, "no Redis: quotas count in each worker", {"event": "redis"}
        return
    up = desk.line.up
    text = "Redis answers" if up else "Redis does not answer: the service does without it"
    yield logging.INFO if up else logging.WARNING, text, {"event": "redis", "up": up}


def _games(found: GamesFound) -> Iterator[Line]:
    counts = dict(sorted(found.counts.items()))
    told = ", ".join(f"{count:,} {status}" for status, count in counts.items()) or "none yet"
    fields = {"event": "games", "games": counts, "damaged": len(found.damaged), "lost": found.lost}
    text = f"games: {told}; {len(found.damaged)} damaged, {found.lost} get new dice first"
    yield logging.WARNING if found.damaged else logging.INFO, text, fields
    if found.damaged:
        names = sorted(found.damaged)
        text = f"what is kept of these games was changed by somebody else: {', '.join(names)}"
        yield logging.ERROR, text, {"event": "damaged", "damaged_games": names}


def _rules(found: GamesFound, games: Mapping[str, Game[Any, Any, Any]]) -> Iterator[Line]:
    """Games in play that were begun with other rules than those that are installed."""
    here = {digest for game in games.values() for digest in digests_of(game)}
    for rules, count in sorted(found.rules.items(), key=lambda pair: pair[0].ruleset):
        if rules.digest in here:
            continue
        text = (
            f"{count:,} games of {rules.ruleset} go on by the rules that they were begun with, "
            f"{rules.version}, engine {rules.digest[:SHORT]}: others are installed"
        )
        fields = {"event": "rules", "ruleset": rules.ruleset, "count": count}
        yield logging.INFO, text, fields | {"rules": rules.version, "engine": rules.digest}

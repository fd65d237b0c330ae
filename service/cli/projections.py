"""``decklog projections``: what is made from the log of all games, made anew or compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from projections.finder import found
from projections.follow import Projection

from .console import emit, progress, say, table
from .given import given, needed, settings_options
from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.store.database import Database

DIFFERS = 1

NAMES = click.argument("names", nargs=-1, metavar="[NAME]...")


@click.group("projections", short_help="List, rebuild or check the read models made from the log.")
def command() -> None:
    """Read models made from the log of all games: lobby, results, dice, statistics, plug-ins.

    Works on the store itself: DECKLOG_STORE, or an SQLite file, whose service has to be stopped.
    With --json each answers for programs.
    """


@command.command("list")
@settings_options
@json_option
def list_(config: Path | None, database: Path | None, as_json: bool) -> int:
    """Say how far each projection has followed the log."""
    with opened(config, database) as recorder:
        from service.following.follower import place_of

        newest = recorder.settled()
        rows = []
        for projection in found().values():
            place = place_of(recorder, projection.name)
            rows.append((projection, place.version if place else 0, place.place if place else 0))
    if as_json:
        emit(
            [
                {"name": each.name, "version": each.version, "stored": kept, "behind": newest - at}
                for each, kept, at in rows
            ]
        )
        return 0
    headings = ("projection", "version", "stored", "behind")
    cells = [(p.name, str(p.version), str(kept), str(newest - at)) for p, kept, at in rows]
    table(headings, cells)
    return 0


@command.command("rebuild")
@NAMES
@settings_options
@json_option
@click.pass_obj
def rebuild_(
    tools: Tools,
    names: tuple[str, ...],
    config: Path | None,
    database: Path | None,
    as_json: bool,
) -> int:
    """Make the named projections from nothing, or all of them.

    The old one stays in use until the new one takes its place. An interrupted rebuild is carried on
    by the next.
    """
    from service.following.follower import rebuild
    from service.following.meaning import Meanings

    meanings = Meanings(tools.games)
    chosen, done = _chosen(names), {}
    with opened(config, database) as recorder:
        for name, projection in chosen.items():
            with progress(f"rebuilding {name}") as report:
                done[name] = rebuild(recorder, projection, report, meanings)
            if not as_json:
                say(f"{name} is rebuilt, up to event {done[name]:,} of the log.")
    if as_json:
        emit([{"name": name, "place": place} for name, place in done.items()])
    return 0


@command.command("check")
@NAMES
@settings_options
@json_option
@click.pass_obj
def check(
    tools: Tools,
    names: tuple[str, ...],
    config: Path | None,
    database: Path | None,
    as_json: bool,
) -> int:
    """Make the named projections anew, or all, and compare them with those in use.

    Changes nothing. The exit code is 1 where one differs; `rebuild` puts it right.
    """
    from service.following.follower import compare
    from service.following.meaning import Meanings

    meanings = Meanings(tools.games)
    chosen, differing = _chosen(names), {}
    with opened(config, database) as recorder:
        for name, projection in chosen.items():
            with progress(f"checking {name}") as report:
                documents, differing[name] = compare(recorder, projection, report, meanings)
            if as_json:
                continue
            say(f"{name}: {documents:,} documents, {len(differing[name]):,} differ.")
            for each in differing[name][:3]:
                say(f"  {each.key}\n    in use:  {each.live}\n    rebuilt: {each.rebuilt}")
    if as_json:
        emit(differing)
    return DIFFERS if any(differing.values()) else 0


def _chosen(names: tuple[str, ...]) -> Mapping[str, Projection]:
    known = found()
    for name in names:
        if name not in known:
            raise Mistake(
                f"There is no projection {name!r}.",
                f"There are: {', '.join(known)}.",
                "projection.unknown",
            )
    return {name: each for name, each in known.items() if not names or name in names}


@contextmanager
def opened(config: Path | None, database: Path | None) -> Iterator[Database]:
    """The store of the settings. Raises Mistake."""
    from service.errors import ServiceError, StoreRefused
    from service.store.store import Store

    settings = given(config, database=database)
    needed(settings)
    store = Store(settings)
    try:
        store.open(datetime.now(UTC))
    except StoreRefused as refused:
        raise Mistake(
            f"The store cannot be opened: {refused.code}.", refused.hint, refused.code
        ) from None
    try:
        yield store.recorder
    except ServiceError as error:
        raise Mistake("The store failed.", error.hint, error.code) from None
    finally:
        store.close()

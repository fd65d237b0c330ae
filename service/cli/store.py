"""``decklog store``: work on the store itself, while no service is at work on it."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from .console import Report, emit, progress, say, table
from .given import given, needed, settings_options
from .mistakes import Mistake
from .texts import logged_if_done
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.dice.vault import Vault
    from service.play.archiving import Deposit
    from service.play.examining import Examined
    from service.play.repairing import Repair
    from service.play.returning import Return
    from service.settings import Settings
    from service.store.actlinks import Linked
    from service.store.inventory import KeptGame
    from service.store.looking import Look
    from service.store.migration import Plan
    from service.store.store import Store
    from service.views.rulesets import Rulesets

log = logging.getLogger(__name__)

GAME_ID = re.compile(r"[0-9a-f]{32}")
DAMAGED = 1

CLOSING = 2.0
"""Seconds in which connections that were just closed end on the server."""


@click.group("store", short_help="List games of the store; check, repair or migrate it.")
def command() -> None:
    """Work on the store itself: DECKLOG_STORE, or an SQLite file.

    A check only looks, beside a service too. For all else no service may be at work on it. With
    --json each answers for programs.
    """


@command.command("check")
@settings_options
@click.option(
    "--rate",
    type=click.IntRange(1),
    metavar="N",
    help="Events to read in a second at most, for a store that is at work.",
)
@json_option
@click.pass_obj
def check(
    tools: Tools, config: Path | None, database: Path | None, rate: int | None, as_json: bool
) -> int:
    """Read every game: its chain, what is sealed, its orders, dice and summary; name the damaged.

    Games in the archive are read there (DECKLOG_ARCHIVE), and files of no game are named.
    Changes nothing, and may run beside a service, or on a copy: name it with --database, and its
    key with DECKLOG_KEY or DECKLOG_KEY_FILE. The exit code is 1 where something is damaged.
    """
    settings = given(config, database=database)
    needed(settings)
    from service.store.actlinks import examined
    from service.store.looking import looking

    games = events = unread = 0
    damaged: list[Examined] = []
    with _looked_at(settings) as store, looking(settings) as look, progress("checking") as report:
        acts = None if look is None or "act_links" in look.missing() else examined(store.recorder)
        archived = store.archive.check(store.recorder)
        for found in _walk(store, settings, tools, rate):
            games, events = games + 1, events + found.events
            unread += bool(found.unread)
            report(games, max(games, 1))
            if found.faults:
                damaged.append(found)
        damaged += _tombstones(store, look)
        engines, strays = _engines(store), store.archive.strays(store.recorder)
    if as_json:
        emit({"games": games, "events": events, "unread": unread, "damaged": damaged,
              "engines": engines, "archived": archived, "strays": strays,
              "acts": acts})  # fmt: skip
    else:
        _say_archive(archived, strays)
        _say_checked(games, events, unread, damaged, engines)
        _say_acts(acts)
    return DAMAGED if damaged or engines or (acts is not None and acts.faults) else 0


def _tombstones(store: Store, look: Look | None) -> Iterator[Examined]:
    """Deleted games whose tombstone is not what the operator's log tells."""
    from service.play.examining import Examined
    from service.store.tombstones import faults

    if look is not None and not {"acts", "tombstones"} & set(look.missing()):
        for game, fault in faults(store.recorder):
            yield Examined(game, 0, 0, (fault,))


def _say_acts(acts: Linked | None) -> None:
    if acts is None or not (acts.linked or acts.loose):
        return
    for fault in acts.faults:
        say(f"operator's log: {fault}.")
    loose = f" {acts.loose:,} are not linked yet." if acts.loose else ""
    say(f"The operator's log has {acts.linked:,} linked acts, head {acts.head}.{loose}")


def _say_archive(archived: int, strays: list[str]) -> None:
    if archived:
        say(f"{archived:,} of the games are in the archive, and were read there.")
    for name in strays:
        say(f"archive: {name} is of no game that is archived in this store.")


def _say_checked(
    games: int, events: int, unread: int, damaged: list[Examined], engines: list[str]
) -> None:
    for found in damaged:
        told = f"game {found.game}, whole up to event {found.whole} of {found.events}:"
        say(" ".join((told, *found.faults)))
    for digest in engines:
        say(f"engine {digest}: its archive is not the one of that name.")
    bad = len(damaged)
    say(f"{games:,} games with {events:,} events were read; {bad or 'none'} of them damaged.")
    if unread:
        say(f"The summaries of {unread:,} were compared with their marks alone.")


def _walk(store: Store, settings: Settings, tools: Tools, rate: int | None) -> Iterator[Examined]:
    from service.play.examining import walk

    return walk(store, *_rules(store, settings, tools), Pace(rate).read)


def _rules(store: Store, settings: Settings, tools: Tools) -> tuple[Rulesets, Vault]:
    """By what the games of a store are read."""
    from service.dice.vault import Vault
    from service.views.rulesets import Rulesets

    return Rulesets(tools.games, store), Vault(settings.chain_length)


def _engines(store: Store) -> list[str]:
    """Digests under which something else is kept."""
    from service.store.examining import digests

    return [digest for digest in digests(store.recorder) if store.engine(digest) is None]


@contextmanager
def _looked_at(settings: Settings) -> Iterator[Store]:
    """The store, to be read only. Raises Mistake."""
    from service.clock import SYSTEM, stamp
    from service.errors import ServiceError, StoreRefused
    from service.store.examining import checked_store

    try:
        with checked_store(settings, stamp(SYSTEM.now())) as store:
            if store is None:
                raise Mistake("The store is empty.", "It is made at the first start.", "usage")
            yield store
    except StoreRefused as refused:
        raise Mistake(
            f"The store cannot be read: {refused.code}.", refused.hint, refused.code
        ) from None
    except ServiceError as error:
        raise Mistake("The store failed.", error.hint, error.code) from None


@contextmanager
def _opened(settings: Settings) -> Iterator[Store]:
    """The store, to be written: nobody else is at work on it. Raises Mistake."""
    from service.clock import SYSTEM
    from service.errors import ServiceError, StoreRefused
    from service.store.store import Store

    store = Store(settings)
    try:
        store.open(SYSTEM.now())
    except StoreRefused as refused:
        raise Mistake(
            f"The store cannot be opened: {refused.code}.", refused.hint, refused.code
        ) from None
    except ServiceError as error:
        raise Mistake("The store cannot be opened.", error.hint, error.code) from None
    try:
        yield store
    except ServiceError as error:
        raise Mistake("The store failed.", error.hint, error.code) from None
    finally:
        store.close()


def _check_id(game: str) -> None:
    """Raises Mistake of what is no whole id: it is not to be taken for a game that is lost."""
    if not GAME_ID.fullmatch(game):
        hint = "An id has 32 digits and letters from a to f; `decklog store games` lists them."
        raise Mistake(f"{game} is not the id of a game.", hint, "usage")


@contextmanager
def _repairing() -> Iterator[None]:
    """Says why a game cannot be repaired. Raises Mistake."""
    from service.play.repairing import Unrepairable

    try:
        yield
    except Unrepairable as error:
        raise Mistake("The game cannot be repaired.", str(error), "game.damaged") from None


def _others(settings: Settings) -> int:
    """Others that are connected to the database; none for a file, which has a lock."""
    if not settings.store:
        return 0
    from service.store.facts import sessions
    from service.store.looking import looking
    from service.store.postgres import SharedLook

    with looking(settings) as look:
        assert isinstance(look, SharedLook)
        until = time.monotonic() + CLOSING
        while (others := sessions(look)) and time.monotonic() < until:
            time.sleep(0.1)
        return others


def _busy(others: int) -> Mistake:
    return Mistake(
        f"Others are connected to the database: {others}.",
        "Stop every worker; --beside-others, if none of them is one.",
        "store.busy",
    )


class Pace:
    """Holds a reader to so many events in a second; None: as fast as it can."""

    def __init__(
        self,
        rate: int | None,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._rate = rate
        self._now = now
        self._sleep = sleep
        self._begun = now()
        self._read = 0

    def read(self, events: int) -> None:
        """So many more were read: wait until that is allowed."""
        self._read += events
        if self._rate is not None:
            early = self._begun + self._read / self._rate - self._now()
            self._sleep(max(0.0, early))


@command.command("repair")
@click.argument("game")
@settings_options
@logged_if_done
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option(
    "--beside-others",
    is_flag=True,
    help="Repair although others are connected to the database: no worker is among them.",
)
@json_option
@click.pass_obj
def repair(
    tools: Tools,
    game: str,
    config: Path | None,
    database: Path | None,
    by: str | None,
    why: str | None,
    dry_run: bool,
    beside_others: bool,
    as_json: bool,
) -> int:
    """Cut a damaged game back to its last whole event; it goes on with new dice.

    Back the store up first. What is cut off is kept aside, and named in the operator's log
    (`decklog store acts`). A game whose summary alone is damaged loses nothing.
    """
    from service.play.repairing import plan

    settings = given(config, database=database)
    needed(settings)
    if not dry_run and not (by and why):
        raise Mistake("A repair needs --by and --why.", "Both go into the operator's log.", "usage")
    _check_id(game)
    with _looked_at(settings) as store, _repairing():
        planned = plan(store, *_rules(store, settings, tools), game)
    others = _others(settings)
    if others and not dry_run and not beside_others:
        raise _busy(others)
    if not as_json:
        _say_repair(planned)
    if not dry_run:
        with _opened(settings) as store, _repairing():
            _repair(store, settings, tools, planned, by or "", why or "")
    if as_json:
        emit({"game": game, **planned.told(), "done": not dry_run})
    else:
        say("Nothing was done." if dry_run else f"Game {game} is whole again.")
    return 0


@command.command("end-log")
@settings_options
@logged_if_done
@json_option
def end_log(
    config: Path | None, database: Path | None, by: str | None, why: str | None, as_json: bool
) -> int:
    """End the public log, which cannot go on: the store was restored to before what it signed.

    Its folder and its second place stay as they are, for everybody to read. Then name another
    folder, second place and name (DECKLOG_LOG_DIR, DECKLOG_LOG_HEAD, DECKLOG_LOG_NAME): the next
    start begins a log in which all games are logged anew. Tell the players why.
    """
    from service.publishing.leaves import count, ended
    from service.store.acts import Act, insertion, time_of

    settings = given(config, database=database)
    needed(settings)
    if not (by and why):
        raise Mistake("Ending a log needs --by and --why.", "Both go into the log.", "usage")
    with _opened(settings) as store:
        leaves, at = count(store.recorder), time_of(store.recorder)
        told = msgspec.Raw(msgspec.json.encode({"leaves": leaves}))
        act = Act(at, by, "end-log", "", why, told)
        store.recorder.put((), [*ended(), insertion(act)])
    if as_json:
        emit({"leaves": leaves, "done": True})
    else:
        say(f"The store has forgotten the {leaves:,} leaves of its public log.")
    return 0


def _repair(
    store: Store, settings: Settings, tools: Tools, planned: Repair, by: str, why: str
) -> None:
    """Carry it out, and look whether the game is whole then. Raises Mistake."""
    from service.play.examining import examine
    from service.play.repairing import carry_out

    if not carry_out(store, planned, by, why):
        raise Mistake("The game has changed meanwhile.", "Stop the service first.", "store.busy")
    after = examine(store, *_rules(store, settings, tools), planned.game)
    if after.faults:
        raise Mistake("The game is still damaged.", " ".join(after.faults), "game.damaged")


def _say_repair(planned: Repair) -> None:
    for fault in planned.faults:
        say(fault)
    if not planned.cut:
        say("Its row is written anew from its events, of which none is cut off.")
        return
    say(f"It is cut back to event {planned.kept} ({planned.head}). These events are cut off:")
    rows = [(str(each.seq), each.type or "(gone)", each.hash or "(unreadable)")
            for each in planned.cut]  # fmt: skip
    table(("event", "type", "hash"), rows)


@command.command("put-back")
@click.argument("game")
@click.option("--from", "copy", required=True, metavar="COPY", help="SQLite file, address, @FILE.")
@settings_options
@logged_if_done
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@json_option
@click.pass_obj
def put_back(
    tools: Tools,
    game: str,
    copy: str,
    config: Path | None,
    database: Path | None,
    by: str | None,
    why: str | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Put one game out of a COPY back into the store, where it is missing or damaged.

    Of a game that is missing this may be done beside a running service; for one that is damaged
    nobody may be at work on the store. A game that is not over goes on with new dice. The copy is
    one of this store: its key is the same. A dump is restored into another database first.
    """
    from service.play.returning import plan

    settings = given(config, database=database)
    needed(settings)
    if not dry_run and not (by and why):
        raise Mistake("This needs --by and --why.", "Both go into the operator's log.", "usage")
    _check_id(game)
    with _looked_at(_of_copy(settings, copy)) as source:
        with _looked_at(settings) as store, _returning():
            planned = plan(store, source, *_rules(store, settings, tools), game)
        if planned.was and not dry_run and (others := _others(settings)):
            raise _busy(others)
        if not dry_run:
            _return(settings, source, planned, by or "", why or "")
    if as_json:
        told = {"version": planned.version, "lost": planned.lost, "faults": planned.faults}
        emit({"game": game, **told, "done": not dry_run})
    else:
        say(f"Game {game} has {planned.version} events in the copy; {planned.lost} more are lost.")
        say("Nothing was done." if dry_run else "It is in the store again.")
    return 0


def _of_copy(settings: Settings, copy: str) -> Settings:
    """The settings of a copy that the same key opens. Raises Mistake."""
    from service.backups.copies import ADDRESSES, Failed, told_in
    from service.store.box import key_path

    try:
        named = told_in(copy)
        key = settings.key or key_path(settings.database).read_text("ascii").strip()
    except (Failed, OSError) as error:
        hint = "Set DECKLOG_KEY_FILE to the key of the store."
        raise Mistake(f"The copy cannot be read: {error}.", hint, "usage") from None
    changes: dict[str, Any] = {"store": "", "database": Path(named)}
    if named.startswith(ADDRESSES):
        changes = {"store": named}
    found = msgspec.structs.replace(settings, key=key, **changes)
    needed(found, "copy", "Name it with --from: a file, an address, or @FILE that has one.")
    return found


@contextmanager
def _returning() -> Iterator[None]:
    """Says why a game cannot be put back. Raises Mistake."""
    from service.play.returning import Unreturnable

    try:
        yield
    except Unreturnable as error:
        raise Mistake("The game cannot be put back.", str(error), "game.damaged") from None


def _return(settings: Settings, source: Store, planned: Return, by: str, why: str) -> None:
    from service.play.returning import carry_out
    from service.store.store import Conflict

    missing = planned.was is None
    opened = _beside(settings) if missing and not settings.store else _opened(settings)
    try:
        with opened as store:
            done = carry_out(store, source, planned, by, why)
    except Conflict:
        done = False
    if not done:
        raise Mistake("The game has changed meanwhile.", "Look again, and repeat.", "store.busy")


@contextmanager
def _beside(settings: Settings) -> Iterator[Store]:
    """An SQLite store at which a service may be at work: what it holds in memory is not touched."""
    from service.clock import SYSTEM, stamp
    from service.store.examining import looked_at
    from service.store.store import connect_file

    recorder = connect_file(settings)
    try:
        store = looked_at(settings, recorder, stamp(SYSTEM.now()))
        store.recorder = recorder
        yield store
    finally:
        recorder.close()


@command.command("games")
@settings_options
@click.option(
    "--sort",
    "order",
    type=click.Choice(["age", "size", "silence"]),
    default="age",
    help="What comes first: the oldest game, the largest, or the one silent for longest.",
)
@click.option("--limit", type=click.IntRange(1), default=50, help="Games at most; 50 by default.")
@json_option
def games_(
    config: Path | None, database: Path | None, order: str, limit: int, as_json: bool
) -> int:
    """List games by age, size or silence.

    One whose summary is damaged has no times, and comes first by both. Names are not listed.
    """
    from service.store.inventory import games

    settings = given(config, database=database)
    needed(settings)
    with _looked_at(settings) as store:
        sizes = store.archive.sizes(store.recorder)
        found = list(games(store.recorder, store.box, sizes))
    orders: dict[str, Callable[[KeptGame], tuple[str | int, ...]]] = {
        "age": lambda each: (each.begun, each.game),
        "size": lambda each: (-each.bytes, each.game),
        "silence": lambda each: (each.last, each.game),
    }
    found = sorted(found, key=orders[order])[:limit]
    if as_json:
        emit(found)
        return 0
    headings = ("game", "ruleset", "status", "events", "bytes", "begun", "last", "archived")
    rows = [(*map(str, msgspec.structs.astuple(each)[:-1]), "yes" if each.archived else "")
            for each in found]  # fmt: skip
    table(headings, rows)
    return 0


@command.command("archive")
@settings_options
@click.option(
    "--days",
    type=click.IntRange(0),
    help="Days for which a game has been over; DECKLOG_ARCHIVE_DAYS by default.",
)
@click.option("--limit", type=click.IntRange(1), help="Games at most; all by default.")
@logged_if_done
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@json_option
@click.pass_obj
def archive(
    tools: Tools,
    config: Path | None,
    database: Path | None,
    days: int | None,
    limit: int | None,
    by: str | None,
    why: str | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Move finished games out of the table of events, into a file each (DECKLOG_ARCHIVE).

    Each is judged first as `decklog verify` does, and only what is upheld goes; its file is read
    back and compared before anything is deleted. A game is found by the same addresses afterwards.
    With PostgreSQL this may be done beside running workers, which do it by themselves where
    DECKLOG_ARCHIVE_DAYS is set. The exit code is 1 where a game had to stay.
    """
    settings = given(config, database=database)
    needed(settings)
    age = settings.archive_days if days is None else days
    if not settings.archive:
        raise Mistake("No folder is set for the archive.", "Set DECKLOG_ARCHIVE.", "usage")
    if not dry_run and not (by and why):
        raise Mistake("This needs --by and --why.", "Both go into the operator's log.", "usage")
    opened = _looked_at(settings) if dry_run else _opened(settings)
    with opened as store, progress("archiving") as report:
        found = _archived(store, tools, age, limit, (by or "", why or ""), report, dry_run=dry_run)
        newest = _held_back(store)
    if as_json:
        emit({"games": found.gone, "stayed": found.stayed, "done": not dry_run})
        return DAMAGED if found.stayed else 0
    for game, reason in found.stayed.items():
        say(f"game {game} stays: {reason}")
    if newest:
        say(f"game {newest} has the newest event of all: it stays until another game goes on.")
    freed, size = sum(each.bytes for each in found.gone), sum(each.size for each in found.gone)
    if dry_run:
        say(f"{len(found.gone):,} games would go, if they are upheld. Nothing was done.")
    else:
        gone = len(found.gone)
        say(f"{gone:,} games are in the archive: {freed:,} bytes of events, now {size:,}.")
    return DAMAGED if found.stayed else 0


def _held_back(store: Store) -> str:
    """The game that is over and has the newest event of all; "" where that one goes on."""
    from service.play.archiving import newest_of

    game = newest_of(store)
    found = store.recorder.query("SELECT status FROM games WHERE game = ?", (game,))
    return game if found == [("finished",)] else ""


class _Archived(NamedTuple):
    """Games that have gone, or would; and why others stay."""

    gone: list[Deposit]
    stayed: dict[str, str]


def _archived(
    store: Store,
    tools: Tools,
    days: int,
    limit: int | None,
    signed: tuple[str, str],
    report: Report,
    *,
    dry_run: bool,
) -> _Archived:
    from service.clock import SYSTEM
    from service.errors import PASSING, ServiceError
    from service.play import archiving
    from service.play.archiving import Deposit, before, candidates, judged, put_away
    from service.views.rulesets import Rulesets

    found, games = _Archived([], {}), Rulesets(tools.games, store)
    old = list(islice(candidates(store, before(SYSTEM.now(), days)), limit))
    for number, summary in enumerate(old):
        report(number, len(old))
        if dry_run:
            found.gone.append(Deposit(summary.id, summary.version, 0, 0))
            continue
        try:
            deposit = put_away(store, judged(store, games, summary.id), summary.id, *signed)
            found.gone.append(deposit)
        except PASSING:
            raise
        except (ServiceError, archiving.Unarchivable) as error:
            found.stayed[summary.id] = str(error)
        except Exception as error:
            # Whatever is wrong with it, the others go.
            log.exception("game %s stays in the table of events", summary.id)
            found.stayed[summary.id] = archiving.broken(error)
    return found


@command.command("shrink")
@settings_options
@json_option
def shrink_(config: Path | None, database: Path | None, as_json: bool) -> int:
    """Give back the room that archived and deleted games left in an SQLite file.

    No service may be at work on it, and there has to be room for a second file. PostgreSQL uses
    such room again by itself, and gives it back by its own VACUUM FULL.
    """
    from service.errors import StoreRefused
    from service.store.shrinking import shrink

    settings = given(config, database=database)
    needed(settings)
    if settings.store:
        hint = "PostgreSQL gives room back by VACUUM FULL, while no worker is at work."
        raise Mistake("This is for an SQLite file.", hint, "usage")
    try:
        before, after = shrink(settings.database)
    except StoreRefused as refused:
        raise Mistake(
            f"The store cannot be opened: {refused.code}.", refused.hint, refused.code
        ) from None
    if as_json:
        emit({"before": before, "after": after})
    else:
        say(f"{before:,} bytes became {after:,}.")
    return 0


@command.command("acts")
@click.argument("game", default="")
@settings_options
@json_option
def acts_(game: str, config: Path | None, database: Path | None, as_json: bool) -> int:
    """List what operators have done to the store, or to one game: who, when and why.

    With --json all that is known of each act, such as the hash of every event that was cut off.
    """
    from service.store.acts import listed
    from service.store.looking import looking

    settings = given(config, database=database)
    needed(settings)
    with _looked_at(settings) as store, looking(settings) as look:
        # A store that no program with this log has opened yet has none.
        found = [] if look is None or "acts" in look.missing() else listed(store.recorder, game)
    if as_json:
        emit(found)
    else:
        headings = ("at", "operator", "act", "game", "why")
        table(headings, [(a.at, a.operator, a.act, a.game, a.why) for a in found])
    return 0


@command.command("migrate")
@settings_options
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option(
    "--beside-others",
    is_flag=True,
    help="Migrate although others are connected to the database: no worker of an older program is.",
)
@json_option
@click.pass_obj
def migrate(
    tools: Tools,
    config: Path | None,
    database: Path | None,
    dry_run: bool,
    beside_others: bool,
    as_json: bool,
) -> int:
    """Bring a store of an older format to that of this program.

    Back it up first: an older program refuses it from then on. A service never does this by itself.
    It is safe to repeat, and leaves alone what is up to date. Summaries of games that another
    program has stored in another form are made anew, which a service does too, beside its work.
    """
    settings = given(config, database=database)
    needed(settings)
    planned, others = _planned(settings)
    if planned is None:
        say("The store is empty: it is made at the first start.")
        return 0
    lines = list(planned.lines())
    due = planned.changes or planned.summaries > 0
    done = due and not dry_run
    if done and planned.changes and others and not beside_others:
        raise _busy(others)
    if not as_json:
        for line in lines:
            say(line)
    if done:
        _migrate(settings, tools)
    if as_json:
        emit({"found": planned.found, "steps": lines, "others": others, "done": done})
    elif done:
        say("The store is migrated." if planned.changes else "The summaries are made anew.")
    elif due:
        say("Nothing was done.")
    return 0


def _planned(settings: Settings) -> tuple[Plan | None, int]:
    """What there is to do, and how many others are connected. Raises Mistake."""
    from service.errors import StoreRefused
    from service.store.looking import check_key, looking
    from service.store.migration import plan

    try:
        with looking(settings) as look:
            if look is None:
                return None, 0
            check_key(look, settings)
            others = 0
            if settings.store:
                from service.store.facts import sessions
                from service.store.postgres import SharedLook

                assert isinstance(look, SharedLook)
                others = sessions(look)
            return plan(look), others
    except StoreRefused as refused:
        raise _refused(refused.code, refused.hint) from None


def _migrate(settings: Settings, tools: Tools) -> None:
    from service.errors import ServiceError, StoreRefused
    from service.play.migration import migrate

    try:
        with progress("making summaries anew") as report:
            migrate(settings, tools.games, report)
    except (StoreRefused, ServiceError) as refused:
        raise _refused(refused.code, refused.hint) from None


def _refused(code: str, hint: str) -> Mistake:
    return Mistake(f"The store cannot be migrated: {code}.", hint, code)

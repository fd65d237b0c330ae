"""Is a stored game whole: its chain, what is sealed in it, its orders, its dice, its summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import lt
from typing import Any

import msgspec

from ..dice.vault import Vault
from ..errors import Damaged, RulesetMissing, ServiceError, StoreUnavailable
from ..evidence.bundle import Order
from ..evidence.chain import GENESIS, STATE, Seals
from ..evidence.records import (
    RULINGS,
    EpochStarted,
    GameAbandoned,
    GameCreated,
    MasterOpened,
)
from ..evidence.records import SeatTakenRecord as SeatTaken
from ..models import GameId, GameSummary
from ..store import examining, summaries
from ..store.box import WrongKey
from ..store.examining import KeptRow
from ..store.rows import Record, damaged, read_rows
from ..store.store import Store, listed_as
from ..store.stored import Row, StoredCommand
from ..views.export import wrong_orders
from ..views.rulesets import pinned
from .live import LINKS, DiceKeeper
from .staging import AnyGame
from .summaries import first_record, rebuilt

TRIES = 5
"""How often a game is read that goes on meanwhile."""

ALONE = RULINGS | {
    SeatTaken.TYPE, EpochStarted.TYPE, GameAbandoned.TYPE, MasterOpened.TYPE,
} | LINKS  # fmt: skip
"""Types of events that end what was stored at once, though no state is sealed in them."""


class Examined(msgspec.Struct, frozen=True):
    """What an examination has found of one game.

    events  how many there are
    whole   up to which of them nothing is wrong
    faults  what is wrong, in sentences; none: all is whole
    unread  why its summary was not compared with its events; "" where it was
    """

    game: GameId
    events: int
    whole: int
    faults: tuple[str, ...] = ()
    unread: str = ""


class Found(msgspec.Struct):
    """A game on the table: what was read of it, and what is wrong with it so far.

    is_genuine  whether its summary is as it was written
    """

    row: KeptRow
    rows: Sequence[Row]
    records: list[Record]
    summary: GameSummary | None
    faults: list[str]
    whole: int = 0
    unread: str = ""
    is_genuine: bool = True


def examine(store: Store, games: Mapping[str, AnyGame], vault: Vault, game: GameId) -> Examined:
    """Read all of a game. One that goes on meanwhile is read again. Raises StoreUnavailable."""
    found = look(store, games, vault, game)
    if found is None:
        return Examined(game, _rowless(store, game), 0, (f"Game {game} has no row.",))
    count = max(len(found.rows), found.row.version)
    return Examined(game, count, found.whole, tuple(found.faults), found.unread)


def _rowless(store: Store, game: GameId) -> int:
    """How many events there are of a game without a row, in the table or in its file."""
    kept = store.archive.row(store.recorder, game)
    return examining.events(store.recorder, game) + (kept.version if kept else 0)


def look(store: Store, games: Mapping[str, AnyGame], vault: Vault, game: GameId) -> Found | None:
    """As ``examine``, with what was read; None for a game without a row."""
    row = examining.row(store.recorder, game)
    for _ in range(TRIES):
        if row is None:
            return None
        found = _looked(store, games, vault, game, row)
        before, row = row, examining.row(store.recorder, game)
        if not found.faults or row == before:
            return found
    raise StoreUnavailable(f"Game {game} goes on too fast to be read.")


def _looked(
    store: Store, games: Mapping[str, AnyGame], vault: Vault, game: GameId, row: KeptRow
) -> Found:
    found = Found(row, [], [], None, [])
    try:
        found.summary = summaries.decode(store.box, game, row.version, row.summary)
    except Damaged as error:
        found.is_genuine = False
        found.faults.append(error.hint)
    except msgspec.ValidationError:
        found.unread = "another program has written it"
    try:
        _read(store, vault, game, found)
        _compare(store, games, vault, game, found)
        found.faults += [*_as_listed(game, found), *_as_archived(store, game, found)]
    except WrongKey:
        found.faults.append(f"The dice master of game {game} does not open.")
    except StoreUnavailable:
        raise
    except ServiceError as error:
        found.faults.append(error.hint)
    except (msgspec.MsgspecError, KeyError, ValueError, TypeError) as error:
        found.faults.append(damaged(game, 1, str(error)).hint)
    return found


def _read(store: Store, vault: Vault, game: GameId, found: Found) -> None:
    """Chain, seals, dice and orders."""
    found.rows = store.rows(game)
    master = store.master(game)
    if not found.rows:
        raise damaged(game, 1, "missing")
    created = _created(game, found.rows[0])
    seals = Seals(master, DiceKeeper(vault, game, created, master).book.g)
    found.records, wrong = whole_records(game, found.rows, seals)
    found.whole = len(found.records)
    found.faults += wrong or _ends_as_told(game, found)
    done = max(boundaries(found.records), default=0) if wrong else found.whole
    for seq, what in wrong_orders(found.records[:done], _orders(store, game, done), seals):
        found.faults.append(damaged(game, seq, what).hint)
        found.whole = min(found.whole, seq - 1)
    found.faults += _misdated(game, found, store.commands(game))


def _created(game: GameId, row: Row) -> GameCreated:
    """The game's first event, before it is checked: it says how the others are sealed."""
    try:
        return first_record(game, row[2])
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise damaged(game, 1, str(error)) from None


def whole_records(
    game: GameId, rows: Sequence[Row], seals: Seals
) -> tuple[list[Record], list[str]]:
    """The records up to the first that is damaged, and what is wrong with that one."""
    try:
        return read_rows(game, rows, seals, 0, GENESIS), []
    except Damaged:
        pass
    records: list[Record] = []
    for each in rows:
        head = records[-1].hash if records else GENESIS
        try:
            records += read_rows(game, [each], seals, len(records), head)
        except Damaged as error:
            return records, [error.hint]
    return records, []


def _ends_as_told(game: GameId, found: Found) -> list[str]:
    """What is wrong between the last event and the row."""
    version, count = found.row.version, len(found.records)
    if count < version:
        return [damaged(game, count + 1, "missing").hint]
    if found.summary is None:
        return []
    if count > version:
        found.whole = version
        return [damaged(game, version + 1, "beyond what its row tells").hint]
    head = summaries.head_of(found.row.summary)
    if head and head != found.records[-1].hash:
        return [damaged(game, count, "not the one that its row is of").hint]
    return []


def _as_listed(game: GameId, found: Found) -> Iterator[str]:
    """What is wrong with the words of the row by which lists find the game."""
    if found.summary is None:
        return
    row, status = found.row, listed_as(found.summary)
    if row.status != status:
        yield f"Game {game} is listed as {row.status}, and is {status}."
    if row.ruleset != found.summary.rules.ruleset:
        told = f"is listed under {row.ruleset}, and is of {found.summary.rules.ruleset}"
        yield f"Game {game} {told}."


def _as_archived(store: Store, game: GameId, found: Found) -> Iterator[str]:
    """What is wrong with the row that says that the game is in a file."""
    kept = store.archive.row(store.recorder, game)
    if kept is None:
        return
    if found.records and kept.head != found.records[-1].hash:
        yield f"The archive's row of game {game} names another last event than its file has."
    places = store.archive.opened(kept).places
    if (kept.first, kept.last) != (places[0], places[-1]) or not all(map(lt, places, places[1:])):
        yield f"The places of the events of game {game} are not as they were archived."


def _misdated(game: GameId, found: Found, orders: Sequence[StoredCommand]) -> Iterator[str]:
    """Orders that were not given when their events say."""
    for order in orders:
        if order.first <= found.whole and found.records[order.first - 1].body.at != order.at:
            yield damaged(game, order.first, "its order has another time").hint


def _orders(store: Store, game: GameId, done: int) -> list[Order]:
    """Those that led to the events up to that one."""
    return [
        Order(order.id, order.seat, order.command, order.first, order.last)
        for order in store.commands(game)
        if order.first <= done
    ]


def _compare(
    store: Store, games: Mapping[str, AnyGame], vault: Vault, game: GameId, found: Found
) -> None:
    """Is the summary what the events make of it?"""
    if found.faults or found.summary is None:
        return
    try:
        pinned(games, found.summary.rules)
    except RulesetMissing as error:
        found.unread = error.hint
        return
    made, _ = rebuilt(store, games, vault, game, found.row.summary)
    if _without_time(made) != _without_time(found.summary):
        found.faults.append(f"The summary of game {game} is not what its events make of it.")


def _without_time(summary: GameSummary) -> Any:
    """All but when the game goes: that is put off while nobody can reach the service."""
    return msgspec.structs.replace(summary, expires_at=None, sides=())


def boundaries(records: Sequence[Record]) -> Iterator[int]:
    """Numbers of the events after which the record may end: the last of what was stored at once."""
    for record in records:
        alone = record.body.type in ALONE and not record.body.cause.id
        if STATE in record.body.sealed or alone:
            yield record.body.seq


def walk(
    store: Store, games: Mapping[str, AnyGame], vault: Vault, pace: Callable[[int], object]
) -> Iterator[Examined]:
    """Every game of the store. ``pace`` is told how many events were read, and may wait."""
    game = _next(store, "")
    while game:
        found = examine(store, games, vault, game)
        pace(found.events)
        yield found
        game = _next(store, game)


def _next(store: Store, after: GameId) -> GameId:
    """The first game above ``after`` that has a row, an event, or a file."""
    kept = store.archive.next_game(store.recorder, after)
    found = examining.next_game(store.recorder, after)
    return min(filter(None, (found, kept)), default="")

"""The operator steps in: stops a game, lets it go on, ends it. The record says so.

Each is an event by itself, in no command, and as public as a seat that is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.values import Seat

from ..deadlines import Away, left_at, running
from ..errors import GameOver
from ..evidence import service_events as platform
from ..evidence.chain import GENESIS, Chain
from ..evidence.ed25519 import is_key
from ..evidence.escrow import plays
from ..evidence.receipts import Accepted
from ..evidence.records import (
    SERVICE,
    BatchVoided,
    EndedByRuling,
    GameCreated,
    KeyChanged,
    Paused,
    Record,
    Resumed,
    SeatTakenRecord,
)
from ..evidence.seatkeys import SeatKey, is_passed_on
from ..evidence.signedorders import key_changes
from ..models import GameSummary, Standstill
from ..store import unplayed
from ..store.bulk import Statement
from ..store.rows import Record as Stored
from ..store.rows import read_rows
from ..store.store import Store
from . import unsealing
from .deciding import NeedsLinks, carried_out
from .live import Live, Locked
from .live import is_tip as is_hex
from .staging import ReadyRequest, RecordWriter, commit_of, given_up, gone_on


class RulingRefused(Exception):
    """What the operator asks for cannot be done as things are, in a sentence."""


Ruling = EndedByRuling | Paused | Resumed | BatchVoided | KeyChanged


def ruled(summary: GameSummary, ruling: Record, at: str) -> GameSummary:
    """The summary after a ruling, but for what every event changes."""
    match ruling:
        case EndedByRuling():
            return given_up(msgspec.structs.replace(summary, ruling=ruling.reason))
        case Paused():
            orders, reason, left = ruling.orders, ruling.reason, ruling.left
            paused = Standstill(since=at, orders=orders, reason=reason, left=left)
            return msgspec.structs.replace(summary, paused=paused, due={})
        case Resumed():
            return running(summary, at)
        case KeyChanged():
            return _with_key(summary, ruling)
        case _:
            return summary


def _with_key(summary: GameSummary, ruling: KeyChanged) -> GameSummary:
    none: dict[str, Any] = {"order_key": "", "keeper": ""}
    key = ruling.key
    new: dict[str, Any] = none if key is UNSET else {"order_key": key.public, "keeper": key.keeper}
    if ruling.signature is UNSET:
        new["key_ruled"] = True
    seats = (
        msgspec.structs.replace(each, **new) if each.seat == ruling.seat else each
        for each in summary.seats
    )  # fmt: skip
    return msgspec.structs.replace(summary, seats=tuple(seats))


def stop(live: Live, at: str, away: Away, reason: str, *, orders: bool) -> ReadyRequest:
    """The game with its clocks stopped, staged. Raises GameOver, RulingRefused.

    orders  whether orders are taken meanwhile
    away    when the service could not be reached: that was nobody's time
    """
    _in_play(live)
    if live.summary.paused is not None:
        raise RulingRefused("The clocks of the game are stopped already: resume or thaw it first.")
    return staged(live, Paused(orders, reason, left_at(live.summary, at, away)), at)


def go_on(live: Live, at: str, *, orders: bool) -> ReadyRequest:
    """The game with its clocks running, staged. Raises GameOver, RulingRefused.

    orders  whether it is one in which orders were taken
    """
    _in_play(live)
    if live.summary.paused is None or live.summary.paused.orders != orders:
        raise RulingRefused("Its clocks are not stopped." if orders else "It is not frozen.")
    return staged(live, Resumed(), at)


def end(live: Live, at: str, reason: str) -> ReadyRequest:
    """The game with its end and its master opened, staged. Raises GameOver."""
    _in_play(live)
    return staged(live, EndedByRuling(reason), at, [unplayed.forgotten(live.id)])


def void(live: Live, at: str, reason: str) -> ReadyRequest:
    """The locked order and its batch discarded, staged. Raises GameOver, RulingRefused."""
    _in_play(live)
    lock = live.locked
    if lock is None or lock.closed or lock.round:
        raise RulingRefused("No order is locked whose dice are all open: there is nothing to void.")
    if live.dice.renewal(live.links.epoch, live.next_batch + 1) is not None:
        raise RulingRefused("The chains are nearly spent: the order has to be carried out.")
    try:
        carried_out(live, at)
    except NeedsLinks as needed:
        domain = needed.domain
    else:
        raise RulingRefused("The order needs no dice.")
    link = live.dice.book.open_batch(lock.wanted, [], domain, live.links.epoch).link
    return staged(live, BatchVoided(lock.wanted, domain, link.hex(), reason), at, batches=1)


class NewKey(NamedTuple):
    """What a seat signs its orders by from now on.

    key        None: the seat has lost its key, and signs no more
    signature  of it by the key before, in hex; "" where the operator alone says so
    """

    key: SeatKey | None
    signature: str = ""


class Barred(NamedTuple):
    """Keys that a seat may not have.

    keepers  of those who keep shares of the master: they play in no seat
    before   that the seat had: each was passed on by a signature that stands in the record, and
             would do again
    """

    keepers: Collection[str]
    before: Collection[str]


def keys_had(records: Iterable[Stored], seat: str) -> set[str]:
    """The keys that a seat ever had, by all records of its game."""
    of_keys = (
        (each.body.seq, platform.decode(each.body.type, each.truth))
        for each in records
        if each.body.type in KEYS_COME
    )
    changes = key_changes(of_keys)
    return {key.public for _, of, key in changes if of == seat and key is not None}


KEYS_COME: Final = (GameCreated.TYPE, SeatTakenRecord.TYPE, KeyChanged.TYPE)


def barred(live: Live, store: Store, seat: Seat) -> Barred:
    """Keys that the seat may not have, by the whole record of its game."""
    records = read_rows(live.id, store.rows(live.id), live.seals, 0, GENESIS)
    return Barred([keeper.key for keeper in store.keepers], keys_had(records, seat))


def rekey(live: Live, at: str, seat: str, new: NewKey, reason: str, barred: Barred) -> ReadyRequest:
    """The seat with another key for its orders, or none, staged. Raises GameOver, RulingRefused."""
    _in_play(live)
    old = next((each.order_key for each in live.summary.seats if each.seat == seat), "")
    if not old:
        raise RulingRefused(f"No seat {seat!r} of the game has a key.")
    if live.locked is not None:
        raise RulingRefused("An order is locked, which its seat has signed: void it, or wait.")
    if new.key is not None:
        _check_key(live.id, seat, new, old, barred)
    elif new.signature:
        raise RulingRefused("Nothing is passed on where a key is lost.")
    key = UNSET if new.key is None else new.key
    return staged(live, KeyChanged(seat, old, reason, key, new.signature or UNSET), at)


def _check_key(game: str, seat: str, new: NewKey, old: str, barred: Barred) -> None:
    key, signature = new.key, new.signature
    assert key is not None
    fits = is_hex(key.public) and is_key(bytes.fromhex(key.public))
    if not fits or plays(key.public, barred.keepers):
        raise RulingRefused("The key is no public key of Ed25519, or is a keeper's.")
    if key.public in (old, *barred.before):
        raise RulingRefused(f"{seat} had this key before: another is made for each change.")
    if signature and not is_passed_on(game, seat, key, old, signature):
        raise RulingRefused(f"The signature is not of this key for {seat}, by the key {old}.")


def _in_play(live: Live) -> None:
    if live.summary.status == "finished":
        raise GameOver("The game is over: its record is closed.")


def staged(
    live: Live, ruling: Ruling, at: str, statements: Sequence[Statement] = (), batches: int = 0
) -> ReadyRequest:
    """The ruling as an event by itself, with its receipt."""
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    scribe.platform(ruling)
    scribe.write(None)
    if isinstance(ruling, EndedByRuling):
        unsealing.end(live, scribe)
    # As it is made again from the log: what the event itself changes, then what every one does.
    locked = _locked(live, ruling, at)
    before = msgspec.structs.replace(live, summary=ruled(live.summary, ruling, at), locked=locked)
    after = gone_on(before, scribe, SERVICE, at, batches)
    if isinstance(ruling, EndedByRuling):
        after = msgspec.structs.replace(after, summary=given_up(after.summary))
    accepted = Accepted("ruling", SERVICE, canonical(ruling), scribe.seq, scribe.head)
    commit = commit_of(after, scribe, statements)
    return ReadyRequest(after, commit, tuple(scribe.told), None, accepted)


def _locked(live: Live, ruling: Ruling, at: str) -> Locked | None:
    """The order that waits for links after the ruling."""
    match ruling:
        case EndedByRuling() | BatchVoided():
            return None
        case Resumed() if live.locked is not None and live.summary.paused is not None:
            return live.locked.stood(live.summary.paused.since, at)
        case _:
            return live.locked

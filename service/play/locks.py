"""Dice of grade A2: orders are locked, then links are given and closed, then the dice fall.

Nobody knows a die, be it the service together with a player, before the order is fixed: one honest
seat's link is enough (dice.md 2.3). A link that does not come in time is absent, and on record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.codec import canonical
from domain.kernel.values import Seat

from ..deadlines import later
from ..dice.links import PlayerLinks
from ..errors import DiceRefused
from ..evidence.beacon import NETWORKS, first_after
from ..evidence.chain import Chain
from ..evidence.receipts import Accepted
from ..evidence.records import SERVICE, BeaconSeen, Forfeited, LinksClosed, LinksGiven
from ..models import GameId, GameTold
from ..store.store import Commit
from . import unsealing
from .deciding import NeedsLinks, carried_out
from .live import DICE, Live, Locked, missed_after
from .staging import ReadyRequest, RecordWriter, commit_of, forfeited, gone_on


def give(live: Live, seat: Seat, upto: int, link: str, at: str) -> ReadyRequest:
    """A seat's link for the batch that a locked order waits for, staged. Raises DiceRefused.

    With the last one the links are closed, and the order is carried out in the same commit.
    """
    links = _given(live, live.seats.index(seat), upto, link)
    scribe = _scribe(live, at)
    record = LinksGiven(seat, upto, link)
    scribe.platform(record)
    scribe.write(None)
    there = msgspec.structs.replace(live, links=links)
    after = gone_on(there, scribe, DICE, at, actor=SERVICE)
    accepted = Accepted("links", seat, canonical(record), scribe.seq, scribe.head)
    ready = ReadyRequest(after, commit_of(after, scribe, ()), tuple(scribe.told), None)
    if after.summary.locked is not None and not after.summary.locked.missing:
        ready = both(ready, close(after, at))
    answer = GameTold(game=ready.live.summary)
    return msgspec.structs.replace(ready, answer=answer, accepted=accepted)


Logged = Callable[[GameId, int], bool]
"""Whether the public log has an event of a game, by its number, where nobody can take it back."""


def check_logged(live: Live, logged: Logged | None) -> None:
    """Links are opened once nobody can take the lock back. Raises DiceRefused, StoreUnavailable."""
    if _unlogged(live, logged):
        hint = "The public log does not have the lock for good yet: try again in a second."
        raise DiceRefused(hint, code="dice.awaited")


def _given(live: Live, place: int, upto: int, link: str) -> PlayerLinks:
    """Raises DiceRefused."""
    if live.locked is None:
        hint = "Links of grade A2 are taken when an order is locked."
        raise DiceRefused(hint, code="dice.link-unexpected")
    if live.locked.round:
        hint = f"The links of batch {live.locked.wanted} are closed: it waits for the beacon."
        raise DiceRefused(hint, code="dice.awaited")
    t = live.locked.wanted
    if upto != t or place not in live.links.missing(t):
        hint = f"Links are taken now for batch {t}, one of each seat."
        raise DiceRefused(hint, code="dice.link-unexpected", pointer="/upto")
    return live.links.give(place, t, bytes.fromhex(link))


def _unlogged(live: Live, logged: Logged | None) -> bool:
    """Whether links have to wait for the public log. Raises StoreUnavailable."""
    if live.locked is None or logged is None or not live.waits:
        return False
    return not logged(live.id, live.locked.seq)


def close(live: Live, at: str, *, unlogged: bool = False) -> ReadyRequest:
    """The links of the batch are closed, and the order is carried out, staged; or it waits for the
    links of one more batch, where it needs dice of another domain.

    unlogged  the public log does not have the lock yet, so that no link could be taken
    """
    assert live.locked is not None
    t = live.locked.wanted
    absent = tuple(live.seats[place] for place in live.links.missing(t))
    closing = LinksClosed(t, absent, True if unlogged and absent else UNSET, _round(live, at))
    missed = missed_after(live.missed, closing)
    counted = msgspec.structs.replace(live, missed=missed)
    ready = _noted(counted, closing, live.locked.next(at, closing, live.dice.beacon), at)
    lost = [seat for seat in absent if missed.get(seat) == live.dice.forfeit]
    if lost:
        return both(ready, _forfeited(ready.live, lost, at))
    return _gone_on(ready, at) if closing.round is UNSET else ready


def _round(live: Live, at: str) -> int | UnsetType:
    """Of grade A3 the round that will be in the batch: it comes soon, and nobody has it yet; nor
    by the time of the lock, should a clock have gone back since."""
    if not live.dice.beacon:
        return UNSET
    assert live.locked is not None, "links are closed of what is locked"
    since = max(at, live.locked.since)
    return first_after(NETWORKS[live.dice.beacon], later(since, BEACON_SECONDS))


BEACON_SECONDS = 4
"""Seconds after the closing of links in which the round that they wait for does not come: others
see that it was named before."""


def see(live: Live, signature: str, at: str) -> ReadyRequest:
    """The round has come for which a batch waits: the order is carried out, staged; or it waits for
    the links of one more batch."""
    assert live.locked is not None
    record = BeaconSeen(live.locked.wanted, live.locked.round, signature)
    return _gone_on(_noted(live, record, live.locked.seen(at, record), at), at)


def _forfeited(live: Live, seats: Sequence[Seat], at: str) -> ReadyRequest:
    """The end of the game: these seats have been absent once too often. Staged."""
    scribe = _scribe(live, at)
    record = Forfeited.by(seats, live.dice.forfeit, live.seats)
    scribe.platform(record)
    scribe.write(None)
    unsealing.end(live, scribe)
    there = msgspec.structs.replace(live, locked=None)
    after = gone_on(there, scribe, SERVICE, at)
    ended = forfeited(after.summary, record.seats, record.result)
    after = msgspec.structs.replace(after, summary=ended)
    return ReadyRequest(after, commit_of(after, scribe, ()), tuple(scribe.told), None)


def _noted(live: Live, record: LinksClosed | BeaconSeen, locked: Locked, at: str) -> ReadyRequest:
    """An event by itself, after which that is locked."""
    scribe = _scribe(live, at)
    scribe.platform(record)
    scribe.write(None)
    there = msgspec.structs.replace(live, locked=locked)
    after = gone_on(there, scribe, DICE, at, actor=SERVICE)
    return ReadyRequest(after, commit_of(after, scribe, ()), tuple(scribe.told), None)


def _gone_on(ready: ReadyRequest, at: str) -> ReadyRequest:
    """With what the locked order leads to, where all is there that it needs."""
    try:
        return both(ready, carried_out(ready.live, at))
    except NeedsLinks:
        return ready


def close_by_clock(live: Live, at: str, logged: Logged | None = None) -> ReadyRequest | None:
    """As ``close``, once the links have been waited for long enough; else None."""
    if live.locked is None or at < live.locked.due or live.summary.paused is not None:
        return None
    assert not live.locked.round, "its links are closed"
    return close(live, at, unlogged=_unlogged(live, logged))


def both(first: ReadyRequest, second: ReadyRequest) -> ReadyRequest:
    """Two things of one game, the second on top of the first, in one commit."""
    one, two = first.commit, second.commit
    assert one.change is not None
    assert two.change is not None
    change = msgspec.structs.replace(two.change, version=one.change.version, head=one.change.head)
    commit = Commit(one.game, (*one.rows, *two.rows), (*one.statements, *two.statements), change)
    return msgspec.structs.replace(second, commit=commit, told=(*first.told, *second.told))


def _scribe(live: Live, at: str) -> RecordWriter:
    chain = Chain(live.id, live.seals, live.version, live.head)
    return RecordWriter(live.game, chain, live.seats, at)

"""A seat gives its dice links ahead: they are mixed into every batch, whoever rolls it.

So no seat's dice hang on the service and the roller alone, and whose time runs out takes no grade
from the others. The price: the service knows links, and with its own chain the dice, of so many
batches ahead (grade A1).
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.values import Seat

from ..dice.grades import LOCKED
from ..dice.links import AHEAD, PlayerLinks
from ..errors import DiceRefused, GameOver
from ..evidence.chain import Chain
from ..evidence.receipts import Accepted
from ..evidence.records import SERVICE, LinksGiven, TipRenewed
from ..models import GameTold, NewLinks
from ..views.frozen import check_frozen
from . import locks
from .deciding import check_unlocked
from .live import DICE, Live
from .staging import ReadyRequest, RecordWriter, commit_of, gone_on


def most(live: Live) -> int:
    """The last batch for which links are taken now."""
    epoch = live.links.epoch
    return min(live.next_batch - 1 + AHEAD, epoch.base + live.links.length)


def give(live: Live, seat: Seat, giving: NewLinks, at: str) -> ReadyRequest:
    """The seat's links up to a batch, staged; or the tip of its next chain, first.

    Raises GameOver, GameFrozen, DiceRefused.
    """
    if live.summary.status == "finished":
        raise GameOver("The game is over: its record is closed.")
    check_frozen(live.summary)
    if giving.tip is UNSET:
        return _links(live, seat, giving, at)
    begun = _begin(live, seat, giving.tip, at)
    if giving.link is UNSET and giving.upto is UNSET:
        return begun
    return locks.both(begun, _links(begun.live, seat, giving, at))


def _begin(live: Live, seat: Seat, tip: str, at: str) -> ReadyRequest:
    """The seat's next chain. Raises DiceRefused."""
    check_unlocked(live)
    place = live.seats.index(seat)
    if place not in live.links.spent:
        hint = "A new tip is taken when the seat's chain is spent."
        raise DiceRefused(hint, code="dice.link-unexpected", pointer="/tip")
    links = live.links.register(place, bytes.fromhex(tip))
    return _recorded(live, TipRenewed(seat, tip), links, at)


def _links(live: Live, seat: Seat, giving: NewLinks, at: str) -> ReadyRequest:
    """Raises DiceRefused."""
    if giving.upto is UNSET or giving.link is UNSET:
        hint = "Send a link with the batch that it is for."
        raise DiceRefused(hint, code="dice.link-unexpected", pointer="/link")
    if live.summary.grade in LOCKED:
        return locks.give(live, seat, giving.upto, giving.link, at)
    links = _given(live, live.seats.index(seat), giving.upto, giving.link)
    return _recorded(live, LinksGiven(seat, giving.upto, giving.link), links, at)


def _recorded(
    live: Live, record: TipRenewed | LinksGiven, links: PlayerLinks, at: str
) -> ReadyRequest:
    """An event by itself, after which that is known of the seats' chains."""
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    scribe.platform(record)
    scribe.write(None)
    there = msgspec.structs.replace(live, links=links)
    after = gone_on(there, scribe, DICE, at, actor=SERVICE)
    accepted = Accepted("links", record.seat, canonical(record), scribe.seq, scribe.head)
    answer = GameTold(game=after.summary)
    return ReadyRequest(after, commit_of(after, scribe, ()), tuple(scribe.told), answer, accepted)


def _given(live: Live, place: int, upto: int, link: str) -> PlayerLinks:
    """Raises DiceRefused."""
    if live.summary.status == "open":
        hint = "Links are opened to nobody before every seat is filled: its tip is fixed then."
        raise DiceRefused(hint, code="dice.link-unexpected")
    if live.links.spent:
        hint = "Links are opened to nobody before every seat has begun its new chain."
        raise DiceRefused(hint, code="dice.link-unexpected")
    last, known = most(live), max(live.links.upto(place), live.next_batch - 1)
    if not known < upto <= last:
        hint = f"Links are taken now for a batch from {known + 1} to {last}."
        raise DiceRefused(hint, code="dice.link-unexpected", pointer="/upto")
    return live.links.give(place, upto, bytes.fromhex(link))

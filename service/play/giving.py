"""A seat gives its dice links ahead: they are mixed into every batch, whoever rolls it.

So no seat's dice hang on the service and the roller alone, and whose time runs out takes no grade
from the others. The price: the service knows links, and with its own chain the dice, of so many
batches ahead (grade A1).
"""

from __future__ import annotations

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.values import Seat

from ..dice.links import AHEAD, PlayerLinks
from ..errors import DiceRefused, GameOver
from ..evidence.chain import Chain
from ..evidence.receipts import Accepted
from ..evidence.records import SERVICE, LinksGiven
from ..models import LinksTold, NewLinks
from ..views.frozen import check_frozen
from . import locks
from .live import DICE, Live
from .staging import ReadyRequest, RecordWriter, commit_of, gone_on


def most(live: Live) -> int:
    """The last batch for which links are taken now."""
    epoch = live.links.epoch
    return min(live.next_batch - 1 + AHEAD, epoch.base + live.links.length)


def give(live: Live, seat: Seat, giving: NewLinks, at: str) -> ReadyRequest:
    """The seat's links up to a batch, staged. Raises GameOver, GameFrozen, DiceRefused."""
    if live.summary.status == "finished":
        raise GameOver("The game is over: its record is closed.")
    check_frozen(live.summary)
    if live.summary.grade == "A2":
        return locks.give(live, seat, giving, at)
    links = _given(live, live.seats.index(seat), giving)
    scribe = RecordWriter(
        live.game, Chain(live.id, live.seals, live.version, live.head), live.seats, at
    )
    record = LinksGiven(seat, giving.upto, giving.link)
    scribe.platform(record)
    scribe.write(None)
    after = gone_on(msgspec.structs.replace(live, links=links), scribe, DICE, at, actor=SERVICE)
    accepted = Accepted("links", seat, canonical(record), scribe.seq, scribe.head)
    answer = LinksTold(game=after.summary)
    return ReadyRequest(after, commit_of(after, scribe, ()), tuple(scribe.told), answer, accepted)


def _given(live: Live, place: int, giving: NewLinks) -> PlayerLinks:
    """Raises DiceRefused."""
    if live.summary.status == "open":
        hint = "Links are opened to nobody before every seat is filled: its tip is fixed then."
        raise DiceRefused(hint, code="dice.link-unexpected")
    last, known = most(live), max(live.links.upto(place), live.next_batch - 1)
    if not known < giving.upto <= last:
        hint = f"Links are taken now for a batch from {known + 1} to {last}."
        raise DiceRefused(hint, code="dice.link-unexpected", pointer="/upto")
    return live.links.give(place, giving.upto, bytes.fromhex(giving.link))

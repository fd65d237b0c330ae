"""A seat passes the key of its orders on by itself, to another device or program.

The key that it has signs the one that takes its place: who has the seat's token alone cannot, and
the grade of its orders stays. No operator has a part in it.
"""

from __future__ import annotations

import msgspec

from domain.kernel.values import Seat

from ..errors import GameOver, SeatRefused, SignatureRefused
from ..evidence.ed25519 import is_key
from ..evidence.escrow import plays
from ..evidence.records import KeyChanged
from ..evidence.seatkeys import SeatKey, is_passed_on, what_is_passed_on
from ..models import GameTold, NewKey
from ..store.store import Store
from ..views.frozen import check_frozen
from .deciding import check_unlocked
from .live import Live
from .rulings import barred, staged
from .staging import ReadyRequest

MOST = 16
"""Keys that a seat passes on to in a game: each is an event that everybody keeps and judges, and
whoever answers an older position than the last few is sent back to look anew."""


def pass_on(live: Live, seat: Seat, giving: NewKey, store: Store, at: str) -> ReadyRequest:
    """The seat with another key for its orders, as its own has signed it, staged.

    Raises GameOver, GameFrozen, DiceRefused, SignatureRefused, SeatRefused, in this order.
    """
    if live.summary.status == "finished":
        raise GameOver("The game is over: its record is closed.")
    check_frozen(live.summary)
    check_unlocked(live)
    old = next(each.order_key for each in live.summary.seats if each.seat == seat)
    if not old:
        raise SignatureRefused(f"{seat} has no key.", code="signature.unexpected")
    key = SeatKey(giving.public, giving.keeper)
    if not is_passed_on(live.id, seat, key, old, giving.signature):
        text = what_is_passed_on(live.id, seat, key).decode()
        raise SignatureRefused(f"By the key {old}, signed is: {text}", pointer="/signature")
    _check_fit(live, seat, key.public, store)
    ready = staged(live, KeyChanged(seat, old, "", key, giving.signature), at)
    assert ready.accepted is not None, "every ruling has its receipt"
    accepted = ready.accepted._replace(kind="key", seat=seat)
    answer = GameTold(game=ready.live.summary)
    return msgspec.structs.replace(ready, answer=answer, accepted=accepted)


def _check_fit(live: Live, seat: Seat, public: str, store: Store) -> None:
    """Raises SeatRefused."""
    if not is_key(bytes.fromhex(public)):
        raise _unfit("Send the public half of a key pair of Ed25519.")
    # What once passed on a key stands in the record: it would pass it on again.
    never = barred(live, store, seat)
    if plays(public, never.keepers):
        raise _unfit("Who keeps a share of the master in escrow plays in no seat.")
    if len(never.before) > MOST:
        raise _unfit(f"A seat passes its key on {MOST} times; the organiser may rule another.")
    if public in never.before:
        raise _unfit(f"{seat} had this key before: another is made for each change.")


def _unfit(hint: str) -> SeatRefused:
    return SeatRefused(hint, code="seat.key-unfit", pointer="/public")

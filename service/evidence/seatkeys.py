"""Orders that seats sign themselves: the service can neither invent nor alter one.

A seat registers a key when it is taken, or made. What it signs is the order, the game, the seat,
the question that it answers, the rules and chains that are in use, and the number of the last event
that was the seat's own: so an order fits one place of one game, and one that an independent order
has overtaken still fits it. A store that goes back takes other chains: what was signed before fits
no place of what follows, though numbers come again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.values import Seat, Value

from ..models import Keeper
from . import ed25519
from .signing import signed_bytes

ORDER: Final = "application/vnd.decklog.order.v2+json"
PASSED_ON: Final = "application/vnd.decklog.seat-key.v1+json"

ASSERTED, BY_PAGE, BY_CLIENT = "O0", "O1p", "O1"
GRADES: Final = (ASSERTED, BY_PAGE, BY_CLIENT)
"""Of orders, the lowest first: the service says so; its page signed; a client of one's own did."""


class SeatKey(Value, frozen=True):
    """The key by which a seat signs its orders.

    public  the public key (Ed25519), in hex
    keeper  holder of the secret half: "client", one's own; "page", the service's page
    """

    public: str
    keeper: Keeper


class OrderSignature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's signature of an order.

    question  the question that the order answers, as the seat was asked; "" where it was not
    subject   of that question
    value     64 bytes in hex
    """

    question: str
    subject: str
    value: str


class _Signed(msgspec.Struct, frozen=True):
    """What is signed; see :class:`Given`."""

    v: int
    game: str
    rules: str
    chains: str
    seat: Seat
    question: str
    subject: str
    after: int
    command: msgspec.Raw


class _PassedOn(msgspec.Struct, frozen=True):
    """That another key takes the place of a seat's."""

    v: int
    game: str
    seat: Seat
    key: SeatKey


class Given(NamedTuple):
    """An order in its place.

    after   number of the newest event that was the seat's own, 0 for none
    rules   digest of the rules that decide it
    chains  what the dice's chains in use are bound to, in hex: G, or after a new start of the
            store what took its place
    """

    game: str
    seat: Seat
    after: int
    command: bytes
    rules: str
    chains: str


def is_signed(given: Given, key: str, signature: OrderSignature) -> bool:
    """Whether the signature is the key's, of just this order in just this place."""
    try:
        public, value = bytes.fromhex(key), bytes.fromhex(signature.value)
    except ValueError:
        return False
    if value.hex() != signature.value:
        return False  # in capitals it would be the same bytes, and another file
    return ed25519.verify(public, what_is_signed(given, signature), value)


def what_is_signed(given: Given, signature: OrderSignature) -> bytes:
    """The bytes: those of an envelope (DSSE) whose payload is canonical JSON."""
    told = _Signed(
        2, given.game, given.rules, given.chains, given.seat, signature.question,
        signature.subject, given.after, msgspec.Raw(given.command),
    )  # fmt: skip
    return signed_bytes(ORDER, msgspec.json.encode(told, order="sorted"))


def what_is_passed_on(game: str, seat: Seat, key: SeatKey) -> bytes:
    """What a seat signs with its key to have another in its place: bytes of an envelope (DSSE)."""
    return signed_bytes(PASSED_ON, canonical(_PassedOn(1, game, seat, key)))


def is_passed_on(game: str, seat: Seat, key: SeatKey, old: str, signature: str) -> bool:
    """Whether the key before has signed that this one takes its place."""
    try:
        public, value = bytes.fromhex(old), bytes.fromhex(signature)
    except ValueError:
        return False
    text = what_is_passed_on(game, seat, key)
    return value.hex() == signature and ed25519.verify(public, text, value)


def grade_of(
    keys: Mapping[Seat, SeatKey], seats: tuple[Seat, ...], ruled: Collection[Seat] = ()
) -> str:
    """The lowest of all seats.

    ruled  those that lost a key, or have one by the operator's word alone
    """
    keepers = [keys[seat].keeper if seat in keys and seat not in ruled else "" for seat in seats]
    if "" in keepers:
        return ASSERTED
    return BY_PAGE if "page" in keepers else BY_CLIENT


def registered(keys: Mapping[Seat, SeatKey] | object) -> Mapping[Seat, SeatKey]:
    """The keys of a record that may have none."""
    return {} if keys is UNSET else keys  # type: ignore[return-value]


def stored(signature: OrderSignature) -> bytes:
    """How it lies beside the order."""
    return canonical(signature)

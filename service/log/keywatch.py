"""Watches keys: the lists that a service's root has signed, and what one's own key has signed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import UNSET

from domain.kernel.values import Seat

from ..evidence.casefile import Case
from ..evidence.keylist import KeyList, open_list
from ..evidence.receipts import Receipt
from ..evidence.records import DeadlinePassed
from ..evidence.signedorders import key_changes
from ..evidence.signing import BadSignature, VerifyKey
from .monitor import Finding


def newest_list(
    root: VerifyKey, lists: Iterable[tuple[str, bytes]]
) -> tuple[KeyList | None, list[Finding]]:
    """The newest of several lists of keys, each with its file, and what is wrong with them.

    A root key that signs two lists of one number has told two tales.
    """
    found: dict[int, tuple[str, KeyList]] = {}
    wrong: dict[str, None] = {}
    for file, data in lists:
        try:
            keys = open_list(data, root)
        except BadSignature as error:
            wrong[f"{file}: {error}"] = None
            continue
        first, known = found.setdefault(keys.serial, (file, keys))
        if known != keys:
            what = f"{first} and {file} have two lists of keys of the number {keys.serial}"
            wrong[f"{what}, and {root.hint} has signed both"] = None
    newest = found[max(found)][1] if found else None
    return newest, [Finding("alarm", each) for each in wrong]


def of_log(keys: KeyList, log: VerifyKey) -> Iterator[Finding]:
    """What is wrong with a log's key by the list."""
    listed = [each for each in keys.keys if each.role == "log"]
    own = next((each for each in listed if each.key == str(log)), None)
    if not listed:
        yield Finding("unknown", "the list of keys names no log: nothing ties this one to its root")
    elif own is None:
        yield Finding("alarm", f"the log's key {log.hint} is not in the list of keys")
    elif isinstance(own.compromised, str):
        since = own.compromised
        yield Finding("alarm", f"the log's key was taken back: others may have it since {since}")


def watched(
    root: VerifyKey, kept: bytes, lists: Iterable[tuple[str, bytes]], log: VerifyKey
) -> tuple[bytes, list[Finding]]:
    """The newest list, to be kept for the next look, and what is to be said of it.

    kept  that of the last look; b"" at the first
    """
    given = [("the list of the last look", kept)] * bool(kept) + list(lists)
    newest, found = newest_list(root, given)
    if newest is None:
        return kept, [*found, Finding("unknown", "nobody has shown a list of the service's keys")]
    data = next(data for _, data in given if _opened(data, root) == newest)
    found += of_log(newest, log)
    found += _taken_back(newest, _opened(kept, root))
    told = f"list {newest.serial} of the keys, of {newest.at}"
    return data, [*found, Finding("well", told)]


def _opened(data: bytes, root: VerifyKey) -> KeyList | None:
    """A list, where it is one of this root."""
    try:
        return open_list(data, root)
    except BadSignature:
        return None


def _taken_back(keys: KeyList, before: KeyList | None) -> Iterator[Finding]:
    """Keys that were taken back since the last look: what they signed counts no more, or less."""
    known = {each.key for each in before.keys if each.compromised is not UNSET} if before else set()
    for each in keys.keys:
        if isinstance(each.compromised, str) and each.key not in known:
            said = f"{each.hint} was taken back: others may have it since {each.compromised}"
            yield Finding("alarm", said)


def of_own(file: str, case: Case, own: str, receipts: Sequence[Receipt]) -> Iterator[Finding]:
    """What was signed in a game with the key of which one has the secret half.

    own  the public one, in hex: where no seat has it, that is said
    Of each order that was given one has a receipt: where there is none, somebody else has the key.
    """
    own, held_by, game = own.lower(), _held(case), case.manifest.game
    seats = [seat for seat, held in held_by.items() if own in {public for _, public in held}]
    if not seats:
        yield Finding("unknown", f"{file}: no seat signs its orders with your key")
    of_game = (r for r in set(receipts) if (r.game, r.kind) == (game, "order"))
    held = Counter((each.seat, each.body) for each in of_game)
    signed = [
        order for order in case.orders
        if order.signature is not UNSET and _key_at(held_by.get(order.seat, ()), order.first) == own
        and not isinstance(case.records.get(order.first), DeadlinePassed)
    ]  # fmt: skip
    missing = 0
    for order in signed:
        body = (order.seat, hashlib.sha256(bytes(order.command)).hexdigest())
        if held[body]:
            held[body] -= 1
            continue
        missing += 1
        why = "signed with your key, and you have no receipt of it"
        yield Finding("alarm", f"{file}: the order of event {order.first} is {why}")
    if seats and not missing:
        count = f"{len(signed)} orders, each of which you have a receipt of"
        yield Finding("well", f"{file}: your key has {', '.join(seats)}, and signed {count}")


Held = Sequence[tuple[int, str]]
"""From which event on a seat has which public key; "" for none any more."""


def _held(case: Case) -> dict[Seat, Held]:
    found: dict[Seat, list[tuple[int, str]]] = {}
    for seq, seat, key in key_changes(case.records.items()):
        found.setdefault(seat, []).append((seq, "" if key is None else key.public))
    return dict(found)


def _key_at(held: Held, seq: int) -> str:
    return next((public for since, public in reversed(held) if since <= seq), "")

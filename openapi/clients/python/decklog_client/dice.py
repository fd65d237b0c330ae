"""A seat's own links (NWD-1): with them nobody alone can foresee or choose the dice.

A chain is made of 32 secret bytes and bound to one game and one seat; its tip is given when the
seat is taken, and a link is revealed for each batch of dice. The secret is given to nobody.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

AHEAD = 64
"""Batches ahead for which a service takes links."""

LOCKED = ("A2", "A3")
"""Grades whose links are given once an order is locked."""


class Chain:
    """The chain of one seat in a game. ``tip`` commits to it; ``link(n)`` reveals its link n."""

    def __init__(self, secret: bytes, summary: Mapping[str, Any], seat: str) -> None:
        if len(secret) != 32:
            raise ValueError("a secret has 32 bytes")
        place = place_of(summary, seat)
        self.params = params_of(summary)
        key = hmac.digest(self.params, secret, "sha256")
        link = hmac.digest(key, b"nwd1/player-chain" + bytes([place, 1]), "sha256")
        who, self._links = b"P" + bytes([place]), [link]
        for number in range(summary["chainLength"], 0, -1):
            link = _hash(b"nwd1/link", self.params, who, b"", number.to_bytes(4, "big"), link)
            self._links.append(link)
        self._links.reverse()

    @property
    def tip(self) -> bytes:
        return self._links[0]

    def link(self, number: int) -> bytes:
        """Number 0 is the tip."""
        return self._links[number]


def params_of(summary: Mapping[str, Any]) -> bytes:
    """What the chains in use are bound to."""
    if summary.get("chainParams"):
        return bytes.fromhex(summary["chainParams"])
    own = bytes.fromhex(summary["params"])
    renewals = int(summary.get("renewals", 0))
    return _hash(b"nwd1/renewed", own, renewals.to_bytes(4, "big")) if renewals else own


def place_of(summary: Mapping[str, Any], seat: str) -> int:
    """The number of a seat, from 0."""
    return [each["seat"] for each in summary["seats"]].index(seat)


def wanted(summary: Mapping[str, Any], seat: str) -> int:
    """The batch for which the seat should give its link now; 0: none.

    Of grades A2 and A3 that of the order that is locked. Else as far ahead as may be, once half
    is used up.
    """
    own = summary["seats"][place_of(summary, seat)]
    if not own.get("diceTip") or summary["status"] != "playing":
        return 0
    if summary["grade"] in LOCKED:
        lock = summary.get("locked")
        return int(lock["batch"]) if lock and seat in lock["missing"] else 0
    spent, given = int(summary["nextBatch"]) - 1, int(own.get("linksUpto", 0))
    last = int(summary.get("firstBatch", 1)) - 1 + int(summary["chainLength"])
    most = min(spent + AHEAD, last)
    return most if given - spent <= AHEAD // 2 and most > given else 0


def giving(summary: Mapping[str, Any], seat: str, secret: bytes) -> dict[str, Any]:
    """The body of ``giveLinks`` that is wanted of the seat now; empty where nothing is."""
    own = summary["seats"][place_of(summary, seat)]
    if summary.get("renewals") and not own.get("diceTip") and not summary.get("locked"):
        return {"tip": Chain(secret, summary, seat).tip.hex()}
    upto = wanted(summary, seat)
    if not upto:
        return {}
    number = upto - int(summary.get("firstBatch", 1)) + 1
    return {"upto": upto, "link": Chain(secret, summary, seat).link(number).hex()}


def mark(secret: bytes, number: int) -> str:
    """``mark`` of ``takeSeat``: of a player's game of that number, from 1. Nobody but who is given
    the secret can tell that two games are his; then he sees whether he is shown all."""
    return _hash(b"nws1/mark", secret, number.to_bytes(8, "big")).hex()


def _hash(tag: bytes, *fields: bytes) -> bytes:
    text = b"".join(len(each).to_bytes(4, "big") + each for each in fields)
    head = len(tag).to_bytes(4, "big") + tag + len(fields).to_bytes(4, "big")
    return hashlib.sha256(head + text).digest()

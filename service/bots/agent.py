"""The agent of a seat: gives the seat's dice links, so that its secret is in every die.

Of grade A1 it gives them ahead; of grades A2 and A3 it gives each one when the order that needs it
is locked. It plays nothing and knows no rules.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable, Iterator

from .bot import Json
from .client import ApiError, DecklogClient

AHEAD = 64
"""Batches for which a service takes links."""

TIRED = 20
"""Times that the agent tries to give a link for which the service is not ready yet."""

PAUSE = 0.5
"""Seconds between two of them."""

LOCKED = ("A2", "A3")
"""Grades of which a link is given when the order that needs it is locked."""

NOT_NOW = frozenset({"dice.link-unexpected", "game.over", "game.frozen"})
"""Codes of a link that came too late, or for which there is no time."""


class Chain:
    """A seat's chain in one epoch of a game (NWD-1, 2.2), by hashing alone.

    secret  32 bytes that are given to nobody
    place   number of the seat, from 0
    """

    def __init__(self, secret: bytes, summary: Json, place: int) -> None:
        self.g = _params(summary)
        self._who = b"P" + bytes([place])
        self._links = [self._far(secret, place)]
        for number in range(summary["chainLength"], 0, -1):
            self._links.append(self._below(self._links[-1], number))

    @property
    def tip(self) -> bytes:
        return self._links[-1]

    def link(self, number: int) -> bytes:
        """r[p,number]."""
        return self._links[-1 - number]

    def _far(self, secret: bytes, place: int) -> bytes:
        key = hmac.digest(self.g, secret, "sha256")
        return hmac.digest(key, b"nwd1/player-chain" + bytes([place, 1]), "sha256")

    def _below(self, link: bytes, number: int) -> bytes:
        return _th(b"nwd1/link", self.g, self._who, b"", number.to_bytes(4, "big"), link)


def _params(summary: Json) -> bytes:
    """What the chains in use are bound to: G, or what takes its place."""
    if summary.get("chainParams"):
        return bytes.fromhex(summary["chainParams"])
    g = bytes.fromhex(summary["params"])
    renewals: int = summary["renewals"]
    return _th(b"nwd1/renewed", g, renewals.to_bytes(4, "big")) if renewals else g


def _th(tag: bytes, *fields: bytes) -> bytes:
    text = b"".join(len(each).to_bytes(4, "big") + each for each in fields)
    head = len(tag).to_bytes(4, "big") + tag + len(fields).to_bytes(4, "big")
    return hashlib.sha256(head + text).digest()


class Agent:
    """Of one seat, which ``client`` holds the token of.

    pause  waits so many seconds
    given  how many links were given
    """

    def __init__(
        self, client: DecklogClient, game: str, seat: str, secret: bytes,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:  # fmt: skip
        self._client = client
        self._game = game
        self._seat = seat
        self._secret = secret
        self._pause = pause
        self._chain: Chain | None = None
        self.given = 0

    def run(self) -> Iterator[Json]:
        """Give links until the game is over. Tells the game after each that was given."""
        told = self.look()
        if told is not None:
            yield told
        after = self._client.summary(self._game)["version"]
        for event in self._client.events(self._game, max(0, after - 1), follow=True):
            if event["type"] == "decklog.master-opened":
                return
            told = self.look()
            if told is not None:
                yield told

    def look(self) -> Json | None:
        """Give what is wanted now; the game after it, or None where nothing is."""
        for _ in range(TIRED):
            summary = self._client.summary(self._game)
            giving = self._giving(summary)
            if not giving:
                return None
            try:
                told = self._client.give_links(self._game, **giving)
            except ApiError as error:
                if error.code in NOT_NOW:
                    return None
                if error.code != "dice.awaited":
                    raise
                self._pause(PAUSE)
                continue
            self.given += 1
            return told
        return None

    def _giving(self, summary: Json) -> Json:
        """What is given now; nothing where nothing is wanted."""
        own: Json = summary["seats"][place_of(summary, self._seat)]
        if summary["renewals"] and not own["diceTip"] and not summary["locked"]:
            return {"tip": self._of(summary).tip.hex()}
        upto = wanted(summary, self._seat)
        if not upto:
            return {}
        link = self._of(summary).link(upto - summary["firstBatch"] + 1)
        return {"upto": upto, "link": link.hex()}

    def _of(self, summary: Json) -> Chain:
        if self._chain is None or self._chain.g != _params(summary):
            self._chain = Chain(self._secret, summary, place_of(summary, self._seat))
        return self._chain


def place_of(summary: Json, seat: str) -> int:
    """The number of a seat, from 0."""
    return [each["seat"] for each in summary["seats"]].index(seat)


def wanted(summary: Json, seat: str) -> int:
    """The batch for which the seat should give its link now; 0: none.

    Of grade A1 it is as far ahead as it may be, once half of that is used up.
    """
    own: Json = summary["seats"][place_of(summary, seat)]
    if not own["diceTip"] or summary["status"] != "playing":
        return 0
    if summary["grade"] in LOCKED:
        lock = summary["locked"]
        return lock["batch"] if lock and seat in lock["missing"] else 0
    spent = summary["nextBatch"] - 1
    if own["linksUpto"] - spent > AHEAD // 2:
        return 0
    most: int = min(spent + AHEAD, summary["firstBatch"] - 1 + summary["chainLength"])
    return most if most > own["linksUpto"] else 0

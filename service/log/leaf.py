"""What is logged of an event: its game by a tag, its number, its hash; nothing of what is in it."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..dice import nwd1

TAG = 16
"""Bytes of a tag."""

FORM, FORMER = "nwl2", "nwl1"
"""Of the leaves that are made. The former's tag hung on the nonce of the game's first event, so
that two whole records of one game were two games to the log: it is read, and proves no game."""

SERIES = "nws1"
"""Of the leaves that count games: of a series, its tag, which game of it this is, and the hash of
the game's first event; of a player, a tag of its own for each, 1, and the hash of the event by
which he took his seat."""

_LINE = re.compile(rb"(nwl[12]|nws1) ([0-9a-f]{32}) (0|[1-9][0-9]{0,15}) ([0-9a-f]{64})\n")


class LeafWrong(Exception):
    """Bytes that are no leaf of this log."""


class Leaf(NamedTuple):
    """An event as the log knows it; of form SERIES a game, as one of its series.

    tag   of its game, in hex: who knows the game's id can compute it, nobody else which game it is
    seq   its number in the game
    hash  its hash in the game's chain, in hex
    """

    tag: str
    seq: int
    hash: str
    form: str = FORM

    @property
    def data(self) -> bytes:
        """The very bytes that are hashed: ``nwl2 TAG SEQ HASH`` and a line feed."""
        return f"{self.form} {self.tag} {self.seq} {self.hash}\n".encode("ascii")


def tag_of(game: str) -> str:
    """The tag of the game with this id, 16 bytes in hex.

    It hangs on the id alone: who logs a second record of a game has one event twice.
    """
    return nwd1.th("nwl2/tag", bytes.fromhex(game))[:TAG].hex()


def series_of(name: str) -> str:
    """The series that a name makes, 32 bytes in hex: who does not know the name adds no game."""
    return nwd1.th("nws1/series", name.encode()).hex()


def series_tag(series: str) -> str:
    """The tag of a series, 16 bytes in hex: who knows one of its games can compute it."""
    return nwd1.th("nws1/tag", bytes.fromhex(series))[:TAG].hex()


def mark_of(secret: bytes, number: int) -> str:
    """The mark of a player's game of that number, from 1, in hex: nobody else can tell whose it is,
    until the player opens the secret."""
    return nwd1.th("nws1/mark", secret, nwd1.u64(number)).hex()


def mark_tag(mark: str) -> str:
    """The tag of the leaf by which a mark is counted, 16 bytes in hex."""
    return nwd1.th("nws1/marked", bytes.fromhex(mark))[:TAG].hex()


def read_leaf(data: bytes) -> Leaf:
    """Raises LeafWrong."""
    found = _LINE.fullmatch(data)
    if found is None:
        raise LeafWrong(f"{data[:120]!r} is no leaf")
    form, tag, seq, hash_ = (part.decode("ascii") for part in found.groups())
    return Leaf(tag, int(seq), hash_, form)

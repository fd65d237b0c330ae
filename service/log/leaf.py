"""What is logged of an event: its game by a tag, its number, its hash; nothing of what is in it."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..dice import nwd1

TAG = 16
"""Bytes of a tag."""

_LINE = re.compile(rb"nwl1 ([0-9a-f]{32}) (0|[1-9][0-9]{0,15}) ([0-9a-f]{64})\n")


class LeafWrong(Exception):
    """Bytes that are no leaf of this log."""


class Leaf(NamedTuple):
    """An event as the log knows it.

    tag   of its game, in hex: who can see the game can compute it, nobody else knows which it is
    seq   its number in the game
    hash  its hash in the game's chain, in hex
    """

    tag: str
    seq: int
    hash: str

    @property
    def data(self) -> bytes:
        """The very bytes that are hashed: ``nwl1 TAG SEQ HASH`` and a line feed."""
        return f"nwl1 {self.tag} {self.seq} {self.hash}\n".encode("ascii")


def tag_of(nonce: bytes) -> str:
    """The tag of the game whose first event has this nonce."""
    return nwd1.th("nwl1/tag", nonce)[:TAG].hex()


def read_leaf(data: bytes) -> Leaf:
    """Raises LeafWrong."""
    found = _LINE.fullmatch(data)
    if found is None:
        raise LeafWrong(f"{data[:120]!r} is no leaf")
    tag, seq, hash_ = (part.decode("ascii") for part in found.groups())
    return Leaf(tag, int(seq), hash_)

"""Two files that say different things of one game: whose chain was told in two ways.

A chain has one event of each number. Whoever has two hashes for one number of one game, and can
show who told them, has convicted him. What files say is read here; nothing else of the game is
judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from .bundle import EVENTS
from .casefile import Unreadable, check_chain, unpack
from .chain import hash_of
from .verdict import Refuted

HEADS = "decklog-heads"
"""The format of what clients write down."""

_ZIP = b"PK"


class Unusable(Exception):
    """A file that says nothing of a game's chain."""


class Saying(NamedTuple):
    """What a file says of a game: by number, each hash that it gives for it.

    kind  what the file is, in words
    """

    kind: str
    game: str
    hashes: Mapping[int, frozenset[str]]


class Contradiction(NamedTuple):
    """Two hashes for one number of one game."""

    game: str
    seq: int
    hashes: tuple[str, ...]


class _Head(msgspec.Struct):
    seq: int
    hash: str


class _Heads(msgspec.Struct):
    format: str
    game: str
    heads: tuple[_Head, ...]


def read(data: bytes) -> Saying:
    """What a file says: evidence, or heads that a client wrote down. Raises Unusable."""
    if data.startswith(_ZIP):
        return _evidence(data)
    try:
        told = msgspec.json.decode(data, type=_Heads)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Unusable("neither evidence nor heads that a client wrote down") from None
    if told.format != HEADS:
        raise Unusable(f"of the format {told.format!r}, which is not known here")
    found: dict[int, frozenset[str]] = {}
    for head in told.heads:
        found[head.seq] = found.get(head.seq, frozenset()) | {head.hash}
    return Saying("heads that a client wrote down", told.game, found)


def _evidence(data: bytes) -> Saying:
    try:
        manifest, files = unpack(data)
        lines = files[EVENTS].splitlines()
        check_chain(manifest, files[EVENTS])
    except Unreadable as error:
        raise Unusable(f"unreadable: {error}") from None
    except Refuted as error:
        raise Unusable(f"no whole chain: {error}") from None
    hashes = {seq: frozenset({hash_of(line)}) for seq, line in enumerate(lines, 1)}
    return Saying("evidence", manifest.game, hashes)


def between(one: Saying, other: Saying) -> Contradiction | None:
    """The first number for which they give two hashes. Raises Unusable for two games."""
    if one.game != other.game:
        raise Unusable(f"one is of game {one.game}, the other of game {other.game}")
    for seq in sorted({*one.hashes, *other.hashes}):
        found = one.hashes.get(seq, frozenset()) | other.hashes.get(seq, frozenset())
        if len(found) > 1:
            return Contradiction(one.game, seq, tuple(sorted(found)))
    return None


def common(one: Saying, other: Saying) -> int:
    """Of how many events both speak."""
    return len(one.hashes.keys() & other.hashes.keys())


def plain(found: Contradiction | None, shared: int) -> dict[str, Any]:
    """The answer for programs."""
    told = None if found is None else found._asdict()
    return {"equivocation": told, "common": shared}

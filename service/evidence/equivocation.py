"""Two files that say different things of one game: whose chain was told in two ways.

A chain has one event of each number. Whoever has two hashes for one number of one game, and can
show who told them, has convicted him. What files say is read here; nothing else of the game is
judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from . import receipts
from .bundle import EVENTS, SIGNATURE
from .casefile import Unreadable, check_chain, unpack_whole
from .chain import hash_of
from .keylist import open_list
from .origin import check_origin, check_period
from .signing import BadSignature, VerifyKey
from .verdict import Refuted

HEADS = "decklog-heads"
"""The format of what clients write down."""

_ZIP = b"PK"


class Unusable(Exception):
    """A file that says nothing of a game's chain."""


class Saying(NamedTuple):
    """What a file says of a game: by number, each hash that it gives for it.

    kind  what the file is, in words
    by    the key that has signed it, as the service's root vouches; "" where nobody has
    """

    kind: str
    game: str
    hashes: Mapping[int, frozenset[str]]
    by: str = ""


class Contradiction(NamedTuple):
    """Two hashes for one number of one game.

    by  the keys that have signed for them: of two, the service has convicted itself
    """

    game: str
    seq: int
    hashes: tuple[str, ...]
    by: tuple[str, ...]

    @property
    def convicts(self) -> bool:
        """Whether both were signed by the service, so that nobody else can have made them."""
        return all(self.by)


class _Head(msgspec.Struct):
    seq: int
    hash: str


class _Heads(msgspec.Struct):
    format: str
    game: str
    heads: tuple[_Head, ...]


def read(data: bytes, root: VerifyKey | None = None, keys: bytes = b"") -> Saying:
    """What a file says: evidence, a receipt, or heads that a client wrote down. Raises Unusable.

    root  the service's root key, by which it is known who has signed
    keys  the list of its keys, for files that bring none
    """
    if data.startswith(_ZIP):
        return _evidence(data, root, keys)
    with suppress(BadSignature):
        return _receipt(receipts.read(data), root, keys)
    try:
        told = msgspec.json.decode(data, type=_Heads)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Unusable("neither evidence, a receipt, nor what a client wrote down") from None
    if told.format != HEADS:
        raise Unusable(f"of the format {told.format!r}, which is not known here")
    found: dict[int, frozenset[str]] = {}
    for head in told.heads:
        found[head.seq] = found.get(head.seq, frozenset()) | {head.hash}
    return Saying("heads that a client wrote down", told.game, found)


def _receipt(given: receipts.Given, root: VerifyKey | None, keys: bytes) -> Saying:
    told = given.receipt
    by = _signer(given, root, keys) if root is not None and keys else ""
    return Saying("a receipt", told.game, {told.seq: frozenset({told.head})}, by)


def _signer(given: receipts.Given, root: VerifyKey, keys: bytes) -> str:
    """The key by its own name: what the envelope calls it is a hint that anybody may change."""
    try:
        key = receipts.signer_of(given, open_list(keys, root))
    except BadSignature as error:
        raise Unusable(str(error)) from None
    return "" if key is None else key.hint


def _evidence(data: bytes, root: VerifyKey | None, keys: bytes) -> Saying:
    try:
        manifest, files, text = unpack_whole(data)
        lines = files[EVENTS].splitlines()
        signed = check_origin(files, text, root, keys) if SIGNATURE in files else None
        envelopes = check_chain(manifest, files[EVENTS])
        if signed is not None:
            check_period(signed, len(envelopes), envelopes[-1].at)
    except Unreadable as error:
        raise Unusable(f"unreadable: {error}") from None
    except Refuted as error:
        raise Unusable(f"it contradicts itself: {error}") from None
    hashes = {seq: frozenset({hash_of(line)}) for seq, line in enumerate(lines, 1)}
    by = signed.key.hint if signed is not None and root is not None else ""
    return Saying("evidence", manifest.game, hashes, by)


def between(one: Saying, other: Saying) -> Contradiction | None:
    """The first number for which they give two hashes. Raises Unusable for two games."""
    if one.game != other.game:
        raise Unusable(f"one is of game {one.game}, the other of game {other.game}")
    for seq in sorted({*one.hashes, *other.hashes}):
        found = one.hashes.get(seq, frozenset()) | other.hashes.get(seq, frozenset())
        if len(found) > 1:
            return Contradiction(one.game, seq, tuple(sorted(found)), (one.by, other.by))
    return None


def common(one: Saying, other: Saying) -> int:
    """Of how many events both speak."""
    return len(one.hashes.keys() & other.hashes.keys())


def plain(found: Contradiction | None, shared: int) -> dict[str, Any]:
    """The answer for programs."""
    told = None if found is None else {**found._asdict(), "convicts": found.convicts}
    return {"equivocation": told, "common": shared}

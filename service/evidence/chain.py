"""The chain of hashed events, and the seals on what not everybody may see.

The hashed object of an event is its canonical JSON text; that text is what the store keeps and what
a bundle carries, so a hash is always checked over the very bytes that were hashed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.values import PUBLIC, TRUTH, Seat, Viewer

from ..dice import nwd1

GENESIS = "0" * 64
"""``prev`` of the first event."""

STATE = "state"
"""The viewer under whose name the digest of the true state is sealed."""

NULL = b"null"
"""Payload for a viewer to whom the public data is all there is."""

VERSION = 1


class ChainError(Exception):
    """An event that does not hash to what it says, or does not follow on the one before.

    seq    where; 0 when not even that is legible
    check  "form", "hash", "prev", "seq" or "game"
    """

    def __init__(self, seq: int, check: str, expected: str, found: str) -> None:
        super().__init__(f"event {seq}: {check}: expected {expected}, found {found}")
        self.seq = seq
        self.check = check
        self.expected = expected
        self.found = found


class Cause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The command that led to an event: its id, its salted digest. Empty where there was none."""

    id: str = ""
    digest: str = ""


NO_CAUSE = Cause()


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The hashed object. ``data`` is canonical JSON of what the public may see of the event.

    Thousands are made or read for one answer, and none can be in a cycle: following them would cost
    the garbage collector as much as all the rest of reading.
    """

    v: int
    game: str
    seq: int
    type: str
    schema: int
    at: str
    actor: str
    cause: Cause
    prev: str
    data: msgspec.Raw
    sealed: dict[Viewer, str]


class Link(msgspec.Struct, frozen=True):
    """An event in the chain: the hashed text, its hash in hex, and what the text says."""

    body: bytes
    hash: str
    envelope: Envelope


_ENVELOPE = msgspec.json.Decoder(Envelope)

# The head of TH("nwe1/event", body) is the same for every event.
_EVENT_HEAD = nwd1.lp(b"nwe1/event") + nwd1.u32(1)


def hash_of(body: bytes) -> str:
    """h of an event's canonical text, in hex."""
    return hashlib.sha256(_EVENT_HEAD + len(body).to_bytes(4, "big") + body).hexdigest()


def link(envelope: Envelope) -> Link:
    """The envelope as text, with its hash."""
    body = canonical(envelope)
    return Link(body, hash_of(body), envelope)


def read(body: bytes) -> Envelope:
    """The envelope without any check of hashes. Raises ChainError (form)."""
    try:
        return _ENVELOPE.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ChainError(0, "form", "an event", str(error)) from None


def verify(body: bytes, stored: str, *, game: str, seq: int, prev: str) -> Envelope:
    """The envelope of a stored event, after checking it. Raises ChainError.

    ``stored`` is the hash kept beside it, ``prev`` the hash of event ``seq - 1`` (GENESIS for 1).
    """
    found = hash_of(body)
    if found != stored:
        raise ChainError(seq, "hash", stored, found)
    envelope = read(body)
    check_place(envelope, game=game, seq=seq, prev=prev)
    return envelope


def check_place(envelope: Envelope, *, game: str, seq: int, prev: str) -> None:
    """Raises ChainError unless the event is number ``seq`` of ``game`` and follows ``prev``."""
    if envelope.seq != seq:
        raise ChainError(seq, "seq", str(seq), str(envelope.seq))
    if envelope.game != game:
        raise ChainError(seq, "game", game, envelope.game)
    if envelope.prev != prev:
        raise ChainError(seq, "prev", prev, envelope.prev)


class Chain:
    """Appends events to one game's chain, in memory: the next number and the newest hash."""

    __slots__ = ("_seals", "game", "head", "seq")

    def __init__(self, game: str, seals: Seals, seq: int = 0, head: str = GENESIS) -> None:
        """``seq`` and ``head`` are number and hash of the last stored event."""
        self.game = game
        self.seq = seq
        self.head = head
        self._seals = seals

    def add(
        self,
        *,
        type: str,
        schema: int,
        at: str,
        actor: str,
        cause: Cause,
        data: bytes,
        payloads: Mapping[Viewer, bytes] | None = None,
    ) -> Link:
        """The next event; ``payloads`` (canonical JSON by viewer) are sealed into it."""
        seq = self.seq + 1
        sealed = {v: self._seals.seal(v, seq, p) for v, p in (payloads or {}).items()}
        added = link(
            Envelope(
                VERSION, self.game, seq, type, schema, at, actor, cause, self.head,
                msgspec.Raw(data), sealed,
            )
        )  # fmt: skip
        self.seq, self.head = seq, added.hash
        return added


class Seals:
    """Salts of one game. Who has M and G can open everything; a salt alone opens one payload."""

    __slots__ = ("_g", "_keys", "_master")

    def __init__(self, master: bytes, g: bytes) -> None:
        self._master = master
        self._g = g
        self._keys: dict[Viewer, bytes] = {}

    def key(self, viewer: Viewer) -> bytes:
        """seal_key_v: opens all that is sealed for ``viewer``."""
        if viewer not in self._keys:
            info = b"nwd1/seal" + nwd1.lp(viewer.encode())
            self._keys[viewer] = nwd1.hkdf(self._master, self._g, info)
        return self._keys[viewer]

    def salt(self, viewer: Viewer, seq: int) -> bytes:
        return nwd1.mac(self.key(viewer), b"nwe1/salt" + nwd1.u64(seq))

    def seal(self, viewer: Viewer, seq: int, payload: bytes) -> str:
        """What stands in ``sealed`` for the canonical JSON ``payload``."""
        return sealed_digest(self.salt(viewer, seq), payload)

    def command_salt(self, command_id: str) -> bytes:
        return nwd1.mac(self.key(TRUTH), b"nwe1/command-salt" + command_id.encode())

    def cause(self, command_id: str, command: bytes) -> Cause:
        """The cause of a command's events; ``command`` is its canonical JSON."""
        return Cause(command_id, command_digest(self.command_salt(command_id), command))


def sealed_digest(salt: bytes, payload: bytes) -> str:
    """sealed[v] of a payload under its salt."""
    return nwd1.th("nwe1/sealed", salt, payload).hex()


def command_digest(salt: bytes, command: bytes) -> str:
    """``cause.digest`` of a command's canonical JSON under its salt."""
    return nwd1.th("nwe1/command", salt, command).hex()


def state_payload(state: Any) -> bytes:
    """What is sealed for STATE at the last event of a command: the digest of the true state."""
    digest = nwd1.th("nwe1/state", canonical(state)).hex()
    return f'{{"state":"{digest}"}}'.encode()


def payloads(
    game: Game[Any, Any, Any], event: Event, public: bytes, seats: Sequence[Seat]
) -> dict[Viewer, bytes]:
    """What is sealed in a game event while secrets are kept: an entry for each seat and the truth.

    ``public`` is the event's public data. The shape is the same whatever the event is, so that the
    number of entries tells nothing.
    """
    return payloads_by(lambda viewer: canonical(game.seen(event, viewer)), public, seats)


def payloads_by(
    seen: Callable[[Viewer], bytes], public: bytes, seats: Sequence[Seat]
) -> dict[Viewer, bytes]:
    """As ``payloads``, where ``seen`` says what a viewer sees of it."""
    found = {viewer: seen(viewer) for viewer in (*seats, TRUTH)}
    return {viewer: NULL if data == public else data for viewer, data in found.items()}


def public_data(game: Game[Any, Any, Any], event: Event, truth: bytes) -> bytes:
    """``data`` of a game event: canonical JSON of what everybody may see.

    truth  canonical JSON of the event itself
    """
    seen = game.seen(event, PUBLIC)
    return truth if seen is event else canonical(seen)

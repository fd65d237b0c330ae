"""Opaque tokens: ``dl_<kind>_<id>_<32 random bytes, base64url>_<crc32, hex>``.

The checksum tells a mistyped token, and lets a scanner of logs and repositories know ours. Looked
up by id, compared in constant time; the store keeps the SHA-256 only.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from zlib import crc32

import msgspec

from ..entropy import Entropy, drawn
from ..models import GameId, Identity, Kind
from .bulk import Statement
from .database import Database

_FORM = re.compile(
    r"dl_(seat|invitation|organiser|spectator|auditor)_([0-9a-f]{16})_[A-Za-z0-9_-]{43}_([0-9a-f]{8})"
)


class NewToken(msgspec.Struct, frozen=True):
    """A token that was just made: ``text`` goes to its holder and nowhere else."""

    text: str
    identity: Identity
    digest: bytes


class KeptToken(msgspec.Struct, frozen=True):
    """What the store knows of a token."""

    identity: Identity
    digest: bytes
    revoked: bool


def make_token(entropy: Entropy, kind: Kind, game: GameId, seat: str = "") -> NewToken:
    """A new token, which nobody can foresee."""
    token_id = drawn(entropy, 8)
    secret = urlsafe_b64encode(entropy.draw(32)).rstrip(b"=").decode()
    body = f"dl_{kind}_{token_id}_{secret}"
    text = f"{body}_{crc32(body.encode()):08x}"
    identity = Identity(kind=kind, game=game, seat=seat, token_id=token_id)
    return NewToken(text, identity, digest_of(text))


def digest_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def token_id_of(text: str) -> str:
    """The id inside a well-formed token with a right checksum; else ""."""
    match = _FORM.fullmatch(text)
    if match is None:
        return ""
    body, checksum = text[:-9], match[3]
    return match[2] if f"{crc32(body.encode()):08x}" == checksum else ""


def insertion(token: NewToken, at: str) -> Statement:
    """Puts the token into the store, in the transaction of what it was made for."""
    who = token.identity
    return (
        "INSERT INTO tokens (token, kind, game, seat, digest, made) VALUES (?,?,?,?,?,?)",
        (who.token_id, who.kind, who.game, who.seat, token.digest, at),
    )


def revocation(token_id: str, at: str) -> Statement:
    return ("UPDATE tokens SET revoked = ? WHERE token = ? AND revoked IS NULL", (at, token_id))


def find(recorder: Database, token_id: str) -> KeptToken | None:
    rows = recorder.query(
        "SELECT kind, game, seat, digest, revoked FROM tokens WHERE token = ?", (token_id,)
    )
    if not rows:
        return None
    kind, game, seat, digest, revoked = rows[0]
    identity = Identity(kind=kind, game=game, seat=seat, token_id=token_id)
    return KeptToken(identity, digest, revoked is not None)


def holds(kept: KeptToken | None, text: str) -> bool:
    """Whether ``text`` is that token and still good; the comparison takes the same time always."""
    digest = kept.digest if kept is not None else bytes(32)
    same = hmac.compare_digest(digest, digest_of(text))
    return same and kept is not None and not kept.revoked


def is_it(kept: KeptToken, text: str) -> bool:
    """Whether ``text`` is that token, good or used up."""
    return hmac.compare_digest(kept.digest, digest_of(text))

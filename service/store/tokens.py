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
from .queries import Queries

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


NOBODYS = KeptToken(Identity(kind="seat", game="", seat="", token_id=""), bytes(32), revoked=True)
"""Compared with what is no token, so that it takes as long."""


def make_token(entropy: Entropy, kind: Kind, game: GameId, seat: str = "") -> NewToken:
    """A new token, which nobody can foresee."""
    token_id = drawn(entropy, 8)
    secret = urlsafe_b64encode(entropy.draw(32)).rstrip(b"=").decode()
    body = f"dl_{kind}_{token_id}_{secret}"
    text = f"{body}_{crc32(body.encode()):08x}"
    identity = Identity(kind=kind, game=game, seat=seat, token_id=token_id)
    return NewToken(text, identity, digest_of(text, identity))


def digest_of(text: str, whose: Identity) -> bytes:
    """SHA-256 of the token and of whose it is: a row that says otherwise opens nothing."""
    owner = f"\n{whose.kind}\n{whose.game}\n{whose.seat}"
    return hashlib.sha256((text + owner).encode()).digest()


def _plain_digest_of(text: str) -> bytes:
    """As the store's formats 1 and 2 have it."""
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


class ListedToken(msgspec.Struct, frozen=True):
    """A token as an operator may see it: whose, since when; "" where it was not revoked."""

    token: str
    kind: str
    game: GameId
    seat: str
    made: str
    revoked: str


def listed(recorder: Queries, game: GameId, token: str = "") -> list[ListedToken]:
    """The tokens of a game, or the one of that id; no secret is among what the store has."""
    found = recorder.query(
        "SELECT token, kind, game, seat, made, coalesce(revoked, '') FROM tokens "
        "WHERE game = ? OR token = ? ORDER BY made, token",
        (game, token),
    )
    return [ListedToken(*row) for row in found]


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
    return is_it(kept if kept is not None else NOBODYS, text) and not (kept is None or kept.revoked)


def is_it(kept: KeptToken, text: str) -> bool:
    """Whether ``text`` is that token, good or used up."""
    bound = hmac.compare_digest(kept.digest, digest_of(text, kept.identity))
    return hmac.compare_digest(kept.digest, _plain_digest_of(text)) or bound

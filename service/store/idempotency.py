"""A repeated request has one effect and one answer: keys share their effect's transaction."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import datetime

from ..clock import stamp
from ..entropy import Entropy
from ..errors import KeyReused
from .box import Box
from .bulk import Statement, widened
from .database import Database

Key = tuple[str, str]
"""Who asks, and the key of the request."""

Remembered = tuple[bytes, bytes]
"""The request's fingerprint, and its sealed answer."""

_FIND = (
    "WITH asked (caller, key) AS (VALUES (?,?)) "
    "SELECT caller, key, fingerprint, answer FROM asked JOIN idempotency USING (caller, key)"
)


def insertion(
    box: Box, key: Key, fingerprint: bytes, answer: bytes, at: str, entropy: Entropy | None = None
) -> Statement:
    """Remembers the answer. The primary key makes a second effect under the same key impossible.

    entropy  for its seal, where it is not the box's own
    """
    sealed = box.seal(purpose_of(*key), answer, entropy)
    return (
        "INSERT INTO idempotency (caller, key, fingerprint, answer, at) VALUES (?,?,?,?,?)",
        (*key, fingerprint, sealed, at),
    )


def find_all(recorder: Database, keys: Iterable[Key]) -> dict[Key, Remembered]:
    """What is remembered under those keys: one query for a whole group of requests."""
    found: dict[Key, Remembered] = {}
    for sql, parameters in widened(_FIND, tuple(keys)):
        rows = recorder.query_to_write(sql, parameters)
        found.update({(caller, key): (print_, answer) for caller, key, print_, answer in rows})
    return found


def answer_of(box: Box, key: Key, remembered: Remembered, fingerprint: bytes) -> bytes:
    """The answer that was given. Raises KeyReused for another request."""
    print_, answer = remembered
    if not hmac.compare_digest(print_, fingerprint):
        raise key_reused()
    return box.open(purpose_of(*key), answer)


_OF_A_GAME = (
    "DELETE FROM idempotency WHERE caller LIKE ? OR caller IN "
    "(SELECT 'command/' || token FROM tokens WHERE game = ? AND ? IN ('', seat)) OR caller IN "
    "(SELECT 'rules/token:' || token FROM tokens WHERE game = ? AND ? IN ('', seat))"
)
_OF_WEBHOOKS = (
    "DELETE FROM idempotency WHERE caller IN "
    "(SELECT 'webhooks/' || token FROM tokens WHERE game = ? AND ? IN ('', seat))"
)


def forgotten(game: str, seat: str = "") -> Statement:
    """What was answered to those who play a game, or to one seat, and to whoever took any: a
    request that is sent again is judged anew."""
    return _OF_A_GAME, (f"take/{game}%", game, seat, game, seat)


def forgotten_of_webhooks(game: str, seat: str = "") -> Statement:
    """What was answered to whoever made webhooks of a game, or of one seat, where these go, too:
    their addresses and secrets are in it."""
    return _OF_WEBHOOKS, (game, seat)


def key_reused() -> KeyReused:
    return KeyReused("This key belongs to another request: use a fresh key for each request.")


def expiry(before: datetime) -> Statement:
    """Forgets the keys that were stamped before then, by the store's own time (ageing.py)."""
    return ("DELETE FROM idempotency WHERE at < ?", (stamp(before),))


def purpose_of(caller: str, key: str) -> str:
    return f"answer/{len(caller)}/{caller}/{key}"

"""A repeated request has one effect and one answer: keys share their effect's transaction."""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta

from ..clock import stamp
from ..errors import KeyReused
from .box import Box
from .recorder import Recorder, Statement


def insertion(
    box: Box, caller: str, key: str, fingerprint: bytes, answer: bytes, at: str
) -> Statement:
    """Remembers the answer. The primary key makes a second effect under the same key impossible."""
    return (
        "INSERT INTO idempotency (caller, key, fingerprint, answer, at) VALUES (?,?,?,?,?)",
        (caller, key, fingerprint, box.seal(_purpose(caller, key), answer), at),
    )


def find(recorder: Recorder, box: Box, caller: str, key: str, fingerprint: bytes) -> bytes | None:
    """The answer that was given; None for a new key. Raises KeyReused for another request."""
    rows = recorder.query(
        "SELECT fingerprint, answer FROM idempotency WHERE caller = ? AND key = ?", (caller, key)
    )
    if not rows:
        return None
    if not hmac.compare_digest(rows[0][0], fingerprint):
        raise key_reused()
    return box.open(_purpose(caller, key), rows[0][1])


def key_reused() -> KeyReused:
    return KeyReused("This key belongs to another request: use a fresh key for each request.")


def expiry(now: datetime, hours: int) -> Statement:
    """Forgets the keys that are older than ``hours``."""
    return ("DELETE FROM idempotency WHERE at < ?", (stamp(now - timedelta(hours=hours)),))


def _purpose(caller: str, key: str) -> str:
    return f"answer/{len(caller)}/{caller}/{key}"

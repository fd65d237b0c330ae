"""Offices of which a store has one each: who holds one says so again and again, in a row.

No clock is compared with another one, and no connection has to last: whoever sees the same row for
so long as a holder would never be silent takes the office over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..clock import SYSTEM as CLOCK
from ..entropy import SYSTEM, drawn

RENEW = 1.0
"""Seconds after which a holder says again that it is there; until then it is sure of its office."""

LEASE = 3.0
"""Seconds of silence after which another one takes over."""

TABLE = (
    "CREATE TABLE IF NOT EXISTS offices ("
    "office TEXT PRIMARY KEY, holder TEXT NOT NULL, beat BIGINT NOT NULL)"
)
_HOLDER = "SELECT holder, beat FROM offices WHERE office = ?"
_ENTER = (
    "INSERT INTO offices (office, holder, beat) VALUES (?,?,0) "
    "ON CONFLICT (office) DO NOTHING RETURNING beat"
)
_BEAT = (
    "UPDATE offices SET holder = ?, beat = beat + 1 "
    "WHERE office = ? AND holder = ? AND beat = ? RETURNING beat"
)
_LEAVE = "DELETE FROM offices WHERE holder = ? RETURNING beat"

Ask = Callable[[str, tuple[Any, ...]], Sequence[Sequence[Any]]]
"""Runs one statement, which is its own transaction; the rows that it gives."""


class Offices:
    """Of one process. For one thread at a time."""

    def __init__(self, ask: Ask, monotonic: Callable[[], float] = CLOCK.monotonic) -> None:
        self._ask = ask
        self._monotonic = monotonic
        self._me = drawn(SYSTEM, 16)
        self._sure: dict[str, float] = {}
        self._seen: dict[str, tuple[tuple[str, int], float]] = {}

    def lead(self, office: str) -> bool:
        """Whether this process holds the office; it tries to get it. Raises what ``ask`` does."""
        now = self._monotonic()
        if now < self._sure.get(office, now):
            return True
        self._sure.pop(office, None)
        if self._taken(office, now):
            self._sure[office] = now + RENEW
        return office in self._sure

    def _taken(self, office: str, now: float) -> bool:
        rows = self._ask(_HOLDER, (office,))
        if not rows:
            return bool(self._ask(_ENTER, (office, self._me)))
        holder, beat = rows[0]
        if holder != self._me and not self._silent(office, (holder, beat), now):
            return False
        return bool(self._ask(_BEAT, (self._me, office, holder, beat)))

    def _silent(self, office: str, row: tuple[str, int], now: float) -> bool:
        """Whether the row has been the same for as long as no holder that lives leaves it."""
        known, since = self._seen.get(office, (None, now))
        if known != row:
            self._seen[office], since = (row, now), now
        return now - since > LEASE

    def leave(self) -> None:
        """Give up every office, so that another one need not wait. Raises what ``ask`` does."""
        if self._sure:
            self._sure.clear()
            self._ask(_LEAVE, (self._me,))

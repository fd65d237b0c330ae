"""The time by which idempotency keys grow old: how long the store has been served.

A clock may jump. A key that was stamped while it was behind would be forgotten as soon as it is set
right, and while it is ahead every key is old. So keys are not stamped by the clock but by a time of
the store's own, which only goes forward, by what a worker has measured itself while it was running;
it is set by the clock once, when the store has none. While nobody serves nothing grows old.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

from eventsourcing.persistence import IntegrityError

from ..clock import SYSTEM, stamp
from . import idempotency
from .database import Database

STEP = 900.0
"""Seconds in which the store's time goes on: about so much is a key kept longer, never shorter."""

_READ = "SELECT value FROM meta WHERE name = 'served'"
_BEGIN = "INSERT INTO meta (name, value) VALUES ('served', ?)"
_NEWEST = "SELECT max(at) FROM idempotency"
_GO_ON = "UPDATE meta SET value = ? WHERE name = 'served' AND value = ?"


class StoreTime:
    """The store's time in one worker: for the engine thread. ``monotonic`` in seconds."""

    def __init__(
        self,
        recorder: Database,
        hours: int,
        now: datetime,
        monotonic: Callable[[], float] = SYSTEM.monotonic,
    ) -> None:
        """``hours``: for which a key is kept; ``now``: by the clock, for a store without a time.

        Raises StoreFull, StoreUnavailable.
        """
        self._recorder = recorder
        self._kept = timedelta(hours=hours, seconds=2 * STEP)
        self._monotonic = monotonic
        if not recorder.query(_READ):
            begin = max(stamp(now), recorder.query(_NEWEST)[0][0] or "")
            with contextlib.suppress(IntegrityError):  # another worker was quicker
                recorder.put((), [(_BEGIN, (begin.encode(),))])
        self._look()

    def _look(self) -> None:
        self._since = self._monotonic()
        self.at: str = bytes(self._recorder.query(_READ)[0][0]).decode()
        """The store's time as RFC 3339, in steps: by it a new key is stamped."""

    def go_on(self) -> None:
        """Where a step is over, count it and forget the keys that are past their time.

        Of several workers one counts it: the time has stood still for as long as any of them has
        seen it do so. Raises StoreFull, StoreUnavailable.
        """
        elapsed = self._monotonic() - self._since
        if elapsed < STEP:
            return
        after = datetime.fromisoformat(self.at) + timedelta(seconds=elapsed)
        count = (_GO_ON, (stamp(after).encode(), self.at.encode()))
        self._recorder.exchange([count], [idempotency.expiry(after - self._kept)])
        self._look()

"""Time comes in at one place, so that tests can hold it still."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """What the service needs of a clock."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that only go on, whatever is done to the time: to wait and to measure by."""
        ...

    def offset(self) -> float:
        """The time less :meth:`monotonic`, in seconds: another where somebody has set the clock."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    def offset(self) -> float:
        return time.time() - time.monotonic()


SYSTEM = SystemClock()
"""What is asked where nobody gives another one."""


class FixedClock(SystemClock):
    """A clock that stands still until it is moved; for tests and recorded examples.

    Whoever waits by :meth:`monotonic` is not kept waiting.
    """

    def __init__(self, at: datetime) -> None:
        self.at = at
        self._wrong = 0.0

    def now(self) -> datetime:
        return self.at

    def offset(self) -> float:
        return self._wrong

    def step(self, seconds: float) -> None:
        """Somebody sets the clock: so much time has not passed."""
        self.at += timedelta(seconds=seconds)
        self._wrong += seconds


TOLERANCE = 1.0
"""Seconds by which a clock may be put right in one step, or differ from the database's."""

SETTLED_SECONDS = 600.0
"""A clock that was set and has no other to be compared with is believed after so long."""


class SteadyClock:
    """A clock that is not believed when it jumps: it goes on by its monotonic seconds.

    Small corrections are followed; by more than TOLERANCE it goes its own way, ``suspended``, until
    the clock is back, or agrees with the database's, or has stayed as it is for SETTLED_SECONDS.
    ``skew``: seconds that the clock beneath is before the database's; None where there is none.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.monotonic = clock.monotonic
        self._offset = clock.offset()
        self._apart = False
        self._since: float | None = None
        self._compared = False
        self.skew: float | None = None

    def _step(self) -> float:
        """By how much the clock beneath is not believed."""
        step = self._clock.offset() - self._offset
        return step if abs(step) > TOLERANCE else 0.0

    def now(self) -> datetime:
        return self._clock.now() - timedelta(seconds=self._step())

    def offset(self) -> float:
        return self._clock.offset() - self._step()

    @property
    def suspended(self) -> bool:
        """Whether nothing should be done now because of the time alone."""
        return self._apart or bool(self._step())

    def compare(self, other: float | None) -> datetime | None:
        """Look at the clock beneath, and at the database's, in seconds since 1970, if it has one.

        Where the time went forward in one step because the clock is believed after all, gives the
        time before: what lies between did not pass here.
        """
        before = self.now()
        self._look(other)
        forward = (self.now() - before).total_seconds()
        return before if forward > TOLERANCE else None

    def _look(self, other: float | None) -> None:
        first, self._compared = not self._compared, True
        if not self._step():
            self._offset, self._since = self._clock.offset(), None
        elif self._since is None:
            self._since = self.monotonic()
        if other is None:
            self._apart = False
            if self._since is not None and self.monotonic() - self._since > SETTLED_SECONDS:
                self._believe(self._clock.offset())
            return
        beneath = other - self._clock.now().timestamp()
        self.skew = -beneath
        if abs(beneath) <= TOLERANCE:
            self._believe(self._clock.offset())
        elif first:  # several workers have one time, and it is the database's
            self._offset += other - self.now().timestamp()
        self._apart = abs(beneath) > TOLERANCE

    def _believe(self, offset: float) -> None:
        self._offset, self._since = offset, None


def stamp(at: datetime) -> str:
    """RFC 3339 in UTC with milliseconds: ``2026-11-21T14:00:00.000Z``."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

"""Time comes in at one place, so that tests can hold it still."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the service needs of a clock."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that only go on, whatever is done to the time: to wait and to measure by."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


SYSTEM = SystemClock()
"""What is asked where nobody gives another one."""


class FixedClock(SystemClock):
    """A clock that stands still until it is moved; for tests and recorded examples.

    Whoever waits by :meth:`monotonic` is not kept waiting.
    """

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


def stamp(at: datetime) -> str:
    """RFC 3339 in UTC with milliseconds: ``2026-11-21T14:00:00.000Z``."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

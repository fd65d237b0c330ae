"""A budget of the processor's time for reading what somebody else has made.

Every check reads its text once, but a false record may bring rules to do anything. The system's own
timer ends it, wherever it is; where there is none (another thread, another system) nothing does.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OverBudget(BaseException):
    """The time is spent. No ``Exception``: nothing on the way takes it for a fault of its own."""


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Raises OverBudget within, after so many seconds of the processor; 0 for no limit."""
    if not seconds or not hasattr(signal, "setitimer"):
        yield
        return
    try:
        before = signal.signal(signal.SIGPROF, _spent)
    except ValueError:  # only the main thread has signals
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _spent(number: int, frame: FrameType | None) -> None:
    raise OverBudget

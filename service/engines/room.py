"""Room for processes of rules, which all rulesets of this process share.

Each takes up to 512 MB: without a common bound every strange ruleset would add its own to what the
machine has to hold. A process that rests gives way to a ruleset that needs one; where all are at
work, whoever needs one says so, and the next that has its answer gives way.
"""

from __future__ import annotations

from typing import Protocol

from ..threads import MakesThreads


class Shares(Protocol):
    """The processes of one ruleset."""

    @property
    def alive(self) -> int:
        """How many there are."""
        ...

    def give_way(self) -> bool:
        """End one that rests; whether there was any."""
        ...


class Room:
    """For ``most`` processes. Any thread may ask; nobody who asks holds a lock of their own."""

    def __init__(self, most: int, threads: MakesThreads) -> None:
        self.most = most
        self._lock = threads.lock()
        self._shared: list[Shares] = []
        self._beginning = 0
        self._waiting = 0

    @property
    def wanted(self) -> bool:
        """Whether somebody waits for it."""
        return self._waiting > 0

    def share(self, processes: Shares) -> None:
        with self._lock:
            self._shared.append(processes)

    def take(self) -> bool:
        """Room for a process that is about to begin; False where all are at work."""
        with self._lock:
            if self._full() and not any(each.give_way() for each in self._shared):
                return False
            self._beginning += 1
            return True

    def begun(self) -> None:
        """It has begun, and is counted with the others of its ruleset; or it has not begun."""
        with self._lock:
            self._beginning -= 1

    def wait(self, waits: bool) -> None:
        """Somebody waits for it, or does not wait any more."""
        with self._lock:
            self._waiting += 1 if waits else -1

    def _full(self) -> bool:
        return self._beginning + sum(each.alive for each in self._shared) >= self.most

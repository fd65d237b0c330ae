"""What a worker does that an operator has drained: nothing new, until that is undone."""

from __future__ import annotations

from collections.abc import Callable

from .desk import Desk
from .http.asked import Http


def heed(http: Http, desk: Desk, stopping: Callable[[], bool]) -> None:
    """From now on, and how busy the worker is then is told."""

    def drain(draining: bool) -> None:
        """No stream any more either; what is under way ends. A stop is never undone."""
        if draining:
            http.closing.set()
        elif not stopping():
            http.closing.clear()

    def busy() -> tuple[int, int]:
        return http.metrics.streams_open, desk.engine.waiting

    desk.clerk.presence.serving(busy, drain)

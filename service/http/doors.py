"""Who may hold connections: so many for each address, and none that says nothing.

Without this a thousand connections that send half a head, or nothing at all, lock everyone out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from service.http.limits import Places, address_key
from service.proxies import Proxies


class Doors:
    """Of one service: counts the connections that are open.

    most     connections of one address; 0: as many as it likes
    seconds  within which a connection has to send a whole head: from when it is made, or from the
             first byte of a request
    """

    def __init__(self, most: int, seconds: float, proxies: Proxies) -> None:
        """``proxies`` may have as many as they like."""
        self.seconds = seconds
        self._proxies = proxies
        self._open = Places(most, most)
        self.limit(most)

    def limit(self, most: int) -> None:
        """From now on an address may have so many; 0: as many as it likes."""
        self.most = most
        self._open.limit(most, most)

    def enter(self, host: str) -> str | None:
        """What to give back to :meth:`leave`; None where there is no more room for the address."""
        if not self.most or self._proxies.trusts(host):
            return ""
        key = address_key(host)
        return key if self._open.take(key) else None

    def leave(self, key: str) -> None:
        """A connection has ended."""
        if key:
            self._open.leave(key)


class Waiting:
    """For the head of a request; ``cut`` is called when it has not come within ``seconds``."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, seconds: float, cut: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._seconds = seconds
        self._cut = cut
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """From now on, unless it has begun already: more bytes of a head give no more time."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._cut)

    def end(self) -> None:
        """The head is there, or nobody sends one any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

"""Who listens to which game, and how far it has come. On the event loop only."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..errors import Stopping


class Listener:
    """Of one listener: whatever is told while it is there is known to it, awaited or not.

    latest  the newest version that was told; 0: none yet
    """

    __slots__ = ("_above", "_deaf", "_gone", "_told", "latest")

    def __init__(self) -> None:
        self.latest = 0
        self._gone = False
        self._told: asyncio.Future[None] | None = None
        self._above = 0
        self._deaf = False

    async def above(
        self,
        after: int,
        timeout: float,  # noqa: ASYNC109 silence is an answer
        stop: asyncio.Future[Any] | None = None,
    ) -> bool:
        """Whether a version above ``after`` was told: at once, or as soon as it is; also, once, of
        a game of which it was told that it is gone, so that whoever waits looks for himself.

        Waits at most ``timeout`` seconds, and until ``stop`` is done. Raises Stopping.
        """
        if self._deaf:
            raise Stopping("The service is stopping.")
        if self.latest <= after and not self._gone:
            self._told, self._above = asyncio.get_running_loop().create_future(), after
            awaited = (self._told,) if stop is None else (self._told, stop)
            await asyncio.wait(awaited, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if self._deaf:
                raise Stopping("The service is stopping.")
        gone, self._gone = self._gone, False
        return gone or self.latest > after

    def hear(self, version: int) -> None:
        """The game has come so far."""
        self.latest = max(self.latest, version)
        if self.latest > self._above:
            self._wake()

    def gone(self) -> None:
        """Nobody has the game any more."""
        self._gone = True
        self._wake()

    def close(self) -> None:
        """There will be no more news."""
        self._deaf = True
        self._wake()

    def _wake(self) -> None:
        if self._told is not None and not self._told.done():
            self._told.set_result(None)


class News:
    """All who listen."""

    def __init__(self) -> None:
        self._ears: dict[str, dict[Listener, None]] = {}
        self._closed = False

    @property
    def games(self) -> tuple[str, ...]:
        """To which somebody listens."""
        return tuple(self._ears)

    @contextmanager
    def listening(self, game: str) -> Iterator[Listener]:
        """Read what there is only after this, and nothing falls between reading and waiting.

        It knows what was told to those who listen already: their reading may be shared with it.
        """
        ear, ears = Listener(), self._ears.setdefault(game, {})
        if ears:  # everybody was told all since, or knows it from the first
            ear.latest = next(iter(ears)).latest
        ears[ear] = None
        if self._closed:
            ear.close()
        try:
            yield ear
        finally:
            ears = self._ears[game]
            del ears[ear]
            if not ears:
                del self._ears[game]

    def tell(self, versions: Mapping[str, int]) -> None:
        """Games have come so far."""
        for game, version in versions.items():
            for ear in self._ears.get(game, ()):
                ear.hear(version)

    def gone(self, games: Iterable[str]) -> None:
        """These are not in the store, or not any more: nothing more happens in them."""
        for game in games:
            for ear in self._ears.get(game, ()):
                ear.gone()

    def close(self) -> None:
        """Wake everybody, and let nobody wait from now on: there will be no more news."""
        self._closed = True
        for ears in self._ears.values():
            for ear in ears:
                ear.close()

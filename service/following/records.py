"""What the projections say, for whoever asks: never less than what was stored before the question.

So whoever wrote something and then reads what follows from it finds it there, at whatever worker.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from ..clock import SYSTEM, Clock
from ..errors import StoreUnavailable
from ..models import GameSummary
from ..store.store import Store
from .follower import place_of, spoil
from .reading import TOP, Spot, active, hidden_of, page
from .shelf import Unsound
from .thread import Following

log = logging.getLogger(__name__)

HOLD_SECONDS = 2.0
"""How long a reader waits for that; then it gets what there is."""

T = TypeVar("T", bound=msgspec.Struct)
Read = Callable[..., Awaitable[Any]]


class Records:
    """Reads what was projected. On the event loop; ``read`` runs a function on a reader's thread.

    Every method raises StoreUnavailable, Stopping.
    """

    def __init__(
        self, following: Following, store: Store, read: Read, clock: Clock = SYSTEM
    ) -> None:
        self._monotonic = clock.monotonic
        self.following = following
        self._store = store
        self._recorder = store.recorder
        self._read = read

    async def page(
        self, name: str, type_: type[T], *, kind: str = "", after: Spot = TOP, limit: int
    ) -> list[tuple[Spot, T]]:
        """Documents of a projection with their spots, the highest rank first."""
        await self.reached(name)
        rows = await self._sound(page, self._recorder, name, kind, after, limit)
        return [(spot, msgspec.json.decode(document, type=type_)) for spot, document in rows]

    async def hidden(self, name: str, type_: type[T]) -> list[T]:
        """Documents of the games that an operator has hidden, as they are now."""
        rows = await self._sound(hidden_of, self._recorder, name)
        return [msgspec.json.decode(document, type=type_) for document in rows]

    async def active(
        self, *, after: Spot = TOP, limit: int, ruleset: str, status: str
    ) -> list[tuple[Spot, GameSummary]]:
        """Games by their latest event, with their spots: the rank is its place in the log."""
        await self.reached("lobby")
        found: list[tuple[Spot, GameSummary]] = await self._sound(
            active, self._store, after, limit, ruleset, status
        )
        return found

    async def _sound(self, look: Callable[..., Any], *arguments: Any) -> Any:
        """What was projected; where some of it is not as it was written, all is made anew."""
        try:
            return await self._read(look, *arguments)
        except Unsound as error:
            log.exception("a document is not as it was written")
            await self._read(spoil, self._recorder, error.projection)
            self.following.wake(urgent=True)
            raise StoreUnavailable("This list is being made anew: try again.") from None

    async def reached(self, name: str) -> bool:
        """Wait until the projection has what is stored now; false when that takes too long."""
        aim: int = await self._read(self.following.newest)
        until, nap = self._monotonic() + HOLD_SECONDS, 0.002
        while await self._read(self._place, name) < aim:
            if self._monotonic() > until:
                return False
            self.following.wake(urgent=True)
            await asyncio.sleep(nap)
            nap = min(nap * 2, 0.1)
        return True

    def _place(self, name: str) -> int:
        found = place_of(self._recorder, name)
        if found is not None and not found.version:
            raise StoreUnavailable("This list is being made anew: try again.")
        return found.place if found else 0

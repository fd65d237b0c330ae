"""What comes next in a game, read and put into bytes once for all who wait for the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from domain.kernel.values import Viewer
from projections.stream import SeenEvent
from service.models import Standing
from service.views.reader import Reader
from service.views.together import Together

CHUNK = 200
"""Events read from the store at once."""

Frame = Callable[[SeenEvent], bytes]


class FeedPosition(NamedTuple):
    """Where a reader is: in which game, with whose eyes, after which event."""

    game: str
    viewer: Viewer
    after: int


class Feed:
    """The events after a place, in order.

    over      nothing comes after these: the game is over, and opened
    more      there were more than are read at once
    standing  how the game stands after them; None where more had happened
    shared    what else was made of it for one reader, and does for the others
    """

    def __init__(
        self, events: Sequence[SeenEvent], *, over: bool, standing: Standing | None = None
    ) -> None:
        self.events = events
        self.over = over
        self.standing = standing
        self.more = len(events) == CHUNK
        self._framed: dict[Frame, bytes] = {}
        self.shared: dict[Any, Any] = {}

    def framed(self, frame: Frame) -> bytes:
        """All of them as they are sent."""
        found = self._framed.get(frame)
        if found is None:
            found = self._framed[frame] = b"".join(map(frame, self.events))
        return found


class Feeds:
    """Asked on the event loop only.

    The listeners of a game wake at the same moment, most of them at the same place. What lies in
    the past does not change, so they may share a reading that has begun already: one that began
    too early finds less, and who knows of more asks again. It listens itself until it is shared no
    more, so that who came after the news of what it lacks knows of that too.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._together: Together[FeedPosition, Feed] = Together(self._read)

    async def ask(self, place: FeedPosition) -> Feed:
        """What comes after the place. Raises NotFound, Damaged."""
        return await self._together.ask(place)

    async def _read(self, place: FeedPosition, shut: Callable[[], object]) -> Feed:
        with self._reader.listening(place.game):
            try:
                return await self._after(place)
            finally:
                shut()

    async def _after(self, place: FeedPosition) -> Feed:
        game, viewer, after = place
        summary = await self._reader.summary(game)
        events = await self._reader.events_upto(summary.version, game, viewer, after, CHUNK)
        last = events[-1].seq if events else after
        up_to_date = last >= summary.version
        standing = Standing.of(summary) if up_to_date else None
        return Feed(events, over=summary.opened and up_to_date, standing=standing)

"""All games of one player in one stream, by a bundle of their tokens: nobody needs an account.

Where it goes on after a cut is said by one cursor, which counts the events of these games alone: a
number of the store would tell how much others play.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

import msgspec
from litestar import Controller, Response
from litestar.params import HeaderParameter, QueryParameter

from projections.stream import SeenEvent
from service.errors import NotFound, ServiceError
from service.http.feeds import Feed, FeedPosition
from service.http.streams import FAREWELL, RETRY, SSE, StreamReply
from service.http.wire import ENCODER, event_bytes
from service.models import Answer, Standing
from service.problems import Refusal

from . import operation
from .access import bad_token, identified, leave, viewer
from .asked import NO_STORE, Asked, own_eyes
from .decoding import bad_header, bad_query
from .events import TAG, Follow, Moments
from .operation import JSON, tells
from .paging import bad_cursor, read_cursor, write_cursor
from .parameters import UNCHECKED, Limit
from .reply import Reply
from .routes import get

MOST = 50
"""Tokens of one bundle."""
TOKENS, RESUME, AUTHORIZATION = "Decklog-Tokens", "Last-Event-ID", "Authorization"
SHORT = 12
"""Digits of a game's id in a cursor: nobody has two games in which they are the same."""

Tokens = Annotated[
    str,
    HeaderParameter(
        name=TOKENS,
        description="Tokens of games, separated by spaces, 50 at most: of seats, of organisers, of "
        "auditors. Without it the request's own is meant.",
        max_length=5000,
    ),
    UNCHECKED,
]
Resume = Annotated[
    str,
    HeaderParameter(
        name=RESUME, description="The cursor of the last event that came.", max_length=3000
    ),
    UNCHECKED,
]
Spot = Annotated[
    str,
    QueryParameter(
        description="Cursor of the event to go on after, for who cannot send `Last-Event-ID`.",
        max_length=3000,
    ),
]
Past = Annotated[
    bool,
    QueryParameter(
        description="Whether what has happened already comes too, of games that the cursor does "
        "not name."
    ),
]


class Holding(NamedTuple):
    """A game that is followed, by whose token."""

    token: str
    place: FeedPosition

    @property
    def name(self) -> str:
        """In a cursor."""
        return f"{self.place.game[:SHORT]}{self.place.viewer}"


class EventOfGame(Answer, frozen=True):
    """An event of one of several games.

    game    its id
    viewer  the eyes with which it is seen: a seat, or "public"
    event   as in the game's own stream
    """

    game: str
    viewer: str
    event: Any


class StandingOfGame(Answer, frozen=True):
    """The standing of one of several games (`event: moment`).

    game      its id
    viewer    the eyes with which it is seen: a seat, or "public"
    standing  as in the game's own stream
    """

    game: str
    viewer: str
    standing: Standing


class OwnEventPage(Answer, frozen=True):
    """Events of several games, of each in order.

    next  cursor of what follows, be it there already or not; null when all the games are over
    """

    items: tuple[EventOfGame, ...]
    next: str | None


Heard = tuple[int, Feed] | None
"""Of which holding, and what; None: it ends."""


class Bundle:
    """One reader of several games' events."""

    def __init__(self, asked: Asked, held: Sequence[Holding], *, follow: bool, moments: bool):
        self._asked, self._http, self._held = asked, asked.http, list(held)
        self._follow, self._moments = follow, moments
        self._heard: asyncio.Queue[Heard] = asyncio.Queue(maxsize=1)

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Frames of all games, until each is over, the service stops, or for ever."""
        stop = asyncio.ensure_future(self._http.closing.wait())
        readers = [asyncio.ensure_future(self._read(n, stop)) for n in range(len(self._held))]
        left = len(readers)
        try:
            while left and not stop.done():
                try:
                    heard = await asyncio.wait_for(
                        self._heard.get(), self._http.settings.stream_ping
                    )
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if heard is None:
                    left -= 1
                elif frames := b"".join(self._frames(*heard)):
                    yield frames
        finally:
            for task in (stop, *readers):
                task.cancel()
            await asyncio.gather(stop, *readers, return_exceptions=True)
        if self._http.closing.is_set():
            yield FAREWELL

    async def _read(self, number: int, stop: asyncio.Future[Any]) -> None:
        """Hand on what happens in one game for as long as its token is good."""
        reader, held = self._http.desk.reader, self._held[number]
        after, silent = held.place.after, False
        with suppress(ServiceError), reader.listening(held.place.game) as ear:
            while not self._barred() and await reader.identify(held.token) is not None:
                feed = await self._http.feeds.ask(held.place._replace(after=after))
                if feed.events or not silent:
                    await self._heard.put((number, feed))
                after = feed.events[-1].seq if feed.events else after
                if feed.over or not (feed.more or self._follow):
                    break
                silent = not feed.more
                if silent:
                    await ear.above(after, self._http.settings.stream_ping, stop)
        await self._heard.put(None)

    def _barred(self) -> bool:
        """Whether an operator lets the caller in no more."""
        curb = self._asked.curb()
        return curb is not None and curb.bans

    def _frames(self, number: int, feed: Feed) -> Iterator[bytes]:
        held = self._held[number]
        for event in feed.events:
            held = held._replace(place=held.place._replace(after=event.seq))
            self._held[number] = held
            yield own_frame(cursor_of(self._held), held.place, event)
        if self._moments and feed.standing is not None:
            yield own_moment(held.place, feed.standing)


def _whose(place: FeedPosition) -> bytes:
    return b'{"game":"%s","viewer":"%s",' % (place.game.encode(), place.viewer.encode())


def own_frame(cursor: str, place: FeedPosition, event: SeenEvent) -> bytes:
    """An event with its game; ``id`` is where all games are after it."""
    head = f"id: {cursor}\nevent: {event.type}\ndata: ".encode()
    return head + _whose(place) + b'"event":' + event_bytes(event) + b"}\n\n"


def own_moment(place: FeedPosition, standing: Standing) -> bytes:
    """How a game stands, with its name."""
    told = b'"standing":' + ENCODER.encode(standing)
    return b"event: moment\ndata: " + _whose(place) + told + b"}\n\n"


def cursor_of(held: Sequence[Holding]) -> str:
    """Where each of these games is."""
    return write_cursor(",".join(f"{each.name}.{each.place.after}" for each in held))


def places_of(cursor: str) -> dict[str, int]:
    """By its name, after which event a game goes on. Raises ``query.invalid``."""
    found = {}
    for part in filter(None, read_cursor(cursor).split(",")):
        name, _, seq = part.rpartition(".")
        if not (seq.isascii() and seq.isdigit() and len(seq) <= 16 and name):
            raise bad_cursor()
        found[name] = int(seq)
    return found


def _known(last: str, cursor: str) -> dict[str, int]:
    """The same of what was sent. Raises ``query.invalid``, which names where it stands."""
    try:
        return places_of(last or cursor)
    except Refusal:
        if not last:
            raise
        raise bad_header(RESUME, "unknown-value", "no cursor of this list") from None


def _ahead(header: str) -> Refusal:
    """The refusal of a cursor that counts events which no game of it has."""
    message = "a cursor that is ahead of a game"
    if header:
        return bad_header(header, "unknown-value", message)
    return bad_query("cursor", "unknown-value", message)


class Own(Controller):
    """What happens in all games of one player."""

    path = "/v1/events"
    tags = (TAG,)

    @get(
        summary="Follow all your games",
        guards=[viewer()],
        opt=tells(
            "The events.",
            "Link",
            media=(JSON, SSE),
            data=(EventOfGame, StandingOfGame),
            also=(
                operation.Answer(204, "All these games are finished and there are no more events."),
            ),
            problems=("query.invalid", "token.missing", "streams.too-many"),
            later=(("token.missing", "query.invalid"),),
        ),
    )
    async def list_own_events(
        self,
        *,
        request: Asked,
        cursor: Spot = "",
        limit: Limit = 200,
        past: Past = True,
        follow: Follow = True,
        moments: Moments = False,
        tokens: Tokens = "",
        last: Resume = "",
    ) -> Response[OwnEventPage]:
        """One stream for the games of several tokens, each seen with its token's eyes.
        `text/event-stream` goes on until all these games are over; `data` is an `EventOfGame`, or
        with `moments` a `StandingOfGame` (`event: moment`).
        `application/json` is one page of what has happened. `id`, and `next` of a page, is a
        cursor: send it as `Last-Event-ID` or `cursor` to go on after it, at any worker. It counts
        the events of these games and tells nothing of any other. Tokens may come and go between two
        requests.
        """
        given = tokens.split() or [request.header("authorization").partition(" ")[2].strip()]
        if not given[0]:
            raise Refusal("token.missing")
        if len(given) > MOST:
            raise bad_header(TOKENS, "too-long", f"at most {MOST} tokens")
        known = _known(last.strip(), cursor)
        held, ended = [], True
        for token in dict.fromkeys(given):
            who = await identified(request, token, TOKENS if tokens else AUTHORIZATION)
            try:
                summary = await request.summary_of(who.game, who)
            except NotFound:  # its game was deleted a moment ago
                raise bad_token(TOKENS if tokens else AUTHORIZATION) from None
            each = Holding(token, FeedPosition(who.game, own_eyes(who, summary), 0))
            after = known.get(each.name, 0 if past else summary.version)
            if after > summary.version:
                raise _ahead(RESUME if last.strip() else "")
            held.append(each._replace(place=each.place._replace(after=after)))
            ended = ended and summary.opened and after == summary.version
        if request.media == JSON:
            return await _page(request, held, limit)
        if ended:
            return request.gone()
        return _streamed(request, Bundle(request, held, follow=follow, moments=moments))


async def _page(asked: Asked, held: list[Holding], limit: int) -> Reply:
    """What has happened, of one game after the other."""
    items: list[EventOfGame] = []
    over = True
    for number, each in enumerate(held):
        game, eyes, after = each.place
        room = limit - len(items)
        events = await asked.desk.reader.events(game, eyes, after, room) if room else ()
        items += [EventOfGame(game, eyes, msgspec.Raw(event_bytes(event))) for event in events]
        last = events[-1].seq if events else after
        held[number] = each._replace(place=each.place._replace(after=last))
        summary = await asked.desk.reader.summary(game)
        over = over and summary.opened and last == summary.version
    cursor = None if over else cursor_of(held)
    link = asked.next_link(cursor if len(items) == limit else None)
    return asked.told(OwnEventPage(tuple(items), cursor), headers=link, cache=NO_STORE)


def _streamed(asked: Asked, bundle: Bundle) -> StreamReply:
    http, caller = asked.http, asked.caller
    if not http.limits.streams.take(caller):
        raise Refusal("streams.too-many", headers={"Retry-After": "5"})
    http.metrics.streams.inc()

    def done() -> None:
        http.limits.streams.leave(caller)
        http.metrics.streams.dec()

    leave(asked.scope)  # a stream has a place of its own
    headers = {"Cache-Control": NO_STORE, "X-Accel-Buffering": "no"}
    prologue = f"retry: {RETRY}\n\n".encode()
    return StreamReply(bundle.chunks(), SSE, headers, prologue, done, http.settings.stall_seconds)

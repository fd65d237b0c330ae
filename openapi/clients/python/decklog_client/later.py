"""The client, for programs that await. ``client.py`` is made of this: waiting.py does it anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import httpx

from .calls import Calls
from .heads import Heads
from .keys import SeatKey
from .stream import Following, News
from .table import Standing, choices, question, registering
from .wire import Answer, Ask, Broken, Flow, Json, Pause, Told, reading

if TYPE_CHECKING:
    from . import types as t

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds of pauses after which a client gives up."""
SILENCE = 45.0
"""Seconds after which a line is cut: a stream gives a sign of life every 15."""


class AsyncClient:
    """One caller of a service: an address, and a token or none.

    Raises Problem for a refusal, OtherRecord where a game's record is not what was told before,
    OtherLog where the public log does not go on from what it was,
    httpx.TransportError when nobody answers for ``patience`` seconds of pauses.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        heads: Heads | None = None,
        patience: float = PATIENCE,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.url, self.token = url.rstrip("/"), token
        self.calls = Calls(heads or Heads(service=self.url), patience)
        self._http = http or httpx.AsyncClient(base_url=self.url, timeout=SILENCE)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections, also of those made by ``holding``."""
        await self._http.aclose()

    def holding(self, token: str) -> AsyncClient:
        """The same service, with another token."""
        heads, patience = self.calls.heads, self.calls.patience
        return AsyncClient(self.url, token, heads=heads, patience=patience, http=self._http)

    # --- to read ---------------------------------------------------------------------------------

    async def get(self, path: str, **query: object) -> Any:
        """Any operation that reads."""
        return await self._run(self.calls.get(path, **query))

    async def items(self, path: str, **query: object) -> list[Any]:
        """All pages of a list."""
        return await self._run(self.calls.items(path, **query))

    async def game(self, game: str) -> t.GameSummary:
        return cast("t.GameSummary", await self.get(f"/v1/games/{game}"))

    async def view(self, game: str, at: int | None = None) -> t.View:
        return cast("t.View", await self.get(f"/v1/games/{game}/view", at=at))

    async def moved(self, game: str, view: t.View, version: int) -> t.View:
        """The view at another version, patched by the difference."""
        return cast("t.View", await self._run(self.calls.moved(game, cast("Json", view), version)))

    async def commands(self, game: str, at: int | None = None) -> t.CommandList:
        """All that this seat may do now, or could at a version."""
        return cast("t.CommandList", await self._run(self.calls.commands(game, at)))

    async def events(self, game: str, after: int = 0) -> list[t.Event]:
        """The events up to now."""
        return await self.items(f"/v1/games/{game}/events", after=after)

    async def evidence(self, game: str) -> bytes:
        """The evidence file, byte for byte."""
        path = f"/v1/games/{game}/evidence"
        answer = await self._run(self.calls.send(reading(path, "*/*")))
        return answer.body

    # --- to write --------------------------------------------------------------------------------

    async def post(self, path: str, body: object, **headers: str) -> Any:
        """Any operation that writes: one effect, however often the line breaks."""
        return await self._run(self.calls.post(path, body, **headers))

    async def delete(self, path: str) -> Any:
        return await self._run(self.calls.delete(path))

    async def create_game(self, wish: t.NewGame) -> t.GameCreated:
        return cast("t.GameCreated", await self.post("/v1/games", wish))

    async def take_seat(self, game: str, wish: t.TakeSeat) -> t.SeatGiven:
        return cast("t.SeatGiven", await self.post(f"/v1/games/{game}/seats", wish))

    async def give(self, game: str, command: object, version: int, **headers: str) -> t.CommandDone:
        """A command that was decided on at a version; Problem ``version.stale`` if that is over."""
        done = await self._run(self.calls.give(game, command, version, **headers))
        return cast("t.CommandDone", done)

    async def give_links(self, game: str, seat: str, secret: bytes) -> Json | None:
        """The dice links that are wanted of the seat now; None where none are."""
        return await self._run(self.calls.links(game, seat, secret))

    async def pass_on(self, game: str, seat: str, key: SeatKey, to: SeatKey) -> t.GameSummary:
        """The seat signs by another key from now on: the one that it has passes itself on, and is
        good for nothing more. Keep the new one first; sit down with it by :meth:`table`."""
        return cast("t.GameSummary", await self._run(self.calls.pass_on(game, seat, key, to)))

    async def take_back(self, game: str) -> t.GameSummary | None:
        """The game after the seat's last step is taken back; None where that cannot be."""
        return cast("t.GameSummary | None", await self._run(self.calls.take_back(game)))

    async def confirm(self, game: str) -> None:
        """Ask whether the heads and receipts that are kept of a game are in its record still."""
        await self._run(self.calls.confirm(game))

    async def confirm_log(self) -> None:
        """Ask whether the service's public log goes on from the head that is kept of it."""
        await self._run(self.calls.confirm_log())

    # --- to follow and to play -------------------------------------------------------------------

    async def follow(
        self, game: str, after: int = 0, *, moments: bool = False, offers: bool = False
    ) -> AsyncGenerator[News, None]:
        """What happens, as it does, to the game's last event; no cut loses or doubles an event."""
        query: dict[str, object] = {"moments": moments, "offers": offers}
        reader = Following(f"/v1/games/{game}", after, query, self.calls.patience)
        while not reader.over:
            await self._run(self.calls.confirm_again(game, reader.again))
            told: Told = None
            try:
                async with self._streaming(reader.ask()) as answer:
                    told = Answer(answer.status_code, answer.headers, b"")
                    if answer.status_code != 200:
                        told = told._replace(body=await answer.aread())
                    else:
                        async for piece in answer.aiter_bytes():
                            for news in reader.feed(piece):
                                self.calls.told(game, news)
                                yield news
            except httpx.TransportError as error:
                told = Broken(error)
            await asyncio.sleep(reader.ended(told))

    async def watch(self, game: str) -> AsyncIterator[t.View]:
        """The view, and again whenever the game has moved, patched by the difference."""
        view = await self.view(game)
        newest = view["version"]
        yield view
        async for news in self.follow(game, newest, moments=True):
            if news.kind == "event":
                newest = news.data["seq"]
            elif news.kind == "moment" and news.data["version"] > view["version"]:
                view = await self.moved(game, view, news.data["version"])
                yield view
        # A line that broke after the last event has not told its moment; nothing follows an end.
        if newest > view["version"]:
            yield await self.moved(game, view, newest)

    async def new_table(
        self,
        *,
        keys: Mapping[str, SeatKey] | None = None,
        **wish: Any,
    ) -> AsyncTable:
        """Create a game, and sit down at all of its seats that one keeps.

        keys  by seat: what its orders are signed with
        """
        seats = registering(wish.get("seats", ()), keys or {})
        more = {"seats": seats} if seats else {}
        made = await self.create_game(cast("t.NewGame", {**wish, **more}))
        tokens = {each["seat"]: each["token"] for each in made["tokens"]}
        return self.table(made["game"]["id"], tokens, keys)

    async def sit_down(
        self,
        game: str,
        wish: t.TakeSeat,
        key: SeatKey | None = None,
    ) -> AsyncTable:
        """Take a seat, and sit down at it; its orders are signed with the key."""
        own = {"orderKey": key.registered} if key is not None else {}
        given = await self.take_seat(game, cast("t.TakeSeat", {**wish, **own}))
        seat = given["seat"]
        return self.table(game, {seat: given["token"]}, {seat: key} if key is not None else None)

    def table(
        self,
        game: str,
        tokens: dict[str, str],
        keys: Mapping[str, SeatKey] | None = None,
    ) -> AsyncTable:
        """Sit down at seats of a game by their tokens; those with a key sign their orders."""
        return AsyncTable(self, game, tokens, keys)

    # --- the wire --------------------------------------------------------------------------------

    def _headers(self, ask: Ask) -> dict[str, str]:
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**ask.headers, **bearer}

    @asynccontextmanager
    async def _streaming(self, ask: Ask) -> AsyncIterator[httpx.Response]:
        stream = self._http.stream(
            ask.method, ask.path, params=dict(ask.query), headers=self._headers(ask)
        )
        async with stream as answer:
            yield answer

    async def _run(self, flow: Flow[T]) -> T:
        told: Told = None
        try:
            while True:
                wanted = flow.send(told)
                told = await self._done(wanted)
        except StopIteration as end:
            return cast("T", end.value)

    async def _done(self, wanted: Ask | Pause) -> Told:
        if isinstance(wanted, Pause):
            await asyncio.sleep(wanted.seconds)
            return None
        try:
            answer = await self._http.request(
                wanted.method,
                wanted.path,
                params=dict(wanted.query),
                headers=self._headers(wanted),
                content=wanted.body or None,
            )
        except httpx.TransportError as error:
            return Broken(error)
        return Answer(answer.status_code, answer.headers, answer.content)


class AsyncTable:
    """Seats of one game, played by one program."""

    def __init__(
        self,
        client: AsyncClient,
        game: str,
        tokens: dict[str, str],
        keys: Mapping[str, SeatKey] | None = None,
    ) -> None:
        self.game = game
        self.keys = dict(keys or {})
        self.seats = {seat: client.holding(token) for seat, token in tokens.items()}
        self.client = client
        self.standing = Standing(self.seats)

    async def summary(self) -> t.GameSummary:
        return await self.client.game(self.game)

    async def turns(self) -> AsyncIterator[AsyncTurn]:
        """Each question that a seat here is asked, until the game is over."""
        while True:
            told = self.standing.now
            if told is None:
                self.standing.take(cast("Json", await self.summary()))
            elif self.standing.over:
                return
            elif not self.standing.asked:
                await self._wait()
            else:
                yield AsyncTurn(self, self.standing.asked, told)
                if self.standing.now is told:
                    self.standing.take(None)

    async def _wait(self) -> None:
        """Until a seat here is asked, or the game is over."""
        assert self.standing.now is not None
        seat = next(iter(self.seats.values()), self.client)
        stream = seat.follow(self.game, self.standing.now["version"], moments=True)
        try:
            async for news in stream:
                if news.kind == "moment":
                    self.standing.take(news.data)
                    if self.standing.asked or self.standing.over:
                        return
        finally:
            await stream.aclose()
        self.standing.take(None)


class AsyncTurn:
    """A question to a seat, at a version. Its list is read when it is first asked for."""

    def __init__(self, table: AsyncTable, seat: str, told: Json) -> None:
        self.table, self.seat = table, seat
        self.version: int = told["version"]
        self.question = cast("t.Pending", question(told, seat))
        self._listed: t.CommandList | None = None

    async def listed(self) -> t.CommandList:
        """The list of its version, with odds and templates."""
        if self._listed is None:
            seat = self.table.seats[self.seat]
            self._listed = await seat.commands(self.table.game, self.version)
        return self._listed

    async def items(self) -> list[t.ReadyCommand]:
        """The commands to choose from, ready to be given."""
        return choices(cast("Json", await self.listed()))

    async def give(self, command: object) -> t.CommandDone | None:
        """Give a command; None where the game has gone on without it: a next turn will say."""
        client, key = self.table.seats[self.seat], self.table.keys.get(self.seat)
        flow = client.calls.give_in_time(self.table.game, command, self.version, self.seat, key)
        done = await client._run(flow)
        self.table.standing.take(done)
        return cast("t.CommandDone | None", done)

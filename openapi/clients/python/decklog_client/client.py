"""The client, for programs that wait. Made of ``later.py``: waiting.py does it anew."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
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


class Client:
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
        http: httpx.Client | None = None,
    ) -> None:
        self.url, self.token = url.rstrip("/"), token
        self.calls = Calls(heads or Heads(service=self.url), patience)
        self._http = http or httpx.Client(base_url=self.url, timeout=SILENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, also of those made by ``holding``."""
        self._http.close()

    def holding(self, token: str) -> Client:
        """The same service, with another token."""
        heads, patience = self.calls.heads, self.calls.patience
        return Client(self.url, token, heads=heads, patience=patience, http=self._http)

    # --- to read ---------------------------------------------------------------------------------

    def get(self, path: str, **query: object) -> Any:
        """Any operation that reads."""
        return self._run(self.calls.get(path, **query))

    def items(self, path: str, **query: object) -> list[Any]:
        """All pages of a list."""
        return self._run(self.calls.items(path, **query))

    def game(self, game: str) -> t.GameSummary:
        return cast("t.GameSummary", self.get(f"/v1/games/{game}"))

    def view(self, game: str, at: int | None = None) -> t.View:
        return cast("t.View", self.get(f"/v1/games/{game}/view", at=at))

    def moved(self, game: str, view: t.View, version: int) -> t.View:
        """The view at another version, patched by the difference."""
        return cast("t.View", self._run(self.calls.moved(game, cast("Json", view), version)))

    def commands(self, game: str, at: int | None = None) -> t.CommandList:
        """All that this seat may do now, or could at a version."""
        return cast("t.CommandList", self._run(self.calls.commands(game, at)))

    def events(self, game: str, after: int = 0) -> list[t.Event]:
        """The events up to now."""
        return self.items(f"/v1/games/{game}/events", after=after)

    def evidence(self, game: str) -> bytes:
        """The evidence file, byte for byte."""
        path = f"/v1/games/{game}/evidence"
        answer = self._run(self.calls.send(reading(path, "*/*")))
        return answer.body

    # --- to write --------------------------------------------------------------------------------

    def post(self, path: str, body: object, **headers: str) -> Any:
        """Any operation that writes: one effect, however often the line breaks."""
        return self._run(self.calls.post(path, body, **headers))

    def delete(self, path: str) -> Any:
        return self._run(self.calls.delete(path))

    def create_game(self, wish: t.NewGame) -> t.GameCreated:
        return cast("t.GameCreated", self.post("/v1/games", wish))

    def take_seat(self, game: str, wish: t.TakeSeat) -> t.SeatGiven:
        return cast("t.SeatGiven", self.post(f"/v1/games/{game}/seats", wish))

    def give(self, game: str, command: object, version: int, **headers: str) -> t.CommandDone:
        """A command that was decided on at a version; Problem ``version.stale`` if that is over."""
        done = self._run(self.calls.give(game, command, version, **headers))
        return cast("t.CommandDone", done)

    def give_links(self, game: str, seat: str, secret: bytes) -> Json | None:
        """The dice links that are wanted of the seat now; None where none are."""
        return self._run(self.calls.links(game, seat, secret))

    def pass_on(self, game: str, seat: str, key: SeatKey, to: SeatKey) -> t.GameSummary:
        """The seat signs by another key from now on: the one that it has passes itself on, and is
        good for nothing more. Keep the new one first; sit down with it by :meth:`table`."""
        return cast("t.GameSummary", self._run(self.calls.pass_on(game, seat, key, to)))

    def take_back(self, game: str) -> t.GameSummary | None:
        """The game after the seat's last step is taken back; None where that cannot be."""
        return cast("t.GameSummary | None", self._run(self.calls.take_back(game)))

    def confirm(self, game: str) -> None:
        """Ask whether the heads and receipts that are kept of a game are in its record still."""
        self._run(self.calls.confirm(game))

    def confirm_log(self) -> None:
        """Ask whether the service's public log goes on from the head that is kept of it."""
        self._run(self.calls.confirm_log())

    # --- to follow and to play -------------------------------------------------------------------

    def follow(
        self, game: str, after: int = 0, *, moments: bool = False, offers: bool = False
    ) -> Generator[News, None, None]:
        """What happens, as it does, to the game's last event; no cut loses or doubles an event."""
        query: dict[str, object] = {"moments": moments, "offers": offers}
        reader = Following(f"/v1/games/{game}", after, query, self.calls.patience)
        while not reader.over:
            self._run(self.calls.confirm_again(game, reader.again))
            told: Told = None
            try:
                with self._streaming(reader.ask()) as answer:
                    told = Answer(answer.status_code, answer.headers, b"")
                    if answer.status_code != 200:
                        told = told._replace(body=answer.read())
                    else:
                        for piece in answer.iter_bytes():
                            for news in reader.feed(piece):
                                self.calls.told(game, news)
                                yield news
            except httpx.TransportError as error:
                told = Broken(error)
            time.sleep(reader.ended(told))

    def watch(self, game: str) -> Iterator[t.View]:
        """The view, and again whenever the game has moved, patched by the difference."""
        view = self.view(game)
        newest = view["version"]
        yield view
        for news in self.follow(game, newest, moments=True):
            if news.kind == "event":
                newest = news.data["seq"]
            elif news.kind == "moment" and news.data["version"] > view["version"]:
                view = self.moved(game, view, news.data["version"])
                yield view
        # A line that broke after the last event has not told its moment; nothing follows an end.
        if newest > view["version"]:
            yield self.moved(game, view, newest)

    def new_table(
        self,
        *,
        keys: Mapping[str, SeatKey] | None = None,
        **wish: Any,
    ) -> Table:
        """Create a game, and sit down at all of its seats that one keeps.

        keys  by seat: what its orders are signed with
        """
        seats = registering(wish.get("seats", ()), keys or {})
        more = {"seats": seats} if seats else {}
        made = self.create_game(cast("t.NewGame", {**wish, **more}))
        tokens = {each["seat"]: each["token"] for each in made["tokens"]}
        return self.table(made["game"]["id"], tokens, keys)

    def sit_down(
        self,
        game: str,
        wish: t.TakeSeat,
        key: SeatKey | None = None,
    ) -> Table:
        """Take a seat, and sit down at it; its orders are signed with the key."""
        own = {"orderKey": key.registered} if key is not None else {}
        given = self.take_seat(game, cast("t.TakeSeat", {**wish, **own}))
        seat = given["seat"]
        return self.table(game, {seat: given["token"]}, {seat: key} if key is not None else None)

    def table(
        self,
        game: str,
        tokens: dict[str, str],
        keys: Mapping[str, SeatKey] | None = None,
    ) -> Table:
        """Sit down at seats of a game by their tokens; those with a key sign their orders."""
        return Table(self, game, tokens, keys)

    # --- the wire --------------------------------------------------------------------------------

    def _headers(self, ask: Ask) -> dict[str, str]:
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**ask.headers, **bearer}

    @contextmanager
    def _streaming(self, ask: Ask) -> Iterator[httpx.Response]:
        stream = self._http.stream(
            ask.method, ask.path, params=dict(ask.query), headers=self._headers(ask)
        )
        with stream as answer:
            yield answer

    def _run(self, flow: Flow[T]) -> T:
        told: Told = None
        try:
            while True:
                wanted = flow.send(told)
                told = self._done(wanted)
        except StopIteration as end:
            return cast("T", end.value)

    def _done(self, wanted: Ask | Pause) -> Told:
        if isinstance(wanted, Pause):
            time.sleep(wanted.seconds)
            return None
        try:
            answer = self._http.request(
                wanted.method,
                wanted.path,
                params=dict(wanted.query),
                headers=self._headers(wanted),
                content=wanted.body or None,
            )
        except httpx.TransportError as error:
            return Broken(error)
        return Answer(answer.status_code, answer.headers, answer.content)


class Table:
    """Seats of one game, played by one program."""

    def __init__(
        self,
        client: Client,
        game: str,
        tokens: dict[str, str],
        keys: Mapping[str, SeatKey] | None = None,
    ) -> None:
        self.game = game
        self.keys = dict(keys or {})
        self.seats = {seat: client.holding(token) for seat, token in tokens.items()}
        self.client = client
        self.standing = Standing(self.seats)

    def summary(self) -> t.GameSummary:
        return self.client.game(self.game)

    def turns(self) -> Iterator[Turn]:
        """Each question that a seat here is asked, until the game is over."""
        while True:
            told = self.standing.now
            if told is None:
                self.standing.take(cast("Json", self.summary()))
            elif self.standing.over:
                return
            elif not self.standing.asked:
                self._wait()
            else:
                yield Turn(self, self.standing.asked, told)
                if self.standing.now is told:
                    self.standing.take(None)

    def _wait(self) -> None:
        """Until a seat here is asked, or the game is over."""
        assert self.standing.now is not None
        seat = next(iter(self.seats.values()), self.client)
        stream = seat.follow(self.game, self.standing.now["version"], moments=True)
        try:
            for news in stream:
                if news.kind == "moment":
                    self.standing.take(news.data)
                    if self.standing.asked or self.standing.over:
                        return
        finally:
            stream.close()
        self.standing.take(None)


class Turn:
    """A question to a seat, at a version. Its list is read when it is first asked for."""

    def __init__(self, table: Table, seat: str, told: Json) -> None:
        self.table, self.seat = table, seat
        self.version: int = told["version"]
        self.question = cast("t.Pending", question(told, seat))
        self._listed: t.CommandList | None = None

    def listed(self) -> t.CommandList:
        """The list of its version, with odds and templates."""
        if self._listed is None:
            seat = self.table.seats[self.seat]
            self._listed = seat.commands(self.table.game, self.version)
        return self._listed

    def items(self) -> list[t.ReadyCommand]:
        """The commands to choose from, ready to be given."""
        return choices(cast("Json", self.listed()))

    def give(self, command: object) -> t.CommandDone | None:
        """Give a command; None where the game has gone on without it: a next turn will say."""
        client, key = self.table.seats[self.seat], self.table.keys.get(self.seat)
        flow = client.calls.give_in_time(self.table.game, command, self.version, self.seat, key)
        done = client._run(flow)
        self.table.standing.take(done)
        return cast("t.CommandDone | None", done)

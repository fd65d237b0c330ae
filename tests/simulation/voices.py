"""How people speak to a worker: to the desk itself, or to the application over ASGI.

Both give the same answers in the same words (Said), so that nobody who plays or checks knows which
of the two it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, Protocol
from urllib.parse import quote

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.rules import Refused
from service.desk import Desk
from service.errors import ServiceError
from service.evidence.records import MasterOpened
from service.http.commands import fingerprint
from service.http.streams import ndjson_frame
from service.models import NewGame, TakeSeat
from service.play import customs
from service.play.deciding import command_decoder
from service.webhooks.keeper import NewWebhook, Owner

from .town import Ask, Exchange, Said

P = ParamSpec("P")
HOOK = NewWebhook(url="https://hooks.example.com/x", roles=["revealed", "lost"])
PATIENCE = 90.0
"""Seconds that somebody who follows a game waits for news before he asks anew: longer than the
calm after which everybody has to know everything, or who is left deaf would not be seen."""


class Order(msgspec.Struct, frozen=True):
    """A command as somebody sends it, once or again."""

    game: str
    seat: str
    token: str
    version: int
    command: bytes
    key: str
    link: bytes | None = None
    tip: bytes | None = None


class Voice(Protocol):
    """All that people ask for."""

    def create(self, fields: Mapping[str, Any], key: str) -> Ask: ...
    def summary(self, game: str) -> Ask: ...
    def offer(self, game: str, seat: str, token: str, pick: float) -> Ask: ...
    def give(self, order: Order) -> Ask: ...
    def take(self, game: str, taking: TakeSeat, key: str) -> Ask: ...
    def hook(self, game: str, organiser: str, key: str) -> Ask: ...
    def follow(self, game: str, seat: str, token: str, after: int) -> Ask: ...
    def post(self, ruleset: str, kind: str, document: Mapping[str, Any], key: str) -> Ask: ...
    def document(self, id: str) -> Ask: ...


# --- the desk ------------------------------------------------------------------------------------


def spoken(
    method: Callable[P, Callable[[Desk, Exchange], Awaitable[Said]]],
) -> Callable[P, Ask]:
    """What the desk does for a request, with its refusals as answers."""

    @wraps(method)
    def asked(*args: P.args, **kwargs: P.kwargs) -> Ask:
        work = method(*args, **kwargs)

        async def ask(exchange: Exchange) -> Said:
            try:
                return await work(exchange.worker.desk, exchange)
            except ServiceError as error:
                return _refusal(error.status, error.code, str(error))
            except Refused as error:
                return _refusal(422, error.code, str(error))

        return ask

    return asked


def _refusal(status: int, code: str, why: str) -> Said:
    told = {"code": code, "why": why}
    return Said(status, code, msgspec.json.encode(told), told)


def _done(answer: Any, *, replayed: bool = False, status: int = 200) -> Said:
    """The answer without the mark of a repeat, which its bytes do not have over HTTP either."""
    if hasattr(answer, "replayed"):
        answer = msgspec.structs.replace(answer, replayed=False)
    body = msgspec.json.encode(answer)
    return Said(status, "", body, msgspec.json.decode(body), replayed)


class DeskVoice:
    """Calls the desk's methods."""

    def __init__(self, games: Mapping[str, Any]) -> None:
        self._decoders = {name: command_decoder(game) for name, game in games.items()}

    @spoken
    def create(self, fields: Mapping[str, Any], key: str) -> Any:
        new = msgspec.convert(dict(fields), NewGame)

        async def work(desk: Desk, exchange: Exchange) -> Said:
            made = await desk.writer.create_game(new, key=key, caller="people")
            return _done(made, replayed=made.replayed, status=201)

        return work

    @spoken
    def summary(self, game: str) -> Any:
        async def work(desk: Desk, exchange: Exchange) -> Said:
            return _done(await desk.reader.summary(game))

        return work

    @spoken
    def offer(self, game: str, seat: str, token: str, pick: float) -> Any:
        async def work(desk: Desk, exchange: Exchange) -> Said:
            who = await desk.reader.identify(token)
            if who is None or (who.game, who.seat) != (game, seat):
                return _refusal(401, "token.invalid", seat)
            view = await desk.reader.view(game, seat)
            rules = (await desk.reader.views(game)).game
            options = rules.legal(view.state, seat).commands
            chosen = canonical(options[int(pick * len(options))]).decode() if options else ""
            return _done({"version": view.version, "command": chosen})

        return work

    @spoken
    def give(self, order: Order) -> Any:
        async def work(desk: Desk, exchange: Exchange) -> Said:
            who = await desk.reader.identify(order.token)
            if who is None:
                return _refusal(401, "token.invalid", order.seat)
            rules = (await desk.reader.views(order.game)).game
            command = self._decoders[rules.ruleset].decode(order.command)
            done = await desk.writer.command(
                order.game, order.seat, command,
                expected=order.version, key=order.key, caller=who.token_id,
                fingerprint=fingerprint(order.game, order.seat, command),
                link=order.link, tip=order.tip,
            )  # fmt: skip
            return _done(done, replayed=done.replayed)

        return work

    @spoken
    def take(self, game: str, taking: TakeSeat, key: str) -> Any:
        async def work(desk: Desk, exchange: Exchange) -> Said:
            taken = await desk.writer.take_seat(game, taking, key=key, caller="people")
            return _done(taken, replayed=taken.replayed, status=201)

        return work

    @spoken
    def hook(self, game: str, organiser: str, key: str) -> Any:
        owner = Owner(game, "", hashlib.sha256(organiser.encode()).hexdigest())

        async def work(desk: Desk, exchange: Exchange) -> Said:
            made, replayed = await desk.webhooks.create(owner, HOOK, key=key)
            return _done(made, replayed=replayed, status=201)

        return work

    @spoken
    def post(self, ruleset: str, kind: str, document: Mapping[str, Any], key: str) -> Any:
        async def work(desk: Desk, exchange: Exchange) -> Said:
            found = customs.checked(desk.games[ruleset], kind, dict(document))
            kept = await desk.writer.post_custom(found, listed=False, key=key, caller="people")
            return _done(kept, replayed=kept.replayed, status=201)

        return work

    @spoken
    def document(self, id: str) -> Any:
        async def work(desk: Desk, exchange: Exchange) -> Said:
            found = await desk.writer.custom(id)
            return _done(found) if found else _refusal(404, "resource.not-found", id)

        return work

    @spoken
    def follow(self, game: str, seat: str, token: str, after: int) -> Any:
        async def work(desk: Desk, exchange: Exchange) -> Said:
            done, over = after, False
            while not over:
                events = await desk.reader.events(game, seat or "public", done, 200)
                exchange.hear(b"".join(map(ndjson_frame, events)))
                if events:
                    done, over = events[-1].seq, events[-1].type == MasterOpened.TYPE
                elif await desk.reader.wait(game, done, PATIENCE) == done:
                    known = await desk.reader.summary(game)
                    over = known.status == "finished" and known.version == done
            return _done({"over": True}, status=204)

        return work


# --- the application -----------------------------------------------------------------------------

NDJSON = "application/x-ndjson"
LISTED = 6
"""Commands of a list that people read: each is worded and has its odds worked out."""


class AppVoice:
    """Sends requests to the ASGI application, as a server would."""

    def create(self, fields: Mapping[str, Any], key: str) -> Ask:
        return _http("POST", "/v1/games", {"idempotency-key": key}, msgspec.json.encode(fields))

    def summary(self, game: str) -> Ask:
        return _http("GET", f"/v1/games/{game}")

    def offer(self, game: str, seat: str, token: str, pick: float) -> Ask:
        listed = _http("GET", f"/v1/games/{game}/commands?limit={LISTED}", _bearer(token))

        async def ask(exchange: Exchange) -> Said:
            said = await listed(exchange)
            if said.code:
                return said
            items = said.told["items"]
            command = items[int(pick * len(items))]["command"] if items else None
            text = msgspec.json.encode(command).decode() if command is not None else ""
            return _done({"version": said.told["version"], "command": text})

        return ask

    def give(self, order: Order) -> Ask:
        headers = {
            **_bearer(order.token),
            "idempotency-key": order.key,
            "if-match": f'"{order.version}"',
        }
        for name, value in (("link", order.link), ("tip", order.tip)):
            if value is not None:
                headers[f"decklog-dice-{name}"] = value.hex()
        return _http("POST", f"/v1/games/{order.game}/commands", headers, order.command)

    def take(self, game: str, taking: TakeSeat, key: str) -> Ask:
        body = msgspec.json.encode(taking)
        return _http("POST", f"/v1/games/{game}/seats", {"idempotency-key": key}, body)

    def hook(self, game: str, organiser: str, key: str) -> Ask:
        headers = {"idempotency-key": key, **_bearer(organiser)}
        body = msgspec.json.encode(HOOK)
        return _http("POST", f"/v1/games/{game}/webhooks", headers, body)

    def fork(self, game: str, token: str, key: str) -> Ask:
        """A what-if game from where the game is; no concern of the desk's alone."""
        headers = {"idempotency-key": key, **_bearer(token)}
        return _http("POST", f"/v1/games/{game}/forks", headers, b"{}")

    def post(self, ruleset: str, kind: str, document: Mapping[str, Any], key: str) -> Ask:
        path, body = f"/v1/rulesets/{ruleset}/customs/{kind}", msgspec.json.encode(document)
        return _http("POST", path, {"idempotency-key": key}, body)

    def document(self, id: str) -> Ask:
        return _http("GET", f"/v1/customs/{id}")

    def follow(self, game: str, seat: str, token: str, after: int) -> Ask:
        headers = {"accept": NDJSON, **(_bearer(token) if seat else {})}
        return _http("GET", f"/v1/games/{game}/events?after={after}", headers)


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def _http(
    method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
) -> Ask:
    async def ask(exchange: Exchange) -> Said:
        served = _Served(exchange, body)
        scope = _scope(method, path, headers or {}, body)
        town = exchange.town
        began = town.world.now
        await exchange.worker.app(scope, served.receive, served.send)
        said = served.said()
        # Streams are not counted, also those that are over; and who is told to come again may
        # have been refused before anybody counted.
        if said.status != 429 and said.status < 500 and NDJSON not in (headers or {}).values():
            who = (headers or {}).get("authorization", "")
            town.admitted.setdefault(who, []).append((began, town.world.now))
        return said

    return ask


def _scope(method: str, path: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    path, _, query = path.partition("?")
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    if body:
        raw += [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
    return {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
        "path": path, "raw_path": quote(path).encode(), "query_string": query.encode(),
        "root_path": "", "scheme": "http", "headers": raw, "client": ("10.0.0.1", 1),
        "server": ("sim", 80), "state": {}, "extensions": {},
    }  # fmt: skip


class _Served:
    """What the application is told of a request, and what it says to it."""

    def __init__(self, exchange: Exchange, body: bytes) -> None:
        self._exchange, self._body = exchange, body
        self._sent = False
        self._status = 0
        self._headers: dict[str, str] = {}
        self._pieces: list[bytes] = []

    async def receive(self) -> dict[str, Any]:
        if not self._sent:
            self._sent = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        await self._exchange.gone
        return {"type": "http.disconnect"}

    async def send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = {k.decode(): v.decode() for k, v in message["headers"]}
        elif self.follows:
            self._exchange.hear(message.get("body", b""))
        else:
            self._pieces.append(message.get("body", b""))

    @property
    def follows(self) -> bool:
        """Whether it is a stream, which counts against no quota."""
        return self._headers.get("content-type", "").startswith(NDJSON)

    def said(self) -> Said:
        body = b"".join(self._pieces)
        told = msgspec.json.decode(body) if body else {}
        code = told["code"] if self._status >= 400 else ""
        replayed = self._headers.get("idempotency-replayed") == "true"
        return Said(self._status, code, body, told, replayed)

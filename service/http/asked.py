"""One request, and what all of them share: Litestar's own Request, with who asks and how to answer.

The guard of a route finds out who asks (:mod:`access`); handlers, their dependencies and the guard
have the same object. Nothing of it lies in ``request.state``, made anew by Litestar at each look.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Request

from domain.kernel.game import Game
from domain.kernel.values import PUBLIC, TRUTH, Seat, Viewer
from projections import svg
from projections.records import Rules
from service.desk import Desk
from service.errors import ServiceError
from service.http.feeds import Feeds
from service.http.limits import Limits
from service.http.pages import HTML
from service.models import GameSummary, Identity
from service.ops.logs import RequestIds
from service.ops.measures import Measures
from service.ops.metrics import Metrics
from service.problems import Explained, Refusal
from service.proxies import Proxies
from service.settings import Settings
from service.store.curbs import Curb
from service.views.rulesets import made_ready, pinned, playing
from service.views.views import not_found
from service.work.tasks import Task

from .accept import takes_gzip
from .decoding import decode_body
from .operation import ARCHIVE, JSON, YAML
from .reply import LARGE, Reply, coded, content_tag, matches, shown_tag, version_tag
from .streams import while_there

AnyGame = Game[Any, Any, Any]

_GAME_ID = re.compile(r"[0-9a-f]{32}")
_REMEMBERED = 10_000

ENCODER = msgspec.json.Encoder()

SMALLER = frozenset({JSON, HTML, YAML, "text/css", "text/javascript", svg.MEDIA, ARCHIVE})
"""What compression makes smaller; files in an archive of rules are stored as they are."""

NO_STORE = "no-store"


@dataclass
class Http:
    """What all requests of one application share.

    describe  makes the OpenAPI document's bytes, of one ruleset alone where it is named; of
              rulesets that are not ours that takes long
    refusals  reads the codes with which the rules of each ruleset refuse; the first call takes long
              (both are called in a thread)
    rule_titles  reads what the rules are called, by ID; whole rulebooks, so not before it is asked
    proxies   whose word on where a request comes from counts
    closing   set when streams have to end: the service stops, or is drained
    rules     by which each game is judged, as far as known: a command is read by those that decide
    measures  figures of the store
    shut      whether an operation that writes, in a game, is not done here: games out of files
    apart     whether its own pages alone may read what it tells: who reaches it sees everything
    desk, feeds  games, and what streams of the same game share; from ``opened`` on, which is
              before the first request
    """

    settings: Settings
    limits: Limits
    metrics: Metrics
    describe: Callable[..., bytes]
    refusals: Callable[[], Mapping[str, tuple[str, ...]]]
    explained: Callable[[str], Explained | None]
    rule_titles: Callable[[], Mapping[str, str]]
    proxies: Proxies
    request_ids: RequestIds
    shut: Callable[[str, str], bool] = lambda operation, game: False
    apart: bool = False
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    rules: OrderedDict[str, Rules] = field(default_factory=OrderedDict)
    measures: Measures = field(init=False)
    desk: Desk = field(init=False)
    feeds: Feeds = field(init=False)

    def opened(self, desk: Desk, measures: Measures) -> None:
        """The desk is open: requests may come."""
        self.desk, self.feeds, self.measures = desk, Feeds(desk.reader), measures


class Asked(Request[Any, Any, Any]):
    """One request, from its guard on.

    media   the form chosen for the answer
    caller  the scope of quotas, and of idempotency keys that come without a token
    address  of the caller, whoever he is
    acting  the seat that the token acts for, where the operation is a seat's; else ""
    pairs   what the query says, in order
    game    the game of the path, where the guard has looked at it already
    """

    http: Http
    fields: Mapping[str, str]
    media: str = JSON
    identity: Identity | None = None
    caller: str = ""
    address: str = ""
    acting: Seat = ""
    pairs: Sequence[tuple[str, str]] = ()
    game: GameSummary | None = None

    @property
    def desk(self) -> Desk:
        return self.http.desk

    @property
    def rules(self) -> Rules | None:
        """By which the request is judged, once that is known; in the scope, for refusals too."""
        return self.scope.get("decklog.rules")  # type: ignore[return-value]

    @rules.setter
    def rules(self, rules: Rules | None) -> None:
        self.scope["decklog.rules"] = rules  # type: ignore[typeddict-unknown-key]

    def read_fields(self) -> None:
        """What the head says, for Litestar too, whose own map costs three times as much.

        Of a field that is there twice the first counts.
        """
        self.fields = self._connection_state.headers = {  # type: ignore[assignment]
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in reversed([*self.scope["headers"]])
        }

    def take_query(self, judged: Mapping[str, Any]) -> None:
        """What the query says, typed: Litestar would read it anew, and refuses zeros before."""
        self._parsed_query = tuple(judged.items())

    def header(self, name: str) -> str:
        """A request header, the first of its name; "" when it is absent."""
        return self.fields.get(name, "")

    async def json(self) -> Any:
        """The body, for a handler that takes ``data``: strictly, where Litestar takes "7" for 7."""
        read: Reads = self.route_handler.opt.get("reads", strictly)
        return read(self, await self.body())

    async def work(self, task: Task) -> bytes:
        """What an expensive task makes, while the client is there, who is charged for it.

        Raises what :meth:`Office.do` raises, ``HungUp``.
        """
        charge = partial(self.http.limits.charge, self.caller, self.address, self.curb())
        working = self.desk.office.do(task, self.scope["decklog.origin"], charge)  # type: ignore[typeddict-item]
        return await while_there(self.receive, working)

    # Which game, as the caller may know it

    def looked(self, summary: GameSummary) -> None:
        """The answer names the newest head of the game that it is about: that of the path."""
        if summary.id == self.path_params.get("game"):
            self.scope["decklog.looked"] = (summary.version, summary.head)  # type: ignore[typeddict-unknown-key]

    def reached(self, version: int, head: str) -> None:
        """The answer is about what came to this head, and names no other, however late it is."""
        self.scope["decklog.reached"] = (version, head)  # type: ignore[typeddict-unknown-key]

    def game_id(self) -> str:
        """The game of the path; raises ``game.not-found`` for what cannot be an id."""
        game = str(self.path_params["game"])
        if not _GAME_ID.fullmatch(game):
            raise Refusal("game.not-found")
        return game

    async def summary_of(self, game: str, who: Identity | None) -> GameSummary:
        """A game; raises ``game.not-found``, also for a fork that is not ``who``'s own."""
        summary = await self.desk.reader.summary(game)
        if summary.fork is not None and (who is None or who.game != game):
            raise not_found(game)
        await made_ready(self.desk.games, summary)
        self.rules = summary.rules
        self.looked(summary)
        if summary.fork is None:
            known = self.http.rules
            known[summary.id] = summary.rules
            while len(known) > _REMEMBERED:
                known.popitem(last=False)
        return summary

    def played_by(self, rules: Rules) -> AnyGame:
        """The rules of a game, to look at it. Raises RulesetMissing."""
        return pinned(self.desk.games, rules, to_read=True)

    def played_in(self, summary: GameSummary) -> AnyGame:
        """A game by all rules that it had, to look at it. Raises RulesetMissing."""
        return playing(self.desk.games, summary, to_read=True)

    def curb(self) -> Curb | None:
        """What an operator lets the caller ask for in place of the usual."""
        token = self.identity.token_id if self.identity is not None else ""
        return self.desk.clerk.curbs.of(token, self.scope["decklog.origin"])  # type: ignore[typeddict-item]

    async def still_admitted(self) -> bool:
        """Whether the caller is let in still, and the token, if any, is still good."""
        token, curb = self.header("authorization").partition(" ")[2].strip(), self.curb()
        if curb is not None and curb.bans:
            return False
        return self.identity is None or await self.desk.reader.identify(token) is not None

    async def look(self, game: str) -> None:
        """See to it that a refusal names the head of the game too, where that can be read."""
        if "decklog.looked" not in self.scope:
            with suppress(ServiceError):
                await self.summary_of(game, self.identity)

    # How to answer

    def told(
        self,
        value: Any,
        *,
        version: int | None = None,
        tagged: bool = False,
        **more: Any,
    ) -> Reply:
        """``value`` as JSON: with the ETag of ``version``, or of its bytes when ``tagged``; of both
        where it is read.

        more  what :meth:`sent` takes
        """
        body = value if isinstance(value, bytes) else ENCODER.encode(value)
        tag = content_tag(body) if tagged else ""
        if version is not None:
            tag = shown_tag(version, body) if self.method == "GET" else version_tag(version)
        return self.sent(body, JSON, tag=tag, **more)

    def sent(
        self,
        body: bytes,
        media: str,
        *,
        status: int = 200,
        tag: str = "",
        headers: dict[str, str] | None = None,
        cache: str = "",
    ) -> Reply:
        """``body`` as it is; 304 without it when If-None-Match names ``tag`` on a GET."""
        reads = self.method == "GET"
        packed = reads and status == 200 and len(body) >= LARGE and self._packs(media)
        # What a token shows is kept nowhere; the rest may be kept and asked about.
        usual = NO_STORE if self.identity is not None else "no-cache"
        fields = {"Cache-Control": cache or usual, **(headers or {})}
        if tag:
            fields["ETag"] = coded(tag) if packed else tag
            known = self.header("if-none-match") if reads else ""
            if known and matches(known, tag):
                return Reply(304, headers=fields)
        return Reply(status, body, media, fields, packed=packed)

    def _packs(self, media: str) -> bool:
        """Whether such an answer, when it is large, goes out in gzip: who asks takes that."""
        smaller = media.split(";", maxsplit=1)[0] in SMALLER
        return smaller and takes_gzip(self.header("accept-encoding"))

    def gone(self) -> Reply:
        """There is nothing more to say."""
        return Reply(204, headers={"Cache-Control": NO_STORE})

    def next_link(self, cursor: str | None) -> dict[str, str]:
        """The Link header of the next page, with the other query parameters as they were."""
        if cursor is None:
            return {}
        query = {name: value for name, value in self.pairs if name != "after"}
        query["cursor"] = cursor
        return {"Link": f'<{self.url.path}?{urlencode(query)}>; rel="next"'}


Reads = Callable[[Asked, bytes], Any]
"""How a body is read, if not by the type that the handler says."""


def strictly(asked: Asked, body: bytes) -> Any:
    """By that type. Raises ``body.malformed``, ``body.invalid``."""
    route: Any = asked.route_handler
    return decode_body(route.decoder, body)


def own_eyes(who: Identity | None, summary: GameSummary) -> Viewer:
    """Who looks on: the token's seat in its own game, else the public.

    An auditor sees the truth once the game is opened.
    """
    if who is None or who.game != summary.id:
        return PUBLIC
    if summary.fork is not None:
        return who.seat or TRUTH
    if who.kind == "seat":
        return who.seat
    if who.kind == "auditor" and summary.opened:
        return TRUTH
    return PUBLIC

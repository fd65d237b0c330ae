"""One request on its way through an operation: who asks, with what, and how to answer."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from litestar import Request

from domain.kernel.game import Game
from domain.kernel.values import PUBLIC, TRUTH, Seat, Viewer
from projections import svg
from projections.records import Rules
from service.desk import Desk
from service.http.feeds import Feeds
from service.http.limits import Limits, address_key
from service.http.pages import HTML
from service.models import GameSummary, Identity
from service.ops.logs import RequestIds
from service.ops.metrics import Metrics
from service.problems import Refusal
from service.proxies import Proxies
from service.settings import Settings
from service.views.rulesets import pinned
from service.views.views import not_found
from service.work.tasks import Task

from .decoding import decode_body
from .operation import JSON, Operation
from .reply import LARGE, Reply, coded, content_tag, matches, plain, takes_gzip, version_tag
from .working import worked

T = TypeVar("T")
AnyGame = Game[Any, Any, Any]

_GAME_ID = re.compile(r"[0-9a-f]{32}")
_KEY = re.compile(r"[\x21-\x7e]{16,255}")
_TAG = re.compile(r'"[\x21\x23-\x7e]*"')
_VERSION = re.compile(r'"(?:0|[1-9][0-9]{0,15})"')
_LINK = re.compile(r"[0-9a-fA-F]{64}")
_CHARSET = re.compile(r"charset\s*=\s*\"?utf-8\"?", re.IGNORECASE)
_REMEMBERED = 10_000

SECRET = 32
"""Characters of a key that comes without a token, at least: 128 random bits in hexadecimal."""
DRAWN = "Draw it: 32 hexadecimal digits (openssl rand -hex 16), or a random UUID."

BODY_SECONDS = 5
"""Within which a body has to come, whole."""

ENCODER = msgspec.json.Encoder()

Body = bytes
"""``bytes``, where a method has that name."""

TEXTS = frozenset({JSON, HTML, "application/yaml", "text/css", "text/javascript", svg.MEDIA})
"""What compression makes smaller."""


@dataclass
class Http:
    """What all requests of one application share.

    document  the OpenAPI document's bytes
    decoders  of the commands of each ruleset
    refusals  reads the codes with which the rules of each ruleset refuse; the first call takes
              long, so that it is made in a thread
    rule_titles  what the rules are called, by ID
    proxies   whose word on where a request comes from counts
    closing   set when streams have to end because the service stops
    rules     by which each game is judged; they never change, so they are remembered
    desk, feeds  games, and what streams of the same game share; from ``opened`` on, which is
              before the first request
    """

    settings: Settings
    limits: Limits
    metrics: Metrics
    operations: tuple[Operation, ...]
    document: bytes
    decoders: Mapping[str, msgspec.json.Decoder[Any]]
    refusals: Callable[[], Mapping[str, tuple[str, ...]]]
    rule_titles: Mapping[str, str]
    proxies: Proxies
    request_ids: RequestIds
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    rules: OrderedDict[str, Rules] = field(default_factory=OrderedDict)
    desk: Desk = field(init=False)
    feeds: Feeds = field(init=False)

    def opened(self, desk: Desk) -> None:
        """The desk is open: requests may come."""
        self.desk, self.feeds = desk, Feeds(desk.reader)


@dataclass
class Call:
    """One request.

    media   the form chosen for the answer
    caller  the scope of quotas, and of idempotency keys that come without a token
    acting  the seat that the token acts for, where the operation is a seat's; else ""
    rules   by which the request is judged, as soon as that is known: of the game it is about
    """

    http: Http
    operation: Operation
    request: Request[Any, Any, Any]
    media: str = JSON
    identity: Identity | None = None
    caller: str = ""
    acting: Seat = ""
    query: Any = None
    rules: Rules | None = None
    _headers: Mapping[str, str] | None = field(default=None, init=False)

    @property
    def desk(self) -> Desk:
        return self.http.desk

    def header(self, name: str) -> str:
        """A request header; "" when it is absent."""
        if self._headers is None:  # Litestar looks them up anew each time that they are asked for
            self._headers = self.request.headers
        return self._headers.get(name, "")

    def param(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    # Who asks for what

    def game_id(self) -> str:
        """The game of the path; raises ``game.not-found`` for what cannot be an id."""
        game = self.param("game")
        if not _GAME_ID.fullmatch(game):
            raise Refusal("game.not-found")
        return game

    async def summary(self) -> GameSummary:
        """The game of the path; raises ``game.not-found``."""
        return await self.summary_of(self.game_id())

    async def summary_of(self, game: str) -> GameSummary:
        """A game; raises ``game.not-found``, also for a fork that is not the caller's own."""
        summary = await self.desk.reader.summary(game)
        if summary.fork is not None and (self.identity is None or self.identity.game != game):
            raise not_found(game)
        self._remember(summary)
        return summary

    async def ruleset(self, game: str) -> AnyGame:
        """The ruleset that ``game`` is played by."""
        return self.played_by(await self.judged_by(game))

    async def judged_by(self, game: str) -> Rules:
        """The rules by which ``game`` is judged."""
        known = self.http.rules.get(game)
        self.rules = (await self.summary_of(game)).rules if known is None else known
        return self.rules

    def played_by(self, rules: Rules) -> AnyGame:
        """The rules of a game. Raises RulesetMissing."""
        return pinned(self.desk.games, rules, to_read=True)

    def _remember(self, summary: GameSummary) -> None:
        self.rules = summary.rules
        if summary.fork is not None:
            return
        known = self.http.rules
        known[summary.id] = summary.rules
        while len(known) > _REMEMBERED:
            known.popitem(last=False)

    def viewer(self, summary: GameSummary) -> Viewer:
        """Who looks on: the token's seat in its own game, else the public.

        An auditor sees the truth once the game is finished.
        """
        who = self.identity
        if who is None or who.game != summary.id:
            return PUBLIC
        if summary.fork is not None:
            return who.seat or TRUTH
        if who.kind == "seat":
            return who.seat
        if who.kind == "auditor" and summary.status == "finished":
            return TRUTH
        return PUBLIC

    async def seat(self, game: str) -> Seat:
        """The seat that the token acts for; raises ``token.*`` or ``game.not-found``."""
        who = self.identity
        if who is None:
            raise Refusal("token.missing")
        if who.game != game:
            await self.summary_of(game)
            raise Refusal("token.wrong-game")
        if who.kind != "seat":
            raise Refusal("token.not-a-seat", f"The token is of kind {who.kind}.")
        return who.seat

    async def member(self, game: str) -> Seat:
        """The seat whose token it is, or "" for the organiser's; raises as ``seat`` does."""
        who = self.identity
        if who is not None and who.game == game and who.kind == "organiser":
            return ""
        try:
            return await self.seat(game)
        except Refusal as refusal:
            if refusal.code != "token.not-a-seat":
                raise
            raise Refusal("token.not-a-member", refusal.hint) from None

    async def still_admitted(self) -> bool:
        """Whether the token with which the request came is still good; without one, always."""
        token = self.header("authorization").partition(" ")[2].strip()
        return self.identity is None or await self.desk.reader.identify(token) is not None

    # What was sent

    def key(self) -> str:
        """The Idempotency-Key; raises ``idempotency.key-missing`` or ``-malformed``."""
        key = self.header("idempotency-key")
        if not key:
            raise Refusal("idempotency.key-missing")
        if not _KEY.fullmatch(key):
            raise Refusal("idempotency.key-malformed")
        if self.identity is None and len(key) < SECRET:
            said = (
                f"Without a token the key is the secret that opens the answer: {SECRET} characters."
            )
            raise Refusal("idempotency.key-malformed", said, hint=DRAWN)
        return key

    def expected(self) -> int:
        """The version that If-Match names; -1 for a tag that no version of a game can have."""
        header = self.header("if-match").strip()
        if not header:
            raise Refusal("precondition.required")
        if not _TAG.fullmatch(header):
            raise Refusal("precondition.malformed")
        header = plain(header)
        return int(header.strip('"')) if _VERSION.fullmatch(header) else -1

    def dice_link(self) -> bytes | None:
        """The seat's own dice link for its command, if it sent one."""
        return self._dice("Decklog-Dice-Link")

    def dice_tip(self) -> bytes | None:
        """The tip of the seat's next chain, if it sent one."""
        return self._dice("Decklog-Dice-Tip")

    def _dice(self, header: str) -> bytes | None:
        text = self.header(header.lower())
        if not text:
            return None
        if not _LINK.fullmatch(text):
            raise Refusal("dice-link.malformed", f"{header} is not 64 hexadecimal digits.")
        return bytes.fromhex(text)

    async def raw_body(self) -> bytes:
        """The body; raises ``content.unsupported``, ``body.too-large`` or ``body.too-slow``."""
        media, *parameters = self.header("content-type").split(";")
        if media.strip().lower() != JSON:
            raise Refusal("content.unsupported")
        if any("charset" in p.lower() and not _CHARSET.fullmatch(p.strip()) for p in parameters):
            raise Refusal("content.unsupported", "The body's charset is not UTF-8.")
        if self.header("content-encoding") not in ("", "identity"):
            raise Refusal("content.unsupported", "Compressed bodies are not taken.")
        try:
            async with asyncio.timeout(BODY_SECONDS):
                return await self.request.body()
        except TimeoutError:
            raise Refusal("body.too-slow", headers={"Connection": "close"}) from None

    async def body(self, decoder: msgspec.json.Decoder[T]) -> T:
        """The body, strictly decoded."""
        return decode_body(decoder, await self.raw_body())

    async def work(self, task: Task) -> Body:
        """What an expensive task makes. Raises what :meth:`Office.do` raises, ``HungUp``."""
        receive = self.request.receive
        return await worked(self.desk.office, self.request.scope, receive, task, self._charge)

    def _charge(self, seconds: float) -> None:
        scope: Any = self.request.scope
        self.http.limits.charge(self.caller, address_key(scope["decklog.origin"]), seconds)

    # How to answer

    def json(
        self,
        value: Any,
        *,
        status: int = 200,
        version: int | None = None,
        tagged: bool = False,
        headers: dict[str, str] | None = None,
        cache: str = "",
    ) -> Reply:
        """``value`` as JSON: with the ETag of ``version``, or of its bytes when ``tagged``."""
        body = value if isinstance(value, bytes) else ENCODER.encode(value)
        tag = version_tag(version) if version is not None else content_tag(body) if tagged else ""
        return self.bytes(body, JSON, status=status, tag=tag, headers=headers, cache=cache)

    def bytes(
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
        packed = self._is_compressed(status, body, media)
        fields = {"Cache-Control": cache or self._caching(), **(headers or {})}
        if tag:
            fields["ETag"] = coded(tag) if packed else tag
            header = self.header("if-none-match")
            if header and self.operation.method == "GET" and matches(header, tag):
                return Reply(304, headers=fields)
        return Reply(status, body, media, fields, packed=packed)

    def _is_compressed(self, status: int, body: Body, media: str) -> bool:
        """Whether the answer goes out in gzip: it is large, of text, and the caller takes it."""
        if status != 200 or len(body) < LARGE or media.split(";", maxsplit=1)[0] not in TEXTS:
            return False
        return self.operation.method == "GET" and takes_gzip(self.header("accept-encoding"))

    def _caching(self) -> str:
        """What a token shows is kept nowhere; the rest may be kept and asked about."""
        return "no-store" if self.identity is not None else "no-cache"

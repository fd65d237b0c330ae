"""Thousands of requests and what is answered, byte for byte: to be compared before and after.

``python -m tests.campaigns.corpus --write FILE`` keeps status, header fields and the digest of the
body of every answer; ``--compare FILE`` asks the same again and prints what is answered otherwise.
Time and chance are held still, so that two runs of the same service are equal. The requests are
those that the document's examples are recorded by, in every ruleset, with what fails among them;
then each of them again with one thing wrong, or two: which of the two is refused is a promise.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx

from domain.kernel.finder import games as installed
from domain.kernel.game import Game
from service.app import create_app
from service.clock import FixedClock
from service.entropy import drawn
from service.openapi import record
from service.openapi.recorder import Recorder
from service.settings import Settings
from tests.support.pennant import GAME as PENNANT

AnyGame = Game[Any, Any, Any]

JSON = "application/json"
WANTED = 3_600
SHOWN = 400
NEVER = ("/metrics",)
"""What is answered otherwise each time: counters of time."""


class Counted:
    """Bytes that nobody can foresee but whoever counts along.

    Counted by who draws how many: of two threads, either may be the first.
    """

    def __init__(self) -> None:
        self._drawn: Counter[tuple[int, str]] = Counter()
        self._lock = threading.Lock()

    def draw(self, count: int) -> bytes:
        frame = sys._getframe(1)
        if frame.f_code.co_name == drawn.__name__ and frame.f_back:
            frame = frame.f_back
        asking = frame.f_code.co_qualname
        with self._lock:
            self._drawn[count, asking] += 1
            number = self._drawn[count, asking]
        text = f"corpus {count} {asking} {number}"
        return hashlib.shake_256(text.encode()).digest(count)


class Still(FixedClock):
    """A clock that stands still altogether, so that quotas are told alike."""

    def monotonic(self) -> float:
        return 1_000.0


@dataclass(frozen=True)
class Asked:
    """A request."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def field(self, name: str) -> str:
        return dict(self.headers).get(name, "")

    def having(self, name: str, value: str | None) -> Asked:
        """With that header field, or without it."""
        kept = tuple(pair for pair in self.headers if pair[0] != name)
        return replace(self, headers=kept if value is None else (*kept, (name, value)))

    def asking(self, more: str) -> Asked:
        """With more in its query."""
        return replace(self, path=f"{self.path}{'&' if '?' in self.path else '?'}{more}")


@dataclass
class Service:
    """An application that is asked, and what it answered."""

    app: Any
    answers: list[str] = field(default_factory=list)
    asked: list[tuple[Asked, int]] = field(default_factory=list)

    async def ask(self, request: Asked) -> tuple[int, dict[str, str], bytes]:
        """One request by ASGI itself: nothing between changes a byte."""
        path, _, query = request.path.partition("?")
        raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in request.headers]
        scope: dict[str, Any] = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1",
            "method": request.method, "scheme": "http", "path": httpx.URL(path).path,
            "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(b"host", b"service"), *raw], "client": ("192.0.2.1", 999),
            "server": ("service", 80), "state": {},
        }  # fmt: skip
        sent: list[Any] = []
        waiting = asyncio.Event()
        parts = iter([{"type": "http.request", "body": request.body, "more_body": False}])

        async def receive() -> Any:
            for part in parts:
                return part
            await waiting.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        head = sent[0]
        body = b"".join(part.get("body", b"") for part in sent[1:])
        fields = {name.decode(): value.decode("latin-1") for name, value in head["headers"]}
        self._keep(request, head, body)
        return head["status"], fields, body

    def _keep(self, request: Asked, head: Any, body: bytes) -> None:
        if request.path.startswith(NEVER):
            return
        told = {
            "asked": [request.method, request.path, list(request.headers)],
            "body": hashlib.sha256(request.body).hexdigest()[:16],
            "status": head["status"],
            "fields": sorted([n.decode().lower(), v.decode("latin-1")] for n, v in head["headers"]),
            "answer": hashlib.sha256(body).hexdigest(),
            "begins": body[:300].decode("utf-8", "replace"),
        }
        self.answers.append(json.dumps(told, sort_keys=True))
        self.asked.append((request, head["status"]))


class Through(httpx.AsyncBaseTransport):
    """How the recorder of examples asks."""

    def __init__(self, service: Service) -> None:
        self.service = service

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = await request.aread()
        wanted = ("authorization", "accept", "content-type", "idempotency-key", "if-match",
                  "decklog-dice-link", "decklog-dice-tip", "decklog-signature", "decklog-tokens",
                  "if-none-match")  # fmt: skip
        kept = tuple((n, v) for n, v in request.headers.items() if n in wanted and v != "*/*")
        asked = Asked(request.method, request.url.raw_path.decode(), kept, body)
        status, fields, answer = await self.service.ask(asked)
        return httpx.Response(status, headers=fields, content=answer, request=request)


Change = Callable[[Asked], Asked]


def _header(name: str, value: str | None) -> Change:
    return lambda asked: asked.having(name, value)


def _query(text: str) -> Change:
    return lambda asked: asked.asking(text)


def _body(text: bytes) -> Change:
    return lambda asked: replace(asked, body=text)


def _method(name: str) -> Change:
    return lambda asked: replace(asked, method=name)


def _inside(name: str, value: Any) -> Change:
    """A field of the body that is not as it should be."""

    def change(asked: Asked) -> Asked:
        try:
            body = json.loads(asked.body)
        except ValueError:
            return replace(asked, body=b"[]")
        if not isinstance(body, dict):
            return asked
        return replace(asked, body=json.dumps({**body, name: value}).encode())

    return change


def _repeated(asked: Asked) -> Asked:
    query = asked.path.partition("?")[2] or "limit=1"
    return asked.asking(f"{query}&{query.partition('&')[0]}")


def _longer(text: str) -> Change:
    def change(asked: Asked) -> Asked:
        path, mark, query = asked.path.partition("?")
        return replace(asked, path=f"{path}{text}{mark}{query}")

    return change


def _elsewhere(asked: Asked) -> Asked:
    """Of a game that is not there."""
    parts = asked.path.split("/")
    if len(parts) > 3 and parts[2] == "games":
        rest, mark, query = parts[3].partition("?")
        parts[3] = f"{'0' * len(rest)}{mark}{query}"
    return replace(asked, path="/".join(parts))


ANY: dict[str, Change] = {
    "head": _method("HEAD"),
    "put": _method("PUT"),
    "options": _method("OPTIONS"),
    "delete": _method("DELETE"),
    "origin": lambda asked: replace(asked.having("origin", "https://x.example"), method="OPTIONS"),
    "image": _header("accept", "image/png"),
    "q0": _header("accept", "application/json;q=0, */*;q=0.1"),
    "never": _header("accept", "*/*;q=0"),
    "html": _header("accept", "text/html, */*;q=0.1"),
    "text": _header("accept", "text/plain"),
    "ndjson": _header("accept", "application/x-ndjson"),
    "gzip": _header("accept-encoding", "gzip"),
    "gzip0": _header("accept-encoding", "gzip;q=0"),
    "no token": _header("authorization", None),
    "bad token": _header("authorization", "Bearer dl_seat_nobody"),
    "basic": _header("authorization", "Basic eHg6eHg="),
    "any tag": _header("if-none-match", "*"),
    "old tag": _header("if-none-match", 'W/"1", "2"'),
    "id": _header("x-request-id", "a-request-id-of-mine"),
    "slash": _longer("/"),
    "deeper": _longer("/none"),
    "coded": _longer("%2Fx"),
    "unknown": _query("zz=1"),
    "repeated": _repeated,
    "empty": _query("limit="),
    "limit": _query("limit=0"),
    "small": _query("limit=2"),
    "zeros": _query("limit=007"),
    "early zeros": _query("at=02"),
    "float": _query("limit=1e2"),
    "cursor": _query("cursor=!!"),
    "other cursor": _query("cursor=MTA"),
    "far": _query("at=999999"),
    "early": _query("at=1"),
    "text at": _query("at=one"),
    "truth": _query("as=truth"),
    "public": _query("as=public"),
    "nobody": _query("as=p9"),
    "wrong as": _query("as=P-9"),
    "after": _query("after=3"),
    "after far": _query("after=99999"),
    "still": _query("follow=false"),
    "maybe": _query("follow=maybe"),
    "digest": _query(f"digest={'0' * 64}"),
    "ruleset": _query("ruleset=chess"),
    "last": _header("last-event-id", "2"),
    "bad last": _header("last-event-id", "two"),
    "elsewhere": _elsewhere,
}
"""What may be wrong with any request."""

SENT: dict[str, Change] = {
    "no key": _header("idempotency-key", None),
    "short key": _header("idempotency-key", "short"),
    "no version": _header("if-match", None),
    "any version": _header("if-match", "*"),
    "old version": _header("if-match", '"1"'),
    "no such version": _header("if-match", '"never"'),
    "packed version": _header("if-match", '"1-gzip"'),
    "bad link": _header("decklog-dice-link", "xyz"),
    "no link": _header("decklog-dice-link", ""),
    "link": _header("decklog-dice-link", "ab" * 32),
    "bad tip": _header("decklog-dice-tip", "12"),
    "no type": _header("content-type", None),
    "form": _header("content-type", "application/x-www-form-urlencoded"),
    "latin": _header("content-type", "application/json; charset=latin-1"),
    "utf": _header("content-type", 'application/json; charset="UTF-8"'),
    "packed": _header("content-encoding", "gzip"),
    "nothing": _body(b""),
    "cut": _body(b"{"),
    "no text": _body(b'{"type":"\xff"}'),
    "twice": _body(b'{"a":1,"a":2}'),
    "deep": _body(b"[" * 40 + b"]" * 40),
    "null": _body(b"null"),
    "large": _body(b'{"a":"' + b"x" * 300_000 + b'"}'),
    "long": _body(b'{"a":"' + b"x" * 5_000 + b'"}'),
    "half": _inside("name", 1.5),
    "surprise": _inside("surprise", 1),
    "nothing in it": _inside("type", None),
    "no ruleset": _inside("ruleset", "chess"),
    "not text": _inside("name", "\ud800"),
    "number": _inside("deadline", "60"),
    "seats": _inside("seats", [{"seat": "p1", "hold": "keep", "bad": 1}]),
}
"""What may be wrong with what is posted."""

RISKY = "/v1/token"
"""Not asked again: what it does would be felt by all that come after it."""


def wrong(asked: list[Asked], many: int, seed: str | int = 25) -> list[Asked]:
    """The requests again, each with one thing wrong or two, in an order of chance."""
    chance = random.Random(seed)
    first: dict[str, list[Asked]] = {}
    for each in asked:
        parts = each.path.partition("?")[0].split("/")
        shape = "/".join(part if len(part) < 30 else "*" for part in parts)
        first.setdefault(f"{each.method} {shape}", []).append(each)
    found: list[Asked] = []
    shapes = sorted(first)
    while len(found) < many:
        for shape in shapes:
            posted = shape.startswith("POST")
            for _ in range(1 + 2 * posted):
                base = chance.choice(first[shape])
                ways = SENT if posted and chance.random() < 0.7 else ANY
                if posted and chance.random() < 0.5:
                    base = base.having("idempotency-key", f"key-{chance.getrandbits(128):032x}")
                for change in chance.sample(sorted(ways), k=chance.choice((1, 1, 2, 3))):
                    base = ways[change](base)
                if base.path.partition("?")[0].rstrip("/") != RISKY:
                    found.append(base)
    return found[:many]


@asynccontextmanager
async def opened(
    ruleset: AnyGame, folder: Path, kind: type[Service] = Service, **more: Any
) -> AsyncIterator[tuple[Any, Recorder]]:
    """A service with that ruleset, and who records the document's examples by it."""
    settings = Settings(
        database=folder / f"{ruleset.ruleset}.sqlite", chain_length=256, webhook_seconds=0,
        log_level="CRITICAL", stream_ping=1, **more,
    )  # fmt: skip
    entropy = Counted()
    app = create_app(
        settings, {ruleset.ruleset: ruleset}, Still(record.NOON),
        vault=record.SeedOnly(settings.chain_length, entropy),
        resolving=record._addresses, proving=record._agrees, entropy=entropy,
    )  # fmt: skip
    service = kind(app)
    async with app.lifespan():
        client = httpx.AsyncClient(transport=Through(service), base_url="http://service")
        yield service, Recorder(client, ruleset.ruleset)


async def examples(ruleset: AnyGame, recorder: Recorder) -> str:
    """Ask all that the document's examples are recorded by; what they lack, of this ruleset."""
    await record._reading(recorder)
    if ruleset.customs:
        await record._own_documents(recorder, ruleset)
    try:
        await record._playing(recorder)
    except RuntimeError as unlike:  # the example shows less than the document wants
        return str(unlike)
    return ""


async def recorded(ruleset: AnyGame, folder: Path, many: int) -> list[str]:
    """What a service with that ruleset answers."""
    async with opened(ruleset, folder) as (service, recorder):
        if lack := await examples(ruleset, recorder):
            print(f"{ruleset.ruleset}: {lack[:60]}...")
        for path in ("/", "/docs", "/docs/bots", "/docs/reference", "/docs/assets/reference.js",
                     "/pages/none.js", "/openapi.json", "/openapi.yaml", "/metrics"):  # fmt: skip
            await service.ask(Asked("GET", path))
        kept = [each for each, _ in service.asked]
        for each in wrong(kept, many):
            await asyncio.wait_for(service.ask(ending(each)), 60)
    statuses = Counter(status for _, status in service.asked)
    print(f"{ruleset.ruleset}: {len(service.answers)} requests, {dict(sorted(statuses.items()))}")
    answers: list[str] = service.answers
    return answers


def ending(asked: Asked) -> Asked:
    """A stream that is asked for has to end."""
    accepted = asked.field("accept")
    streams = any(each in accepted for each in ("ndjson", "event-stream", "json;q=0"))
    if streams and "/events" in asked.path and "follow" not in asked.path:
        return asked.asking("follow=false")
    return asked


async def everything() -> list[str]:
    """All of it: a part for each ruleset."""
    rulesets = {**installed(), PENNANT.ruleset: PENNANT}
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for _, ruleset in sorted(rulesets.items()):
            found += await recorded(ruleset, Path(folder), WANTED // len(rulesets))
    return found


def _otherwise(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """A request, and what of its answer is not as it was."""
    fields = [[f"{n}: {v}" for n, v in each["fields"]] for each in (old, new)]
    return [
        f"{new['asked'][0]} {new['asked'][1]} {dict(new['asked'][2])}",
        f"  - {old['status']} {set(fields[0]) - set(fields[1])} {old['begins'][:200]}",
        f"  + {new['status']} {set(fields[1]) - set(fields[0])} {new['begins'][:200]}",
    ]


def main(arguments: list[str]) -> int:
    """0 when all is answered as it was."""
    parser = argparse.ArgumentParser(prog="tests.campaigns.corpus", description=__doc__)
    parser.add_argument("--write", type=Path, help="keep what is answered")
    parser.add_argument("--compare", type=Path, help="a file that was kept")
    options = parser.parse_args(arguments)
    now = asyncio.run(everything())
    if options.write:
        options.write.write_text("\n".join(now) + "\n")
    if not options.compare:
        return 0
    before = options.compare.read_text().splitlines()
    other = [(a, b) for a, b in zip(before, now, strict=False) if a != b]
    for old, new in other[:SHOWN]:
        print("\n".join(_otherwise(json.loads(old), json.loads(new))))
    print(f"{len(other)} of {len(now)} are answered otherwise; there were {len(before)}")
    return int(bool(other) or len(before) != len(now))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

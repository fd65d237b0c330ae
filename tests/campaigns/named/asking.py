"""Requests that are not as they should be, and requests that are sent again.

All go to a real application by ASGI, in one of the rulesets by turns, after the document's examples
were recorded on it.
"""

from __future__ import annotations

import asyncio
import logging
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx

from domain.kernel.finder import games as installed
from tests.campaigns.corpus import Asked, Service, ending, examples, opened, wrong
from tests.support.contract import Contract
from tests.support.pennant import GAME as PENNANT

from .pieces import Done

REQUESTS = 500
"""Of a piece."""
PATIENCE = 60
"""Seconds within which a request is answered."""
WORDS = (b"\x00", b"\xff", b"{", b"[", b'"', b"\\ud800", b"1e999", b"-0", b"null", b"  ", b"\xc3(")
HEADERS = ("authorization", "if-match", "idempotency-key", "accept", "content-type")


NO_QUOTAS: dict[str, Any] = {"rate_limit": 0}


def ruleset_of(number: int) -> Any:
    rulesets = {**installed(), PENNANT.ruleset: PENNANT}
    return rulesets[sorted(rulesets)[number % len(rulesets)]]


@contextmanager
def unlogged() -> Iterator[None]:
    """No log: what a service says of wrong requests is long. Whoever logs afterwards is heard."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


# --- made up -------------------------------------------------------------------------------------


def fuzzed(number: int) -> Done:
    """Requests with one thing wrong or several: answered as the document says, never with 500."""
    with unlogged():
        return asyncio.run(_fuzzed(number))


async def _fuzzed(number: int) -> Done:
    failures: list[str] = []
    choose, ruleset = random.Random(f"requests {number}"), ruleset_of(number)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(ruleset, Path(folder), **NO_QUOTAS) as (service, recorder):
            await examples(ruleset, recorder)
            _, _, document = await service.ask(Asked("GET", "/openapi.json"))
            contract = Contract.of(document)
            base = wrong([each for each, _ in service.asked], REQUESTS, f"requests {number}")
            for asked in base:
                made = ending(noisy(asked, choose))
                if why := await judged(service, contract, made):
                    failures.append(f"{made}: {why}")
    return Done(len(base), failures)


def noisy(asked: Asked, choose: random.Random) -> Asked:
    """One request in two has bytes of any kind in its body, in a header field or in its path."""
    match choose.randrange(6):
        case 0 if asked.body:
            return replace(asked, body=_mangled(asked.body, choose))
        case 1:
            name = choose.choice(HEADERS)
            text = _mangled(asked.field(name).encode("latin-1"), choose).decode("latin-1")
            return asked.having(name, text)
        case 2:
            name = choose.choice(("as", "at", "limit", "q"))
            return asked.asking(f"{name}=%{choose.randrange(99):02}")
        case _:
            return asked


def _mangled(data: bytes, choose: random.Random) -> bytes:
    for _ in range(choose.choice((1, 1, 2, 4))):
        low, high = sorted((choose.randint(0, len(data)), choose.randint(0, len(data))))
        put = choose.choice((choose.choice(WORDS), choose.randbytes(2), b"", data[low:high] * 2))
        data = data[:low] + put + data[high:]
    return data


async def judged(service: Service, contract: Contract, asked: Asked) -> str:
    """What is wrong with an answer; "": nothing. A slash at the end is as good as none."""
    try:
        status, fields, body = await asyncio.wait_for(service.ask(asked), PATIENCE)
        if status >= 500:
            return f"{status} {body[:300]!r}"
        path, mark, query = asked.path.partition("?")
        url = httpx.URL(f"http://service{path.rstrip('/') or '/'}{mark}{query}")
        sent = [(name.encode(), text.encode("latin-1")) for name, text in asked.headers]
        request = httpx.Request(asked.method, url, headers=sent, content=asked.body)
        contract.check(httpx.Response(status, headers=fields, content=body, request=request))
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:1500]
    return ""


# --- sent again ----------------------------------------------------------------------------------


@dataclass
class Repeating(Service):
    """After each request every earlier one that has a key is sent again: the answer is the first,
    byte for byte. What was done to a webhook that is deleted since is not asked for again: 404.

    contract  says which operations take a key
    first     what was answered to each
    operations  which the requests were for
    repeats   how many were sent again
    wrong     which were answered otherwise
    """

    contract: Contract | None = None
    first: dict[Asked, tuple[int, bytes]] = field(default_factory=dict)
    operations: set[str] = field(default_factory=set)
    repeats: int = 0
    wrong: list[str] = field(default_factory=list)

    async def ask(self, request: Asked) -> tuple[int, dict[str, str], bytes]:
        status, fields, body = await super().ask(request)
        if self.contract and status < 300 and keyed(self.contract, request):
            self.first.setdefault(request, (status, body))
            self.operations.add(operation_of(self.contract, request)["operationId"])
        if request.method == "DELETE" and status < 300:
            gone = f"{request.path}/"
            self.first = {e: told for e, told in self.first.items() if not e.path.startswith(gone)}
        for each, before in self.first.items():
            again, told, text = await super().ask(each)
            self.repeats += 1
            if (again, text) != before or told.get("idempotency-replayed") != "true":
                told_now = f"{again} {text[:200]!r}"
                self.wrong.append(f"{each.path} after {request.path}: {told_now}")
        return status, fields, body


def operation_of(contract: Contract, asked: Asked) -> Any:
    """What the document says of the operation that is asked for."""
    return contract._operation(asked.path.partition("?")[0], asked.method.lower()) or {}


def keyed(contract: Contract, asked: Asked) -> bool:
    """Whether the document says that the request may be sent again with its key."""
    said = str(operation_of(contract, asked).get("parameters"))
    return bool(asked.field("idempotency-key")) and "dempotency" in said


def repeated(number: int) -> Done:
    """One ruleset: each request that takes a key is repeated after every later request."""
    with unlogged():
        return asyncio.run(_repeated(number))


async def _repeated(number: int) -> Done:
    ruleset = ruleset_of(number)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(ruleset, Path(folder), Repeating, **NO_QUOTAS) as (service, recorder):
            document = (await service.ask(Asked("GET", "/openapi.json")))[2]
            service.contract = Contract.of(document)
            await examples(ruleset, recorder)
    figures = {"repeats": [service.repeats], "operations": [len(service.operations)]}
    return Done(1, service.wrong, figures)

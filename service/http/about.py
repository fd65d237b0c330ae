"""The service itself: what it is, whether it works, its document, its pages, its problems."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec
from litestar import Controller, Response

from service.build import commit, service_version
from service.clock import stamp
from service.http import pages
from service.log.proof import encoded
from service.ops.metrics import MEDIA
from service.problems import KINDS, RULES_COME_AFTER, Explained, FieldError, Kind, Refusal
from service.publishing.public import PublicLog

from .access import anybody
from .asked import NO_STORE, Asked, Http
from .operation import JSON, YAML, tells
from .parameters import ProblemCode, SliceName
from .reply import Reply, content_tag
from .routes import get
from .wire import Health, LogCheckpoint, ProblemList, ServiceInfo, ServiceLimits, ruleset_info

TAG = "service"
VALIDATORS = "validators"
PROMETHEUS = "text/plain"
PAGE_HEADERS = {"Content-Security-Policy": pages.POLICY}


class State(Controller):
    """Whether the service works."""

    tags = (TAG,)

    @get(
        "/healthz",
        summary="Is it alive",
        guards=[anybody(counted=False)],
        opt=tells("Alive."),
    )
    async def get_health(self, request: Asked) -> Response[Health]:
        """Answers as long as the process does."""
        return request.told(Health(status="up", parts={}), cache=NO_STORE)

    @get(
        "/readyz",
        summary="Is it ready",
        guards=[anybody(counted=False)],
        opt=tells("Ready.", problems=("service.not-ready",)),
    )
    async def get_readiness(self, request: Asked) -> Response[Health]:
        """Whether engine and store work, the store takes writes, processes can be had for what is
        expensive, and the service is not stopping, nor drained by an operator.
        """
        http, draining = request.http, request.desk.clerk.presence.draining
        parts = {**await request.desk.ready(), "running": not http.closing.is_set()}
        failed = [name for name, works in parts.items() if not works]
        if failed:
            raise Refusal(
                "service.not-ready",
                f"Not working: {', '.join(failed)}{' (drained)' * draining}.",
                errors=tuple(
                    FieldError(f"#{name}", "not-working", "does not work") for name in failed
                ),
            )
        return request.told(Health(status="ready", parts=parts), cache=NO_STORE)

    @get(
        "/metrics",
        summary="Counters",
        guards=[anybody(counted=False)],
        opt=tells("The counters.", media=(PROMETHEUS,)),
    )
    async def get_metrics(self, request: Asked) -> Response[bytes]:
        """Prometheus text: requests and their duration by route, commands, conflicts, the engine's
        groups, commits, streams and projections with their lag, and which parts work. Of this
        worker alone; no counter names a game or a seat.
        """
        request.http.metrics.works(await request.desk.ready())
        await request.http.measures.refresh()
        return request.sent(request.http.metrics.text(), MEDIA, cache=NO_STORE)

    @get(
        "/openapi.json",
        summary="The document",
        guards=[anybody(counted=False)],
        opt=tells("The document.", "ETag", schema="Document"),
    )
    async def get_openapi_json(self, request: Asked) -> Response[bytes]:
        """This document: the same bytes as `openapi/openapi.json` in the source."""
        return await _document(request)

    @get(
        "/openapi.yaml",
        summary="The document for YAML readers",
        guards=[anybody(counted=False)],
        opt=tells("The document.", "ETag", media=(YAML,), schema="Document"),
    )
    async def get_openapi_yaml(self, request: Asked) -> Response[bytes]:
        """The same bytes as `/openapi.json`: every JSON text is YAML 1.2."""
        return await _document(request)

    @get(
        "/openapi/{document:str}",
        summary="The document of one ruleset",
        guards=[anybody(counted=False)],
        opt=tells("The document.", "ETag", schema="Document", problems=("resource.not-found",)),
    )
    async def get_ruleset_openapi(self, request: Asked, document: SliceName) -> Response[bytes]:
        """The document as a service with that ruleset alone has it: every operation, and of the
        types of rulesets its own, under the same names. For clients of one game. As
        `validators.json` the whole document for strict validators: without `discriminator` in
        unions that have a branch for what is newer, which they would refuse.
        """
        name = document.removesuffix(".json")
        if name not in (*request.desk.games, VALIDATORS) or name == document:
            raise Refusal("resource.not-found", "No such ruleset is on offer.")
        return await _document(request, name)

    @get(
        "/problems",
        summary="List the problems",
        guards=[anybody()],
        opt=tells("The problems.", "ETag", media=(JSON, pages.HTML)),
    )
    async def list_problems(self, request: Asked) -> Response[ProblemList]:
        """Every refusal of the service in order of precedence: of several that fit a request, the
        first one is given. Refusals by the rules come in after `rulesComeAfter`.
        """
        rules = await asyncio.to_thread(rule_codes, request.http)
        if request.media == pages.HTML:
            return _page(request, pages.problems_page(KINDS, RULES_COME_AFTER, rules))
        body = ProblemList(items=KINDS, rules_come_after=RULES_COME_AFTER, rules=rules)
        return request.told(body, tagged=True)

    @get(
        "/problems/{code:str}",
        summary="Explain a problem",
        guards=[anybody()],
        opt=tells(
            "The problem.", "ETag", media=(JSON, pages.HTML), problems=("resource.not-found",)
        ),
    )
    async def get_problem(self, request: Asked, code: ProblemCode) -> Response[Kind]:
        """The meaning of a problem code and its remedy: the `type` of every problem leads here."""
        found = await asyncio.to_thread(explained_of, request.http, code)
        if request.media == pages.HTML:
            document = await asyncio.to_thread(request.http.describe)
            return _page(request, pages.problem_page(found, _examples(document)[code]))
        return request.told(found.kind, tagged=True)

    @get(
        "/v1",
        summary="Show the service",
        guards=[anybody()],
        opt=tells("The service.", "ETag", problems=("store.unavailable",)),
    )
    async def get_service(self, request: Asked) -> Response[ServiceInfo]:
        """Name, version, commit, limits, rulesets, what the operator announces; key and newest
        checkpoint of its public log.
        """
        settings, log = request.http.settings, request.desk.public_log
        info = ServiceInfo(
            name="Decklog",
            version=service_version(),
            commit=commit(),
            log_key=str(log.key) if log else "",
            checkpoint=await request.desk.threads.read(_newest, log) if log else None,
            announcement=request.desk.clerk.announced,
            limits=ServiceLimits(
                body_bytes=settings.body_limit,
                json_depth=settings.json_depth,
                page=settings.page_limit,
                requests_a_minute=settings.rate_limit,
                streams=settings.stream_limit,
                parallel=settings.parallel_limit,
                unplayed_days=settings.unplayed_days,
                fork_days=settings.fork_days,
                document_days=settings.document_days,
            ),
            rulesets=tuple(ruleset_info(game) for game in request.desk.games.values()),
        )
        return request.told(info, tagged=True)


def _newest(log: PublicLog) -> LogCheckpoint | None:
    found = log.newest()
    if found is None:
        return None
    size, root = found.checkpoint.size, encoded(found.checkpoint.root)
    return LogCheckpoint(size, root, stamp(datetime.fromtimestamp(found.at, UTC)))


async def _document(asked: Asked, *ruleset: str) -> Reply:
    document = await asyncio.to_thread(asked.http.describe, *ruleset)
    return asked.sent(document, asked.media, tag=content_tag(document))


def _page(asked: Asked, body: bytes) -> Reply:
    media = f"{pages.HTML}; charset=utf-8"
    return asked.sent(body, media, tag=content_tag(body), headers=dict(PAGE_HEADERS))


@lru_cache(maxsize=4)
def _examples(document: bytes) -> dict[str, Any]:
    """The problems that the document shows, by code."""
    found = msgspec.json.decode(document)
    shown = {**found["components"]["examples"], **found["x-unrouted"]}
    return {code: example["value"] for code, example in shown.items()}


def rule_codes(http: Http) -> dict[str, tuple[str, ...]]:
    """The codes with which rules refuse, by ruleset."""
    return dict(sorted(http.refusals().items()))


def explained_of(http: Http, code: str) -> Explained:
    """The refusal of that code, of the service or of rules; raises ``resource.not-found``."""
    found = http.explained(code)
    if found is None:
        raise Refusal("resource.not-found", "No refusal has this code.")
    return found

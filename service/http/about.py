"""The service itself: what it is, whether it works, its document, its pages, its problems."""

from __future__ import annotations

import asyncio
import os
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec

from service.http import pages
from service.ops.metrics import MEDIA
from service.problems import (
    BY_CODE,
    KINDS,
    RULES_COME_AFTER,
    FieldError,
    Kind,
    Refusal,
    status_of,
    title_from,
)

from .call import Call, Http
from .operation import JSON, Answer, Operation, json_answer
from .reply import Reply, content_tag
from .wire import Health, ProblemList, ServiceInfo, ServiceLimits, ruleset_info

TAG = "service"
YAML = "application/yaml"
PROMETHEUS = "text/plain"
PAGE_HEADERS = {"Content-Security-Policy": pages.POLICY}


@lru_cache(maxsize=1)
def service_version() -> str:
    """The installed version of Decklog; read from the disk once."""
    try:
        return version("decklog")
    except PackageNotFoundError:
        return "0+unknown"


async def get_service(call: Call) -> Reply:
    settings = call.http.settings
    info = ServiceInfo(
        name="Decklog",
        version=service_version(),
        commit=os.environ.get("DECKLOG_COMMIT", ""),
        log_key="",
        limits=ServiceLimits(
            body_bytes=settings.body_limit,
            json_depth=settings.json_depth,
            page=settings.page_limit,
            requests_a_minute=settings.rate_limit,
            streams=settings.stream_limit,
            parallel=settings.parallel_limit,
            fork_days=settings.fork_days,
            document_days=settings.document_days,
        ),
        rulesets=tuple(ruleset_info(game) for game in call.desk.games.values()),
    )
    return call.json(info, tagged=True)


async def get_health(call: Call) -> Reply:
    return call.json(Health(status="up", parts={}), cache="no-store")


async def get_readiness(call: Call) -> Reply:
    parts = {**await call.desk.ready(), "running": not call.http.closing.is_set()}
    failed = [name for name, works in parts.items() if not works]
    if failed:
        raise Refusal(
            "service.not-ready",
            f"Not working: {', '.join(failed)}.",
            errors=tuple(FieldError(f"#{name}", "not-working", "does not work") for name in failed),
        )
    return call.json(Health(status="ready", parts=parts), cache="no-store")


async def get_metrics(call: Call) -> Reply:
    call.http.metrics.works(await call.desk.ready())
    return call.bytes(call.http.metrics.text(), MEDIA, cache="no-store")


async def get_document(call: Call) -> Reply:
    document = call.http.document
    return call.bytes(document, call.media, tag=content_tag(document))


@lru_cache(maxsize=4)
def _examples(document: bytes) -> dict[str, Any]:
    """The problems that the document shows, by code."""
    found = msgspec.json.decode(document)
    shown = {**found["components"]["examples"], **found["x-unrouted"]}
    return {code: example["value"] for code, example in shown.items()}


def _page(call: Call, body: bytes) -> Reply:
    media = f"{pages.HTML}; charset=utf-8"
    return call.bytes(body, media, tag=content_tag(body), headers=dict(PAGE_HEADERS))


async def list_problems(call: Call) -> Reply:
    rules = await asyncio.to_thread(rule_codes, call.http)
    if call.media == pages.HTML:
        return _page(call, pages.problems_page(KINDS, RULES_COME_AFTER, rules))
    body = ProblemList(items=KINDS, rules_come_after=RULES_COME_AFTER, rules=rules)
    return call.json(body, tagged=True)


def rule_codes(http: Http) -> dict[str, tuple[str, ...]]:
    """The codes with which rules refuse, by ruleset."""
    return dict(sorted(http.refusals().items()))


async def get_problem(call: Call) -> Reply:
    kind = await asyncio.to_thread(kind_of, call.http, call.param("code"))
    if call.media == pages.HTML:
        return _page(call, pages.problem_page(kind, _examples(call.http.document)[kind.code]))
    return call.json(kind, tagged=True)


def kind_of(http: Http, code: str) -> Kind:
    """The refusal of that code, of the service or of a ruleset; raises ``resource.not-found``."""
    if code in BY_CODE:
        return BY_CODE[code]
    for ruleset, codes in http.refusals().items():
        if code in codes:
            return rule_kind(ruleset, code)
    raise Refusal("resource.not-found", "No refusal has this code.")


def rule_kind(ruleset: str, code: str) -> Kind:
    """A refusal by the rules as a row of the table."""
    return Kind(
        code=code,
        status=status_of(code),
        title=title_from(code),
        meaning=f"The rules of {ruleset} do not accept the command; `rule` names which one.",
        hint="The problem's own hint says what would be legal; so does the list of commands.",
    )


def _plain(id_: str, path: str, summary: str, description: str, **more: object) -> Operation:
    return Operation(
        id=id_,
        method="GET",
        path=path,
        tag=TAG,
        summary=summary,
        description=description,
        access="open",
        **more,  # type: ignore[arg-type]
    )


OPERATIONS: tuple[Operation, ...] = (
    _plain(
        "getHealth",
        "/healthz",
        "Is it alive",
        "Answers as long as the process does.",
        run=get_health,
        answers=(json_answer(200, "Alive.", Health),),
        counted=False,
    ),
    _plain(
        "getReadiness",
        "/readyz",
        "Is it ready",
        "Whether engine and store work, the store takes writes, and the service is not stopping.",
        run=get_readiness,
        answers=(json_answer(200, "Ready.", Health),),
        problems=("service.not-ready",),
        counted=False,
    ),
    _plain(
        "getMetrics",
        "/metrics",
        "Counters",
        "Prometheus text: requests and their duration by route, commands, conflicts, the engine's "
        "groups, commits, streams and projections with their lag, and which parts work. Of this "
        "worker alone; no counter names a game or a seat.",
        run=get_metrics,
        answers=(Answer(200, "The counters.", ((PROMETHEUS, None),)),),
        counted=False,
    ),
    _plain(
        "getOpenapiJson",
        "/openapi.json",
        "The document",
        "This document: the same bytes as `openapi/openapi.json` in the source.",
        run=get_document,
        answers=(json_answer(200, "The document.", "Document", "ETag"),),
        counted=False,
    ),
    _plain(
        "getOpenapiYaml",
        "/openapi.yaml",
        "The document for YAML readers",
        "The same bytes as `/openapi.json`: every JSON text is YAML 1.2.",
        run=get_document,
        answers=(Answer(200, "The document.", ((YAML, "Document"),), ("ETag",)),),
        counted=False,
    ),
    _plain(
        "listProblems",
        "/problems",
        "List the problems",
        "Every refusal of the service in order of precedence: of several that fit a request, the "
        "first one is given. Refusals by the rules come in after `rulesComeAfter`.",
        run=list_problems,
        answers=(
            Answer(200, "The problems.", ((JSON, ProblemList), (pages.HTML, None)), ("ETag",)),
        ),
    ),
    _plain(
        "getProblem",
        "/problems/{code}",
        "Explain a problem",
        "What a code means and what to do about it: the `type` of every problem leads here.",
        run=get_problem,
        answers=(Answer(200, "The problem.", ((JSON, Kind), (pages.HTML, None)), ("ETag",)),),
        problems=("resource.not-found",),
    ),
    _plain(
        "getService",
        "/v1",
        "Show the service",
        "Name, version, commit, limits, log key and rulesets.",
        run=get_service,
        answers=(json_answer(200, "The service.", ServiceInfo, "ETag"),),
    ),
)

"""What the way of a request stands on: one guard a route, dependencies in a chain, a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import pytest
from litestar.di import Provide

from service.app import create_app
from service.http import refusals
from service.http.access import Guard
from service.http.given import DEPENDENCIES
from service.http.registry import described, operations, routes_of
from service.http.routes import Route
from service.settings import Settings
from tests.service.http.table import Table, code
from tests.support.pennant import GAME


def needs(name: str, given: Mapping[str, Provide]) -> Iterator[str]:
    """What a dependency needs of the others, however deep."""
    for other in given[name].parsed_fn_signature.parameters:
        if other in given:
            yield other
            yield from needs(other, given)


def side_by_side(route: Route) -> list[tuple[str, str]]:
    """Pairs of what a handler is given that do not need each other: Litestar runs them at once."""
    given = route.resolve_dependencies()
    asked = {name for name in route.parsed_fn_signature.parameters if name in given}
    every = asked.union(*(needs(name, given) for name in asked)) if asked else set()
    return [
        (one, other)
        for one, other in combinations(sorted(every), 2)
        if one not in needs(other, given) and other not in needs(one, given)
    ]


def test_what_a_handler_is_given_is_a_chain() -> None:
    """Of two that do not need each other nobody knows which refuses first."""
    routes = routes_of(described())
    assert {name for each in routes for name in each.parsed_fn_signature.parameters} > {
        *DEPENDENCIES
    }
    assert {each.handler_name: side_by_side(each) for each in routes if side_by_side(each)} == {}


def test_it_is_the_same_service_beside_packages_that_it_does_not_need() -> None:
    """Litestar takes up pydantic and attrs wherever they are installed, as they are for tests."""
    assert find_spec("pydantic")
    assert find_spec("attrs")
    plugins = {type(plugin).__module__ for plugin in described().plugins}
    assert [each for each in plugins if "pydantic" in each or "attrs" in each] == []
    assert "litestar.plugins.core._msgspec" in plugins


def test_every_route_has_one_guard_which_asks_for_the_body_last() -> None:
    for route in routes_of(described()):
        (guard,) = route.resolve_guards()
        assert isinstance(guard, Guard)
        named = [need.__name__ for need in guard.needs]
        takes = "data" in route.parsed_fn_signature.parameters
        assert (named[-1:] == ["whole_body"]) is takes, route.handler_name
        assert ("needs_key" in named) is route.operation.writes, route.handler_name


def test_what_has_to_be_sent_is_asked_for_by_the_guard() -> None:
    """Litestar's own refusal of a missing header field has no code of ours."""
    needed = {"Idempotency-Key": "needs_key", "If-Match": "needs_version"}
    for route in routes_of(described()):
        (guard,) = route.resolve_guards()
        named = {need.__name__ for need in guard.needs}  # type: ignore[attr-defined]
        for field in set(needed) & set(route.operation.headers):
            assert needed[field] in named, f"{route.handler_name} takes {field} without asking"


def test_each_operation_is_named_by_its_handler() -> None:
    names = [each.id for each in operations()]
    assert len(set(names)) == len(names)


def test_no_pages_of_litestars_are_open(table: Table) -> None:
    for path in ("/schema", "/schema/swagger", "/schema/redoc", "/schema/openapi.json"):
        assert code(table.get(path)) == "route.not-found", path


async def _asked(settings: Settings, app: Any) -> list[Any]:
    """What the envelope of a service makes of another application's answer."""
    service: Any = create_app(settings, {"pennant": GAME})
    service.asgi_handler.app = app
    scope = {
        "type": "http", "method": "GET", "path": "/v1", "query_string": b"", "headers": [],
        "client": ("192.0.2.1", 1), "scheme": "http", "server": ("service", 80), "root_path": "",
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await service(scope, receive, send)
    return sent


def test_an_answer_that_does_not_begin_in_time_is_given_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(30)

    monkeypatch.setattr(refusals, "PATIENCE", 0.02)
    sent = asyncio.run(_asked(settings, late))
    assert [each.get("status") for each in sent] == [503, None]
    assert b"service.deadline" in sent[1]["body"]


def test_an_answer_that_has_begun_takes_as_long_as_it_likes(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def long(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.1)
        await send({"type": "http.response.body", "body": b"whole", "more_body": False})

    monkeypatch.setattr(refusals, "PATIENCE", 0.02)
    sent = asyncio.run(_asked(settings, long))
    assert [each.get("body") for each in sent] == [None, b"whole"]

"""A body has to come soon, and one that is there already is read without a clock."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from service.http import access
from service.http.access import whole_body
from service.http.asked import Asked
from service.problems import Refusal

JSON = b"application/json"
WHOLE = {"type": "http.request", "body": b"{}", "more_body": False}


def asked(receive: Any, **noted: Any) -> Asked:
    """A request with a body, as the guard has it when it comes to that."""
    route: Any = SimpleNamespace(resolve_request_max_body_size=lambda: 100)
    fields = [(b"content-type", JSON), (b"content-length", b"2")]
    scope: Any = {"type": "http", "headers": fields, "route_handler": route, **noted}
    found = Asked(scope, receive)
    found.read_fields()
    return found


async def never() -> Any:
    await asyncio.Event().wait()


async def at_last() -> Any:
    """After a turn of the event loop, in which a clock that stands at nought has its say."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return WHOLE


def test_what_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "BODY_SECONDS", 0)
    with pytest.raises(Refusal) as refused:
        asyncio.run(whole_body(asked(never)))
    assert refused.value.code == "body.too-slow"


def test_no_clock_is_set_for_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "BODY_SECONDS", 0)
    there = asked(at_last, **{"decklog.come": True})
    asyncio.run(whole_body(there))
    assert asyncio.run(there.body()) == b"{}"


def test_of_a_field_that_is_there_twice_the_first_counts() -> None:
    found = asked(never)
    found.scope["headers"] = [(b"if-match", b'"1"'), (b"host", b"a"), (b"if-match", b'"2"')]
    found.read_fields()
    assert found.header("if-match") == '"1"'
    assert found.headers["if-match"] == '"1"'

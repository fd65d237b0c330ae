"""Rules of the contract that hold for every operation, asked of every operation."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from litestar.exceptions import WebSocketException
from litestar.routes import WebSocketRoute

from service.http.buckets import Buckets
from service.http.limits import Limits
from service.http.operation import Operation
from service.http.registry import operations
from service.http.reply import problem_reply
from service.problems import KINDS, Refusal
from service.settings import Settings
from tests.service.http.table import Match, Table, code
from tests.service.http.test_access import BODIES, NAMES

CHOOSE = {"type": "pennant.choose", "colour": "bold"}
ASKING = {"checkCommand", "checkCustom", "getOdds"}
"""POSTs that write nothing."""


def where(operation: Operation, match: Match) -> str:
    ids = {"game": match.id, "webhook": "none", "delivery": "none", "code": "version.stale"}
    return operation.path.format(**{**NAMES, **ids})


@pytest.fixture
def limits(table: Table) -> Limits:
    """Of the service at the table, which has none for requests a minute."""
    app: Any = table.client.app
    found: Limits = app.state.http.limits
    return found


def test_every_post_that_writes_needs_a_key_and_no_other_does(table: Table) -> None:
    match = table.create()
    token = match.tokens["p1"]
    for operation in operations():
        if operation.method != "POST":
            continue
        body = BODIES.get(operation.id)
        sent = {"If-Match": '"2"', "Content-Type": "application/json"}
        answer = table.ask("POST", where(operation, match), token, sent, json=body)
        missing = answer.status_code == 400 and code(answer) == "idempotency.key-missing"
        assert missing is operation.writes, (operation.id, answer.text)
        assert operation.writes is (operation.id not in ASKING)


def test_nothing_is_kept_of_what_could_not_be_read_or_was_not_let_in(
    table: Table, limits: Limits
) -> None:
    """400, 401, 403, 429: the same key is good for the right request afterwards."""
    match, other = table.create(), table.create()
    path, key = f"{match.path}/commands", str(uuid.uuid4())
    right = {"Idempotency-Key": key, "If-Match": '"2"'}
    token = match.tokens["p1"]
    bad = {**right, "If-Match": "*"}
    assert table.ask("POST", path, token, bad, json=CHOOSE).status_code == 400
    assert table.ask("POST", path, "dl_seat_none", right, json=CHOOSE).status_code == 401
    assert table.ask("POST", path, other.tokens["p1"], right, json=CHOOSE).status_code == 403
    unlimited, limits.requests = limits.requests, Buckets(1, lambda: 0.0)
    assert table.get(match.path, token).status_code == 200
    assert table.ask("POST", path, token, right, json=CHOOSE).status_code == 429
    limits.requests = unlimited
    done = table.ask("POST", path, token, right, json=CHOOSE)
    assert (done.status_code, "idempotency-replayed" in done.headers) == (200, False)


def test_every_answer_says_what_is_left_of_the_quota(table: Table, limits: Limits) -> None:
    match = table.create()
    limits.requests = Buckets(100_000, lambda: 0.0)
    answers = [table.get(where(each, match)) for each in operations() if each.method == "GET"]
    tag = table.get(match.path).headers["etag"]
    answers += [
        table.get(match.path, If_None_Match=tag),
        table.get(match.path, "dl_seat_none"),
        table.get("/v1/games?limit=0"),
        table.get("/v1/games", Accept="image/png"),
        table.get("/nowhere"),
        table.ask("PUT", "/v1/games"),
        table.ask("OPTIONS", "/v1/games"),
        table.get(f"{match.path}/events?follow=false", Accept="application/x-ndjson"),
    ]
    assert {200, 204, 304, 401, 404, 405, 406, 422} <= {each.status_code for each in answers}
    for answer in answers:
        assert re.fullmatch(r'"requests";r=\d+;t=\d+', answer.headers["ratelimit"]), answer.url
        assert answer.headers["ratelimit-policy"] == '"requests";q=100000;w=60'


@pytest.mark.parametrize("kind", [k for k in KINDS if k.status in (429, 503)], ids=str)
def test_every_refusal_that_will_pass_says_when_to_come_again(kind: Any) -> None:
    headers = problem_reply(Refusal(kind.code), "/").headers
    assert headers["Retry-After"].isdigit()


def values(value: Any) -> Iterator[Any]:
    """Everything in a JSON value, however deep."""
    yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from values(part)


def test_numbers_are_integers_within_bounds_and_times_are_utc(table: Table) -> None:
    match = table.create()
    table.play_out(match)
    times = 0
    for operation in operations():
        if operation.method != "GET" or operation.id == "getOpenapiJson":
            continue
        answer = table.get(where(operation, match), match.tokens["p1"], Accept="*/*")
        if not answer.headers.get("content-type", "").endswith("json"):
            continue
        for value in values(answer.json()):
            assert not isinstance(value, float), answer.url
            if isinstance(value, int):
                assert abs(value) < 2**53, answer.url
            if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT", value):
                assert re.fullmatch(r"[\d-]{10}T\d\d:\d\d:\d\d\.\d{3}Z", value), value
                times += 1
    assert times > 20


def test_what_a_problem_has_nothing_to_say_of_is_absent_and_not_null(table: Table) -> None:
    match = table.create()
    for path in ("/nowhere", "/v1/games?limit=0", f"{match.path}/view?at=999"):
        assert None not in list(values(table.get(path).json())), path


def test_an_idle_stream_gives_a_sign_of_life_every_fifteen_seconds() -> None:
    assert Settings().stream_ping == 15


def test_there_is_no_websocket(table: Table) -> None:
    app: Any = table.client.app
    assert app.routes
    assert not [route for route in app.routes if isinstance(route, WebSocketRoute)]
    with pytest.raises(WebSocketException), table.client.websocket_connect("/v1"):
        pass

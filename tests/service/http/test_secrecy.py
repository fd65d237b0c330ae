"""Two worlds that differ only in what a seat may not know answer it with the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.clock import FixedClock
from service.openapi.recorder import Placeholders
from service.settings import Settings
from tests.service.http.table import Match, Table
from tests.support.contract import Contract
from tests.support.pennant import GAME

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
READS = (
    "", "/view", "/view?at=2", "/commands", "/commands?limit=1", "/pieces",
    "/events", "/events?after=2", "/rolls", "/view?at=99", "/rolls/none", "/events?limit=1",
    "/board.svg", "/board.svg?at=2", "/board.svg?at=3", "/board.svg?at=99",
)  # fmt: skip


@contextmanager
def world(folder: Path, colour: str) -> Iterator[tuple[Table, Match]]:
    """A game in which p2 has chosen ``colour`` and p1 has not chosen yet."""
    settings = Settings(database=folder / f"{colour}.sqlite", chain_length=64, log_level="ERROR")
    app = create_app(settings, {"pennant": GAME}, FixedClock(NOON))
    app.state.http.limits.requests._clock = lambda: 0.0
    with TestClient(app) as client:
        table = Table(client, Contract.of(app.state.http.describe()))
        match = table.create(seed="two worlds")
        done = table.command(match, "p2", {"type": "pennant.choose", "colour": colour})
        assert done.status_code == 200
        yield table, match


def observed(table: Table, match: Match, token: str) -> list[Any]:
    """Everything that the caller gets to see: status, headers and body of every request."""
    path = f"{match.path}/commands"
    seen: list[httpx.Response] = [table.plainly(match.path + rest, token) for rest in READS]
    seen += [
        table.get(f"{match.path}/events?follow=false", token, Accept=media)
        for media in ("application/x-ndjson", "text/event-stream")
    ]
    for body in (
        {"type": "pennant.fire"},
        {"type": "pennant.choose", "colour": "red"},
        {"type": "pennant.pass"},
    ):
        seen += [
            table.post(path, body, token, version=1),
            table.post(f"{path}/check", body, token),
            table.post(path, body, token, version=table.version(match)),
        ]
    seen.append(table.post(f"{match.path}/seats", {"seat": "p2"}, token))
    if token:
        choose = {"type": "pennant.choose", "colour": "bold"}
        seen.append(table.post(f"{path}/check", choose, token))
    stand_in = Placeholders()
    told = [[r.status_code, sorted(map(list, r.headers.items())), r.text] for r in seen]
    found: list[Any] = stand_in.replace(told)
    return found


@pytest.mark.parametrize("viewer", ["p1", "public", "organiser"])
def test_what_the_other_seat_chose_in_secret_is_in_no_answer(tmp_path: Path, viewer: str) -> None:
    seen = []
    for colour in ("bold", "steady"):
        with world(tmp_path, colour) as (table, match):
            tokens = {"p1": match.tokens["p1"], "public": "", "organiser": match.organiser}
            seen.append(observed(table, match, tokens[viewer]))
    assert seen[0] == seen[1]


def test_the_comparison_sees_a_difference_where_there_is_one(tmp_path: Path) -> None:
    seen = []
    for colour in ("bold", "steady"):
        with world(tmp_path, colour) as (table, match):
            seen.append(observed(table, match, match.tokens["p2"]))
    assert seen[0] != seen[1]

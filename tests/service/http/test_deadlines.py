"""Deadlines over HTTP: asked for when a game is made, shown to all, kept by the service."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from service.settings import Settings
from tests.service.http.table import Table, code

MOMENT = 0.05
PATIENCE = 30


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """As elsewhere, but a start gives nobody time."""
    return Settings(
        database=tmp_path / "decklog.sqlite",
        rate_limit=0,
        chain_length=256,
        log_level="WARNING",
        deadline_grace=0,
    )


def test_a_game_says_how_long_each_question_may_stay_open(table: Table) -> None:
    match = table.create(deadline=3600)
    game = match.created.json()["game"]
    made = datetime.fromisoformat(game["createdAt"])
    due = (made + timedelta(hours=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert (game["deadline"], game["due"]) == (3600, {"p1": due, "p2": due})
    for token in ("", match.tokens["p1"], match.tokens["p2"]):
        assert table.get(match.path, token).json()["due"] == game["due"]
        assert table.get(f"{match.path}/commands", token).json()["due"] == game["due"]
    table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    assert table.get(match.path).json()["due"] == {"p2": due}
    assert table.options(match, "p1")["due"] == {"p2": due}
    data = table.get(f"{match.path}/events?limit=1").json()["items"][0]["data"]
    assert data["deadline"] == 3600


def test_a_game_without_a_deadline_says_so(table: Table) -> None:
    match = table.create()
    game = match.created.json()["game"]
    assert (game["deadline"], game["due"]) == (0, {})
    assert table.options(match, "p1")["due"] == {}
    assert "deadline" not in table.get(f"{match.path}/events?limit=1").json()["items"][0]["data"]


def test_a_deadline_is_some_whole_seconds(table: Table) -> None:
    for wrong in (0, -5, 1.5, "60", None, 10**9):
        refused = table.post("/v1/games", {"ruleset": "pennant", "deadline": wrong})
        assert code(refused) == "body.invalid"
        assert refused.json()["errors"][0]["pointer"] == "/deadline"


def test_the_service_answers_for_who_is_late(table: Table) -> None:
    """The real clock, a deadline of a second; the desk has no grace here."""
    match = table.create(deadline=1)
    end = time.monotonic() + PATIENCE
    found: list[dict[str, object]] = []
    while len(found) < 2 and time.monotonic() < end:
        time.sleep(MOMENT)
        items = table.get(f"{match.path}/events").json()["items"]
        found = [e for e in items if e["type"] == "decklog.deadline-passed"]
    assert [e["actor"] for e in found[:2]] == ["service", "service"]
    late = table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"}, version=2)
    assert code(late) == "version.stale"

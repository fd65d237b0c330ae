"""A game that was archived answers at every address as it did before, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.cli import main
from service.settings import Settings
from tests.support.contract import Contract
from tests.support.pennant import GAME

from .table import Match, Table

ADDRESSES = (
    "", "/commands?at={at}", "/events", "/events?after=4&limit=3", "/events?moments=true",
    "/events?follow=true", "/view", "/view?at=1", "/view?at={at}", "/rolls", "/rolls/1",
    "/evidence", "/board.svg?at={at}", "/moment?at={at}", "/report", "/diff?from=2&to={at}",
    "/why?event=3", "/mentions", "/luck", "/webhooks",
)  # fmt: skip
OF_ALL = ("/v1/games", "/v1/results", "/v1/statistics")


@contextmanager
def served(settings: Settings) -> Iterator[Table]:
    app = create_app(settings, {"pennant": GAME})
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))


def answers(table: Table, match: Match, version: int) -> dict[str, Any]:
    """What each address says to everybody, and to who holds a seat."""
    told: dict[str, Any] = {}
    for path in (*(match.path + each.format(at=version // 2) for each in ADDRESSES), *OF_ALL):
        for token in ("", match.tokens["p1"]):
            found = table.plainly(path, token)
            fields = {name: found.headers.get(name) for name in ("etag", "decklog-head", "link")}
            told[f"{path} {bool(token)}"] = (found.status_code, found.content, fields)
    return told


def test_every_address_answers_as_before(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKLOG_ARCHIVE", str(tmp_path / "archive"))
    settings = msgspec.structs.replace(settings, archive=str(tmp_path / "archive"))
    with served(settings) as table:
        match = table.create()
        version = table.play_out(match)["version"]
        table.create()
        before = answers(table, match, version)
    assert {said[0] for said in before.values()} >= {200}
    assert len({path for path, said in before.items() if said[0] == 200}) > 2 * len(ADDRESSES)
    signed = ["--by", "harbour master", "--why", "room", "--days", "0"]
    database = ["--database", str(settings.database)]
    assert main(["store", "archive", *database, *signed], {"pennant": GAME}) == 0
    assert len(list((tmp_path / "archive").rglob("*.zip.gz"))) == 1
    with served(settings) as table:
        after = answers(table, match, version)
        refused = table.command(match, "p1", {"type": "pennant.pass"}, version)
        assert (refused.status_code, refused.json()["code"]) == (409, "game.over")
    for path, said in before.items():
        assert after[path] == said, path


@pytest.mark.parametrize("media", ["application/json", "application/x-ndjson", "text/event-stream"])
def test_events_whose_archive_is_away_are_no_empty_answer(
    settings: Settings, tmp_path: Path, media: str
) -> None:
    """A stream of them was 200 with nothing in it, as if the game had none."""
    archive = tmp_path / "archive"
    settings = msgspec.structs.replace(settings, archive=str(archive))
    with served(settings) as table:
        match = table.create()
        table.play_out(match)
        table.create()
    signed = ["--by", "harbour master", "--why", "room", "--days", "0"]
    with pytest.MonkeyPatch.context() as given:
        given.setenv("DECKLOG_ARCHIVE", str(archive))
        database = ["--database", str(settings.database)]
        assert main(["store", "archive", *database, *signed], {"pennant": GAME}) == 0
    with served(settings) as table:
        path, accept = f"{match.path}/events?follow=false", {"Accept": media}
        archive.rename(tmp_path / "away")
        away = table.client.get(path, headers=accept)
        assert (away.status_code, away.json()["code"]) == (503, "store.unavailable")
        (tmp_path / "away").rename(archive)
        back = table.client.get(path, headers=accept)
        assert (back.status_code, b"pennant.opened" in back.content) == (200, True)

"""A whole War at Sea battle over HTTP: what is offered is accepted, and fits the document."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from litestar.testing import TestClient

from domain.kernel.finder import games
from service.app import create_app
from service.settings import Settings
from tests.service.http.table import Match, Table
from tests.service.http.test_records import pages
from tests.support.contract import Contract

FULLY_CHECKED = 40
"""Commands whose answers are all held against the document; later ones each tenth time."""


class Sometimes(Contract):
    """A judge who looks away: holding every answer of a battle against the document takes long."""

    looking = True

    def check(self, response: object) -> None:
        if self.looking:
            super().check(response)  # type: ignore[arg-type]


def test_a_battle_is_played_by_posting_what_is_offered(tmp_path: Path) -> None:
    settings = Settings(
        database=tmp_path / "battle.sqlite", rate_limit=0, chain_length=2048, log_level="WARNING"
    )
    app = create_app(settings, games())
    with TestClient(app) as client:
        contract = Sometimes(json.loads(app.state.http.describe()))
        table = Table(client, contract)
        match = table.create(ruleset="war-at-sea", seed="a battle over HTTP")
        given = play(table, contract, match, Random(2))

        game = table.get(match.path).json()
        events = table.get(f"{match.path}/events?limit=200").json()["items"]
        last = table.get(f"{match.path}/events?after={game['version'] - 1}").json()["items"]
        contract.looking = True
        ledger = table.get(f"{match.path}/rolls?limit=200").json()["items"]
        parts = pages(table, f"{match.path}/rolls?limit=5")

    assert game["status"] == "finished"
    assert game["result"]["rule"].startswith("WAS-")
    assert given > 50
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["type"] for event in last] == ["decklog.master-opened"]
    told = {event["type"] for event in events if event["text"]["en"]}
    assert {"war-at-sea.unit-deployed", "war-at-sea.unit-moved"} <= told
    assert len(ledger) > 5, "too few for pages"
    assert parts == ledger


def play(table: Table, contract: Sometimes, match: Match, random: Random) -> int:
    """Random offers to the end; how many were posted."""
    for given in range(3000):
        contract.looking = given < FULLY_CHECKED or given % 10 == 0
        game = table.get(match.path).json()
        if game["status"] == "finished":
            return given
        offer, item = table.by_chance(match, game["toMove"], random, given)
        assert item["text"], item
        done = table.command(match, offer["seat"], item["command"], offer["version"])
        assert done.status_code == 200, (item, done.text)
        assert done.json()["version"] == int(done.headers["etag"].strip('"'))
    raise AssertionError("the battle does not end")

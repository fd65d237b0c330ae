"""A Crimson Tide battle of a posted scenario on a posted chart, over HTTP, to its verdict."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from litestar.testing import TestClient

from domain.games.crimson_tide.game import GAME
from service.app import create_app
from service.evidence.verify import verify
from service.settings import Settings
from tests.service.http.table import Table
from tests.service.http.test_war_at_sea import Sometimes, play

CUSTOMS = "/v1/rulesets/crimson-tide/customs"


def test_a_posted_scenario_is_played_on_a_posted_chart_and_judges_itself(tmp_path: Path) -> None:
    settings = Settings(
        database=tmp_path / "posted.sqlite", rate_limit=0, chain_length=2048, log_level="WARNING"
    )
    app = create_app(settings, {"crimson-tide": GAME})
    with TestClient(app) as client:
        contract = Sometimes(json.loads(app.state.http.describe()))
        table = Table(client, contract)
        kinds = table.get(CUSTOMS).json()["items"]
        shown = {k["kind"]: {each["id"]: each for each in k["examples"]} for k in kinds}
        scenario = shown["scenario"]["raid-on-the-atoll"] | {"turns": 1}
        customs = {
            kind: {"id": table.post(f"{CUSTOMS}/{kind}", document).json()["id"]}
            for kind, document in (("scenario", scenario), ("map", shown["map"]["atoll"]))
        }
        match = table.create(ruleset="crimson-tide", seed="a posted chart", customs=customs)
        before = table.get(f"{match.path}/view").json()["state"]
        assert play(table, contract, match, Random(3)) > 10
        game = table.get(match.path).json()
        bundle = table.get(f"{match.path}/evidence").content

    assert game["status"] == "finished"
    assert before["title"] == scenario["name"]
    assert before["units"]["p2-1"]["card"] == "airfield"
    verdict = verify(bundle, {"crimson-tide": GAME})
    assert verdict.code == 0, verdict.text()

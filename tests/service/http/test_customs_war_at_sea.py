"""A War at Sea battle of a posted scenario on a posted map, over HTTP, to its end and verdict."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from litestar.testing import TestClient

from domain.games.war_at_sea import GAME
from service.app import create_app
from service.evidence.verify import verify
from service.settings import Settings
from tests.service.http.table import Table
from tests.service.http.test_war_at_sea import Sometimes, play

CUSTOMS = "/v1/rulesets/war-at-sea/customs"


def examples(table: Table) -> dict[str, dict[str, Any]]:
    """The examples that the service itself shows, by kind and name."""
    kinds = table.get(CUSTOMS).json()["items"]
    return {k["kind"]: {each["id"]: each for each in k["examples"]} for k in kinds}


def test_a_posted_scenario_is_played_on_a_posted_map_and_judges_itself(tmp_path: Path) -> None:
    settings = Settings(
        database=tmp_path / "posted.sqlite", rate_limit=0, chain_length=2048, log_level="WARNING"
    )
    app = create_app(settings, {"war-at-sea": GAME})
    with TestClient(app) as client:
        contract = Sometimes(json.loads(app.state.http.describe()))
        table = Table(client, contract)
        shown = examples(table)
        scenario, map_ = shown["scenario"]["strait-duel"], shown["map"]["the-strait"]
        customs = {
            kind: {"id": table.post(f"{CUSTOMS}/{kind}", document).json()["id"]}
            for kind, document in (("scenario", scenario), ("map", map_))
        }
        match = table.create(ruleset="war-at-sea", seed="a posted battle", customs=customs)
        before = table.get(f"{match.path}/view").json()["state"]
        assert play(table, contract, match, Random(3)) > 10
        game = table.get(match.path).json()
        bundle = table.get(f"{match.path}/evidence").content
        contract.looking = True
        events = table.get(f"{match.path}/events?limit=3").json()["items"]

    assert game["status"] == "finished"
    assert [named["name"] for named in game["customs"]] == [map_["name"], scenario["name"]]
    assert events[0]["data"]["setup"]["customs"] == {"scenario": scenario, "map": map_}
    assert before["customScenario"]["turns"] == scenario["turns"]
    assert before["customMap"]["absent"] == map_["absent"]
    verdict = verify(bundle, {"war-at-sea": GAME})
    assert verdict.code == 0, verdict.text()


def test_the_rules_fault_a_scenario_with_place_rule_and_advice(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "f.sqlite", rate_limit=0, log_level="WARNING")
    app = create_app(settings, {"war-at-sea": GAME})
    with TestClient(app) as client:
        table = Table(client, Sometimes(json.loads(app.state.http.describe())))
        document = examples(table)["scenario"]["strait-duel"]
        document["sides"][0]["fleet"].append("hms-hood")
        document["turns"] = 0
        problem = table.post(f"{CUSTOMS}/scenario/check", document).json()
    assert problem["code"] == "document.faulty"
    told = {error["pointer"]: error["message"] for error in problem["errors"]}
    assert set(told) == {"/sides/0/fleet/2", "/turns"}
    assert "Rule WAS-FLEET-36." in told["/sides/0/fleet/2"]

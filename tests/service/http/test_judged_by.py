"""Rule 26, asked of the service: what judges a game names the rules that the game names."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from domain.kernel.rules import Refused
from service.problems import Refusal, judged
from tests.service.http.table import Match, Table, code

CHOOSE = {"type": "pennant.choose", "colour": "bold"}
FIRE = {"type": "pennant.fire", "aim": "hull"}


@pytest.fixture
def match(table: Table) -> Match:
    return table.create()


def named(table: Table, match: Match) -> dict[str, Any]:
    """The rules that the game says it is judged by."""
    rules: dict[str, Any] = table.get(match.path).json()["rules"]
    assert set(rules) == {"ruleset", "edition", "version", "digest"}
    assert all(rules.values())
    return rules


def test_a_command_and_its_repetition_name_the_rules(table: Table, match: Match) -> None:
    rules, key, version = named(table, match), str(uuid.uuid4()), table.version(match)
    first = table.command(match, "p1", CHOOSE, version, key=key)
    again = table.command(match, "p1", CHOOSE, version, key=key)
    assert first.json()["rules"] == rules
    assert again.headers["idempotency-replayed"] == "true"
    assert again.content == first.content


def test_a_service_that_was_started_anew_repeats_the_same_bytes(table: Table, match: Match) -> None:
    """What is remembered of a game in memory is no part of the answer."""
    key, version = str(uuid.uuid4()), table.version(match)
    first = table.command(match, "p1", CHOOSE, version, key=key)
    app: Any = table.client.app
    app.state.http.rules.clear()
    assert first.status_code == 200
    assert table.command(match, "p1", CHOOSE, version, key=key).content == first.content


def test_all_that_is_told_of_a_game_names_its_rules(table: Table, match: Match) -> None:
    rules = named(table, match)
    table.play_out(match)
    p1, path = match.tokens["p1"], match.path
    roll = table.get(f"{path}/rolls").json()["items"][0]
    for place in ("report", "diff", "luck", "view?at=2", f"rolls/{roll['id']}", "commands"):
        assert table.get(f"{path}/{place}", p1).json()["rules"] == rules, place
    for place in ("moment?at=2", f"why?event={roll['event']}"):
        assert table.get(f"{path}/{place}", p1).json()["judgedBy"] == rules, place
    for place in ("rolls", "mentions"):
        items = table.get(f"{path}/{place}", p1).json()["items"]
        assert {str(item["rules"]) for item in items} == {str(rules)}, place
    (result,) = table.get("/v1/results").json()["items"]
    assert result["rules"] == rules


def test_a_fork_is_judged_by_its_own(table: Table, match: Match) -> None:
    rules = named(table, match)
    table.choose_colours(match)
    fork = table.post(f"{match.path}/forks", {}, match.tokens["p1"]).json()
    token = next(given["token"] for given in fork["tokens"] if given["seat"] == "p1")
    path = f"/v1/games/{fork['game']['id']}"
    offer = table.get(f"{path}/commands", token).json()
    body = offer["items"][0]["command"]
    done = table.post(f"{path}/commands", body, token, version=offer["version"])
    assert done.json()["rules"] == fork["game"]["rules"] == rules


def test_a_refusal_by_rules_names_them_and_one_by_the_service_none(
    table: Table, match: Match
) -> None:
    rules = named(table, match)
    wrong = table.command(match, "p1", FIRE)
    assert wrong.json()["rules"] == rules
    checked = table.post(f"{match.path}/commands/check", FIRE, match.tokens["p1"])
    assert (checked.json()["code"], checked.json()["rules"]) == (code(wrong), rules)
    stale = table.command(match, "p1", CHOOSE, 99)
    assert (code(stale), "rules" in stale.json()) == ("version.lost", False)
    assert "rules" not in table.get(f"{match.path}/nothing").json()


def test_who_refused_follows_from_the_refusal() -> None:
    assert judged(Refusal("fire.no-target"), Exception())
    assert judged(Refusal("fork.unmeasured", rule="CT-1"), Exception())
    assert judged(Refusal("document.faulty"), Refused("document.faulty"))
    assert not judged(Refusal("version.stale"), Exception())

"""What the rules of War at Sea refuse, over HTTP: code, rule, what is wrong, what would be right.

Each refusal is asked for twice, as a dry run and as a command. Neither changes anything, and what
the hint says is legal is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.kernel.values import StepKey
from tests.service.http.staged import at_table, service
from tests.service.http.table import Match, Table, code
from tests.support.battle import unit


class No(NamedTuple):
    """The refusal that is expected; ``words`` stand in its detail."""

    code: str
    rule: str
    words: str
    pointer: str = ""
    status: int = 422


def refused(table: Table, match: Match, seat: str, command: dict[str, Any], no: No) -> str:
    """The command is refused so, in both ways; its hint."""
    before = [table.get(match.path + rest, match.tokens[seat]).content for rest in ("", "/view")]
    title = table.get(f"/v1/rulesets/war-at-sea/rules/{no.rule}").json()["title"]
    path = f"{match.path}/commands"
    answers = [
        table.ask("POST", f"{path}/check", match.tokens[seat], json=command),
        table.command(match, seat, command),
    ]
    for answer in answers:
        assert (answer.status_code, code(answer)) == (no.status, no.code), answer.text
        told = answer.json()
        assert told["rule"] == no.rule
        assert no.words in told["detail"]
        assert told["detail"].endswith(f'Rule {no.rule}, "{title}".')
        assert told["hint"]
        assert told["hint"] not in told["detail"]
        assert [error["pointer"] for error in told.get("errors", ())] == no.pointer.split()
        assert table.get(f"/problems/{no.code}").json()["code"] == no.code
    after = [table.get(match.path + rest, match.tokens[seat]).content for rest in ("", "/view")]
    assert after == before
    hint: str = answers[1].json()["hint"]
    if hint.startswith("Legal: "):
        offered = {item["text"] for item in table.options(match, seat)["items"]}
        named = hint.removeprefix("Legal: ").removesuffix(".").split("; ")
        assert named[0] in offered
    return hint


# Fleets


@pytest.fixture(scope="module")
def building(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Table, Match]]:
    """A battle in which p1 (Axis) and p2 (Allies) are still to lock their fleets."""
    with service(tmp_path_factory.mktemp("fleets")) as table:
        yield table, table.create(ruleset="war-at-sea", options={"axis": "p1", "battleZone": 1})


FLEETS = {
    "over points": (
        "p1",
        ["yamato", "yamato"],
        No("fleet.over-points", "WAS-FLEET-34", "at most 100 is allowed"),
    ),
    "over 15 units": (
        "p1",
        ["type-13-subchaser"] * 16,
        No("fleet.too-many-units", "WAS-FLEET-35", "It has 16 units; at most 15."),
    ),
    "wrong alliance": (
        "p1",
        ["myoko", "uss-atlanta-cl-51"],
        No("fleet.wrong-alliance", "WAS-FLEET-36", "USS Atlanta (CL 51) serves Allies", "/cards/1"),
    ),
    "no base": (
        "p1",
        ["a6m2-zeke"] * 6,
        No("fleet.no-base", "RUL-09", "1 of its Aircraft can be based neither"),
    ),
    "no such unit": (
        "p2",
        ["nautilus"],
        No("fleet.unknown-unit", "WAS-FLEET-12", "There is no unit 'nautilus'.", "/cards/0"),
    ),
}


@pytest.mark.parametrize("case", FLEETS)
def test_a_fleet_that_is_not_allowed(building: tuple[Table, Match], case: str) -> None:
    seat, cards, no = FLEETS[case]
    hint = refused(*building, seat, {"type": "war-at-sea.submit-fleet", "cards": cards}, no)
    assert hint.startswith("Legal: Lock the fleet of ")


def test_no_unit_that_is_listed_lacks_an_ability(building: tuple[Table, Match]) -> None:
    listed = building[0].get("/v1/rulesets/war-at-sea/units?limit=200").json()["items"]
    assert listed
    assert [item["id"] for item in listed if item["missing"]] == []


def test_a_command_of_another_phase(building: tuple[Table, Match]) -> None:
    for command, rule in (
        ({"type": "war-at-sea.move", "unit": "p1-1", "to": "1.1"}, "WAS-SEA-01"),
        (
            {"type": "war-at-sea.attack", "unit": "p1-1", "weapon": "main", "target": "p2-1"},
            "WAS-ATK-01",
        ),
    ):
        words = "step is fleets" if command["type"] == "war-at-sea.move" else "No attacks in fleets"
        refused(*building, "p1", command, No("turn.wrong-phase", rule, words, status=409))


# In battle

GUNS = (
    unit("p1-1", "yamato", "5.4"),
    unit("p1-2", "tone", "5.4"),
    unit("p2-1", "uss-washington-bb-56", "7.4"),
    unit("p2-2", "uss-enterprise-cv-6", "7.3"),
    unit("p2-3", "hmas-sydney", "11.7"),
)


def attack(target: str, weapon: str = "main", name: str = "p1-1") -> dict[str, Any]:
    return {"type": "war-at-sea.attack", "unit": name, "weapon": weapon, "target": target}


SHOTS = {
    "a dash range": (
        attack("p2-3"),
        No("attack.out-of-range", "WAS-FLEET-30", "No dice at range 6.", "/target"),
    ),
    "blocked line of sight": (
        attack("p2-2"),
        No("attack.no-line-of-sight", "WAS-LOS-05", "Blocked", "/target"),
    ),
    "its own side": (
        attack("p1-2"),
        No("attack.friendly", "WAS-GLOSS-15", "Attack: friendly.", "/target"),
    ),
    "no such unit": (
        attack("p2-9"),
        No("unit.unknown", "WAS-FLEET-01", "There is no unit 'p2-9'.", "/target"),
    ),
    "a weapon that it lacks": (
        attack("p2-1", "torpedo"),
        No("attack.no-value", "WAS-ATK-24", "Its attacks: ", "/weapon"),
    ),
    "the enemy's unit": (
        attack("p2-2", name="p2-1"),
        No("unit.not-yours", "WAS-GLOSS-15", "p2-1 is the enemy's.", "/unit"),
    ),
}


@pytest.fixture(scope="module")
def guns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Table, Match]]:
    """p1's surface attacks in battle zone 2, where an island stands between."""
    folder = tmp_path_factory.mktemp("guns")
    fields = {"step": StepKey("surface-attack", "first"), "turn": 2, "zone": 2}
    with at_table(folder, "2009", *GUNS, **fields) as found:
        yield found


@pytest.mark.parametrize("case", SHOTS)
def test_an_attack_that_cannot_be_made(guns: tuple[Table, Match], case: str) -> None:
    command, no = SHOTS[case]
    hint = refused(*guns, "p1", command, no)
    assert hint.startswith("Legal: Yamato (p1-1) fires its main guns at USS Washington")


def test_out_of_turn(guns: tuple[Table, Match]) -> None:
    command = attack("p1-1", name="p2-1")
    table, match = guns
    waiting = table.get(match.path).json()["toMove"][0]
    assert waiting["seat"] == "p1"
    answer = table.command(match, "p2", command)
    rule = answer.json()["rule"]
    no = No("turn.not-yours", rule, "Turn: not yours.", status=409)
    assert "p1" in refused(table, match, "p2", command, no)
    assert rule.startswith("WAS-")


def test_overstacking(tmp_path: Path) -> None:
    units = (
        *(unit(f"p1-{n}", "duca-d-aosta", "3.4") for n in (1, 2)),
        unit("p1-3", "duca-d-aosta", "2.4"),
        unit("p2-1", "hmas-canberra", "11.7"),
    )
    with at_table(tmp_path, "2009", *units, turn=2) as (table, match):
        command = {"type": "war-at-sea.move", "unit": "p1-3", "to": "3.4"}
        no = No("move.overstacked", "WAS-STACK-06", "It can reach ", "/to")
        hint = refused(table, match, "p1", command, no)
        assert "(p1-3)" in hint


def test_what_a_stranger_or_the_other_seat_may_not_give(guns: tuple[Table, Match]) -> None:
    table, match = guns
    path, body = f"{match.path}/commands", attack("p2-1")
    nobody = table.post(path, body, version=table.version(match))
    assert (nobody.status_code, code(nobody)) == (401, "token.missing")
    other = table.create(ruleset="war-at-sea")
    strange = table.post(path, body, other.tokens["p1"], version=table.version(match))
    assert (strange.status_code, code(strange)) == (403, "token.wrong-game")
    stale = table.command(match, "p1", body, table.version(match) - 1)
    assert (stale.status_code, code(stale)) == (412, "version.stale")
    for wrong, field in (
        ({**body, "weapon": 3}, "/weapon"),
        ({**body, "salvo": "full"}, "/salvo"),
        ({key: body[key] for key in ("type", "unit", "weapon")}, "/target"),
        ({**body, "abilities": ["a"] * 5}, "/abilities"),
    ):
        answer = table.command(match, "p1", wrong)
        assert (answer.status_code, code(answer)) == (422, "body.invalid")
        assert [error["pointer"] for error in answer.json()["errors"]] == [field]
    answer = table.command(match, "p1", {"type": "ram", "unit": "p1-1"})
    assert code(answer) == "command.unknown-type"
    assert "attack" in answer.json()["detail"]


def test_a_setup_that_the_rules_do_not_know(tmp_path: Path) -> None:
    with service(tmp_path) as table:
        for wish, name, rule in (
            ({"scenario": "midway"}, "setup.unknown-scenario", "WAS-SETUP-28"),
            ({"edition": "2011"}, "edition.unknown", ""),
            ({"options": {"axis": "p3"}}, "options.invalid", ""),
            ({"options": {"weather": "fog"}}, "options.invalid", ""),
        ):
            answer = table.post("/v1/games", {"ruleset": "war-at-sea", **wish})
            assert (answer.status_code, code(answer)) == (422, name)
            assert answer.json().get("rule", "") == rule
            assert answer.json()["errors"][0]["pointer"].startswith("/" + next(iter(wish)))
        assert json.loads(table.get("/v1/games").content)["items"] == []

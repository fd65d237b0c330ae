"""``decklog case``: a moment of a game as a numbered case, which holds put in its place."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.kernel.rules import Refused
from service.cli import main
from service.cli.filed import file_desk
from service.cli.tools import Tools
from service.filed.case import NoCase, of_event
from tests.service.cli.conftest import Done, Run
from tests.service.evidence.playing import Table
from tests.support import cases
from tests.support.server import ROOT
from tests.support.suites import Suite, suites

HISTORY = ROOT / "tests" / "evidence" / "history"


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process, with the installed rulesets."""

    def call(*args: object) -> Done:
        code = main([str(arg) for arg in args])
        return Done(code, *capsys.readouterr())

    return call


@cache
def evidence(name: str) -> bytes:
    """A random game of a suite, as a file that opens all."""
    suite = suites()[name]
    setup, _ = suite.random(3)
    return Table(game=suite.game, setup=setup).play(3, 400).export("truth")


def of(suite: Suite, number: str, case: dict[str, Any]) -> None:
    """The case has to hold, and says what a case says."""
    assert set(case) == {"id", "title", "rules", "edition", "setup", "script", "expect"}
    assert case["id"] == number
    assert case["rules"]
    cases.run(suite, case)


@pytest.mark.parametrize("name", suites())
def test_each_moment_makes_a_case_that_holds(name: str) -> None:
    """From the first order on; with dice and without."""
    suite, tools = suites()[name], Tools()
    desk = file_desk(tools, name, "", evidence(name))
    first, *later = desk.case.orders
    rules, dice = tools.game(desk.game.ruleset), 0
    for order in (first, *Random(28).sample(later, 24)):
        made = of_event(desk.filed, desk.id, order.last, rules, "X-C-001", "Of a game")
        case = json.loads(json.dumps(made))
        of(suite, "X-C-001", case)
        dice += any("faces" in entry for entry in case["script"])
    assert dice


@pytest.mark.parametrize("name", suites())
def test_a_case_expects_what_happened_and_no_less(name: str) -> None:
    """Another die, another order, one event changed: it does not hold any more."""
    suite, tools = suites()[name], Tools()
    desk = file_desk(tools, name, "", evidence(name))
    rules, failed = tools.game(desk.game.ruleset), 0
    for order in Random(7).sample(desk.case.orders, 12):
        made = of_event(desk.filed, desk.id, order.first, rules, "X-C-001", "Of a game")
        case = json.loads(json.dumps(made))
        case["expect"]["events"].append({"type": case["expect"]["events"][-1]["type"]})
        with pytest.raises((AssertionError, Refused)):
            cases.run(suite, case)
        failed += 1
    assert failed == 12


@pytest.mark.parametrize("name", suites())
def test_a_case_is_less_than_the_position(name: str) -> None:
    tools = Tools()
    desk = file_desk(tools, name, "", evidence(name))
    rules, views = tools.game(desk.game.ruleset), desk.filed.materials.views.of(desk.id)
    pieces, kept = 0, 0
    for order in desk.case.orders[60:100]:
        made = of_event(desk.filed, desk.id, order.last, rules, "X-C-001", "Of a game")
        state = views.at("truth", order.first - 1)
        field = "ships" if name == "naval_battles" else "units"
        pieces += len(getattr(state, field))
        kept += len(made["setup"].get(field, ()))
    assert pieces > 40
    assert kept < pieces


def test_it_is_numbered_after_all_that_are_taken_and_put_in_its_place(
    inside: Run, tmp_path: Path
) -> None:
    path = tmp_path / "game.decklog"
    path.write_bytes(evidence("war_at_sea"))
    folder = tmp_path / "cases" / "war_at_sea"
    folder.mkdir(parents=True)
    at = file_desk(Tools(), str(path)).case.orders[80].last
    given = (f"{path}@{at}", "--cases", folder.parent)
    assert json.loads(inside("case", *given).out)["id"] == "WAS-C-001"
    target = folder / "reported.jsonl"
    told = inside("case", *given, "--title", "Reported", "-o", target)
    assert told.out.startswith(f"{target}: WAS-C-001, ")
    assert inside("case", *given, "-o", target).code == 0
    found = cases.load("war_at_sea", folder.parent)
    assert [case["id"] for case in found] == ["WAS-C-001", "WAS-C-002"]
    assert found[0]["title"] == "Reported"
    assert found[1]["title"].startswith("As in events ")
    for case in found:
        of(suites()["war_at_sea"], case["id"], case)
    own = inside("case", *given, "--number", "WAS-C-9999")
    assert json.loads(own.out)["id"] == "WAS-C-9999"
    ours = inside("case", f"{path}@{at}", "--cases", ROOT / "tests" / "cases")
    assert json.loads(ours.out)["id"] == cases.free(cases.load("war_at_sea"))


def test_what_makes_no_case_says_why(inside: Run, run: Run, bundle: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.decklog"
    path.write_bytes(evidence("war_at_sea"))
    inside("case", path).assert_mistake("names no moment")
    inside("case", f"{path}@1").assert_mistake("no order led to event 1")
    inside("case", f"{path}@99999").assert_mistake("no version 99999")
    run("case", f"{bundle}@5").assert_mistake("no form for cases of pennant")
    part = tmp_path / "part.decklog"
    suite = suites()["naval_battles"]
    setup, _ = suite.random(3)
    part.write_bytes(Table(game=suite.game, setup=setup).play(3, 20).export("p1"))
    inside("case", f"{part}@9").assert_mistake("shows the game as p1 sees it")
    nowhere = tmp_path / "no" / "folder.jsonl"
    at = file_desk(Tools(), str(path)).case.orders[80].last
    inside("case", f"{path}@{at}", "-o", nowhere).assert_mistake("cannot be written")


@pytest.mark.parametrize("name", ["war-at-sea-6", "naval-battles", "crimson-tide", "first-battle"])
def test_a_game_of_the_past_makes_cases_of_todays_rules_or_none(name: str) -> None:
    """Its position is carried over; where the rules of today decide otherwise, there is none."""
    tools = Tools()
    desk = file_desk(tools, str(HISTORY / f"{name}.decklog"))
    rules = tools.game(desk.game.ruleset)
    suite = next(each for each in suites().values() if each.game.ruleset == rules.ruleset)
    made, reasons = 0, set[str]()
    for order in desk.case.orders[::12]:
        try:
            case = of_event(desk.filed, desk.id, order.last, rules, "X-C-001", "Of a game")
        except NoCase as error:
            reasons.add(str(error))
            continue
        of(suite, "X-C-001", json.loads(json.dumps(case)))
        made += 1
    assert made or reasons
    assert all("installed" in reason for reason in reasons), reasons

"""An order is carried out by the rule by which it is asked for, or by which its words are told.

Whoever takes over the rule of the neighbouring step in an event, or for an order that comes at
another time, tells readers of another thing; no case notices, for a case names rules that ran.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace as changed

from domain.games.war_at_sea.rules import events as was
from domain.kernel.play import Course
from domain.kernel.rules import Refused
from tests.support.cases import FOLDER, commands, do, load
from tests.support.suites import AnyGame, Suite, suites

OTHERWISE: dict[str, frozenset[tuple[str, str]]] = {
    "crimson_tide": frozenset({
        ("Attack", "AttackDeclared"), ("Deploy", "AircraftDeployed"), ("Dive", "DivesChosen"),
        ("LandAircraft", "AircraftLanded"), ("LandAircraft", "DiceAwaited"),
        ("PlaceUnit", "UnitPlaced"), ("Resign", "PlayerLeft"),
    }),
    "naval_battles": frozenset({
        ("AimRaid", "AttackDeclared"), ("DeclareAttack", "AttackDeclared"),
        ("Defend", "DefensePlayed"), ("DrawFleet", "DiceAwaited"), ("LandRaid", "AttackDeclared"),
        ("Pass", "PlanningUsed"), ("Reinforce", "ReinforcementsPlayed"),
    }),
    "war_at_sea": frozenset({
        ("Deploy", "UnitDeployed"), ("Eliminate", "UnitRemoved"), ("Fire", "AbilityUsed"),
        ("Fire", "AttackDeclared"), ("Move", "AbilityUsed"), ("Move", "UnitRemoved"),
        ("Pass", "ClaimDeclined"), ("Return", "AircraftReturned"), ("Return", "EffectBegan"),
        ("Return", "TaskDone"), ("Risk", "CarrierDoomed"), ("Use", "DiceAwaited"),
    }),
}  # fmt: skip
"""Orders whose first event another rule decides: that of the weapon, the ability, the way."""

APART: dict[str, frozenset[tuple[str, str]]] = {
    "war_at_sea": frozenset({
        ("build-fleet", "SubmitFleet"), ("choose-edge", "ChooseEdge"),
        ("choose-side", "ChooseSide"), ("claim", "Claim"), ("place-aircraft", "SendToAirbase"),
        ("return-aircraft", "Eliminate"),
    }),
}  # fmt: skip
"""Questions with an answer that has, at any other time, a rule of its own."""

CLAIMED = "WAS-C-153"
"""A case in which an objective is claimed."""

PLAYED = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]
every_suite = pytest.mark.parametrize("suite", PLAYED, ids=[suite.folder for suite in PLAYED])
Order = tuple[Any, str, Any, tuple[Any, ...]]


def given(suite: Suite, only: str = "") -> Iterator[tuple[str, Order]]:
    """Every order that is carried out in the numbered cases, or in one: state, seat, it, events."""
    kinds = commands(suite.game.commands)
    for case in load(suite.folder):
        if only not in ("", case["id"]):
            continue
        with suite.around(), suppress(Refused):
            table = suite.begin(case)
            for entry in case.get("script", ()):
                state, known = table.state, len(table.events)
                with suppress(Refused):
                    do(suite.game, table, entry)
                events = tuple(table.events[known:])
                if events and "command" in entry:
                    order = msgspec.convert(entry["command"], kinds)
                    yield case["id"], (state, entry["seat"], order, events)


def strange(game: AnyGame, order: Order) -> tuple[str, str] | None:
    """An order and its first event, if that cites neither rule."""
    state, seat, command, (event, *_) = order
    rules = {asked.rule for asked in game.pending(state) if asked.seat == seat}
    rules.add(game.describe(state, command).rule)
    if rules & set(event.rules):
        return None
    return type(command).__name__, type(event).__name__


@every_suite
def test_an_order_is_carried_out_by_the_rule_that_asks_or_tells(suite: Suite) -> None:
    found: dict[tuple[str, str], str] = {}
    for case, order in given(suite):
        pair = strange(suite.game, order)
        if pair is not None:
            found.setdefault(pair, case)
    listed = OTHERWISE.get(suite.folder, frozenset())
    assert {pair: found[pair] for pair in found.keys() - listed} == {}, "the rules of the event"
    assert listed - found.keys() == set(), "these entries are not true"


def test_the_rule_of_another_step_is_found() -> None:
    suite = suites()["war_at_sea"]
    state, seat, command, (event, *_) = next(
        order for _, order in given(suite, CLAIMED) if type(order[3][0]) is was.ObjectiveClaimed
    )
    assert strange(suite.game, (state, seat, command, (event,))) is None
    another = changed(event, rules=("WAS-VP-01",))
    wrong = strange(suite.game, (state, seat, command, (another,)))
    assert wrong == ("Claim", "ObjectiveClaimed")


def apart(game: AnyGame) -> Iterator[tuple[str, str]]:
    """Questions with an answer that belongs to another rule than asks for it."""
    for course in game.courses:
        if isinstance(course, Course):
            for question in course.questions.values():
                for each in question.acts:
                    if each.belongs not in ("", question.rule):
                        yield question.key, each.command.__name__


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_an_answer_belongs_to_the_rule_that_asks_for_it(suite: Suite) -> None:
    assert set(apart(suite.game)) == APART.get(suite.folder, frozenset())


def test_an_answer_of_another_rule_is_found() -> None:
    game = suites()["naval_battles"].game
    (course,) = (each for each in game.courses[:1] if isinstance(each, Course))
    asks = course.questions["prepare"]
    acts = tuple(replace(each, belongs="NB-GEN-99") for each in asks.acts)
    other = copy(course)
    other.steps = tuple(
        replace(step, asks=replace(asks, acts=acts)) if step.asks is asks else step
        for step in course.steps
    )
    assert {key for key, _ in apart(replace(game, courses=(other,)))} == {"prepare"}

"""The declaration that an event is explained by: its own, or none. Along recorded battles."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.kernel.setup import Setup
from domain.kernel.values import TRUTH
from projections.inquiry import Explanation, Inquiry
from projections.odds import told as of_ruleset
from projections.stream import SeenEvent
from tests.support.looking import RecordedViews
from tests.support.recorded import files, order, read
from tests.support.suites import suites

pytestmark = pytest.mark.slow("conformance")


class Battle(NamedTuple):
    """Every event of a recorded battle, and who explains them; no store is needed for it."""

    events: list[SeenEvent]
    inquiry: Inquiry

    def explained(self, name: str) -> list[Explanation]:
        """Of each event of that name."""
        named = [event.seq for event in self.events if event.type.partition(".")[2] == name]
        assert named, f"the battle has no {name}"
        return [self.inquiry.event(seq) for seq in named]


def battle(folder: str, name: str) -> Battle:
    suite = suites()[folder]
    game = suite.game
    (path,) = [path for path in files(suite) if Path(path).stem == name]
    lines = read(path)
    events: list[tuple[Any, str]] = []
    states: list[Any] = [None]

    def note(event: Any, command: int) -> None:
        events.append((event, f"c{command}"))
        states.append(game.evolve(states[-1], event))

    for event in game.opening(msgspec.convert(lines[0]["setup"], Setup)):
        note(event, 0)
    commands = 0
    for line in (each for each in lines[1:-1] if "turn" not in each):
        commands += "faces" not in line
        for event in game.decide(states[-1], *order(suite, states[-1], line)):
            note(event, commands)
    views = RecordedViews(suite, events)
    seen = views.seen(TRUTH, 0, views.latest)
    return Battle(seen, Inquiry(views, TRUTH, "0" * 32, ()))


def test_a_wasted_attack_is_not_declared_by_an_unrelated_roll() -> None:
    """It had no dice: ranges, arcs and earlier rolls were named as what had declared it."""
    found = battle("crimson_tide", "resignation")
    wasted = found.explained("attack-wasted")
    assert [why.declared for why in wasted] == [None] * len(wasted)
    for why in wasted:
        assert why.command[0].type == "crimson-tide.attack-declared"
        assert why.event is not None
        assert set(why.event.rules) <= {rule.id for rule in why.rules}
        assert why.tallies == {}, "nothing was measured for it"


@pytest.mark.parametrize("name", ["convoy-sunk-2009", "mutual-elimination-2009"])
def test_what_takes_effect_later_is_declared_by_the_attack_on_that_very_unit(name: str) -> None:
    """Not by what it fired itself before it sank."""
    found = battle("war_at_sea", name)
    later = [why for why in found.explained("unit-removed") if why.declared is not None]
    assert later, "some unit sinks only at the end of the phase"
    for why in later:
        assert why.declared is not None
        attack = found.events[why.declared.seq - 1].event
        assert why.event is not None
        assert attack.NAME == "attack-declared"
        assert attack.attack.target == found.events[why.event.seq - 1].event.unit


def test_a_move_or_a_pass_has_no_declaration_before_it() -> None:
    """Neither initiative nor a shot at the unit is what its move was declared by."""
    found = battle("war_at_sea", "points-2009")
    for name in ("unit-moved", "passed", "step-began"):
        assert {why.declared for why in found.explained(name) if not why.rolls} == {None}


def test_the_prospects_are_those_before_the_last_dice_of_an_attack() -> None:
    """Sixes are thrown again: by then the odds of the attack are others than at its declaration."""
    found = battle("crimson_tide", "resignation")
    game = suites()["crimson_tide"].game
    began = []
    for why in found.explained("attack-resolved"):
        first, last = why.command[0].seq, why.command[-1].seq
        states = [found.inquiry._past.at(TRUTH, version) for version in range(first, last + 1)]
        odds = [game.prospects(state) for state in states if game.awaiting(state)]
        told = [each for each in odds if each is not None]
        assert why.prospects == (of_ruleset(game, told[-1]) if told else None)
        began += told[:1] if told[:1] != told[-1:] else []
    assert began, "some attack had dice that were thrown again"

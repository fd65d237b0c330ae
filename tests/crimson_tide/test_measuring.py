"""Nobody reckons the odds of an attack before it is declared, while the battle goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules import commands as c
from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.shown.preview import preview
from domain.kernel.chance import Faces
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from projections.odds import of_command
from tests.support.recorded import files, order, read
from tests.support.suites import suites


@pytest.mark.rule("CT-GEN-06")
def test_an_attack_is_not_reckoned_before_its_declaration() -> None:
    suite = suites()["crimson_tide"]
    lines = read(suite.recorded / "target.jsonl")
    state = GAME.fold(GAME.opening(msgspec.convert(lines[0]["setup"], Setup)))
    asked = 0
    for line in (each for each in lines[1:-1] if "turn" not in each):
        seat, command = order(suite, state, line)
        events = GAME.decide(state, seat, command)
        attacks = line.get("command", {}).get("type") == "crimson-tide.attack"
        if attacks and GAME.awaiting(GAME.fold(events, state)) is not None:
            with pytest.raises(Refused) as refused:
                of_command(GAME, state, seat, command, measured=False)
            assert refused.value.code == "odds.unmeasured"
            assert of_command(GAME, state, seat, command, measured=True)
            asked += 1
        state = GAME.fold(events, state)
    assert asked


def _orders() -> Iterator[tuple[Any, str, Any]]:
    """Every order of two recorded battles, and the state that it was given in."""
    suite = suites()["crimson_tide"]
    for file in (each for each in files(suite) if each.stem in ("major", "target")):
        lines = read(file)
        state = GAME.fold(GAME.opening(msgspec.convert(lines[0]["setup"], Setup)))
        for line in (each for each in lines[1:-1] if "turn" not in each):
            seat, command = order(suite, state, line)
            yield state, seat, command
            state = GAME.fold(GAME.decide(state, seat, command), state)


def _agreed(state: Any) -> Any:
    return replace(state, options=replace(state.options, measuring="free"))


@pytest.mark.rule("CT-AMB-103")
def test_by_agreement_the_dry_run_tells_what_is_measured_after_the_declaration() -> None:
    seen: Counter[str] = Counter()
    for state, seat, command in _orders():
        if not isinstance(command, c.Attack):
            continue
        assert preview(state, command) is None, "nobody has agreed on it"
        told = preview(_agreed(state), command)
        assert told is not None
        for event in GAME.decide(state, seat, command):
            if isinstance(event, ev.AttackMeasured):
                shot = event.shot
                assert (told["band"], told["dice"]) == (shot.band, shot.dice.total)
                assert (told["armor"], told["least"]) == (shot.armor.total, shot.least.total)
                seen["measured"] += 1
            elif isinstance(event, ev.AttackWasted):
                assert (told["band"], told["impossible"]) == (event.band, event.reason)
                seen["wasted"] += 1
    assert seen["measured"] > 5
    assert seen["wasted"]


@pytest.mark.rule("CT-AMB-103", "CT-FSM-16")
def test_by_agreement_the_dry_run_of_an_order_is_where_it_goes() -> None:
    """What it adds is true of every order that no die and no evasion stops."""
    checked = 0
    for state, seat, command in _orders():
        if not isinstance(command, c.Move):
            continue
        plain, told = preview(state, command), preview(_agreed(state), command)
        assert plain is not None
        assert told is not None
        assert set(plain) == {"track", "offTable"}, "nobody has agreed on it"
        assert {name: told[name] for name in plain} == plain
        after = GAME.fold(GAME.decide(state, seat, command), state)
        moved = after.units.get(command.unit)
        if command.evade or told["tested"] or moved is None or moved.pose is None:
            continue
        there = {"x": moved.pose.x, "y": moved.pose.y, "heading": moved.pose.heading}
        assert told["stops"] == there
        assert bool(told["meets"]) == (after.awaiting is not None and after.order is not None)
        checked += 1
    assert checked > 5


@pytest.mark.rule("CT-AMB-103", "CT-GEN-06")
def test_by_agreement_odds_are_reckoned_before_the_declaration() -> None:
    reckoned = 0
    for state, seat, command in _orders():
        if not isinstance(command, c.Attack):
            continue
        odds = of_command(GAME, _agreed(state), seat, command, measured=False)
        assert odds == of_command(GAME, state, seat, command, measured=True)
        reckoned += odds is not None
    assert reckoned
    assert GAME.insight.forbidden(state) == "CT-GEN-06"
    assert GAME.insight.forbidden(_agreed(state)) == ""


@pytest.mark.rule("CT-AMB-103", "CT-GEN-06")
def test_by_agreement_odds_stand_beside_an_offer_and_else_nowhere() -> None:
    told, targets = 0, 0
    for state, seat, command in _orders():
        if isinstance(command, Faces):
            continue
        assert GAME.odds_beside(state, seat, command) is None, "nobody has agreed on it"
        odds = GAME.odds_beside(_agreed(state), seat, command)
        targets += bool(GAME.describe(state, command).target)
        if not isinstance(command, c.Attack):
            assert odds is None
            continue
        assert odds == of_command(GAME, _agreed(state), seat, command, measured=False)
        if odds is not None:
            short = GAME.odds_in_short(odds)
            assert short is not None
            missed = sum(o["perMille"] for o in odds["outcomes"] if o["outcome"] in UNHARMED)
            assert abs(short.hit - (1000 - missed)) <= 2, "each share is rounded"
            told += 1
    assert told > 5
    assert targets > told


UNHARMED = ("miss", "wasted")

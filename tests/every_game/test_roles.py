"""What events mean to readers: decided for each type of event, and what it says is so."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from domain.games import crimson_tide, war_at_sea
from domain.games.crimson_tide.rules import events as ct
from domain.games.war_at_sea.rules import events as was
from domain.games.war_at_sea.shown.roles import safe
from domain.kernel.conformance import play
from domain.kernel.finder import games
from domain.kernel.game import Game
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.shown.roles import PARTS, Role, nothing, undecided
from domain.kernel.testing.completeness import file_of
from domain.kernel.values import PUBLIC
from tests.support import pennant, soundings
from tests.support.cases import FOLDER, do, load
from tests.support.suites import Suite, suites

AnyGame = Game[Any, Any, Any]
EVERY = {**games(), "pennant": pennant.GAME, "soundings": soundings.GAME}
SETUPS = {
    "war-at-sea": Setup("war-at-sea", "2009", "standard", ("p1", "p2")),
    "crimson-tide": Setup("crimson-tide", "1", "major-200", ("p1", "p2")),
    "naval-battles": Setup("naval-battles", "1", "standard", ("p1", "p2", "p3")),
    "pennant": pennant.setup(120),
}


@pytest.mark.parametrize("name", EVERY)
def test_every_type_of_event_has_been_decided(name: str) -> None:
    game = EVERY[name]
    lacking = undecided(game.events, game.roles)
    where = file_of(next(role for role in game.roles.values() if role is not nothing))
    assert not lacking, (
        f"{where}: say what these mean to readers, or that they mean nothing: {lacking}"
    )


def test_what_is_not_decided_is_named() -> None:
    less = {type_: read for type_, read in pennant.ROLES.items() if type_ is not pennant.Chosen}
    assert undecided(pennant.GAME.events, less) == ["Chosen"]
    assert undecided(pennant.GAME.events[1:], pennant.ROLES) == ["Opened"]


def told(name: str, seed: int) -> Iterator[tuple[Any, Any, tuple[Role, ...], Any]]:
    """(state before, event, roles, state after) of a random game."""
    game = EVERY[name]
    choose = random.Random(seed).randrange
    *_, played = play(game, SETUPS[name], choose)
    state = None
    for event in played.events:
        after = game.evolve(state, event)
        yield state, event, game.meaning(state, event), after
        state = after


def in_play(name: str, state: Any) -> set[str]:
    """The units on the board, by the state and not by the events."""
    if state is None:
        return set()
    if name == "pennant":
        pairs = zip(state.seats, state.tenders, strict=True)
        return {pennant.tender_of(seat) for seat, afloat in pairs if afloat}
    return set(state.ships if name == "naval-battles" else state.units)


@pytest.mark.parametrize("name", SETUPS)
def test_who_is_lost_was_in_play_and_is_no_more(name: str) -> None:
    gone, seen = 0, set[str]()
    for before, event, roles, after in told(name, 5):
        seen |= {role.role for role in roles}
        out = {role.unit for role in roles if role.role in ("lost", "left")}
        assert out <= in_play(name, before)
        left = in_play(name, before) - in_play(name, after)
        if "BattleBegan" not in type(event).__name__:  # all ships are taken from the table
            assert left == out, event
        gone += len(out)
        for role in roles:
            assert role.role in PARTS
            if role.role == "lost":
                assert role.seat, "the state before tells whose it was"
    assert gone
    assert seen >= {"attacked", "lost"}


def vanished(suite: Suite, case: Mapping[str, Any], game: AnyGame) -> Iterator[str]:
    """Units that leave play in a numbered case by an event of which the roles do not say so."""
    with suite.around():
        try:
            table = suite.begin(case)
        except Refused:
            return
        for entry in case.get("script", ()):
            state, known = table.state, len(table.events)
            with suppress(Refused):
                do(suite.game, table, entry)
            for event in table.events[known:]:
                after = game.evolve(state, event)
                gone = in_play(game.ruleset, state) - in_play(game.ruleset, after)
                roles = game.meaning(state, event)
                out = {role.unit for role in roles if role.role in ("lost", "left")}
                if gone != out and "BattleBegan" not in type(event).__name__:
                    yield f"{case['id']}: {type(event).__name__}: {gone} leave, {out} by its roles"
                state = after


WITH_CASES = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]


@pytest.mark.parametrize("suite", WITH_CASES, ids=lambda suite: suite.folder)
def test_whoever_leaves_play_in_a_case_is_said_to(suite: Suite) -> None:
    """An event of a step that an option opens is in no random game of this file."""
    cases = load(suite.folder)
    found = [each for case in cases for each in vanished(suite, case, suite.game)]
    assert found[:5] == [], "shown/roles.py"


def test_a_loss_that_no_role_tells_is_found() -> None:
    suite = suites()["war_at_sea"]
    mute = replace(suite.game, roles={**suite.game.roles, was.UnitRemoved: nothing})
    assert any(list(vanished(suite, case, mute)) for case in load(suite.folder))


@pytest.mark.parametrize("name", SETUPS)
def test_the_public_and_an_event_alone_tell_no_more(name: str) -> None:
    """Redacted events and missing states are read as well; what they say is part of the truth."""
    game = EVERY[name]
    for _, event, roles, _ in told(name, 6):
        known = {(role.role, role.unit) for role in roles}
        for less in (game.meaning(None, event), game.meaning(None, game.seen(event, PUBLIC))):
            assert {(role.role, role.unit) for role in less} <= known


def test_who_leaves_the_table_safely_is_not_lost() -> None:
    def role(game: AnyGame, event: Any) -> str:
        [found] = game.meaning(None, event)
        return found.role

    for cause in sorted(safe()):
        left = was.UnitRemoved(unit="p1-1", scorer="p2", points=0, cause=cause)
        assert role(war_at_sea.GAME, left) == "left"
    gone = ct.UnitRemoved(unit="p1-1", scorer="p2", points=4, cause="exit")
    assert role(crimson_tide.GAME, gone) == "left"
    sunk = ct.UnitRemoved(unit="p1-1", scorer="p2", points=4, cause="destroyed")
    assert role(crimson_tide.GAME, sunk) == "lost"


def test_nothing_is_nothing() -> None:
    assert nothing(None, pennant.TurnPassed()) == ()

"""Whoever leaves play leaves it whole: in no game does a name stand where it may not any more.

A newcomer's step sank a Carrier and left its Squadrons in play, based on nothing: no test said so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.examples.pennant.rules.events import TenderLost
from domain.games.war_at_sea.game import GAME
from domain.games.war_at_sea.rules import events as ev
from domain.kernel.conformance import Nonconformance, play
from domain.kernel.rules import Refused
from domain.kernel.shown.scene import Group
from domain.kernel.testing.leaving import Leaving, check_left
from domain.kernel.values import StepKey
from tests.support import pennant
from tests.support.cases import FOLDER, do, load
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

GAMES = 6
LONG = 1_500
DRAWN = 10
"""Every so many positions of a random game are drawn."""

PLAYED = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]
every_suite = pytest.mark.parametrize("suite", PLAYED, ids=[suite.folder for suite in PLAYED])


def in_cases(suite: Suite, follow: Leaving, only: str = "") -> Iterator[str]:
    """What is wrong in the numbered cases, or in one of them."""
    for case in load(suite.folder):
        if only in ("", case["id"]):
            follow.begin()
            with suite.around(), suppress(Refused):
                table = suite.begin(case)
                for entry in case.get("script", ()):
                    state, known = table.state, len(table.events)
                    with suppress(Refused):
                        do(follow.game, table, entry)
                    follow.happened(state, table.events[known:])
                    yield from (f"{case['id']}: {each}" for each in follow.settled(table.state))


def at_random(suite: Suite, follow: Leaving, seed: int) -> Iterator[str]:
    """What is wrong in a random game."""
    setup, game = suite.random(seed)
    follow.begin()
    state, known = None, 0
    steps = islice(play(game, setup, Random(f"leaving {seed}").randrange), LONG)
    for number, played in enumerate(steps):
        state = follow.happened(state, played.events[known:])
        known = len(played.events)
        yield from follow.settled(state, draw=not number % DRAWN)


@cache
def followed(folder: str) -> tuple[list[str], list[str]]:
    """What is wrong in cases and random games, and what none of them has shown."""
    suite = suites()[folder]
    follow = Leaving(suite.game)
    found = list(in_cases(suite, follow))
    for seed in range(GAMES):
        found += at_random(suite, follow, seed)
    return found, follow.lacking()


@every_suite
def test_nothing_names_who_has_left_play(suite: Suite) -> None:
    found, _ = followed(suite.folder)
    assert found[:5] == [], "shown/tables.py: REMAINS, or what was aboard stays behind"


@every_suite
def test_whatever_takes_units_is_shown_to_take_one_with_others_aboard(suite: Suite) -> None:
    _, lacking = followed(suite.folder)
    assert lacking == []


# --- each fault, made on purpose -----------------------------------------------------------------

ABOARD = "WAS-C-140"
"""A Carrier goes down while an Aircraft of it flies."""


def tables(**changes: Any) -> AnyGame:
    assert GAME.tables is not None
    return replace(GAME, tables=replace(GAME.tables, **changes))


def wrong(game: AnyGame, only: str = ABOARD) -> str:
    return "\n".join(in_cases(suites()["war_at_sea"], Leaving(game), only))


def test_an_aircraft_that_stays_behind_is_found() -> None:
    """In the air it may look for another base; when that is over, it has none."""
    follow = Leaving(GAME)
    table = suites()["war_at_sea"].begin(next(c for c in load("war_at_sea") if c["id"] == ABOARD))
    state = changed(table.state, carriers={})
    base = next(unit.base for unit in state.all_units if unit.base in state.units)
    gone = ev.UnitRemoved(unit=base, scorer="p2", points=0, cause="destroyed")
    after = follow.happened(state, (gone,))
    assert list(follow.settled(after)) == []
    late = changed(after, step=StepKey("end-of-turn"))
    assert any(each.startswith("units/*/base of ") for each in follow.settled(late))
    assert any("units/*/base" in each for each in follow.settled(changed(after, turn=9)))


def test_a_place_that_is_not_listed_is_named() -> None:
    assert wrong(GAME) == ""
    assert "lost/[]/id of the state names p1-" in wrong(tables(remains={}))


def test_a_loss_that_is_not_in_the_list_is_named() -> None:
    def evolve(state: Any, event: Any) -> Any:
        after = GAME.evolve(state, event)
        return changed(after, lost=()) if isinstance(event, ev.UnitRemoved) else after

    assert " is not in lost/[]/id" in wrong(replace(GAME, evolve=evolve))


def test_a_piece_that_stays_in_the_picture_is_named() -> None:
    def scene(state: Any, before: Any, events: Any, focus: str) -> Any:
        assert GAME.scene is not None
        drawn = GAME.scene(state, before, events, focus)
        more = tuple(Group((), "unit", key=each.id) for each in state.lost)
        return changed(drawn, items=(*drawn.items, Group(more)))

    assert "the picture shows p1-1, which has left play" in wrong(replace(GAME, scene=scene))


def test_what_nothing_has_shown_is_named() -> None:
    suite, follow = suites()["war_at_sea"], Leaving(tables(remains={"smoke/{}": "never"}))

    def alone(case: str) -> bool:
        one = Leaving(GAME)
        list(in_cases(suite, one, case))
        return bool(one.took) and not one.laden

    bare = next(case["id"] for case in load("war_at_sea") if alone(case["id"]))
    list(in_cases(suite, follow, bare))
    found = follow.lacking()
    assert [each.partition(": ")[0] for each in found] == [
        "entry smoke/{} of what remains", "event unit-removed",
    ]  # fmt: skip
    assert all(each.endswith("(domain/games/war_at_sea/shown/tables.py)") for each in found)


def test_an_entry_that_is_not_true_is_named() -> None:
    follow = Leaving(tables(bare=frozenset({ev.UnitRemoved}), remains={}))
    list(in_cases(suites()["war_at_sea"], follow, ABOARD))
    (found,) = follow.lacking()
    assert found.startswith("event unit-removed: listed as bare, takes a base")


def test_a_game_from_outside_is_held_to_it() -> None:
    *_, played = play(pennant.GAME, pennant.setup(120), Random(5).randrange)
    assert any(isinstance(event, TenderLost) for event in played.events)
    check_left(pennant.GAME, played)


def test_a_name_that_stands_after_its_unit_is_gone_does_not_conform() -> None:
    suite = suites()["war_at_sea"]
    setup, game = suite.random(0)
    *_, played = islice(play(game, setup, Random(0).randrange), LONG)
    check_left(GAME, played)
    with pytest.raises(Nonconformance, match="lost/"):
        check_left(tables(remains={}), played)

"""Secrets of an open table stay secret, in every scenario.

Random battles themselves: tests/campaigns/test_random_games.py.
"""

from __future__ import annotations

import pytest

from domain.games.crimson_tide import GAME
from domain.games.crimson_tide.rules import commands as c
from domain.games.crimson_tide.rules.scenarios import scenarios
from domain.games.crimson_tide.rules.state import Pick
from domain.kernel import conformance
from domain.kernel.conformance import Played
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC, StepKey

from .random_battles import random_fleet, setup_of
from .seas import EDITION, SEATS, begun

WORLDS = (
    (Pick("uss-lst-325"),),
    (Pick("uss-lst-325"), Pick("uss-gato"), Pick("a6m2-zero", "land-base")),
)


def take(played: Played, seat: str, command: c.AnyCommand) -> None:
    events = GAME.decide(played.state, seat, command)
    played.events.extend(events)
    played.state = GAME.fold(events, played.state)


def world(scenario: str, fleet: tuple[Pick, ...]) -> Played:
    """p1 has locked this fleet; p2 has not chosen yet."""
    played = Played(Setup("crimson-tide", EDITION, scenario, SEATS))
    played.events.extend(GAME.opening(played.setup))
    played.state = GAME.fold(played.events)
    take(played, "p1", c.SubmitFleet(fleet))
    return played


def look_the_same(one: Played, other: Played) -> None:
    """Nobody but p1 can tell the two worlds apart, by any of the functions that show something."""
    for viewer in ("p2", PUBLIC):
        conformance.check_two_worlds(GAME, one, other, viewer)
        seen = [GAME.fold([GAME.seen(e, viewer) for e in w.events]) for w in (one, other)]
        assert seen[0] == seen[1]
        assert GAME.board(seen[0]) == GAME.board(seen[1])
        assert GAME.pending(seen[0]) == GAME.pending(seen[1])
    with pytest.raises(conformance.Nonconformance):
        conformance.check_two_worlds(GAME, one, other, "p1")


@pytest.mark.rule("CT-FLEET-01", "CT-FLEET-02")
@pytest.mark.parametrize("scenario", sorted(scenarios()))
def test_a_locked_fleet_tells_nobody_anything(scenario: str) -> None:
    look_the_same(*(world(scenario, fleet) for fleet in WORLDS))


@pytest.mark.rule("CT-FSM-09", "CT-SUB-03")
def test_a_dive_tells_nobody_anything_before_both_have_chosen() -> None:
    worlds = []
    for submerged in ((), ("p1-1",)):
        play = begun(
            {
                "step": StepKey("dive"),
                "first": "",
                "units": [
                    {"id": "p1-1", "card": "uss-gato", "pose": [250_000, 500_000]},
                    {"id": "p2-1", "card": "u-47", "pose": [500_000, 1_000_000, 360]},
                ],
            }
        )
        before = play.state
        events = GAME.decide(before, "p1", c.Dive(submerged))
        worlds.append((before, events))
    (before, first), (_, second) = worlds
    for viewer in ("p2", PUBLIC):
        shown = [[GAME.seen(event, viewer) for event in events] for events in (first, second)]
        assert shown[0] == shown[1]
        assert GAME.fold(shown[0], before) == GAME.fold(shown[1], before)
    assert [GAME.seen(event, "p1") for event in first] != [GAME.seen(e, "p1") for e in second]


def test_random_fleets_are_legal_and_varied() -> None:
    fleets = set()
    for seed in range(20):
        state = GAME.fold(GAME.opening(setup_of(seed)))
        fleets.add(random_fleet(seed, state, "p1"))
        assert random_fleet(seed, state, "p1") == random_fleet(seed, state, "p1")
    assert len(fleets) == 20
    cards = {pick.card for fleet in fleets for pick in fleet}
    assert len(cards) > 40

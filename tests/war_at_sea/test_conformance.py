"""Fleets stay secret, and random fleets are legal and varied.

Random battles themselves: tests/campaigns/test_random_games.py.
"""

from __future__ import annotations

import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.scenarios import scenarios
from domain.kernel import conformance
from domain.kernel.chance import Faces
from domain.kernel.conformance import Played
from domain.kernel.setup import Setup
from domain.kernel.values import CHANCE, PUBLIC
from tests.support.battle import EDITIONS, SEATS
from tests.support.random_battles import game_of, random_fleet

WORLDS = ("duca-d-aosta",), ("u-552", "myoko", "a6m2-zeke")


def world(edition: str, axis: tuple[str, ...], coin: int) -> Played:
    """p1 commands the Axis with this fleet; p2 deploys first, or is about to see p1 deploy."""
    played = Played(Setup("war-at-sea", edition, "standard", SEATS))
    played.events.extend(GAME.opening(played.setup))
    played.state = GAME.fold(played.events)
    for seat, command in (
        ("p1", c.SubmitFleet(axis)),
        ("p2", c.SubmitFleet(("hmas-canberra", "f4f-wildcat"))),
        (CHANCE, (4,)),
        (CHANCE, (coin,)),
    ):
        take(played, seat, command)
    if coin == 2:
        take(played, "p2", c.ChooseEdge("north"))
        take(played, "p2", c.Deploy("hmas-canberra", "11.4"))
        take(played, "p2", c.Deploy("f4f-wildcat", "airbase"))
    else:
        take(played, "p1", c.ChooseEdge("north"))
    return played


def take(played: Played, seat: str, command: c.AnyCommand | tuple[int, ...]) -> None:
    """One command, or the faces of the one pool that is awaited."""
    awaited = GAME.awaiting(played.state)
    if isinstance(command, tuple):
        assert awaited is not None
        events = GAME.decide(played.state, seat, Faces(awaited.label, (command,)))
    else:
        events = GAME.decide(played.state, seat, command)
    played.events.extend(events)
    played.state = GAME.fold(events, played.state)


@pytest.mark.parametrize("coin", [1, 2])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_fleet_that_is_not_deployed_tells_nobody_anything(edition: str, coin: int) -> None:
    one, other = (world(edition, fleet, coin) for fleet in WORLDS)
    for viewer in ("p2", PUBLIC):
        conformance.check_two_worlds(GAME, one, other, viewer)
        seen = [GAME.fold([GAME.seen(e, viewer) for e in w.events]) for w in (one, other)]
        assert seen[0] == seen[1]
        assert GAME.board(seen[0]) == GAME.board(seen[1])
        assert GAME.pending(seen[0]) == GAME.pending(seen[1])
    with pytest.raises(conformance.Nonconformance):
        conformance.check_two_worlds(GAME, one, other, "p1")


@pytest.mark.parametrize("scenario", sorted(scenarios()))
@pytest.mark.parametrize("edition", EDITIONS)
def test_fleets_are_secret_in_every_scenario(edition: str, scenario: str) -> None:
    """p1 commands the Axis, escorts where there is a convoy, and is about to deploy."""
    worlds = []
    for axis in WORLDS:
        played = Played(Setup("war-at-sea", edition, scenario, SEATS, {"escort": "p1"}))
        played.events.extend(GAME.opening(played.setup))
        played.state = GAME.fold(played.events)
        take(played, "p1", c.SubmitFleet(axis))
        take(played, "p2", c.SubmitFleet(("hmas-canberra", "f4f-wildcat")))
        while GAME.awaiting(played.state) is not None:
            take(played, CHANCE, (1,))
        take(played, "p1", c.ChooseEdge("north"))
        worlds.append(played)
    one, other = worlds
    for viewer in ("p2", PUBLIC):
        conformance.check_two_worlds(GAME, one, other, viewer)
    with pytest.raises(conformance.Nonconformance):
        conformance.check_two_worlds(GAME, one, other, "p1")


@pytest.mark.parametrize("edition", EDITIONS)
def test_even_how_many_units_are_left_is_a_secret(edition: str) -> None:
    """The first unit of either world goes to sea: the sealed fleet still looks the same."""
    one, other = (world(edition, fleet, 1) for fleet in (("u-552",), WORLDS[1]))
    for played in (one, other):
        before = len(played.events)
        take(played, "p1", c.Deploy("u-552", "9.3"))
        played.events[before + 1 :] = []
    conformance.check_two_worlds(GAME, one, other, "p2")
    for viewer in ("p2", PUBLIC):
        seen = [GAME.fold([GAME.seen(e, viewer) for e in w.events]) for w in (one, other)]
        assert seen[0] == seen[1]


def test_random_fleets_are_legal_and_varied() -> None:
    cards: set[str] = set()
    for seed in range(30):
        played = next(iter(conformance.play(game_of(seed), setup(seed), lambda n: 0)))
        if played.state.alliances:
            cards.update(random_fleet(seed, played.state, "p1"))
    assert len(cards) > 60


def setup(seed: int) -> Setup:
    """The seat commands the Axis and the Allies in turn."""
    options = {"axis": SEATS[seed % 2]}
    return Setup("war-at-sea", EDITIONS[seed % 2], "standard", SEATS, options)

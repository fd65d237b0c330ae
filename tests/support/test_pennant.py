"""The little test game keeps every promise that a real game makes."""

from __future__ import annotations

import random

import pytest

from domain.kernel import conformance
from tests.support.pennant import GAME, Choose, Fire, Pass, mutant, redact, setup

STRAYS = (Choose("bold"), Choose("steady"), Fire("hull"), Fire("magazine"), Pass())


@pytest.mark.parametrize("seed", range(12))
def test_conformance(seed: int) -> None:
    dice = random.Random(seed)
    last = None
    for played in conformance.play(GAME, setup(6), dice.randrange):
        seats = played.setup.seats
        for stray in STRAYS:
            conformance.check_purity(GAME, played.state, seats[0], stray)
        conformance.check_legality(GAME, played.state, seats, STRAYS)
        conformance.check_views(GAME, played)
        last = played
    assert last is not None
    conformance.check_roundtrip(GAME, last.events)
    conformance.check_replay(GAME, last)
    assert GAME.result(last.state) is not None


def test_two_worlds_look_the_same_until_the_colours_are_shown() -> None:
    worlds = []
    for colour in ("bold", "steady"):
        played = conformance.Played(setup(6), list(GAME.opening(setup(6))))
        state = GAME.fold(played.events)
        played.events.extend(GAME.decide(state, "p1", Choose(colour)))
        worlds.append(played)
    conformance.check_two_worlds(GAME, worlds[0], worlds[1], "p2")


def test_a_leak_is_noticed() -> None:
    leaky = mutant(redact=lambda event, viewer: event)
    worlds = []
    for colour in ("bold", "steady"):
        played = conformance.Played(setup(6), list(leaky.opening(setup(6))))
        state = leaky.fold(played.events)
        played.events.extend(leaky.decide(state, "p1", Choose(colour)))
        worlds.append(played)
    with pytest.raises(conformance.Nonconformance):
        conformance.check_two_worlds(leaky, worlds[0], worlds[1], "p2")
    assert redact(worlds[0].events[1], "p2") == redact(worlds[1].events[1], "p2")

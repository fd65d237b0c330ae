"""The little test game keeps every promise that a real game makes."""

from __future__ import annotations

import random

import msgspec
import pytest

from domain.kernel import conformance
from domain.kernel.chance import domain_seat, side_domain
from tests.support.pennant import (
    GAME,
    AnyEvent,
    Choose,
    Fire,
    FireDeclared,
    Pass,
    State,
    mutant,
    redact,
    setup,
)

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
        conformance.check_canonical(GAME, played.state, seats, dice.randrange)
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


def test_a_roll_of_a_domain_that_was_never_named_is_noticed() -> None:
    silent = mutant(domains=lambda setup: ("side:p1",))
    with pytest.raises(conformance.Nonconformance, match="never named"):
        list(conformance.play(silent, setup(6), random.Random(1).randrange))


def test_a_domain_of_no_seat_is_noticed() -> None:
    def awaiting(state: State) -> object:
        asked = state.awaited
        return asked and msgspec.structs.replace(asked, domain=side_domain("p9"))

    strange = mutant(awaiting=awaiting, domains=lambda setup: (side_domain("p9"),))
    with pytest.raises(conformance.Nonconformance, match="of no seat"):
        list(conformance.play(strange, setup(6), random.Random(1).randrange))


def test_a_request_for_dice_that_a_viewer_cannot_see_is_noticed() -> None:
    def hiding(event: AnyEvent, viewer: str) -> AnyEvent:
        if isinstance(event, FireDeclared) and viewer != event.seat:
            return msgspec.structs.replace(event, awaited=None)
        return redact(event, viewer)

    played = conformance.Played(setup(6), list(GAME.opening(setup(6))))
    for seat, command in (("p1", Choose("bold")), ("p2", Choose("bold")), ("p1", Fire())):
        played.events.extend(GAME.decide(GAME.fold(played.events), seat, command))
    played.state = GAME.fold(played.events)
    conformance.check_views(GAME, played)
    with pytest.raises(conformance.Nonconformance, match="another request"):
        conformance.check_views(mutant(redact=hiding), played)


def test_a_hidden_domain_names_its_seat() -> None:
    assert domain_seat(side_domain("p3")) == "p3"
    assert domain_seat("pub") is None

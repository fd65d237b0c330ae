"""Claims about the hidden say something: each is untrue of some other hidden thing, counts what
it names, and is made by the rule by which it is known to all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from domain.kernel.shown.claims import Claim
from domain.kernel.testing.biting import Biting, sealed_places
from service.play.forks import chooser
from tests.support import pennant, walks
from tests.support.suites import AnyGame, suites

GAMES, EARLY = 6, 300
FIRST, STRIDE = 20, 7
"""Views with something sealed that are looked at: so many of a game, then every so many."""

CLAIMED = {
    "crimson_tide": {
        "p might choose that fleet": "CT-FLEET-01",
        "p chooses among its submarines": "CT-SUB-03",
    },
    "naval_battles": {
        "p might choose that fleet": "NB-SETUP-02",
        "p holds n cards": "NB-HID-02",
        "n are left to draw": "NB-HID-02",
        "each card is in one place": "NB-DECK-01",
        "what is left to draw was in the discards that became the deck": "NB-DRAW-02",
        "p holds no more of the renewed deck than were drawn": "NB-DRAW-02",
    },
    "war_at_sea": {
        "p might choose that fleet": "WAS-SETUP-23",
        "p has something left to deploy": "WAS-SETUP-25",
    },
}
"""What is claimed in each game, without seats and numbers, and the rule that makes it known."""


def views(folder: str) -> Iterator[Any]:
    """What viewers see of random games while something is sealed."""
    for seed in range(GAMES):
        setup, game = suites()[folder].random(seed)
        places = islice(walks.random(game, setup, seed), EARLY)
        every = (view for place in places for view in place.views.values())
        for number, view in enumerate(view for view in every if sealed_places(view)):
            if number < FIRST or number % STRIDE == 0:
                yield view


def looked(game: AnyGame, seen: Iterator[Any]) -> tuple[Biting, list[str]]:
    """Those views, with what was supposed of each."""
    follow, found = Biting(game), set[str]()
    for number, view in enumerate(seen):
        found.update(follow.looked_at(view, game.insight.suppose(view, chooser(str(number)))))
    return follow, sorted(found)


@pytest.mark.parametrize("folder", sorted(suites()))
def test_claims_say_something_by_their_rule(folder: str) -> None:
    follow, found = looked(suites()[folder].game, views(folder))
    assert found == []
    assert follow.toothless == [], "true of whatever is hidden: what does it claim?"
    assert follow.met == CLAIMED[folder]


def changed(game: AnyGame, field: str, claims: Callable[[Any], Any]) -> AnyGame:
    """The game with another claim of a field."""
    return replace(
        game, insight=replace(game.insight, claims={**game.insight.claims, field: claims})
    )


def of_hands(view: Any) -> Iterator[Claim]:
    for seat, hand in view.hands.items():
        yield Claim(f"{seat} holds {hand.count + 1} cards", "NB-HID-02", lambda state: False)


def of_fleets(view: Any) -> Iterator[Claim]:
    yield Claim("a fleet is chosen", "WAS-SETUP-23", lambda state: True)


def test_a_claim_that_is_true_of_everything_is_named() -> None:
    game = changed(suites()["war_at_sea"].game, "fleets", of_fleets)
    follow, _ = looked(game, islice(views("war_at_sea"), 9))
    assert follow.toothless == ["a fleet is chosen (WAS-SETUP-23)"]


def test_a_claim_that_counts_something_else_is_named() -> None:
    game = changed(suites()["naval_battles"].game, "hands", of_hands)
    _, found = looked(game, islice(views("naval_battles"), 60))
    assert any("cards: what it is about counts" in each for each in found), found


def test_the_claims_of_a_game_from_outside_say_something() -> None:
    game, setup = pennant.GAME, pennant.setup(6)
    seen = (
        v for n in range(4) for place in walks.random(game, setup, n) for v in place.views.values()
    )
    follow, found = looked(game, (view for view in seen if sealed_places(view)))
    assert found == []
    assert follow.toothless == []
    assert len(follow.met) > 0

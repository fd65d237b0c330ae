"""Nobody can tell two worlds apart that differ in what he may not know (issue 4).

At every step, for every seat count: what another player holds, which fleet he chose, what is left
in the deck. And the net has no hole that we know of: ten leaks made on purpose are all found.
"""

from __future__ import annotations

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.decide import EDITION
from domain.kernel.setup import Setup
from domain.kernel.values import PUBLIC

from . import worlds
from .leaks import LEAKS, AnyGame
from .tables import SEATS

STEPS = 220
"""Commands of a game; the worlds part again whenever a pair has come to its end."""


def setup(seats: int, scenario: str = "standard") -> Setup:
    return Setup("naval-battles", EDITION, scenario, SEATS[:seats])


@pytest.mark.parametrize("viewer", ["p1", "p2", PUBLIC])
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.timeout(300)
def test_hands_and_the_deck_tell_nobody_anything(seats: int, viewer: str) -> None:
    tally = worlds.run(GAME, setup(seats), viewer, seed=seats, steps=STEPS)
    assert tally.pairs, "the worlds parted"
    each = 20 if viewer != PUBLIC else 7
    assert tally.compared > STEPS * each / 3, "most steps were compared"


@pytest.mark.parametrize(("scenario", "seats"), [("pairs", 4), ("trios", 6), ("linked", 3)])
@pytest.mark.timeout(300)
def test_partners_and_later_battles_know_no_more(scenario: str, seats: int) -> None:
    tally = worlds.run(GAME, setup(seats, scenario), "p2", seed=9, steps=STEPS)
    assert tally.pairs


@pytest.mark.parametrize("seats", range(2, 7))
def test_secret_fleets_tell_nobody_anything(seats: int) -> None:
    """Not even how many ships there are, until the fleet is laid out."""
    for viewer in ("p1", "p2", PUBLIC):
        for seed in range(6):
            assert worlds.fleets(GAME, setup(seats), viewer, seed)


def found(game: AnyGame) -> bool:
    """Whether some run of two worlds shows the leak."""
    for seed in range(24):
        for viewer in ("p1", "p2"):
            try:
                worlds.fleets(game, setup(3), viewer, seed)
                worlds.run(game, setup(2), viewer, seed, 150)
            except worlds.Leak:
                return True
    return False


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.timeout(300)
def test_every_leak_made_on_purpose_is_found(leak: str) -> None:
    assert found(LEAKS[leak]())


def test_there_are_ten_of_them() -> None:
    assert len(LEAKS) == 10

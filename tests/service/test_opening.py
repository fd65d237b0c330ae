"""A game opens from its set-up as the verifier will read it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.kernel.codec import canonical
from domain.kernel.finder import games
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from service.models import NewGame
from service.play.opening import seat_wishes, setup_of, terms_of


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.ruleset)
def test_the_opening_is_the_same_from_the_set_up_and_from_its_record(
    game: Game[Any, Any, Any],
) -> None:
    """Bug: Crimson Tide's evidence was refuted, for a usual klick was left out of the record."""
    new = NewGame(ruleset=game.ruleset)
    setup = setup_of(new, game, terms_of(new, game), seat_wishes(new, game), {})
    read = Setup(**{**json.loads(canonical(setup)), "seats": setup.seats})
    stored = [[canonical(event) for event in game.opening(each)] for each in (setup, read)]
    assert setup.options
    assert stored[0] == stored[1]

"""What several seats hold is told by seat, whichever key of the dict comes first."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules.state import State
from domain.kernel.codec import canonical

from ..suite import SUITE

ONE, OTHER = {"p1": 1, "p2": 2}, {"p2": 2, "p1": 1}


def held(turns: dict[str, int]) -> State:
    """The beginning of a recorded game with an objective, held for so many turns."""
    games = (GAME.fold(GAME.opening(recipe.setup)) for recipe in SUITE.recipes.values())
    state = next(game for game in games if game.objectives)
    return replace(state, objectives=(replace(state.objectives[0], turns=turns),))


def test_who_holds_an_objective_is_told_by_seat() -> None:
    told = [GAME.says(None, ev.ControlChecked(objective="x", turns=t)) for t in (ONE, OTHER)]
    assert told[0] == told[1] == "x is held by p1 for 1 and p2 for 2."


def test_who_holds_an_objective_is_drawn_by_seat() -> None:
    drawn = [canonical(GAME.picture(held(turns), None, ())) for turns in (ONE, OTHER)]
    assert drawn[0] == drawn[1]
    assert b"p1 1, p2 2" in drawn[0]

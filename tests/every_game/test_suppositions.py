"""What a view leaves open is made up for a fork, and agrees with all that the viewer knows.

At positions along recorded and random games, for every seat and the public: made up from view and
seed alone, whole, the same view to the same eyes, and every public claim about the hidden holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.kernel.codec import canonical
from domain.kernel.fork import Choose
from domain.kernel.shown.claims import claims_of
from domain.kernel.testing.suppositions import check_supposition, sealed
from domain.kernel.values import Viewer
from service.play.forks import chooser
from tests.support import pennant, walks
from tests.support.recorded import files
from tests.support.suites import AnyGame, Suite, suites
from tests.support.walks import Place

POSITIONS = 12
GAMES = 6
EARLY = 300
"""Commands of a random game that are looked at; a set-up, with most of the secrets, is shorter."""

SUITES = [pytest.param(suite, id=suite.folder) for suite in suites().values()]


def supposed(game: AnyGame, along: Iterable[Place], dice: Random) -> int:
    """Suppose at some of the positions where something is sealed; how many parts were made up."""
    passed = list(along)
    for place in dice.sample(passed, min(len(passed), POSITIONS)):
        check_claims(game, place)
    every = [(view, viewer) for place in passed for viewer, view in place.views.items()]
    open_ = [each for each in every if sealed(each[0])]
    chosen = dice.sample(open_, min(len(open_), POSITIONS)) + open_[: POSITIONS // 2]
    return sum(made_up(game, view, viewer, dice) for view, viewer in chosen)


def check_claims(game: AnyGame, place: Place) -> None:
    """What everybody may say of the hidden is true."""
    for viewer, view in place.views.items():
        for claim in claims_of(game.insight.claims, view):
            assert claim.holds(place.state), f"for {viewer}: {claim.text} ({claim.rule})"


def made_up(game: AnyGame, view: Any, viewer: Viewer, dice: Random) -> int:
    """How many fields of the view were filled."""
    seed = str(dice.random())

    def seeded() -> Choose:
        return chooser(seed)

    found = check_supposition(game, view, viewer, seeded)
    return sum(
        canonical(getattr(view, name)) != canonical(getattr(found, name))
        for name in view.__struct_fields__
    )


def _recorded() -> Iterator[Any]:
    for suite in suites().values():
        for path in files(suite):
            yield pytest.param(suite, path, id=f"{suite.folder}-{path.stem}")


@pytest.mark.parametrize(("suite", "path"), _recorded())
def test_a_supposition_agrees_with_all_that_is_public_in_a_recorded_game(
    suite: Suite, path: Path
) -> None:
    supposed(suite.game, walks.recorded(suite, path), Random(path.stem))


@pytest.mark.parametrize("suite", SUITES)
def test_a_supposition_agrees_with_all_that_is_public_in_random_games(suite: Suite) -> None:
    found = 0
    for seed in range(GAMES):
        setup, game = suite.random(seed)
        along = islice(walks.random(game, setup, seed), EARLY)
        found += supposed(game, along, Random(f"{suite.folder} {seed}"))
    assert found


def test_a_small_game_agrees_too() -> None:
    along = walks.random(pennant.GAME, pennant.setup(6), 1)
    assert supposed(pennant.GAME, along, Random(1))

"""What a view leaves open is made up for a fork: whole, in right numbers, from view and seed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.kernel.codec import canonical, full
from domain.kernel.values import PUBLIC, TRUTH, Hidden
from service.forks import chooser
from tests.every_game.test_differences import positions
from tests.support import history
from tests.support.suites import Suite, suites

POSITIONS = 8
GAMES = 3


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_a_supposition_is_whole_and_keeps_all_that_is_seen(suite: Suite) -> None:
    dice, made_up = Random(suite.folder), 0
    for path in dice.sample(history.files(suite), GAMES):
        true = [state for _, state in positions(suite, path, TRUTH)]
        for viewer in ("p1", PUBLIC):
            seen = [state for _, state in positions(suite, path, viewer)]
            early = [place for place, state in enumerate(seen) if sealed(state)][: 4 * POSITIONS]
            places = dice.sample(early, min(len(early), POSITIONS))
            places += dice.sample(range(len(seen)), POSITIONS)
            for place in places:
                if decides(suite, true[place]):
                    made_up += supposed(suite, seen[place])
    assert made_up


def sealed(state: Any) -> bool:
    """Whether something in it is hidden."""
    return '"hidden"' in canonical(state).decode()


def supposed(suite: Suite, state: Any) -> int:
    """How many parts of the state were made up."""
    suppose, made_up = suite.game.insight.suppose, 0
    found = suppose(state, chooser("a seed"))
    assert canonical(found) == canonical(suppose(state, chooser("a seed")))
    assert not sealed(found)
    assert decides(suite, found)
    for name in state.__struct_fields__:
        shown, filled = getattr(state, name), getattr(found, name)
        if shown != filled:
            made_up += 1
            _keeps(shown, filled)
    return made_up


def decides(suite: Suite, state: Any) -> bool:
    """Whether somebody is asked and can answer: no position inside a command."""
    game = suite.game
    asked = () if game.awaiting(state) is not None else game.pending(state)
    return any(game.legal(state, question.seat).commands for question in asked)


def _keeps(shown: object, filled: object) -> None:
    """Only sealed things differ; a hand keeps its number of cards."""
    if isinstance(shown, Hidden):
        assert full(filled)["sight"] == "known"
        return
    assert isinstance(shown, dict), shown
    assert isinstance(filled, dict)
    for name, item in shown.items():
        if not isinstance(item, Hidden):
            assert filled[name] == item
        elif name in filled and item.count > 1:
            assert filled[name].count == item.count

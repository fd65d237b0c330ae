"""The short tier of the campaign of failures: each of them once, in each world that it concerns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaigns.failures import WORLDS, inflict, world
from tests.support.crowd import check, check_resumed

ENOUGH = 9


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", WORLDS)
def test_what_must_be_survived_is_survived(name: str, tmp_path: Path) -> None:
    failures = WORLDS[name]
    with world(name, tmp_path, seed=1, moments=0.2, enough=ENOUGH) as made:
        found = [inflict(made, each, failure) for each, failure in failures.items()]
    print(*found, sep="\n")
    assert len(made.crowd.acknowledged) >= 2 * ENOUGH * len(failures)
    assert sum(len(game.seen) for game in made.crowd.games) >= len(made.crowd.acknowledged)


def test_what_was_lost_would_be_noticed(tmp_path: Path) -> None:
    """A command that is not stored, one stored otherwise, a gap, a repeat."""
    with world("alone", tmp_path, seed=2, enough=ENOUGH) as made:
        crowd = made.crowd
        crowd.reach(ENOUGH)
        crowd.finish()
        check(crowd)
        id_, told = next(iter(crowd.acknowledged.items()))
        crowd.acknowledged["c_0000000000000000"] = told
        with pytest.raises(AssertionError, match="not stored"):
            check(crowd)
        del crowd.acknowledged["c_0000000000000000"]
        told.version += 1
        with pytest.raises(AssertionError, match="not stored"):
            check(crowd)
        told.version -= 1
        game = next(game for game in crowd.games if len(game.seen) > 2)
        for spoilt in ([game.seen[0], *game.seen[2:]], [game.seen[0], *game.seen]):
            whole, game.seen = game.seen, spoilt
            with pytest.raises(AssertionError, match="gap or a repeat"):
                check(crowd)
            with pytest.raises(AssertionError):
                check_resumed(crowd)
            game.seen = whole
        assert id_ in crowd.acknowledged

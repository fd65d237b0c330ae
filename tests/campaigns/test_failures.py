"""The short tier of the campaign of failures: each of them once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaigns.failures import ALONE, EVERYWHERE, SHARED, WORLDS, inflict, world
from tests.support.crowd import Crowd, check, check_resumed

ENOUGH = 9
SHORT = {"shared": SHARED, "alone": {n: f for n, f in ALONE.items() if n not in EVERYWHERE}}
"""What a worker may meet anywhere is tried in the world of two."""


@pytest.mark.slow("faults")
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", SHORT)
def test_what_must_be_survived_is_survived(name: str, tmp_path: Path) -> None:
    failures = SHORT[name]
    with world(name, tmp_path, seed=1, moments=0.2, enough=ENOUGH) as made:
        found = [inflict(made, each, failure) for each, failure in failures.items()]
        if name == "alone":
            made.crowd.finish()
            what_was_lost_is_noticed(made.crowd)
    print(*found, sep="\n")
    assert len(made.crowd.acknowledged) >= 2 * ENOUGH * len(failures)
    assert sum(len(game.seen) for game in made.crowd.games) >= len(made.crowd.acknowledged)


def test_each_failure_is_in_the_short_tier() -> None:
    short = {name for failures in SHORT.values() for name in failures}
    assert short == {name for failures in WORLDS.values() for name in failures}


def what_was_lost_is_noticed(crowd: Crowd) -> None:
    """A command that is not stored, one stored otherwise, a gap, a repeat: the check can fail."""
    check(crowd)
    told = next(iter(crowd.acknowledged.values()))
    crowd.acknowledged["c_0000000000000000"] = told
    with pytest.raises(AssertionError, match="not stored"):
        check(crowd)
    del crowd.acknowledged["c_0000000000000000"]
    told.version += 1
    with pytest.raises(AssertionError, match="not stored"):
        check(crowd)
    told.version -= 1
    game = next(game for game in crowd.games if len(game.seen) > 2)
    whole = game.seen
    for spoilt in ([whole[0], *whole[2:]], [whole[0], *whole]):
        game.seen = spoilt
        with pytest.raises(AssertionError, match="gap or a repeat"):
            check(crowd)
        with pytest.raises(AssertionError):
            check_resumed(crowd)
    game.seen = whole

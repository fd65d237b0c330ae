"""A bit of the store is another: nothing is answered wrong (tests/campaigns/flips.py)."""

from __future__ import annotations

import pytest

from tests.campaigns.flips import campaign

SOME, TENTH = 40, 1_000


def test_some_flips_are_refused_or_change_nothing() -> None:
    tally = campaign(SOME, seed=7)
    assert tally.flips == sum(tally.fates.values()) == SOME
    assert tally.wrong == []
    assert len(tally.fates) > 1, "some are noticed"


@pytest.mark.slow("flips")
@pytest.mark.timeout(600)
def test_a_tenth_of_the_campaign() -> None:
    tally = campaign(TENTH, seed=26)
    assert tally.flips == TENTH
    assert tally.wrong == []

"""Thousands of random scenarios and maps: judged, and played where they are good."""

from __future__ import annotations

import pytest

from tests.support.random_customs import check_all

SEEDS, BATCH = 4_000, 250


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1_000, 1_000 + SEEDS, BATCH))
@pytest.mark.timeout(1_200)
def test_what_passes_its_check_is_playable(first: int) -> None:
    played = check_all(range(first, first + BATCH))
    assert len(played) > BATCH // 8

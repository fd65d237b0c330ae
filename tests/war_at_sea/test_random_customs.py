"""Whatever scenario or map passes its check can be played to the end; see also tests/campaigns."""

from __future__ import annotations

import pytest

from tests.support.random_customs import check_all

SEEDS, BATCH = 160, 40


@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
@pytest.mark.timeout(300)
def test_what_passes_its_check_is_playable(first: int) -> None:
    played = check_all(range(first, first + BATCH))
    assert len(played) > BATCH // 8
    assert any("map" in each.setup.customs for each in played)
    assert all(each.state.result is not None for each in played)

"""The long campaign: thousands of random battles, each checked as a whole and at many states.

``make fuzz GAMES=500`` sets how many; ``DECKLOG_FUZZ_FIRST`` sets the first seed.
"""

from __future__ import annotations

import os

import pytest

from tests.support.random_battles import check_battle

GAMES = int(os.environ.get("DECKLOG_FUZZ_GAMES", "2000"))
FIRST = int(os.environ.get("DECKLOG_FUZZ_FIRST", "100000"))
BATCH, EVERY = 20, 25


@pytest.mark.campaign
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("start", range(FIRST, FIRST + GAMES, BATCH))
def test_random_battles_conform(start: int) -> None:
    for seed in range(start, min(start + BATCH, FIRST + GAMES)):
        try:
            check_battle(seed, EVERY)
        except Exception as error:
            error.add_note(f"random battle with seed {seed}")
            raise

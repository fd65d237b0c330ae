"""The long campaign of the geometry: a hundred thousand configurations against exact fractions.

``DECKLOG_GEOMETRY`` sets how many.
"""

from __future__ import annotations

import os

import pytest

from tests.crimson_tide import agreement

CONFIGURATIONS = int(os.environ.get("DECKLOG_GEOMETRY", "100000"))
BATCH = 1_000


@pytest.mark.campaign
@pytest.mark.timeout(600)
@pytest.mark.parametrize("start", range(0, CONFIGURATIONS, BATCH))
def test_the_geometry_agrees_with_exact_fractions(start: int) -> None:
    for number in range(start, min(start + BATCH, CONFIGURATIONS)):
        try:
            agreement.check(f"campaign {number}")
        except AssertionError as error:
            error.add_note(f"configuration 'campaign {number}'")
            raise

"""What a finished game takes in the store, and in the archive, has a ceiling."""

from __future__ import annotations

import pytest

from domain.kernel.finder import games
from tests.bench.bench_bytes import in_a_file

pytestmark = pytest.mark.slow("measurements")

CEILING = {"crimson-tide": 1_190, "naval-battles": 1_560, "war-at-sea": 1_160}
"""Bytes of an event in an SQLite file with all that belongs to it, a tenth above what was measured;
without what an empty store takes, of which a short game would bear more than a long one.
It may go down; it goes up with a line in CHANGELOG.md that says what for."""

ARCHIVED = {"crimson-tide": 140, "naval-battles": 440, "war-at-sea": 170}
"""The same of a game's file in the archive."""


def test_every_ruleset_has_one() -> None:
    assert CEILING.keys() == ARCHIVED.keys() == games().keys()


@pytest.mark.parametrize("ruleset", CEILING)
def test_an_event_takes_no_more_than_its_ceiling(ruleset: str) -> None:
    found = in_a_file(ruleset)
    assert found.events > 100
    assert CEILING[ruleset] * 0.7 < found.of_an_event < CEILING[ruleset], found
    archived = found.archived / found.events
    assert ARCHIVED[ruleset] * 0.7 < archived < ARCHIVED[ruleset], found

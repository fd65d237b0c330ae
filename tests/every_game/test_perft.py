"""Option counts by depth from named positions (tests/support/perft.py)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import perft
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

COUNTED = [suite for suite in suites().values() if perft.file(suite).exists()]
POSITIONS = [
    pytest.param(suite, position, id=position["id"])
    for suite in COUNTED
    for position in perft.load(suite)
]


@pytest.mark.parametrize(("suite", "position"), POSITIONS)
def test_the_options_are_as_many_as_they_were(suite: Suite, position: dict[str, Any]) -> None:
    counts = perft.counts(suite, position, len(position["counts"]))
    anew = "if that is meant: make remake (python -m tests.support.perft --write)"
    assert counts == position["counts"], anew


@pytest.mark.parametrize("suite", COUNTED, ids=lambda suite: suite.folder)
def test_each_edition_has_twelve_named_positions(suite: Suite) -> None:
    for edition in suite.game.editions:
        names = [each["id"] for each in perft.load(suite) if each["edition"] == edition]
        assert len(set(names)) == len(names) >= 12


def test_a_division_adds_up() -> None:
    suite = COUNTED[0]
    small = sorted(perft.load(suite), key=lambda position: position["counts"][-1])
    for position in small[:4]:
        assert len(position["counts"]) > 1
        assert sum(perft.divide(suite, position).values()) == position["counts"][-1]

"""A usual choice takes at most eight presses of keys, the first question of a game too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.campaigns.pages import EVENINGS

from .evening import DRAWN
from .test_steps import Counted, counting

pytestmark = pytest.mark.slow("pages")

MOST = 8
"""Presses of a usual choice: issue 31, and the design guide of the pages."""
ORDERS = 20
USUAL = 0.9
"""Of the orders of each question."""


@pytest.fixture(params=sorted(EVENINGS))
def counted(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Counted]:
    with counting(browser, tmp_path, request.param, "keys", "keys") as table:
        yield table


def test_a_usual_choice_takes_few_presses(counted: Counted) -> None:
    next(iter(counted.people.values())).page.wait_for_function(DRAWN, arg=0)
    presses: dict[str, list[int]] = defaultdict(list)
    for _ in range(ORDERS):
        if (told := counted.order()) is None:
            break
        question, many = told
        presses[question].append(many)
    print(counted.evening.ruleset, dict(presses))
    first = next(iter(presses.values()))
    assert first[0] <= MOST
    for question, each in presses.items():
        assert sum(many <= MOST for many in each) >= USUAL * len(each), (question, each)

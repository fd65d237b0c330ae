"""Test cards (tests/support/battle.py) are gone when their test is over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.battle import passing_cards


@pytest.fixture(autouse=True)
def _cards_of_the_test() -> Iterator[None]:
    with passing_cards():
        yield

"""Decisions beside a bot's: who chose what, with which odds, and what it cost."""

from __future__ import annotations

from typing import Any

import pytest

from service.work.review import Prospect, cost, effect


def order(hit: int, lost: int) -> Prospect:
    return Prospect(text="fires", hit=hit, lost=lost)


@pytest.mark.parametrize(
    ("odds", "told"),
    [
        (None, (0, 0)),
        ({"success": {"numerator": "1", "denominator": "4"}}, (250, 0)),
        ({"hit": {"in": 3, "of": 4}}, (750, 0)),
        ({"outcomes": [{"outcome": "miss", "perMille": 400},
                       {"outcome": "damaged", "perMille": 500},
                       {"outcome": "destroyed", "perMille": 100}]}, (600, 100)),
        ({"outcomes": [{"outcome": "damaged", "perMille": 300}], "lost": {"perMille": 20}},
         (300, 20)),
    ],
)  # fmt: skip
def test_odds_of_any_form_are_two_numbers(odds: Any, told: tuple[int, int]) -> None:
    assert effect(odds) == told


def test_a_decision_costs_what_was_given_away_and_never_less_than_nothing() -> None:
    assert cost(order(100, 0), order(300, 50)) == 250
    assert cost(order(300, 50), order(100, 0)) == 0
    assert cost(order(300, 50), None) == 0

"""The class limits of 2007, each at its number and one above it."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea import commands as c
from tests.support.battle import opened, refusal_of

LIMITS = {
    "akagi": 1, "hms-ark-royal": 1, "bismarck": 2, "bolzano": 1, "duca-d-aosta": 2,
    "uss-enterprise-cv-6": 3, "hms-exeter": 2, "admiral-graf-spee": 3, "hms-hood": 1,
    "uss-iowa-bb-61": 4, "jintsu": 3, "koln": 3, "kongo": 4, "myoko": 4, "richelieu": 2,
    "hms-rodney": 2, "uss-salt-lake-city-ca-25": 2, "scharnhorst": 2, "shoho": 2, "shokaku": 2,
    "hmas-sydney": 3, "uss-tennessee-bb-43": 2, "tone": 2, "vittorio-veneto": 3,
    "uss-washington-bb-56": 4, "yamato": 2,
}  # fmt: skip
"""Copied from the rulebook of 2007, not from the table that the engine reads."""


def submitted(card: str, number: int, **options: object) -> str:
    """Why p2, or p1 for an Axis card, may not have so many of a card; nothing, if it may."""
    battle = opened("2007", options, scenario="major-500")
    for seat in ("p1", "p2"):
        refusal = refusal_of(battle.state, seat, c.SubmitFleet((card,) * number))
        if refusal is None or refusal.code != "fleet.wrong-alliance":
            return "" if refusal is None else f"{refusal.code} {refusal.rule}"
    raise AssertionError(card)


@pytest.mark.parametrize(("card", "most"), LIMITS.items())
@pytest.mark.rule("WAS-HIST-05", "WAS-HIST-10")
def test_2007_a_fleet_has_no_more_of_a_class_than_were_built(card: str, most: int) -> None:
    assert submitted(card, most, history=True) == ""
    assert submitted(card, most + 1, history=True) == "fleet.class-limit WAS-HIST-10"


@pytest.mark.rule("WAS-FLEET-38")
def test_without_historical_limits_there_are_as_many_as_points_allow() -> None:
    assert {submitted(card, most + 1) for card, most in LIMITS.items()} == {""}

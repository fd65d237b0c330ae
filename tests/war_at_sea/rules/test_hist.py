"""The class limits of both editions, each at its number and one above it."""

from __future__ import annotations

from itertools import product

import pytest

from domain.games.war_at_sea.rules import commands as c
from tests.support.battle import opened, refusal_of
from tests.war_at_sea.rules.test_tables import CLASSES

LIMITS = {
    "akagi": 1, "hms-ark-royal": 1, "bismarck": 2, "bolzano": 1, "duca-d-aosta": 2,
    "uss-enterprise-cv-6": 3, "hms-exeter": 2, "admiral-graf-spee": 3, "hms-hood": 1,
    "uss-iowa-bb-61": 4, "jintsu": 3, "koln": 3, "kongo": 4, "myoko": 4, "richelieu": 2,
    "hms-rodney": 2, "uss-salt-lake-city-ca-25": 2, "scharnhorst": 2, "shoho": 2, "shokaku": 2,
    "hmas-sydney": 3, "uss-tennessee-bb-43": 2, "tone": 2, "vittorio-veneto": 3,
    "uss-washington-bb-56": 4, "yamato": 2,
}  # fmt: skip
"""Copied from the rulebook of 2007, not from the table that the engine reads."""


ROWS_2009 = [
    (row.split()[:-1], int(row.split()[-1]), listed)
    for (edition, listed), rows in CLASSES.items()
    if edition == "2009"
    for row in rows.split(", ")
]
"""The rows of the update, as a test of the table has them: here fleets are handed in."""


def submitted(cards: tuple[str, ...], edition: str = "2007", **options: object) -> str:
    """Why p2, or p1 for Axis cards, may not have these cards; nothing, if it may."""
    battle = opened(edition, options, scenario="major-500")
    for seat in ("p1", "p2"):
        refusal = refusal_of(battle.state, seat, c.SubmitFleet(cards))
        if refusal is None or refusal.code != "fleet.wrong-alliance":
            return "" if refusal is None else f"{refusal.code} {refusal.rule}"
    raise AssertionError(cards)


@pytest.mark.parametrize(("card", "most"), LIMITS.items())
@pytest.mark.rule("WAS-HIST-05", "WAS-HIST-10")
def test_2007_a_fleet_has_no_more_of_a_class_than_were_built(card: str, most: int) -> None:
    assert submitted((card,) * most, history=True) == ""
    assert submitted((card,) * (most + 1), history=True) == "fleet.class-limit WAS-HIST-10"


@pytest.mark.parametrize(("ships", "most", "listed"), ROWS_2009)
@pytest.mark.rule(
    "WAS-HIST-08", "WAS-HIST-11", "WAS-HIST-12", "WAS-HIST-13", "WAS-HIST-14", "WAS-HIST-15",
    "WAS-HIST-16", "WAS-HIST-17", "WAS-HIST-18", "WAS-HIST-19",
)  # fmt: skip
def test_2009_the_ships_of_a_row_are_no_more_than_were_built(
    ships: list[str], most: int, listed: str
) -> None:
    for first, other in product(ships, ships):
        assert submitted((first,) * (most - 1) + (other,), "2009", history=True) == ""
        over = submitted((first,) * most + (other,), "2009", history=True)
        assert over == f"fleet.class-limit {listed}"


@pytest.mark.rule("WAS-FLEET-38")
def test_without_historical_limits_there_are_as_many_as_points_allow() -> None:
    assert {submitted((card,) * (most + 1)) for card, most in LIMITS.items()} == {""}

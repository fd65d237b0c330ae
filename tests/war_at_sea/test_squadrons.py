"""Squadrons that abilities bring, and the night: what a case cannot say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.cards import CARDS, card, squadrons
from domain.games.war_at_sea.rules.families.vocabulary import families
from domain.games.war_at_sea.rules.mechanisms import homes
from domain.games.war_at_sea.rules.odds import odds
from domain.games.war_at_sea.shown.words import describe
from domain.kernel.values import StepKey
from tests.support.battle import given, table, unit

NIGHT: dict[str, Any] = {"step": StepKey("surface-attack", "first"), "turn": 2, "light": "night"}


def chance(answer: dict[str, Any] | None, outcome: str) -> Fraction:
    assert answer is not None
    found = {each["outcome"]: Fraction(each["exact"]) for each in answer["outcomes"]}
    return found.get(outcome, Fraction(0))


@pytest.mark.parametrize("name", sorted(squadrons()))
def test_a_squadron_is_a_card_of_the_catalogue_that_no_fleet_buys(name: str) -> None:
    (entry,) = [e for e in GAME.catalogue.units() if e.id == name]
    assert not entry.playable
    assert "ability of another unit" in entry.text
    assert entry.data["cost"] == 0
    assert name not in CARDS
    assert card(name, "2007") == card(name, "2009")


def test_the_figures_of_a_squadron_are_those_that_its_ability_states() -> None:
    for name, slug in (homes.temporary() | homes.detachments()).items():
        figures, text = squadrons()[name], families()[slug].text
        assert f"armor {figures.armor}, vital armor {figures.vital_armor}" in text
        assert f"bomb {figures.dice('bomb', 0)}" in text
        assert f"{figures.subtype}" in text


def test_the_odds_know_that_stealthy_hides_in_the_dark() -> None:
    boat = unit("p2-1", "daihatsu-landing-craft", "5.5")
    fire = c.Fire("p1-1", "main", "p2-1")
    dark, light = (
        chance(odds(table("2009", unit("p1-1", "naka", "5.4"), boat, **more), fire), "no-effect")
        for more in (NIGHT, {**NIGHT, "light": "day"})
    )
    assert dark > 0
    assert light == 0


def test_the_odds_know_that_improved_radar_looks_through_smoke() -> None:
    fire = c.Fire("p1-1", "main", "p2-1")
    seen, hidden = (
        odds(
            table(
                "2009",
                unit("p1-1", name, "5.4"),
                unit("p2-1", "tone", "5.5"),
                step=StepKey("surface-attack", "first"),
                turn=2,
                smoke={"5.5": 3},
            ),
            fire,
        )
        for name in ("uss-cleveland-cl-55", "naka")
    )
    assert chance(seen, "no-effect") == 0
    assert chance(hidden, "no-effect") > 0


def test_the_odds_know_coastal_tactics() -> None:
    at = {"range 1": "7.4", "same sector": "7.3"}
    found = {
        where: chance(
            odds(
                table(
                    "2009",
                    unit("p1-1", "bismarck", sector),
                    unit("p2-1", "hms-gustav-v", "7.3"),
                    step=StepKey("surface-attack", "first"),
                    turn=2,
                ),
                c.Fire("p1-1", "main", "p2-1"),
            ),
            "no-effect",
        )
        for where, sector in at.items()
    }
    assert found["range 1"] > 0
    assert found["same sector"] == 0


def test_the_odds_know_the_escape_into_darkness() -> None:
    state = table(
        "2009",
        unit("p1-1", "tone", "5.4"),
        unit("p2-1", "pby-black-cat", "5.4"),
        step=StepKey("air-defense", "first"),
        turn=2,
        light="night",
    )
    by_night = odds(state, c.Fire("p1-1", "antiair", "p2-1"))
    bare = table(
        "2009",
        unit("p1-1", "tone", "5.4"),
        unit("p2-1", "pby-black-cat", "5.4", spent=("escape-into-darkness",)),
        step=StepKey("air-defense", "first"),
        turn=2,
        light="night",
    )
    plain = odds(bare, c.Fire("p1-1", "antiair", "p2-1"))
    assert chance(by_night, "destroyed") == chance(plain, "destroyed") / 3


def test_the_board_shows_where_such_aircraft_are() -> None:
    state = table(
        "2009",
        unit("p1-1", "chitose", "1.4"),
        unit("p1-2", "seaplane-detachment", base="p1-1"),
        unit("p1-3", "a6m2-n-rufe", base="4.2"),
        unit("p2-1", "uss-hornet-cv-8", "11.4"),
        unit("p2-2", "b-25h-mitchell", base="p2-1"),
        unit("p2-3", "f4f-wildcat", base="p2-1"),
    )
    lines = GAME.board(state).splitlines()
    shown = {line.split()[0]: line for line in lines if line.startswith("  p")}
    assert "on Chitose (p1-1)" in shown["p1-2"]
    assert "anchored in 4.2" in shown["p1-3"]
    assert "grounded" in shown["p2-3"]
    assert "grounded" not in shown["p2-2"]


def test_going_home_says_who_stays() -> None:
    state = table(
        "2009",
        unit("p1-1", "naka", "1.4"),
        unit("p1-2", "a6m2-n-rufe", base="4.2"),
        unit("p1-3", "a6m2-zeke"),
        step=StepKey("air-mission"),
    )
    texts = [describe(state, c.SendToAirbase(name)).text for name in ("p1-2", "p1-3")]
    assert "stays at its base" in texts[0]
    assert "go to the land airbase" in texts[1]


@pytest.mark.parametrize("zone", range(1, 7))
@pytest.mark.parametrize("seat", ["p1", "p2"])
def test_every_battle_zone_has_an_anchorage_for_both_sides(zone: int, seat: str) -> None:
    state = table("2009", unit("p1-1", "naka", "1.4"), zone=zone)
    assert homes.anchorages(state, seat)


@pytest.mark.parametrize("zone", range(1, 7))
def test_so_has_every_convoy_chart(zone: int) -> None:
    state = table(
        "2009", unit("p1-1", "naka", "1.4"), scenario="convoy", zone=zone, escort="p2",
        objectives=(),
    )  # fmt: skip
    assert homes.anchorages(state, "p1")


def test_a_lost_squadron_is_replenished_once() -> None:
    """One that has come back is another unit; if that is lost, it may come back in its turn."""
    gone = [
        {"id": name, "card": "f4f-wildcat", "seat": "p1", "turn": 1, "cause": "destroyed",
         "points": 7}
        for name in ("p1-4", "p1-5")
    ]  # fmt: skip
    back = {"word": "replaced", "lost": "p1-4", "source": "p1-1",
            "rule": "WAS-CARD-replenish-aircraft", "until": 9999}  # fmt: skip
    battle = given(
        "2009",
        unit("p1-1", "uss-essex-cv-9", "1.4", spent=("replenish-aircraft",)),
        unit("p1-2", "uss-essex-cv-9", "1.5"),
        unit("p1-3", "f4f-wildcat", "5.4", base="p1-1"),
        unit("p2-1", "tone", "11.1"),
        step=StepKey("air-return", "first"),
        turn=3,
        lost=gone,
        effects=[back],
    )
    uses = [x for x in battle.offers("p1") if isinstance(x, c.Use)]
    assert uses == [c.Use("p1-2", "replenish-aircraft", "p1-5")]


@pytest.mark.parametrize(("last", "flies"), [(2, True), (3, False)])
def test_a_die_takes_one_of_several_rearming_counters_off_a_kamikaze(
    last: int, flies: bool
) -> None:
    """Uncertain Arrival at a base that Bombard has shelled: ``last`` is its last counter's turn."""
    shells = {"word": "shelled", "unit": "p1-2", "counters": 2, "source": "p2-1",
              "rule": "WAS-CARD-bombard", "until": last}  # fmt: skip
    battle = given(
        "2009",
        unit("p1-1", "naka", "1.4"),
        unit("p1-2", "a6m2-zero-kamikaze", rearming=True),
        unit("p2-1", "tone", "11.1"),
        step=StepKey("air-return", "first"),
        turn=2,
        effects=[shells],
    )
    battle.roll([4])
    assert battle.unit("p1-2").rearming is not flies

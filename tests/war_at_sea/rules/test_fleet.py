"""FLEET: what the numbered cases (tests/cases/war_at_sea/fleet.jsonl) cannot say."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

from domain.games.war_at_sea.rules import cards, facts, fleets, targets
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.abilities import IN_SURFACE_ATTACK
from domain.games.war_at_sea.rules.cards import Card
from domain.kernel.rules import Refused
from domain.kernel.values import StepKey
from tests.support.battle import given, opened, unit

SHIP, ENEMY = "duca-d-aosta", "hmas-canberra"
SUBTYPES = {
    "Ship": {"Battleship", "Carrier", "Cruiser", "Destroyer", "Torpedo Boat", "Auxiliary"},
    "Submarine": {""},
    "Aircraft": {"Patrol Bomber", "Dive Bomber", "Torpedo Bomber", "Fighter"},
}
BOMBERS = {"Patrol Bomber", "Dive Bomber", "Torpedo Bomber"}


def read() -> dict[str, Card]:
    """The cards of 2009, read anew from their files."""
    cards.catalogue_of.cache_clear()
    return cards.catalogue("2009")


@pytest.mark.rule("WAS-FLEET-04", "WAS-FLEET-12")
def test_ships_have_six_subtypes_and_all_occur() -> None:
    found = {card.subtype for card in read().values() if card.type == "Ship"}
    assert found == SUBTYPES["Ship"]


@pytest.mark.rule("WAS-FLEET-03", "WAS-FLEET-05", "WAS-FLEET-06")
def test_submarines_have_no_subtype_and_aircraft_have_four() -> None:
    every = cards.catalogue("2009").values()
    assert {card.subtype for card in every if card.type == "Submarine"} == SUBTYPES["Submarine"]
    flying = {card.subtype for card in every if card.type == "Aircraft"}
    assert flying == SUBTYPES["Aircraft"]
    assert {subtype for subtype in flying if facts.is_bomber(subtype)} == BOMBERS
    ours = unit("p1-1", "u-552", "3.3"), unit("p1-2", SHIP, "1.1")
    state = given("2009", *ours, unit("p2-1", ENEMY, "11.7")).state
    assert [facts.is_ship(state, each) for each in ours] == [False, True]


@pytest.mark.rule("WAS-FLEET-07")
def test_a_fighter_is_no_bomber() -> None:
    assert not facts.is_bomber("Fighter")
    assert all(facts.is_bomber(subtype) for subtype in BOMBERS)


@pytest.mark.rule("WAS-FLEET-11")
def test_fleet_light_and_escort_carriers_are_carriers() -> None:
    names = ("uss-enterprise-cv-6", "uss-princeton-cvl-23", "uss-st-lo-cve-63")
    afloat = [unit(f"p2-{n}", name, f"11.{n}") for n, name in enumerate(names, 1)]
    state = given("2009", unit("p1-1", SHIP, "1.1"), *afloat).state
    assert all(facts.is_carrier(state, each) for each in afloat)
    assert not facts.is_carrier(state, state.units["p1-1"])


FILES = Path(cards.__file__).parent / "units"
CARRIED = (
    "id", "name", "alliance", "type", "subtype", "ship_class", "year", "cost", "speed", "flagship",
    "basing", "armor", "vital_armor", "hull_points",
)  # fmt: skip
"""What a stat card carries as the file has it; what a file leaves out is 0, or nothing."""


def units() -> Iterator[tuple[str, dict[str, Any]]]:
    """The tables of all units as their files have them, read without our reader."""
    for path in sorted(FILES.glob("*.toml")):
        file = tomllib.loads(path.read_text("utf-8"))
        yield from ((file["nation"], table) for table in file["unit"])


def printed() -> dict[str, Card]:
    """The cards as the update prints them: the book's own figures would hide what is not read."""
    cards.catalogue_of.cache_clear()
    return cards.catalogue("2009", "print")


@pytest.mark.rule("WAS-FLEET-12", "WAS-FLEET-14")
def test_every_card_carries_all_that_its_file_has() -> None:
    made, encoded = printed(), {field.name: field.encode_name for field in fields(Card)}
    assert len(made) == sum(1 for _ in units())
    for nation, table in units():
        card = made[table["id"]]
        assert card.nation == nation
        for field in CARRIED:
            empty: Any = "" if isinstance(getattr(card, field), str) else 0
            assert getattr(card, field) == table.get(encoded[field], empty), f"{card.id}.{field}"
        rows = {kind: list(row) for kind, row in card.attacks.items()}
        assert rows == table["attacks"], card.id
        abilities = [f"{each.family} {each.n}" for each in card.abilities]
        assert abilities == [
            text if " " in text else f"{text} 0" for text in table.get("abilities", [])
        ], card.id
        kept = card.provenance
        assert (kept.set, kept.number, kept.rarity) == tuple(
            table[name] for name in ("set", "number", "rarity")
        ), card.id
        assert 1900 < card.year < 1950


@pytest.mark.rule("WAS-FLEET-12", "WAS-FLEET-41")
def test_the_sample_card_carries_all_its_figures() -> None:
    card = printed()["uss-enterprise-cv-6"]
    assert (card.name, card.type, card.subtype) == ("USS Enterprise (CV 6)", "Ship", "Carrier")
    assert (card.speed, card.armor, card.vital_armor, card.hull_points) == (2, 4, 10, 4)
    assert card.provenance.number == 25
    families = [(ability.family, ability.n) for ability in card.abilities]
    assert families == [("expert-bomber", 2), ("expert-dogfighter", 1), ("survivor", 0)]
    assert card.flagship > 0
    assert card.basing > 0


@pytest.mark.rule("WAS-FLEET-46", "WAS-FLEET-48")
def test_aircraft_strafe_with_guns_of_their_own() -> None:
    for card in read().values():
        guns = {"main", "secondary", "tertiary"} & set(card.attacks)
        assert not guns or card.type != "Aircraft", card.id
        assert "strafe" not in card.attacks or card.type == "Aircraft", card.id
    assert {"a6m5-zeke", "martlet-mk-ii"} <= {
        name for name, card in read().items() if "strafe" in card.attacks
    }


@pytest.mark.rule("WAS-FLEET-31")
def test_a_unit_whose_ability_is_not_played_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fleets, "missing", lambda card: ("mesmerism",) if card.cost == 12 else ())
    battle = opened("2009")
    with pytest.raises(Refused, match=r"Duca d'Aosta .* mesmerism is not implemented"):
        battle.act("p1", c.SubmitFleet(("u-552", SHIP)))
    battle.refused("p1", c.SubmitFleet(("u-552", SHIP)), "fleet.unit-not-playable", "WAS-FLEET-31")
    battle.act("p1", c.SubmitFleet(("u-552",)))


@pytest.mark.rule("WAS-FLEET-52")
@pytest.mark.parametrize(
    "name", ["uss-hoel-dd-533", "uss-john-c-butler-de-339", "milan", "t27", "shigure"]
)
def test_the_corrected_ships_lay_smoke(name: str) -> None:
    layer = unit("p1-1", name, "3.3")
    battle = given(
        "2009", layer, unit("p1-2", SHIP, "1.1"), unit("p2-1", ENEMY, "11.7"),
        step=StepKey("surface-attack", "first"),
    )  # fmt: skip
    assert (
        IN_SURFACE_ATTACK.why_not_use(battle.state, "p1", c.Use(layer.id, "lay-smoke-screen"))
        is None
    )
    battle.act("p1", c.Use("p1-1", "lay-smoke-screen"))
    laid = battle.saw("smoke-laid", unit="p1-1", sector="3.3")
    assert laid.until == 2, "to the end of the next turn"
    assert battle.state.smoke == {"3.3": 2}


@pytest.mark.rule("WAS-FLEET-30", "WAS-FLEET-23", "WAS-FLEET-26", "WAS-FLEET-27", "WAS-FLEET-28")
def test_every_printed_number_is_an_attack_and_every_dash_is_none() -> None:
    plain = [card for card in cards.catalogue("2009").values() if not card.abilities]
    assert plain
    state = given("2009", unit("p1-1", SHIP, "3.3"), unit("p2-1", ENEMY, "11.7")).state
    for card in plain:
        piece = unit("p1-9", card.id, "3.3")
        for weapon, row in card.attacks.items():
            for reach in range(6):
                legal = targets.why_not_range(state, piece, card, weapon, reach) is None
                printed = row[reach] if reach < len(row) else -1
                assert legal == (printed > 0), (card.id, weapon, reach)


@pytest.mark.rule("WAS-DMG-03")
def test_one_hull_point_lost_is_damage() -> None:
    whole = unit("p1-1", SHIP, "1.1")
    assert [facts.damaged(replace(whole, damage=lost)) for lost in (0, 1, 2)] == [
        False, True, True,
    ]  # fmt: skip

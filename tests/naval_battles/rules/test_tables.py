"""Rules about tables, over all rows, with expectations of their own.

Numbers after a seed's (004) are lines of the booklet. Where the booklet has no figures they are
ours: what the rule's text says stands here once more, and is not taken from the code.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import evening, facts, resolving
from domain.games.naval_battles.rules import ships as cards
from domain.games.naval_battles.rules.cards import land_air_raid
from domain.games.naval_battles.rules.ships import ShipCard
from domain.games.naval_battles.rules.state import Attack, Terms
from domain.games.naval_battles.shown import formulas
from domain.kernel.flow import Flow

from ..tables import ship, table

fold = GAME.evolve
CARRIERS = {"aircraft-carrier", "light-aircraft-carrier", "escort-aircraft-carrier"}

# --- figures of ships ----------------------------------------------------------------------------


def every_ship() -> list[ShipCard]:
    """Read anew: a row may have been changed."""
    assert len(cards.SHIPS) == 78
    return list(cards.SHIPS.values())


def hull_of(card: ShipCard) -> int:
    """NB-FLEET-01: 1 + the root of each 400 tons, one less for battlecruisers and carriers."""
    tons = card.provenance["basis"]["standardTons"]
    return max(1, 1 + isqrt(tons // 400) - (card.type in {*CARRIERS, "battlecruiser"}))


def mounts_of(basis: dict[str, Any]) -> list[str]:
    """NB-FLEET-02: four barrels a main mount; eight, rounded, a secondary one, 1 or 2 of them."""
    main = [(f"main-{b['caliber']}", max(1, b["barrels"] // 4)) for b in basis.get("main", ())]
    rounded = [(b, (2 * b["barrels"] + 8) // 16) for b in basis.get("secondary", ())]
    second = [(f"secondary-{b['caliber']}", min(2, max(1, n))) for b, n in rounded]
    tubes = [("torpedo", 1 if basis["torpedoTubes"] else 0)]
    return [name for name, many in [*main, *second, *tubes] for _ in range(many)]


def wings_of(card: ShipCard) -> tuple[tuple[int, ...], int, int]:
    """NB-FLEET-04: raid numbers, number of air cover, symbols of it."""
    if card.type == "aircraft-carrier" and card.provenance["basis"]["aircraft"] >= 60:
        return (5, 5, 6), 5, 2
    grades: dict[str, tuple[tuple[int, ...], int, int]] = {
        "aircraft-carrier": ((5, 6, 6), 5, 1),
        "light-aircraft-carrier": ((5, 6, 7), 5, 1),
        "escort-aircraft-carrier": ((6, 7, 7), 6, 1),
    }
    return grades.get(card.type, ((), 0, 0))


def points_of(card: ShipCard) -> int:
    """NB-FLEET-06, from what NB-FLEET-01 to -04 give."""
    basis = card.provenance["basis"]
    mount = {"secondary": 3, "torpedo": 5}
    worth: int = 4 * hull_of(card)
    for name in mounts_of(basis):
        battery, _, inches = name.partition("-")
        worth += mount[battery] if battery in mount else 5 if int(inches) >= 14 else 4
    guns = basis["antiAircraft"]
    worth += 3 * ((guns["heavy"] + guns["medium"] // 4 + guns["light"] // 8) // 20)
    raid, cover, symbols = wings_of(card)
    worth += WORTH.get(raid, 0) + symbols * {5: 4, 6: 2, 0: 0}[cover]
    worth += 2 * card.guidance + (7 - card.run_silent if card.type == "submarine" else 0)
    return max(1, (worth + 5) // 10)


WORTH: dict[tuple[int, ...], int] = {(5, 5, 6): 58, (5, 6, 6): 40, (5, 6, 7): 32, (6, 7, 7): 18}
"""NB-FLEET-06: of the four grades of carrier."""


def hurt(name: str, damage: int) -> list[str]:
    """What becomes of a ship that has as many points of damage when it is reckoned, none new.

    The deck holds fewer cards of one point than a battleship has hull: they are laid by hand.
    """
    other = ship("p1", "jp-yamato" if name != "jp-yamato" else "it-roma")
    state = table(ship("p2", name), other)
    target = replace(state.ships[name], damage=("secondary-4-5-1",) * damage)
    flow = Flow(replace(state, ships={**state.ships, name: target}), fold)
    resolving.hit(flow, Attack(1, "secondary-salvo", name))
    return [event.NAME for event in flow.events]


@pytest.mark.rule("NB-SHIP-05")
def test_every_ship_sinks_by_as_many_points_as_its_hull_has() -> None:
    """004: 109, 251. Bismarck 11 (251)."""
    wrong = [
        card.id
        for card in every_ship()
        if "ship-sunk" not in hurt(card.id, hull_of(card))
        or "ship-sunk" in hurt(card.id, hull_of(card) - 1)
    ]
    assert wrong == []
    assert hull_of(cards.SHIPS["de-bismarck"]) == 11


@pytest.mark.rule("NB-FLEET-06")
def test_every_ship_is_worth_what_its_figures_come_to() -> None:
    wrong = {
        card.id: (card.points, points_of(card))
        for card in every_ship()
        if not card.points == formulas.points(card) == points_of(card)
    }
    assert wrong == {}


@pytest.mark.rule("NB-FLEET-06")
@pytest.mark.parametrize(("raid", "worth"), WORTH.items())
def test_a_grade_of_carrier_is_worth_so_much_and_no_point_more_or_less(
    raid: tuple[int, ...], worth: int
) -> None:
    """With as many secondary mounts of 3 as bring the sum to the edges of rounding."""

    def carrier(edge: int) -> tuple[int, int]:
        mounts = 7 * (edge - worth) % 10
        card = ShipCard("x", "X", "japan", "aircraft-carrier", 1940, 0, 0,
                        mounts=("secondary-5",) * mounts, air_raid=raid)  # fmt: skip
        return formulas.points(card), worth + 3 * mounts

    for edge in (5, 4):
        found, whole = carrier(edge)
        assert whole % 10 == edge
        assert found == whole // 10 + (edge == 5)


@pytest.mark.rule("NB-FLEET-02")
def test_every_ship_has_the_mounts_of_its_barrels_and_tubes() -> None:
    wrong = {
        card.id: card.mounts
        for card in every_ship()
        if not list(card.mounts)
        == list(formulas.mounts(card.provenance["basis"]))
        == mounts_of(card.provenance["basis"])
    }
    assert wrong == {}


@pytest.mark.rule("NB-FLEET-03")
def test_every_ship_has_the_rating_of_its_anti_aircraft_guns() -> None:
    wrong = {}
    for card in every_ship():
        basis = card.provenance["basis"]
        guns = basis["antiAircraft"]
        heavy = guns["heavy"] + guns["medium"] // 4 + guns["light"] // 8
        if not card.anti_aircraft == formulas.anti_aircraft(basis) == -(heavy // 20):
            wrong[card.id] = card.anti_aircraft
    assert wrong == {}


@pytest.mark.rule("NB-FLEET-04")
def test_every_ship_has_the_wings_of_its_grade() -> None:
    wrong = {}
    for card in every_ship():
        held = card.air_raid, card.air_cover, card.cover_symbols
        reckoned = formulas.wings(card.type, card.provenance["basis"]["aircraft"])
        if not held == reckoned == wings_of(card):
            wrong[card.id] = held
    assert wrong == {}


# --- attacks -------------------------------------------------------------------------------------

SINKS = {
    "air-raid": "",  # 004: 415
    "land-air-raid": "land-air-x1",  # 004: 415
}
"""Attacks that sink whatever they hit, with the card that makes them."""
DAMAGES = {
    "main-salvo": "main-14-18-5",
    "secondary-salvo": "secondary-6-8-3",
    "secondary-salvo-double": "double-secondary-6-8-5",
    "torpedo-spread": "torpedo-6",
    "depth-charges": "depth-2",
}
"""Attacks that score the damage of their card (004: 251)."""


@pytest.mark.rule("NB-SINK-06")
@pytest.mark.parametrize(("kind", "card"), [*SINKS.items(), *DAMAGES.items()])
def test_a_raid_sinks_the_stoutest_ship_and_nothing_else_does(kind: str, card: str) -> None:
    """The most hull points that there are; of a card the most damage that such cards do."""
    stoutest = max(every_ship(), key=hull_of)
    other = "de-bismarck" if stoutest.nation != "germany" else "jp-yamato"
    flow = Flow(table(ship("p2", stoutest.id), ship("p1", other)), fold)
    resolving.hit(flow, Attack(1, kind, stoutest.id, card))
    found = next((event.NAME, event.rules) for event in flow.events)
    assert found[0] == ("ship-sunk" if kind in SINKS else "damage-scored")
    assert kind not in SINKS or found[1] == ("NB-SINK-06",)


NEEDED = {
    "land-air-x1": (2, 3, 4, 4),
    "land-air-x2": (3, 4, 5, 5),  # row 1 and row 2: 004: 494 to 496
    "land-air-x3": (4, 5, 6, 6),
}
"""NB-DECK-04: numbers against rows 1, 2 and 3, and against a submarine."""


@pytest.mark.rule("NB-DECK-04")
@pytest.mark.parametrize("card", NEEDED)
def test_a_land_based_raid_needs_its_number_for_the_row(card: str) -> None:
    targets = [ship("p2", "de-bismarck", row) for row in (1, 2, 3)] + [ship("p2", "de-u-47")]
    found = [land_air_raid.needed(facts.card(table(), card), each).total for each in targets]
    assert tuple(found) == NEEDED[card]


# --- the evening of a table ----------------------------------------------------------------------


@pytest.mark.rule("NB-RUL-12")
@pytest.mark.parametrize(
    ("nation", "points"),
    [
        ("france", 5),
        ("germany", 2),
        ("great-britain", 0),
        ("italy", 3),
        ("japan", 2),
        ("united-states", 0),
    ],
)
def test_a_nation_begins_with_the_points_of_its_handicap(nation: str, points: int) -> None:
    """The rule's text names them."""
    assert evening.lead_of(Terms(handicap="house"), nation) == points
    assert evening.lead_of(Terms(), nation) == 0

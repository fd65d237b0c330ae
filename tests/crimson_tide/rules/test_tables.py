"""Rules about tables, over every row; expectations are the booklet's, row by row.

Numbers after 003 are lines of the booklet's seed. What it gives no figures for is ours: what the
rule's text says stands here once more, and is not taken from the code.
"""

from __future__ import annotations

from math import isqrt, pi, sin
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.rules import fleets, sequence, strength, targets, transit, victory
from domain.games.crimson_tide.rules import seating as sides
from domain.games.crimson_tide.rules.air_missions import why_not_deploy
from domain.games.crimson_tide.rules.cards import Card, cards, catalogue
from domain.games.crimson_tide.rules.commands import Deploy
from domain.games.crimson_tide.rules.criticals import marker_on, repairable
from domain.games.crimson_tide.rules.geometry.arcs import CHANNEL_LENGTH, channel
from domain.games.crimson_tide.rules.geometry.hull import Side, Size
from domain.games.crimson_tide.rules.geometry.pose import Point, Pose
from domain.games.crimson_tide.rules.geometry.sines import direction
from domain.games.crimson_tide.rules.options import Options
from domain.games.crimson_tide.rules.scenarios import scenario, terms
from domain.games.crimson_tide.rules.sight_lines import firing_point
from domain.games.crimson_tide.rules.state import (
    LAND_BASE,
    Arc,
    Lost,
    Mission,
    Pick,
    Place,
    State,
    Unit,
    Weapon,
)
from domain.games.crimson_tide.shown import formulas
from domain.kernel.rules import Refused
from domain.kernel.values import StepKey
from tests.crimson_tide.table import MEDIUM, aircraft, table, unit

RESULTS = range(2, 13)


@pytest.mark.rule("CT-CRIT-14")
def test_which_results_can_be_repaired() -> None:
    assert [number for number in RESULTS if repairable(number)] == [4, 5, 6, 7, 9, 10, 11]


@pytest.mark.rule("CT-CRIT-18")
def test_what_each_result_leaves_on_each_kind() -> None:
    """All but 12 leave a marker; steering and engine mean nothing to a land target."""
    kinds = [*sorted({card.kind for card in catalogue().values()} - {"aircraft"}), "land"]
    for kind in kinds:
        wanted = [0 if n == 12 or (kind == "land" and n in (4, 5, 11)) else n for n in RESULTS]
        assert [marker_on(kind, n) for n in RESULTS] == wanted, kind


OUTWARD: dict[Side, tuple[int, int]] = {
    "bow": (0, 1), "starboard": (1, 0), "stern": (0, -1), "port": (-1, 0),
}  # fmt: skip
"""Where the strip goes, of a unit that heads along y."""


@pytest.mark.parametrize("side", OUTWARD)
@pytest.mark.rule("CT-ARC-05", "CT-GEOM-18")
def test_a_channel_leaves_each_side_at_right_angles_as_wide_as_it(side: Side) -> None:
    x, y = OUTWARD[side]
    near, far_off, other_off, other = channel(Pose(0, 0, 0), "medium", side)
    across = (other[0] - near[0], other[1] - near[1])
    assert across[0] * x + across[1] * y == 0
    assert abs(sum(across)) == (20_000 if x == 0 else 80_000)
    for begin, end in ((near, far_off), (other, other_off)):
        assert (end[0] - begin[0], end[1] - begin[1]) == (x * CHANNEL_LENGTH, y * CHANNEL_LENGTH)


BESIDE: dict[Mission, tuple[Place, ...]] = {
    "ordnance": ("starboard", "port"),
    "strafe": ("bow", "stern"),
}


@pytest.mark.parametrize("mission", BESIDE)
@pytest.mark.rule("CT-AIRD-04", "CT-GEOM-15")
def test_bombers_go_to_the_long_sides_and_strafers_to_the_short_ones(mission: Mission) -> None:
    card = next(c.id for c in catalogue().values() if c.kind == "aircraft" and c.bombs and c.strafe)
    plane = Unit("p1-1", card, "p1", base=LAND_BASE)
    state = table(plane, unit("p2-1", MEDIUM, 500_000, 500_000), step=StepKey("air-deployment"))
    places: tuple[Place, ...] = ("starboard", "port", "bow", "stern")
    orders = [Deploy("p1-1", mission, "p2-1", place) for place in places]
    open_ = [each.side for each in orders if why_not_deploy(state, "p1", each) is None]
    assert tuple(open_) == BESIDE[mission]


FIGURES = {
    "standard": (100, 15, 5, 12, 0),
    "sea-control": (100, 15, 5, 12, 150),
    "major-200": (200, 20, 7, 12, 0),
    "major-300": (300, 25, 9, 12, 0),
}
"""Points, units, room of the land base, turns, points that win at once."""


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.rule("CT-SCN-14", "CT-SCN-15", "CT-SCN-16")
def test_figures_of_the_scenarios(name: str) -> None:
    found = terms(scenario(name), Options(), ("p1", "p2"))
    points, *figures = FIGURES[name]
    assert found.points == {"p1": points, "p2": points}
    assert [found.units, found.airbase, found.turns, found.target] == figures


def of_scenario(name: str, **fields: Any) -> State:
    """A table with the terms of a scenario."""
    state = replace(table(), scenario=name, terms=terms(scenario(name), Options(), ("p1", "p2")))
    return replace(state, **fields)


@pytest.mark.rule("CT-SCN-02")
def test_a_standard_fleet_has_100_points_and_15_units() -> None:
    """003: 871 to 873."""
    state = of_scenario("standard")
    assert state.terms.points == {"p1": 100, "p2": 100}
    cheap = min((c for c in catalogue().values() if c.kind == "aircraft"), key=lambda c: c.points)
    picks = tuple(Pick(cheap.id, LAND_BASE) for _ in range(16))
    roomy = replace(state, terms=replace(state.terms, airbase=16, points={"p1": 999, "p2": 999}))
    fleets.check_fleet(roomy, "p1", picks[:15])
    with pytest.raises(Refused):
        fleets.check_fleet(roomy, "p1", picks)


@pytest.mark.rule("CT-SCN-04")
def test_the_land_base_of_a_standard_battle_holds_five() -> None:
    """003: 879."""
    assert transit.room_left(of_scenario("standard"), "p1", LAND_BASE) == 5


@pytest.mark.rule("CT-SCN-13")
def test_figures_of_the_convoy() -> None:
    """Five ships, three decide, fifteen turns, 80 points for the interceptor."""
    state = of_scenario("convoy")
    assert state.terms.points == {"p1": 100, "p2": 80}
    assert (state.terms.convoy, state.terms.turns) == (5, 15)
    through = (Lost("p1-1", "convoy-ship", "p1", 9, "exit", 0),) * 3
    for turn, number, winners in ((14, 2, None), (14, 3, ("p1",)), (15, 2, ("p2",))):
        found = victory._convoy(replace(state, turn=turn, lost=through[:number]))
        assert (found and found.winners) == winners


@pytest.mark.rule("CT-FSM-01")
def test_a_battle_begins_with_fleets_and_their_placing() -> None:
    keys = sequence.battle(Options()).keys[:4]
    assert [*map(str, keys)] == ["fleets", "placing-order", "placing", "dive"]


@pytest.mark.parametrize("number", range(1, 11))
@pytest.mark.rule("CT-GEN-13")
def test_a_battle_has_two_four_six_or_eight_seats(number: int) -> None:
    """CT-AMB-105: one to four a side, as many on either."""
    seats = tuple(f"p{each}" for each in range(1, number + 1))
    if number in (2, 4, 6, 8):
        sides.check_seats(seats)
    else:
        with pytest.raises(Refused):
            sides.check_seats(seats)


# --- geometry ------------------------------------------------------------------------------------


@pytest.mark.rule("CT-GEOM-04")
def test_every_direction_is_a_sine_and_a_cosine() -> None:
    """Ticks of half a degree, scaled by 2 to the 24th. No value lies near the edge of rounding."""

    def rounded(tick: int) -> int:
        exact = 2**24 * sin(tick * pi / 360)
        assert abs(exact % 1 - 0.5) > 1e-4
        return round(exact)

    found = [direction(tick) for tick in range(720)]
    assert found == [(rounded(tick), rounded(tick + 180)) for tick in range(720)]


MIDDLES: dict[Arc | Side, Point] = {
    "forward": (0, 40_000), "bow": (0, 40_000), "aft": (0, -40_000), "stern": (0, -40_000),
    "starboard": (10_000, 0), "port": (-10_000, 0),
}  # fmt: skip
"""CT-GEOM-19, of a medium ship that heads along y."""


@pytest.mark.parametrize("side", MIDDLES)
@pytest.mark.rule("CT-GEOM-19")
def test_a_weapon_fires_from_the_middle_of_its_side(side: Arc | Side) -> None:
    firer = unit("p1-1", MEDIUM, 500_000, 500_000)
    x, y = MIDDLES[side]
    assert firing_point(table(firer), firer, side) == (500_000 + x, 500_000 + y)


# --- weapons -------------------------------------------------------------------------------------

WEAPONS: tuple[Weapon, ...] = get_args(Weapon)
GUNS = {"primary", "secondary", "tertiary"}
PHASES: dict[str, set[str]] = {
    "air-defense": {"aaw"},  # 003: 126, 541
    "air-attack": {"asw", "bombs", "strafe", "torpedo"},  # 003: 139; by aircraft
    "surface-attack": {*GUNS, "torpedo", "asw"},  # 003: 146; submarines' guns: CT-SATK-04
    "submarine-attack": {*GUNS, "torpedo"},  # 003: 151
}


@pytest.mark.parametrize("phase", [*PHASES, "movement", "air-transit"])
@pytest.mark.rule("CT-UNIT-04")
def test_every_weapon_of_every_card_has_its_phases(phase: str) -> None:
    for card in cards().values():
        rows: dict[str, tuple[tuple[int, ...], ...]] = {
            "primary": (card.forward, card.aft, card.broadside),
            **{name: (getattr(card, name),) for name in WEAPONS if name != "primary"},
        }
        armed = {name for name, each in rows.items() if any(map(any, each))}
        found = {weapon for weapon, _ in targets.armament(card.id, phase)}
        assert found == armed & PHASES.get(phase, set()), card.id


ROUND = ["forward", "aft", "starboard", "port"]
BEAM = ["starboard", "port"]


@pytest.mark.parametrize("weapon", WEAPONS)
@pytest.mark.rule("CT-ARC-04")
def test_smaller_guns_bear_to_the_sides_and_primary_ones_all_round(weapon: Weapon) -> None:
    """Torpedoes of ships leave to the sides; of submarines and aircraft all else has no arc."""
    wanted: dict[str, dict[str, list[str]]] = {
        "ship": {"primary": ROUND, "secondary": BEAM, "tertiary": BEAM, "torpedo": BEAM},
        "submarine": {"primary": ROUND, "secondary": BEAM, "tertiary": BEAM},
        "aircraft": {},
    }
    for kind, arcs in wanted.items():
        if weapon in ("bombs", "strafe") and kind != "aircraft":
            continue
        card = next(each for each in catalogue().values() if each.kind == kind)
        assert list(targets._arcs(card, weapon)) == arcs.get(weapon, [""]), kind


SIZES: tuple[Size, ...] = get_args(Size)


def of_size(size: Size) -> str:
    return next(c.id for c in catalogue().values() if c.kind == "ship" and c.size == size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.rule("CT-SURF-08")
def test_primary_guns_of_large_and_capital_ships_hit_small_ones_on_six(size: Size) -> None:
    """003: 700."""
    for on in SIZES:
        for weapon in WEAPONS:
            by, at = unit("p1-1", of_size(size), 0, 0), unit("p2-1", of_size(on), 0, 0)
            found = [each.value for each in strength._small_target(table(by, at), by, at, weapon)]
            harder = size in ("large", "capital") and on == "small" and weapon == "primary"
            assert found == ([2] if harder else []), (on, weapon)


@pytest.mark.parametrize("weapon", WEAPONS)
@pytest.mark.rule("CT-AMB-68")
def test_columns_that_only_an_ability_opens(
    weapon: Weapon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CT-CARD-07: primary guns beyond 4; torpedoes beyond 1, by an ability as well; no others."""
    full = tuple(range(9, 3, -1))
    rows: dict[str, Any] = {"forward" if weapon == "primary" else weapon: full}
    monkeypatch.setitem(cards(), "six", replace(cards()[MEDIUM], id="six", abilities=(), **rows))
    firer = unit("p1-1", "six", 0, 0)
    found = [strength.printed(table(firer), firer, weapon, "forward", n) for n in range(1, 7)]
    near = {"primary": 4, "torpedo": 1}.get(weapon, 6)
    assert found == [*full[:near], *[0] * (6 - near)]


@pytest.mark.parametrize("weapon", WEAPONS)
@pytest.mark.rule("CT-NIGHT-05")
def test_bombs_and_asw_of_aircraft_hit_on_5_and_6_at_night(weapon: Weapon) -> None:
    """003: 946; torpedoes hit on a 6 anyhow and lose a die; AAW: 942."""
    plane = aircraft("p1-1", next(c.id for c in catalogue().values() if c.bombs), (0, 0))
    for light in ("day", "night"):
        found = [
            (each.value, each.rule)
            for each in strength._in_the_dark(table_at(light, plane), plane, weapon)
        ]
        ordnance = {"bombs": "CT-NIGHT-05", "asw": "CT-NIGHT-05", "aaw": "CT-NIGHT-03"}
        harder = light == "night" and weapon in ordnance
        assert found == ([(1, ordnance[weapon])] if harder else [])


@pytest.mark.parametrize("weapon", WEAPONS)
@pytest.mark.rule("CT-NIGHT-10")
def test_only_by_agreement_are_guns_of_ships_harder_at_night(weapon: Weapon) -> None:
    """The rule's text; torpedoes and ASW of ships never."""
    ship = unit("p1-1", MEDIUM, 0, 0)
    for option in ("unchanged", "reduced"):
        state = table_at("night", ship, night_gunnery=option)
        found = [each.rule for each in strength._in_the_dark(state, ship, weapon)]
        guns = ["CT-NIGHT-10"] if option == "reduced" and weapon in GUNS else []
        assert found == (["CT-NIGHT-03"] if weapon == "aaw" else guns)


def table_at(light: Any, *units: Unit, **options: Any) -> State:
    state = table(*units, **options)
    return replace(state, terms=replace(state.terms, light=light))


# --- figures of cards ----------------------------------------------------------------------------

CALIBERS = {3: 40, 4: 55, 5: 65, 6: 70, 8: 85, 11: 115, 12: 115, 13: 115, 14: 125, 15: 135,
            16: 145, 18: 160}  # fmt: skip
"""CT-CAT-06: inches to hundredths of a die for each barrel."""
LEFT = (100, 100, 80, 60, 40, 25)
"""CT-CAT-07: per cent of the dice by range band."""


@pytest.mark.parametrize("caliber", CALIBERS)
@pytest.mark.rule("CT-CAT-06")
def test_a_hundred_barrels_have_the_dice_of_their_caliber(caliber: int) -> None:
    assert formulas.battery(100, caliber) == CALIBERS[caliber]


@pytest.mark.rule("CT-CAT-07")
def test_a_hundred_dice_are_left_by_range() -> None:
    assert formulas.bands(100, 6 * 29_632 // 3, 6) == LEFT


def vessels() -> list[Card]:
    """Read anew: a row may have been changed."""
    return [card for card in catalogue().values() if card.kind != "aircraft"]


def planes() -> list[Card]:
    return [card for card in catalogue().values() if card.kind == "aircraft"]


def hull_of(card: Card) -> int:
    """CT-CAT-03."""
    tons: int = card.basis.get("grossTonsUsedForHull") or card.info["displacementTons"]
    return max(2, 1 + isqrt(tons // 1_500))


def armor_of(card: Card) -> int:
    """CT-CAT-04; of aircraft CT-CAT-12."""
    if card.kind == "aircraft":
        sealed = int(card.basis["selfSealing"])
        return 2 + card.info["maxSpeedMph"] // 100 + sealed - (card.type == "Reconnaissance")
    tenths: int = card.basis["beltTenthInch"] + card.basis["deckTenthInch"]
    return max(1, tenths // 20)


def critical_of(card: Card) -> int:
    """CT-CAT-05; of aircraft CT-CAT-12."""
    return armor_of(card) + (3 if card.kind == "aircraft" else hull_of(card) + 2)


def size_of(card: Card) -> str:
    """CT-CAT-02."""
    tons = card.info["displacementTons"]
    if card.type in ("Battleship", "Battlecruiser"):
        return "capital" if tons >= 35_000 else "large"
    if card.type == "Submarine":
        return "medium" if tons >= 1_500 else "small"
    others = {"Fleet Carrier": "capital", "Light Carrier": "large", "Destroyer": "small"}
    return others.get(card.type, "medium")


def guns_of(card: Card) -> dict[str, tuple[int, ...]]:
    """CT-CAT-06 and -07: rows of all batteries."""

    def row(battery: dict[str, int] | None, barrels: str, most: int) -> tuple[int, ...]:
        if battery is None or not battery[barrels]:
            return ()
        dice = -(-battery[barrels] * CALIBERS[battery["caliberInch"]] // 100)
        reach = min(most, -(-3 * battery["rangeM"] // 29_632))
        return tuple(max(1, dice * LEFT[band] // 100) for band in range(reach))

    main = card.basis.get("primary")
    return {
        "forward": row(main, "foreBarrels", 6),
        "aft": row(main, "aftBarrels", 6),
        "broadside": row(main, "broadsideBarrels", 6),
        "secondary": row(card.basis.get("secondary"), "broadsideBarrels", 4),
        "tertiary": row(card.basis.get("tertiary"), "broadsideBarrels", 4),
    }


def aaw_of(card: Card) -> tuple[int, ...]:
    """CT-CAT-08; of aircraft CT-CAT-12."""
    guns = card.basis["aaBarrels"]
    heavy, medium, light = guns["heavy"], guns["medium"], guns["light"]
    near, far = isqrt(5 * heavy + medium + light // 5), isqrt(5 * heavy)
    if not heavy + medium + light:
        return ()
    return (max(1, near), far) if far else (max(1, near),)


def points_of(card: Card) -> int:
    """CT-CAT-13, from the figures of the card."""

    def at(row: tuple[int, ...], band: int = 1) -> int:
        return row[band - 1] if len(row) >= band else 0

    if card.kind == "aircraft":
        worth = 6 * at(card.aaw) + 6 * at(card.bombs) + 12 * at(card.torpedo) + 3 * card.armor
        worth += 2 * at(card.strafe) + 3 * at(card.asw)
        worth += {"Reconnaissance": 15, "Patrol Bomber": 20}.get(card.type, 0)
        return max(1, worth // 10)
    worth = 4 * card.hull_points * card.armor + 5 * card.hull_points + 8 * at(card.broadside)
    worth += 4 * at(card.broadside, 4) + 4 * at(card.secondary) + 3 * at(card.tertiary)
    worth += 2 * at(card.aaw) + 2 * at(card.asw) + 6 * at(card.torpedo) + card.movement
    carrier = card.type in ("Fleet Carrier", "Light Carrier")
    worth += (30 if carrier else 5) * card.aircraft + 10 * card.flagship
    return max(1, (worth + 40 * (card.kind == "submarine")) // 10)


@pytest.mark.rule("CT-CAT-01")
def test_every_ship_goes_a_quarter_of_its_knots() -> None:
    for card in vessels():
        wanted = card.info["maxSpeedTenthKnots"] // 40
        assert card.movement == formulas.movement(card.info["maxSpeedTenthKnots"]) == wanted
        assert card.submerged_movement == card.info.get("submergedSpeedTenthKnots", 0) // 40
    assert {(c.movement, c.submerged_movement) for c in planes()} == {(0, 0)}


@pytest.mark.rule("CT-CAT-02")
def test_every_ship_has_the_size_of_its_type_and_tons() -> None:
    for card in vessels():
        assert formulas.size(card.type, card.info["displacementTons"]) == size_of(card) == card.size
    assert {card.size for card in planes()} == {None}


@pytest.mark.rule("CT-CAT-03")
def test_every_ship_has_the_hull_points_of_its_tons() -> None:
    for card in vessels():
        assert card.hull_points == hull_of(card), card.id
    assert formulas.hull_points(32_100) == 5
    assert {card.hull_points for card in planes()} == {0}


@pytest.mark.rule("CT-CAT-04")
def test_every_ship_has_the_armor_of_belt_and_deck() -> None:
    for card in [*vessels(), *planes()]:
        assert card.armor == armor_of(card), card.id
    assert formulas.armor(138, 37) == 8


@pytest.mark.rule("CT-CAT-05")
def test_every_card_has_its_critical_rating() -> None:
    for card in [*vessels(), *planes()]:
        assert card.critical == critical_of(card), card.id
    assert formulas.critical(2, 3) == 7


@pytest.mark.rule("CT-CAT-06", "CT-CAT-07")
def test_every_ship_has_the_dice_of_its_guns() -> None:
    for card in vessels():
        held = {name: getattr(card, name) for name in guns_of(card)}
        assert held == guns_of(card), card.id
    for card in planes():
        assert not any(getattr(card, name) for name in guns_of(card)), card.id
    assert formulas.bands(formulas.battery(5, 5), 16_050, 6) == (4, 4)


@pytest.mark.rule("CT-CAT-08")
def test_every_ship_has_the_dice_of_its_anti_aircraft_guns() -> None:
    for card in vessels():
        assert card.aaw == aaw_of(card), card.id
    for card in planes():
        forward, every = card.basis["forwardGunWeight"], card.basis["allGunWeight"]
        bomber = 0 if card.type in ("Reconnaissance", "Patrol Bomber") else every // 3
        dice = 4 + forward // 4 if card.type == "Fighter" else bomber
        assert card.aaw == ((dice,) if dice else ()), card.id
    assert formulas.aaw(5, 10, 7) == (6, 5)


DEPTH_CHARGES = {
    "fairey-swordfish-i": (3,), "fw-200c-condor": (2,),
    "pby-5a-catalina": (4,), "tbf-1-avenger": (3,),
}  # fmt: skip
"""Aircraft that have them, and their dice: ours, card by card, by no formula."""


@pytest.mark.rule("CT-CAT-09")
def test_every_ship_has_the_dice_of_its_depth_charges() -> None:
    for card in vessels():
        charges = card.basis.get("depthCharges")
        wanted = (1 + charges["racks"] + charges["throwers"] // 2,) if charges else ()
        assert card.asw == wanted, card.id
    assert {card.id: card.asw for card in planes() if card.asw} == DEPTH_CHARGES
    assert formulas.asw(1, 4) == 4


@pytest.mark.rule("CT-CAT-10")
def test_every_ship_has_the_dice_of_its_tubes() -> None:
    for card in vessels():
        tubes = card.basis.get("torpedoTubes")
        dice = max(1, tubes["bearing"] // (2 if card.kind == "submarine" else 3)) if tubes else 0
        reach = max(1, -(-3 * tubes["rangeM"] // 29_632)) if tubes else 0
        assert card.torpedo == (dice,) * reach, card.id
    for card in planes():
        dice = 3 if card.info["maxSpeedMph"] >= 200 else 2
        assert card.torpedo == ((dice,) if card.basis["carriesTorpedo"] else ()), card.id
    assert formulas.torpedoes(10, submarine=False) == formulas.torpedoes(6, submarine=True) == 3


@pytest.mark.rule("CT-CAT-11")
def test_every_ship_has_its_aircraft() -> None:
    for card in vessels():
        carried = card.basis["aircraftCarried"]
        carrier = card.type in ("Fleet Carrier", "Light Carrier")
        assert card.aircraft == (max(1, carried // 25) if carrier else min(carried, 3)), card.id
    assert {card.aircraft for card in planes()} == {0}
    assert formulas.aircraft(True, 60) == 2


@pytest.mark.rule("CT-CAT-13")
def test_every_card_costs_what_its_figures_come_to() -> None:
    for card in [*vessels(), *planes()]:
        assert card.points == formulas.points(card) == points_of(card), card.id


OF_SCENARIOS = {
    "coastal-battery": (3, 5, 0, 10),
    "airfield": (5, 3, 0, 9),
    "fuel-depot": (2, 1, 0, 4),
    "convoy-ship": (3, 1, 4, 6),
}
"""Hull points, armor, movement and critical rating of what no fleet can hold: ours."""


@pytest.mark.rule("CT-CARD-04")
def test_figures_of_every_card_that_are_used_in_play() -> None:
    """How many aircraft it carries as well: room of a base."""
    for card in cards().values():
        held = card.hull_points, card.armor, card.movement, card.critical
        if card.id in OF_SCENARIOS:
            assert held == OF_SCENARIOS[card.id]
        elif card.kind == "aircraft":
            assert held == (0, armor_of(card), 0, critical_of(card))
        else:
            speed = card.info["maxSpeedTenthKnots"] // 40
            assert held == (hull_of(card), armor_of(card), speed, critical_of(card))
            assert fleets.room(table(), card.id) == card.aircraft

"""The editions at a glance (section 6.7 of the inventory): one table, played by both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.state import Lost
from domain.kernel.rules import Refused
from domain.kernel.shown.rulebook import load_rulebook
from domain.kernel.values import StepKey
from tests.support.battle import EDITIONS, Battle, bare, given, opened, refusal_of, unit

HERE = "5.4"
SURFACE = StepKey("surface-attack", "first")
FAR = (unit("p1-9", "duca-d-aosta", "1.1"), unit("p2-9", "hmas-canberra", "11.7"))


def offered(battle: Battle, command: c.AnyCommand, seat: str = "p1") -> bool:
    return command in battle.offers(seat)


def stays_aboard(edition: str) -> bool:
    units = unit("p1-1", "a6m2-zeke", base="p1-2"), unit("p1-2", "akagi", "1.4")
    battle = given(edition, *FAR, *units, step=StepKey("air-mission"))
    assert refusal_of(battle.state, "p1", c.Place("p1-1", "p1-2")) is not None
    return offered(battle, c.Pass())


def airbase_as_mission(edition: str) -> bool:
    battle = given(edition, *FAR, unit("p1-1", "a6m2-zeke"), step=StepKey("air-mission"))
    return offered(battle, c.SendToAirbase("p1-1"))


def strafing_is_announced(edition: str) -> bool:
    battle = given(edition, *FAR, unit("p1-1", "a6m2-zeke"), step=StepKey("air-mission"))
    return offered(battle, c.Place("p1-1", "6.2", strafing=True))


def strafes_unannounced(edition: str) -> bool:
    zeke, prey = unit("p1-1", "a6m2-zeke", HERE), unit("p2-1", "hmas-canberra", HERE)
    battle = given(
        edition, zeke, unit("p1-2", "d3a-val", HERE), prey, step=StepKey("air-attack", "first")
    )
    return offered(battle, c.Fire("p1-1", "strafe", "p2-1"))


def passes_through_a_full_sector(edition: str) -> bool:
    full = [unit(f"p1-{n}", "duca-d-aosta", "3.4") for n in (1, 2)]
    battle = given(edition, *FAR, *full, unit("p1-3", "duca-d-aosta", "2.4"))
    return offered(battle, c.Move("p1-3", "4.3"))


def ships_torpedoes_with_the_guns(edition: str) -> bool:
    ship, prey = unit("p1-1", "duca-d-aosta", HERE), unit("p2-1", "hmas-canberra", HERE)
    battle = given(edition, ship, prey, step=StepKey("surface-attack", "first"))
    return offered(battle, c.Fire("p1-1", "torpedo", "p2-1"))


def torpedoes_after_asw(edition: str) -> bool:
    units = [unit("p1-1", bare("z32"), HERE), unit("p2-1", "hmas-canberra", HERE)]
    battle = given(
        edition, *units, unit("p2-2", "s-13", HERE), step=StepKey("surface-attack", "first")
    )
    battle.fire("p1", "p1-1", "asw", "p2-2", (1,) * 4)
    battle.passes("p2")
    return offered(battle, c.Fire("p1-1", "torpedo", "p2-1"))


def asw_threat(edition: str) -> bool:
    step = StepKey("torpedo-attack" if edition == "2007" else "submarine-attack", "first")
    boat, prey = unit("p1-1", bare("i-25"), HERE), unit("p2-1", "uss-fletcher-dd-445", HERE)
    battle = given(edition, boat, prey, step=step).act("p1", c.Fire("p1-1", "torpedo", "p2-1"))
    return bool(battle.saw("attack-declared").attack.dice.total == 2)


def small_ships_evade(edition: str) -> bool:
    gun, prey = unit("p1-1", "scharnhorst", HERE), unit("p2-1", "uss-fletcher-dd-445", "5.5")
    battle = given(edition, gun, prey, step=StepKey("surface-attack", "first"))
    battle.act("p1", c.Fire("p1-1", "main", "p2-1"))
    return bool(battle.saw("attack-declared").attack.die.total)


def torpedo_at_a_torpedo_boat(edition: str) -> bool:
    plane, prey = unit("p1-1", "b5n2-kate", HERE), unit("p2-1", "pt-boat", HERE)
    battle = given(
        edition, plane, unit("p1-2", "d3a-val", HERE), prey, step=StepKey("air-attack", "first")
    )
    return offered(battle, c.Fire("p1-1", "torpedo", "p2-1"))


def attacks_inside_an_island_sector(edition: str) -> bool:
    units = [unit("p1-1", "d3a-val", "6.3"), unit("p2-1", "pt-boat", "6.3")]
    busy = [unit("p1-2", "d3a-val", "6.2"), unit("p2-2", "hmas-canberra", "6.2")]
    battle = given(edition, *units, *busy, step=StepKey("air-attack", "first"), zone=2)
    return offered(battle, c.Fire("p1-1", "bomb", "p2-1"))


def ends_with_the_phase_of_the_last_loss(edition: str) -> bool:
    lost = unit("p2-1", "hmas-canberra", HERE, doomed=True)
    battle = given(edition, FAR[0], lost, step=StepKey("air-attack", "end"))
    battle.saw("game-ended")
    return "step-began" not in battle.names()


def locks(edition: str, cards: tuple[str, ...], scenario: str, **options: object) -> bool:
    """Whether p1 may submit this fleet."""
    battle = opened(edition, options, scenario=scenario)
    return refusal_of(battle.state, "p1", c.SubmitFleet(cards)) is None


def interceptor_has_a_hundred_points(edition: str) -> bool:
    return locks(edition, ("kongo", "akagi", "shokaku"), "convoy", escort="p2")


def four_of_washington(edition: str) -> bool:
    fleet = ("uss-washington-bb-56",) * 4
    return locks(edition, fleet, "major-300", axis="p2", history=True)


def objective_of_a_major_engagement_is_a_hundred(edition: str) -> bool:
    battle = given(edition, unit("p1-1", "duca-d-aosta", "6.3"), FAR[1], scenario="major-200",
                   step=StepKey("end-of-turn"), objectives=("6.3",))  # fmt: skip
    return bool(battle.saw("objective-claimed").points == 100)


def major_engagement_goes_on_at_its_old_target(edition: str) -> bool:
    scores = {"p1": 250, "p2": 0}
    battle = given(edition, *FAR, scenario="major-200", step=StepKey("end-of-turn"), scores=scores)
    return "game-ended" not in battle.names()


def darkness_may_be_agreed_on(edition: str) -> bool:
    return _opens(edition, light="night")


def weather_may_be_agreed_on(edition: str) -> bool:
    if not _opens(edition, weather=True):
        return False
    battle = opened(edition, {"weather": True, "battleZone": 1})
    battle.act("p1", c.SubmitFleet(("duca-d-aosta",)))
    battle.act("p2", c.SubmitFleet(("hmas-canberra",))).roll([6])
    return battle.state.weather >= 0


def _opens(edition: str, **options: object) -> bool:
    try:
        opened(edition, options)
    except Refused as refusal:
        return refusal.code != "setup.not-in-edition"
    return True


def bonus_against_a_fleet_without_ships(edition: str) -> bool:
    units = [FAR[0], unit("p2-1", "uss-barb-ss-220", "11.4")]
    lost = (Lost("p2-2", "hmas-canberra", "p2", 1, "destroyed", 15),)
    battle = given(edition, *units, step=StepKey("end-of-turn"), objectives=(), lost=lost)
    return battle.state.scores["p1"] > 0


def strafing_lowers_armor(edition: str) -> bool:
    hunter, battle = over_ships(edition, "a6m2-zeke")
    attack = battle.act("p2", c.Fire(hunter, "antiair", "p1-1")).state.attack
    assert attack is not None
    return attack.armor.total < attack.armor.reasons[0].value


def strafing_gives_up_the_escort(edition: str) -> bool:
    hunter, battle = over_ships(edition, "a6m2-zeke")
    battle.act("p2", c.Fire(hunter, "antiair", "p1-2"))
    return bool(battle.saw("attack-declared").attack.die.total == 0)


def over_ships(edition: str, fighter: str) -> tuple[str, Battle]:
    """p1's Fighter, which will strafe, and a Bomber beside it, when p2's Fighter attacks."""
    battle = given(
        edition, *FAR, unit("p1-1", fighter), unit("p1-2", "d3a-val", HERE),
        unit("p2-1", bare("f4f-wildcat"), HERE), step=StepKey("air-mission"), first="p2",
    )  # fmt: skip
    battle.act("p1", c.Place("p1-1", HERE, strafing=edition == "2009"))
    return "p2-1", battle.on_to("air-defense", "first")


def attacks_again_in_the_next_phase(edition: str) -> bool:
    zeke, prey = unit("p1-1", bare("a6m2-zeke"), HERE), unit("p2-1", "hmas-canberra", HERE)
    zeke = msgspec.structs.replace(zeke, strafing=edition == "2009")
    units = [zeke, unit("p1-2", "d3a-val", HERE), prey, unit("p2-2", "sbd-dauntless", HERE)]
    battle = given(edition, *units, step=StepKey("air-defense", "first"))
    battle.fire("p1", "p1-1", "antiair", "p2-2", (1,) * 7).on_to("air-attack", "first")
    return offered(battle, c.Fire("p1-1", "strafe", "p2-1"))


def ships_torpedo_in_a_later_phase(edition: str) -> bool:
    ship, prey = unit("p1-1", "duca-d-aosta", HERE), unit("p2-1", "hmas-canberra", HERE)
    step = StepKey("torpedo-attack" if edition == "2007" else "submarine-attack", "first")
    battle = given(edition, ship, prey, unit("p1-2", "i-25", HERE), step=step)
    return offered(battle, c.Fire("p1-1", "torpedo", "p2-1"))


def long_gunnery_at_a_small_ship(edition: str) -> bool:
    gun, prey = unit("p1-1", "bismarck", "3.4"), unit("p2-1", "uss-fletcher-dd-445", "7.4")
    battle = given(edition, gun, prey, unit("p2-2", "hmas-canberra", "5.4"), step=SURFACE)
    return offered(battle, c.Fire("p1-1", "main", "p2-1"))


def carrier_loss(edition: str) -> Battle:
    """Akagi goes down with two cards under hers; a Val of the airbase is in the air too."""
    carrier = unit("p1-1", "akagi", "1.4", doomed=True)
    flyers = [
        unit("p1-2", "a6m2-zeke", HERE, base="p1-1"),
        unit("p1-3", "d3a-val", HERE, base="p1-1"),
        unit("p1-4", "b5n2-kate", "5.5"),
    ]
    return given(
        edition, *FAR, carrier, *flyers, unit("p1-5", "shokaku", "1.6"),
        step=StepKey("surface-attack", "end"), stacks={"p1-1": ("a6m2-zeke", "d3a-val")},
    )  # fmt: skip


def aircraft_of_the_airbase_are_at_risk(edition: str) -> bool:
    battle = carrier_loss(edition)
    return "p1-4" in battle.state.carriers["p1-1"].chosen


def survivors_land_on_another_carrier(edition: str) -> bool:
    battle = carrier_loss(edition)
    at_risk = battle.state.carriers["p1-1"].chosen
    battle.roll([6] * len(at_risk)).on_to("air-return", "first")
    return offered(battle, c.Return("p1-2", "p1-5"))


class Row(NamedTuple):
    """What is so in one edition only, and by which rules of the two it is or is not."""

    topic: str
    holds: Callable[[str], bool]
    only: str
    rules: tuple[str, ...]


TABLE = (
    Row("victory", ends_with_the_phase_of_the_last_loss, "2007", ("WAS-VP-05", "WAS-VP-06")),
    Row("victory", bonus_against_a_fleet_without_ships, "2009", ("WAS-VP-08",)),
    Row("full sectors", passes_through_a_full_sector, "2009", ("WAS-STACK-05", "WAS-STACK-06")),
    Row("air mission", stays_aboard, "2007", ("WAS-AIRM-06", "WAS-AIRM-10")),
    Row("air mission", airbase_as_mission, "2009", ("WAS-AIRM-07",)),
    Row("strafing", strafing_is_announced, "2009", ("WAS-AIRM-12",)),
    Row("strafing", strafes_unannounced, "2007", ("WAS-AIRA-06", "WAS-AIRA-07")),
    Row("strafing", strafing_lowers_armor, "2009", ("WAS-AIRA-08",)),
    Row("strafing", strafing_gives_up_the_escort, "2009", ("WAS-AIRD-10",)),
    Row("Aircraft attacks", attacks_again_in_the_next_phase, "2007",
        ("WAS-AIRD-19", "WAS-AIRD-20", "WAS-AIRA-09")),
    Row("Ship torpedoes", ships_torpedoes_with_the_guns, "2009", ("WAS-SURF-08", "WAS-SURF-10")),
    Row("Ship torpedoes", ships_torpedo_in_a_later_phase, "2007", ("WAS-TORP-01", "WAS-TORP-02")),
    Row("Ship torpedoes", torpedoes_after_asw, "2007", ("WAS-SURF-03", "WAS-SURF-09")),
    Row("Submarines", asw_threat, "2009", ("WAS-TORP-01", "WAS-SUBA-01", "WAS-SUBA-04")),
    Row("small Ships", long_gunnery_at_a_small_ship, "2007", ("WAS-SURF-12",)),
    Row("small Ships", small_ships_evade, "2009", ("WAS-SURF-13",)),
    Row("small Ships", torpedo_at_a_torpedo_boat, "2007", ("WAS-SURF-16",)),
    Row("Carrier loss", aircraft_of_the_airbase_are_at_risk, "2007",
        ("WAS-AIR-10", "WAS-AIR-11", "WAS-AIR-14", "WAS-AIR-15")),
    Row("Carrier loss", survivors_land_on_another_carrier, "2009", ("WAS-AIR-13", "WAS-AIR-16")),
    Row("island sector", attacks_inside_an_island_sector, "2009", ("WAS-LOS-15", "WAS-LOS-16")),
    Row("Convoy", interceptor_has_a_hundred_points, "2007", ("WAS-SCEN-24", "WAS-SCEN-25")),
    Row("Major Engagement", objective_of_a_major_engagement_is_a_hundred, "2009",
        ("WAS-SCEN-46", "WAS-SCEN-47")),
    Row("Major Engagement", major_engagement_goes_on_at_its_old_target, "2009", ()),
    Row("class limits", four_of_washington, "2007",
        ("WAS-HIST-05", "WAS-HIST-08", "WAS-HIST-10", "WAS-HIST-18", "WAS-HIST-20")),
    Row("Darkness and Weather", darkness_may_be_agreed_on, "2009", ("WAS-DARK-01",)),
    Row("Darkness and Weather", weather_may_be_agreed_on, "2009", ("WAS-WEATH-01",)),
)  # fmt: skip
"""The differences; the map side is one by the text, and none as we read it (RUL-01, below)."""

EDITIONS_OF = {rule.id: rule.editions for rule in load_rulebook("domain.games.war_at_sea")}


def _cases() -> Iterator[Any]:
    """Each row in both editions, marked with those of its rules that the edition has."""
    for row in TABLE:
        for edition in EDITIONS:
            rules = [each for each in row.rules if edition in EDITIONS_OF[each]]
            name = f"{row.topic}: {row.holds.__name__} in {edition}"
            yield pytest.param(row, edition, id=name, marks=pytest.mark.rule(*rules))


@pytest.mark.parametrize(("row", "edition"), [*_cases()])
def test_the_editions_differ_here(row: Row, edition: str) -> None:
    assert row.holds(edition) == (edition == row.only)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.rule("WAS-SETUP-11", "WAS-SETUP-12", "RUL-01")
def test_the_first_deployer_takes_either_side_in_both_editions(edition: str) -> None:
    battle = opened(edition, {"battleZone": 1})
    battle.act("p1", c.SubmitFleet(("duca-d-aosta",)))
    battle.act("p2", c.SubmitFleet(("hmas-canberra",))).roll([1])
    assert {o.edge for o in battle.offers("p1") if isinstance(o, c.ChooseEdge)} == {
        "north",
        "south",
    }


AT_A_GLANCE = {
    "victory": "WAS-VP-05 WAS-VP-06 WAS-VP-08",
    "full sectors": "WAS-STACK-05 WAS-STACK-06",
    "air mission": "WAS-AIRM-06 WAS-AIRM-07 WAS-AIRM-10",
    "strafing": "WAS-AIRM-12 WAS-AIRA-06 WAS-AIRA-07 WAS-AIRA-08 WAS-AIRD-10",
    "Aircraft attacks": "WAS-AIRD-19 WAS-AIRD-20 WAS-AIRA-09",
    "Ship torpedoes": "WAS-SURF-03 WAS-SURF-08 WAS-SURF-09 WAS-SURF-10 WAS-TORP-01 WAS-TORP-02",
    "Submarines": "WAS-TORP-01 WAS-SUBA-01 WAS-SUBA-04",
    "small Ships": "WAS-SURF-12 WAS-SURF-13 WAS-SURF-16",
    "Carrier loss": "WAS-AIR-10 WAS-AIR-11 WAS-AIR-13 WAS-AIR-14 WAS-AIR-15 WAS-AIR-16",
    "island sector": "WAS-LOS-15 WAS-LOS-16",
    "Convoy": "WAS-SCEN-24 WAS-SCEN-25",
    "Major Engagement": "WAS-SCEN-46 WAS-SCEN-47",
    "class limits": "WAS-HIST-05 WAS-HIST-08 WAS-HIST-10 WAS-HIST-18 WAS-HIST-20",
    "Darkness and Weather": "WAS-DARK-01 WAS-WEATH-01",
}
"""The rows of section 6.7 with the rules by which the editions part; the map side is apart."""


def test_every_row_at_a_glance_is_played_in_both_editions_by_all_its_rules() -> None:
    played: dict[str, set[str]] = {}
    for row in TABLE:
        played.setdefault(row.topic, set()).update(row.rules)
    assert played == {topic: set(rules.split()) for topic, rules in AT_A_GLANCE.items()}
    assert all(len(EDITIONS_OF[each]) == 1 for row in TABLE for each in row.rules)


@pytest.mark.parametrize(
    ("scenario", "edition", "target", "objective"),
    [
        ("major-200", "2007", 250, 75),
        ("major-300", "2007", 400, 100),
        ("major-500", "2007", 600, 200),
        ("major-200", "2009", 300, 100),
        ("major-300", "2009", 450, 150),
        ("major-500", "2009", 750, 250),
    ],
)
def test_points_of_a_major_engagement(
    scenario: str, edition: str, target: int, objective: int
) -> None:
    claiming = given(edition, unit("p1-1", "duca-d-aosta", "6.3"), FAR[1], scenario=scenario,
                     step=StepKey("end-of-turn"), objectives=("6.3",))  # fmt: skip
    assert claiming.saw("objective-claimed").points == objective
    for points in (target - 1, target):
        battle = given(edition, *FAR, scenario=scenario, step=StepKey("end-of-turn"),
                       scores={"p1": points, "p2": 0})  # fmt: skip
        assert ("game-ended" in battle.names()) == (points == target)


@pytest.mark.parametrize("edition", ["2007", "2009"])
@pytest.mark.rule("WAS-INIT-02", "WAS-INIT-03")
def test_the_seventh_phase_has_the_edition_s_name(edition: str) -> None:
    boats = [unit("p1-1", bare("i-25"), HERE), unit("p2-1", bare("i-25"), "8.4")]
    prey = [unit("p1-2", "hmas-canberra", "8.4"), unit("p2-2", "hmas-canberra", HERE)]
    battle = given(edition, *boats, *prey, step=StepKey("surface-attack", "end"))
    battle.fire("p1", "p1-1", "torpedo", "p2-2", (6, 1, 1))
    battle.fire("p2", "p2-1", "torpedo", "p1-2", (1, 1, 1))
    phases = [event.step for event in battle.events if event.NAME == "step-began"]
    wanted = "torpedo-attack" if edition == "2007" else "submarine-attack"
    assert phases[:3] == [StepKey(wanted, part) for part in ("first", "second", "end")]

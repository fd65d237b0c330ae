"""The editions at a glance (section 6.7 of the inventory): one table, played by both."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain.games.war_at_sea import commands as c
from domain.kernel.rules import Refused
from tests.support.battle import Battle, bare, given, opened, refusal_of, unit

HERE = "5.4"
FAR = (unit("p1-9", "duca-d-aosta", "1.1"), unit("p2-9", "hmas-canberra", "11.7"))


def offered(battle: Battle, command: c.AnyCommand, seat: str = "p1") -> bool:
    return command in battle.offers(seat)


def stays_home(edition: str) -> bool:
    battle = given(edition, *FAR, unit("p1-1", "a6m2-zeke"), step="air-mission")
    return offered(battle, c.Pass())


def airbase_as_mission(edition: str) -> bool:
    battle = given(edition, *FAR, unit("p1-1", "a6m2-zeke"), step="air-mission")
    return offered(battle, c.SendToAirbase("p1-1"))


def strafing_is_announced(edition: str) -> bool:
    battle = given(edition, *FAR, unit("p1-1", "a6m2-zeke"), step="air-mission")
    return offered(battle, c.Place("p1-1", "6.2", strafing=True))


def strafes_unannounced(edition: str) -> bool:
    zeke, prey = unit("p1-1", "a6m2-zeke", HERE), unit("p2-1", "hmas-canberra", HERE)
    battle = given(edition, zeke, unit("p1-2", "d3a-val", HERE), prey, step="air-attack.first")
    return offered(battle, c.Fire("p1-1", "strafe", "p2-1"))


def passes_through_a_full_sector(edition: str) -> bool:
    full = [unit(f"p1-{n}", "duca-d-aosta", "3.4") for n in (1, 2)]
    battle = given(edition, *FAR, *full, unit("p1-3", "duca-d-aosta", "2.4"))
    return offered(battle, c.Move("p1-3", "4.3"))


def ships_torpedoes_with_the_guns(edition: str) -> bool:
    ship, prey = unit("p1-1", "duca-d-aosta", HERE), unit("p2-1", "hmas-canberra", HERE)
    battle = given(edition, ship, prey, step="surface-attack.first")
    return offered(battle, c.Fire("p1-1", "torpedo", "p2-1"))


def torpedoes_after_asw(edition: str) -> bool:
    units = [unit("p1-1", bare("z32"), HERE), unit("p2-1", "hmas-canberra", HERE)]
    battle = given(edition, *units, unit("p2-2", "s-13", HERE), step="surface-attack.first")
    battle.fire("p1", "p1-1", "asw", "p2-2", (1,) * 4)
    battle.passes("p2")
    return offered(battle, c.Fire("p1-1", "torpedo", "p2-1"))


def asw_threat(edition: str) -> bool:
    step = ("torpedo" if edition == "2007" else "submarine") + "-attack.first"
    boat, prey = unit("p1-1", bare("i-25"), HERE), unit("p2-1", "uss-fletcher-dd-445", HERE)
    battle = given(edition, boat, prey, step=step).act("p1", c.Fire("p1-1", "torpedo", "p2-1"))
    return bool(battle.saw("attack-declared").attack.dice.total == 2)


def small_ships_evade(edition: str) -> bool:
    gun, prey = unit("p1-1", "scharnhorst", HERE), unit("p2-1", "uss-fletcher-dd-445", "5.5")
    battle = given(edition, gun, prey, step="surface-attack.first")
    battle.act("p1", c.Fire("p1-1", "main", "p2-1"))
    return bool(battle.saw("attack-declared").attack.die.total)


def torpedo_at_a_torpedo_boat(edition: str) -> bool:
    plane, prey = unit("p1-1", "b5n2-kate", HERE), unit("p2-1", "pt-boat", HERE)
    battle = given(edition, plane, unit("p1-2", "d3a-val", HERE), prey, step="air-attack.first")
    return offered(battle, c.Fire("p1-1", "torpedo", "p2-1"))


def attacks_inside_an_island_sector(edition: str) -> bool:
    units = [unit("p1-1", "d3a-val", "6.3"), unit("p2-1", "pt-boat", "6.3")]
    busy = [unit("p1-2", "d3a-val", "6.2"), unit("p2-2", "hmas-canberra", "6.2")]
    battle = given(edition, *units, *busy, step="air-attack.first", zone=2)
    return offered(battle, c.Fire("p1-1", "bomb", "p2-1"))


def ends_with_the_phase_of_the_last_loss(edition: str) -> bool:
    lost = unit("p2-1", "hmas-canberra", HERE, doomed=True)
    battle = given(edition, FAR[0], lost, step="air-attack.end")
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
                   step="end-of-turn", objectives=("6.3",))  # fmt: skip
    return bool(battle.saw("objective-claimed").points == 100)


def major_engagement_goes_on_at_its_old_target(edition: str) -> bool:
    scores = {"p1": 250, "p2": 0}
    battle = given(edition, *FAR, scenario="major-200", step="end-of-turn", scores=scores)
    return "game-ended" not in battle.names()


def darkness_may_be_agreed_on(edition: str) -> bool:
    return _opens(edition, light="night")


def weather_may_be_agreed_on(edition: str) -> bool:
    return _opens(edition, weather=True)


def _opens(edition: str, **options: object) -> bool:
    try:
        opened(edition, options)
    except Refused as refusal:
        return refusal.code != "setup.not-in-edition"
    return True


TABLE: tuple[tuple[Callable[[str], bool], str], ...] = (
    (stays_home, "2007"),
    (airbase_as_mission, "2009"),
    (strafing_is_announced, "2009"),
    (strafes_unannounced, "2007"),
    (passes_through_a_full_sector, "2009"),
    (ships_torpedoes_with_the_guns, "2009"),
    (torpedoes_after_asw, "2007"),
    (asw_threat, "2009"),
    (small_ships_evade, "2009"),
    (torpedo_at_a_torpedo_boat, "2007"),
    (attacks_inside_an_island_sector, "2009"),
    (ends_with_the_phase_of_the_last_loss, "2007"),
    (interceptor_has_a_hundred_points, "2007"),
    (four_of_washington, "2007"),
    (objective_of_a_major_engagement_is_a_hundred, "2009"),
    (major_engagement_goes_on_at_its_old_target, "2009"),
    (darkness_may_be_agreed_on, "2009"),
    (weather_may_be_agreed_on, "2009"),
)
"""What is so in one edition only, and in which."""


@pytest.mark.parametrize("edition", ["2007", "2009"])
@pytest.mark.parametrize(("holds", "only"), TABLE, ids=lambda value: getattr(value, "__name__", ""))
def test_the_editions_differ_here(holds: Callable[[str], bool], only: str, edition: str) -> None:
    assert holds(edition) == (edition == only)


@pytest.mark.parametrize("edition", ["2007", "2009"])
@pytest.mark.rule("WAS-INIT-02", "WAS-INIT-03")
def test_the_seventh_phase_has_the_edition_s_name(edition: str) -> None:
    battle = given(edition, *FAR, step="surface-attack.end")
    phases = [event.step for event in battle.events if event.NAME == "step-began"]  # type: ignore[union-attr]
    wanted = "torpedo-attack" if edition == "2007" else "submarine-attack"
    assert phases[:3] == [f"{wanted}.first", f"{wanted}.second", f"{wanted}.end"]

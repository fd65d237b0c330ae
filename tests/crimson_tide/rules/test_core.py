"""Rules that no single case shows: the order of things, values by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.crimson_tide import GAME
from domain.games.crimson_tide.rules import air_missions, dice, facts, strength, targets
from domain.games.crimson_tide.rules.ability_words import SeesStormed
from domain.games.crimson_tide.rules.cards import cards
from domain.games.crimson_tide.rules.commands import Pass
from domain.games.crimson_tide.rules.decide import opening, pending, usual
from domain.games.crimson_tide.rules.helm import movable
from domain.games.crimson_tide.rules.options import Options
from domain.games.crimson_tide.rules.scenarios import scenario, scenarios, terms
from domain.games.crimson_tide.rules.sequence import battle
from domain.games.crimson_tide.rules.state import Shot, State
from domain.kernel.codec import canonical
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.tally import Reason, Tally
from domain.kernel.values import StepKey
from tests.crimson_tide.seas import EDITION, SEATS, begun, position

K = 25_000


def ship(name: str, card: str, x: int, y: int, heading: int = 0, **fields: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "pose": [x * K, y * K, heading], **fields}


def plane(name: str, card: str, x: int, y: int, **fields: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": [x * K, y * K], **fields}


FLETCHER = ship("p1-1", "uss-fletcher", 10, 10)
ENEMY = ship("p2-1", "ijn-takao", 20, 40, 360)


def sea(*units: dict[str, Any], **setup: Any) -> State:
    return position({"units": list(units), **setup})


@pytest.mark.rule("CT-GEN-05", "CT-AMB-12")
@pytest.mark.parametrize(("whole", "half"), [(9, 4), (7, 3), (1, 0), (0, 0)])
def test_a_half_is_rounded_down(whole: int, half: int) -> None:
    tally = dice.halved(Tally.of(Reason(whole, "", "printed")), Reason(0, "CT-LOS-06", "half"))
    assert tally.total == half
    assert sum(reason.value for reason in tally.reasons) == half


@pytest.mark.rule("CT-DICE-02", "CT-WPN-01")
def test_the_worked_example_of_the_booklet() -> None:
    assert dice.hits(((2, 3, 4, 5, 6), (4,))) == 5


@pytest.mark.rule("CT-DICE-01")
def test_sixes_go_on_without_limit() -> None:
    assert dice.hits(((6,), (6,), (5,))) == 5


@pytest.mark.rule("CT-DICE-10")
@pytest.mark.parametrize(
    ("values", "least"), [((), 4), ((1,), 5), ((1, 1, 1), 5), ((1, 2), 6), ((2, 1, 2), 6)]
)
def test_only_the_strictest_reading_of_the_dice_counts(values: tuple[int, ...], least: int) -> None:
    tally = dice.strictest(tuple(Reason(value, "CT-LOS-05", "x") for value in values))
    assert tally.total == least
    assert len(tally.reasons) == len(values) + 1


@pytest.mark.rule("CT-WPN-05")
def test_a_torpedo_six_counts_once_and_costs_two_hull_points() -> None:
    assert dice.torpedo_hits((6, 5, 6)) * dice.TORPEDO_DAMAGE == 4


@pytest.mark.rule("CT-GEN-08", "CT-SEQ-02", "CT-SATK-02", "CT-FSM-01", "CT-FSM-02", "CT-SEQ-01")
def test_the_phases_of_a_turn_have_two_steps_first_player_first() -> None:
    order = battle(Options()).keys
    alone = ["fleets", "placing-order", "placing", "dive", "initiative"]
    assert [*map(str, order[:5])] == alone
    phases = list(dict.fromkeys(key.phase for key in order[4:]))
    assert phases == [
        "initiative", "movement", "air-deployment", "air-defense", "air-attack", "surface-attack",
        "torpedo-check", "submarine-attack", "air-transit", "end-of-turn",
    ]  # fmt: skip
    for phase in ("movement", "air-defense", "air-attack", "surface-attack", "submarine-attack"):
        at = order.index(StepKey(phase, "first"))
        assert order[at + 1] == StepKey(phase, "second")


@pytest.mark.rule("CT-SEQ-06")
def test_acting_is_optional_and_a_step_without_choices_passes() -> None:
    state = begun({"units": [FLETCHER, ENEMY], "step": StepKey("movement", "first")}).state
    assert movable(state, "p1") == [state.units["p1-1"]]
    assert pending(state)[0].optional
    played = begun({"units": [FLETCHER, ENEMY], "step": StepKey("air-deployment")})
    assert played.state.step == StepKey("surface-attack", "first")


@pytest.mark.rule("CT-FSM-14")
def test_a_missed_deadline_passes() -> None:
    moving = begun({"units": [FLETCHER, ENEMY]}).state
    assert usual(moving, pending(moving)[0]) == Pass()


@pytest.mark.rule("CT-FSM-14")
@pytest.mark.parametrize("under", [(), ("p1-3",), ("p1-2", "p1-3"), ("p1-2", "p1-4", "p1-5")])
def test_a_missed_deadline_leaves_every_submarine_as_it_is(under: tuple[str, ...]) -> None:
    """Bug: the clock brought the submarines of an absent player to the surface."""
    boats = [
        ship(f"p1-{number}", "uss-gato", 10 * number, 20, submerged=f"p1-{number}" in under)
        for number in range(2, 6)
    ]
    battle = begun({"units": [FLETCHER, *boats, ENEMY], "step": StepKey("dive"), "first": ""})
    (question,) = pending(battle.state)
    assert (question.question, question.optional) == ("dive", False)
    battle.act("p1", usual(battle.state, question))
    left = [each.id for each in battle.state.units.values() if each.submerged]
    assert left == list(under)
    assert battle.state.step.phase != "dive"


@pytest.mark.rule("CT-GEN-14", "CT-SUB-04")
def test_there_are_three_levels() -> None:
    state = sea(
        FLETCHER,
        ship("p1-2", "uss-gato", 15, 10),
        ship("p1-3", "u-47", 20, 10, submerged=True),
        plane("p1-4", "a6m2-zero", 1, 1),
        ENEMY,
    )
    surface = [u.id for u in state.units.values() if facts.on_surface(state, u)]
    assert surface == ["p1-1", "p1-2", "p2-1"]


@pytest.mark.rule("CT-UNIT-05", "CT-GEN-15")
def test_there_are_three_kinds_of_units() -> None:
    state = sea(FLETCHER, ship("p1-2", "uss-gato", 15, 10), plane("p1-3", "a6m2-zero", 1, 1), ENEMY)
    kinds = [facts.card_of(state, unit).kind for unit in state.units.values()]
    assert kinds == ["ship", "submarine", "aircraft", "ship"]
    assert [facts.is_submarine(state, u) for u in state.units.values()] == [
        False, True, False, False,
    ]  # fmt: skip


@pytest.mark.rule("CT-UNIT-01")
def test_carriers_are_fleet_and_light_carriers() -> None:
    carriers = {card.id for card in cards().values() if card.is_carrier}
    assert carriers == {
        "uss-enterprise", "uss-independence", "ijn-shokaku", "ijn-shoho", "hms-illustrious",
    }  # fmt: skip


@pytest.mark.rule("CT-UNIT-04", "CT-ARC-06")
def test_the_weapons_of_a_ship_by_phase() -> None:
    broadside = ("forward", "aft", "starboard", "port")
    assert targets.armament("uss-fletcher", "surface-attack") == (
        ("primary", broadside), ("torpedo", ("starboard", "port")), ("asw", ("",)),
    )  # fmt: skip
    assert targets.armament("uss-fletcher", "air-defense") == (("aaw", ("",)),)
    assert targets.armament("fs-richelieu", "surface-attack")[0][1] == (
        "forward", "starboard", "port",
    )  # fmt: skip
    state = sea(FLETCHER, ENEMY, step=StepKey("surface-attack", "first"))
    assert targets.arcs(state, state.units["p1-1"], "asw") == ("",)


@pytest.mark.rule("CT-AC-04", "CT-AC-05", "CT-WPN-06")
def test_fighters_carry_no_ordnance_bombers_do() -> None:
    found = {name: air_missions.missions(cards()[name]) for name in cards()}
    assert found["f4f-4-wildcat"] == ("strafe", "free")
    assert found["tbf-1-avenger"] == ("ordnance", "free")
    assert found["sbd-3-dauntless"] == ("ordnance", "strafe", "free")
    assert found["os2u-3-kingfisher"] == ("free",)


@pytest.mark.rule("CT-DMG-05")
def test_a_damaged_unit_has_fewer_hull_points_left() -> None:
    state = sea(ship("p1-1", "kms-bismarck", 10, 10, hullLost=2, pending=3), ENEMY)
    assert facts.hull_left(state, state.units["p1-1"]) == 4


@pytest.mark.rule("CT-RNGE-02")
def test_columns_five_and_six_belong_to_the_ability() -> None:
    state = sea(ship("p1-1", "ijn-yamato", 10, 10), ship("p1-2", "uss-iowa", 20, 10), ENEMY)
    yamato, iowa = state.units["p1-1"], state.units["p1-2"]
    bands = range(1, 7)
    broadside = [strength.printed(state, yamato, "primary", "port", band) for band in bands]
    assert broadside == [15, 15, 12, 9, 6, 0]
    assert [strength.printed(state, iowa, "primary", "port", band) for band in bands][4:] == [0, 0]


@pytest.mark.rule("CT-SA-07")
def test_several_escorts_do_not_add_up() -> None:
    escorts = [plane(f"p2-{n}", "a6m2-zero", 10, 12) for n in (3, 4)]
    state = sea(
        FLETCHER, plane("p1-2", "f4f-4-wildcat", 10, 13), plane("p2-2", "b5n2-kate", 10, 12),
        *escorts, ENEMY, step=StepKey("air-defense", "first"),
    )  # fmt: skip
    attacker, bomber = state.units["p1-2"], state.units["p2-2"]
    least = strength.least(state, attacker, bomber, Shot("p1-2", "aaw", "p2-2"))
    assert least.total == 5
    assert strength.escort(state, attacker, bomber) == state.units["p2-3"]


@pytest.mark.rule("CT-SA-08")
def test_an_ability_works_by_itself_until_systems_are_down() -> None:
    state = sea(
        ship("p1-1", "uss-boise", 10, 10), ship("p1-2", "uss-boise", 20, 10, criticals=[7]), ENEMY
    )
    working, down = state.units["p1-1"], state.units["p1-2"]
    assert facts.effect(working, SeesStormed)
    assert facts.effect(down, SeesStormed) is None


@pytest.mark.rule("CT-SCN-03", "CT-SCN-15", "CT-SCN-16")
def test_the_figures_of_the_scenarios() -> None:
    figures = {
        name: (t.points["p1"], t.units, t.airbase, t.turns, t.target)
        for name in scenarios()
        for t in (terms(scenario(name), Options(), SEATS),)
    }
    assert figures["standard"] == (100, 15, 5, 12, 0)
    assert figures["sea-control"] == (100, 15, 5, 12, 150)
    assert figures["major-200"] == (200, 20, 7, 12, 0)
    assert figures["major-300"] == (300, 25, 9, 12, 0)
    assert figures["convoy"][3] == 15


@pytest.mark.rule("CT-FSM-11", "CT-GEOM-01", "CT-AMB-77")
def test_a_battle_is_its_set_up_and_its_commands() -> None:
    setup = Setup("crimson-tide", EDITION, "sea-control", SEATS, {"klick": 50_000})
    assert canonical(opening(setup)) == canonical(opening(setup))
    assert b"." not in canonical(GAME.fold(opening(setup)).land)


@pytest.mark.rule("CT-GEOM-01")
def test_a_klick_is_a_whole_number_of_thousands() -> None:
    for klick in (25_500, 24_000, 51_000, "25000"):
        with pytest.raises(Refused, match=r"setup\.bad-option"):
            opening(Setup("crimson-tide", EDITION, "standard", SEATS, {"klick": klick}))


@pytest.mark.rule("CT-CARD-02")
@pytest.mark.parametrize("card", ["uss-iowa", "uss-lst-325", "ijn-yamato"])
def test_a_destroyed_unit_is_worth_its_points(card: str) -> None:
    full = cards()[card].hull_points
    other = ship("p1-2", "uss-fletcher", 30, 10)
    lost = begun(
        {
            "units": [ship("p1-1", card, 10, 10, pending=full), other, ENEMY],
            "step": StepKey("end-of-turn"),
        }
    )
    assert lost.state.scores["p2"] == cards()[card].points


@pytest.mark.rule("CT-WIN-04", "CT-FSM-13")
def test_victory_is_not_checked_in_the_middle_of_a_turn() -> None:
    played = begun(
        {"units": [FLETCHER, ENEMY], "scores": {"p1": 200, "p2": 0}, "terms": {"target": 150}}
    )
    assert played.state.result is None
    while played.state.result is None:
        seat = played.asked()[0]
        played.act(seat, played.offers(seat)[-1])
    assert played.state.step == StepKey("end-of-turn")
    assert played.state.result.reason == "target-reached"


@pytest.mark.rule("CT-EOT-08", "CT-DMG-09", "CT-FSM-13")
@pytest.mark.parametrize("first", SEATS)
def test_the_end_of_a_turn_is_the_same_whoever_is_first(first: str) -> None:
    units = [
        ship("p1-1", "kms-bismarck", 10, 10, pending=2),
        ship("p2-1", "uss-iowa", 20, 40, 360, hullLost=1, pending=5),
        ship("p2-2", "uss-fletcher", 30, 40, 360),
    ]
    state = begun({"units": units, "step": StepKey("end-of-turn"), "first": first, "turn": 3}).state
    assert state.units["p1-1"].hull_lost == 2
    assert "p2-1" not in state.units
    assert state.scores == {"p1": 48, "p2": 0}

"""Every event is one sentence: an example of each, word for word, and whole battles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import get_args

import msgspec
import pytest

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules import purposes
from domain.games.war_at_sea.rules.effects import MayRam, SpeedChange, Threat
from domain.games.war_at_sea.rules.state import Attack, Options, State
from domain.games.war_at_sea.shown.words import says
from domain.kernel.chance import Awaited, Dice
from domain.kernel.conformance import Played, play
from domain.kernel.setup import Setup
from domain.kernel.tally import Reason, Tally
from domain.kernel.values import PUBLIC, TRUTH, Hidden, Known, StepKey
from tests.support.battle import table, unit

HOOD, SHOKAKU, KATE = "HMS Hood (p2-1)", "Shokaku (p1-2)", 'B5N2 "Kate" (p1-3)'


def state_before() -> State:
    return table(
        "2009",
        unit("p1-1", "bismarck", "6.2", damage=4),
        unit("p1-2", "shokaku", "1.3"),
        unit("p1-3", "b5n2-kate", "4.4", base="p1-2"),
        unit("p2-1", "hms-hood", "7.3"),
        unit("p2-2", "uss-fletcher-dd-445", "7.3"),
        turn=3,
        first="p2",
        scores={"p1": 50, "p2": 7},
    )


ATTACK = Attack(
    attacker="p1-1",
    weapon="main",
    target="p2-1",
    range=2,
    dice=Tally.of(
        Reason(12, "WAS-ATK-02", "printed", "p1-1"), Reason(1, "WAS-ABIL-33", "ability", "p1-2")
    ),
    die=Tally.of(
        Reason(-1, "WAS-ATK-23", "crippled"),
        Reason(-1, "WAS-AIRD-06", "escort", "p2-2", counted=False),
    ),
    armor=Tally.of(Reason(8, "WAS-FLEET-19", "printed", "p2-1")),
    vital=Tally.of(Reason(13, "WAS-FLEET-20", "printed", "p2-1"), Reason(-1, "R", "crippled")),
    with_abilities=("rapid-fire",),
)
TORPEDO = Attack(
    attacker="p1-3",
    weapon="torpedo",
    target="p2-1",
    range=0,
    dice=Tally.of(Reason(2, "WAS-ATK-02", "printed", "p1-3")),
    die=Tally.of(),
    armor=Tally.of(Reason(8, "WAS-FLEET-19", "printed", "p2-1")),
    vital=Tally.of(Reason(13, "WAS-FLEET-20", "printed", "p2-1")),
)
TOTALS = {
    "p1": Tally.of(
        Reason(4, "I", "die"), Reason(1, "I", "die"), Reason(2, "I", "flagship", "p1-1")
    ),
    "p2": Tally.of(Reason(6, "I", "die"), Reason(5, "I", "die")),
}
QUIET = ""

EXAMPLES: list[tuple[ev.AnyEvent, str]] = [
    (
        ev.GameOpened(edition="2009", scenario="standard", options=Options(), seats=("p1", "p2")),
        "Standard, 2009 edition: p1 and p2 take their seats.",
    ),
    (
        ev.CustomsBrought(scenario={"id": "a", "name": "A Duel"}, map={"id": "b", "name": "Bay"}),
        "The players bring the scenario A Duel and the map Bay.",
    ),
    (ev.SideChooserFound(seat="p2"), "p2 wins the coin and picks a side."),
    (
        ev.SidesSet(alliances={"p1": "Axis", "p2": "Allies"}),
        "p1 commands the Axis and p2 commands the Allies.",
    ),
    (
        ev.FleetLocked(seat="p1", cards=Known(("bismarck", "ju-87b-stuka", "ju-87b-stuka"))),
        "p1 locks the fleet of Bismarck, 2 Ju 87B Stuka (67 points).",
    ),
    (ev.FleetLocked(seat="p1", cards=Hidden(1)), "p1 locks a secret fleet."),
    (
        ev.DiceAwaited(awaited=Awaited("x", (Dice(1),), "p1"), purpose=purposes.AttackDice("p1-1")),
        QUIET,
    ),
    (ev.DiceThrown(label="x", faces=Known(((3,),)), owner="p1"), QUIET),
    (
        ev.ZoneSelected(zone=6, objectives=("4.5", "6.2", "8.5")),
        "Battle zone 6, Archipelago: objectives in 4.5, 6.2 and 8.5.",
    ),
    (ev.ZoneSelected(zone=2, objectives=()), "Battle zone 2, The Narrows."),
    (ev.EscortChosen(seat="p1"), "p1 escorts the convoy."),
    (ev.LightChanged(dark=True), "Night falls."),
    (ev.LightChanged(dark=False), "Day breaks."),
    (ev.LightSet(light="night"), "The battle is fought by night."),
    (ev.LightSet(light="dusk"), "The battle is fought at dusk: it gets dark on turn 4."),
    (ev.WeatherRolled(face=2, squalls=0), "Weather: clear."),
    (ev.WeatherRolled(face=6, squalls=3), "Weather: 3 squalls."),
    (ev.DeployerChosen(seat="p2"), "p2 wins the coin and deploys first."),
    (
        ev.DeployerChosen(seat="p2", rules=("WAS-SCEN-23",)),
        "p2 deploys first, as the escort.",
    ),
    (
        ev.EdgesChosen(edges={"p1": "south", "p2": "north"}),
        "p1 has the south edge and p2 has the north edge.",
    ),
    (
        ev.UnitDeployed(unit="p1-4", card="tone", seat="p1", sector="1.2"),
        "p1 deploys Tone (p1-4) in 1.2.",
    ),
    (
        ev.UnitDeployed(unit="p1-4", card="b5n2-kate", seat="p1", base="p1-2"),
        f'p1 deploys B5N2 "Kate" (p1-4) on {SHOKAKU}.',
    ),
    (
        ev.UnitDeployed(unit="p1-4", card="b5n2-kate", seat="p1", base="airbase"),
        'p1 deploys B5N2 "Kate" (p1-4) at the land airbase.',
    ),
    (ev.FleetDeployed(seat="p1"), "p1's fleet is deployed."),
    (ev.TurnBegan(turn=4), "Turn 4 begins."),
    (
        ev.InitiativeRolled(totals=TOTALS, thrown={"p1": 5, "p2": 11}, first="p1"),
        (
            "Initiative: p1 7 (4, 1, +2 flagship from Bismarck (p1-1)) and p2 11 (6, 5)."
            " p1 is First Player."
        ),
    ),
    (
        ev.InitiativeRolled(totals=TOTALS, thrown={"p1": 5, "p2": 11}),
        (
            "Initiative is tied: p1 7 (4, 1, +2 flagship from Bismarck (p1-1)) and p2 11 (6, 5);"
            " roll again."
        ),
    ),
    (ev.StepBegan(step=StepKey("air-defense", "first")), "Air Defense: First Player p2."),
    (ev.StepBegan(step=StepKey("surface-attack", "second")), "Surface Attack: Second Player p1."),
    (ev.StepBegan(step=StepKey("air-mission")), "Air Mission."),
    (ev.StepBegan(step=StepKey("surface-attack", "end")), "Surface Attack ends."),
    (ev.StepBegan(step=StepKey("sea-movement", "hunt")), QUIET),
    (ev.TaskDone(task="claims"), QUIET),
    (ev.Passed(seat="p1"), "p1 does no more in this step."),
    (
        ev.UnitMoved(unit="p1-1", path=("6.3", "6.4")),
        "Bismarck (p1-1) moves from 6.2 to 6.4 by way of 6.3.",
    ),
    (
        ev.UnitMoved(unit="p1-1", path=("6.3",), boost="flank-speed"),
        "Bismarck (p1-1) moves from 6.2 to 6.3, with Flank Speed.",
    ),
    (
        ev.UnitShifted(unit="p1-3", sector="7.3", ability="combat-air-patrol", seat="p1"),
        f"{KATE} goes to 7.3 by Combat Air Patrol.",
    ),
    (
        ev.UnitShifted(unit="p1-1", sector="7.3", ability="joined", seat="p1"),
        "Bismarck (p1-1) catches up with its quarry in 7.3.",
    ),
    (
        ev.AircraftPlaced(unit="p1-3", seat="p1", sector="7.3", strafing=True),
        f"{KATE} flies to 7.3, to strafe.",
    ),
    (
        ev.AircraftPlaced(unit="p1-3", seat="p1", sector="7.3", role="Fighter"),
        f"{KATE} flies to 7.3 as Fighter.",
    ),
    (
        ev.AircraftSentHome(seat="p1", units=("p1-3",)),
        f"p1 keeps at the land airbase: {KATE}.",
    ),
    (
        ev.AbilityUsed(unit="p1-2", ability="scout-cruiser", on="p2-1", once="turn"),
        f"{SHOKAKU} uses Scout Cruiser on {HOOD}.",
    ),
    (
        ev.AbilityUsed(unit="p1-1", ability="high-speed-run", once="game", bars="p1"),
        "Bismarck (p1-1) uses High-Speed Run; p1 may claim no objective this turn.",
    ),
    (
        ev.AbilityDeclined(unit="p1-1", ability="night-fighter"),
        "Bismarck (p1-1) does not use Night Fighter.",
    ),
    (
        ev.AbilityRolled(unit="p2-1", ability="survivor", face=5, result="saved-hit"),
        f"{HOOD} rolls 5 for Survivor: one hull point instead of destruction.",
    ),
    (
        ev.AbilityRolled(unit="p2-1", ability="survivor", face=2),
        f"{HOOD} rolls 2 for Survivor: nothing.",
    ),
    (
        ev.AbilityRolled(unit="p1-3", ability="great-agility", face=0, result="saved-aborted"),
        f"Great Agility of {KATE}: aborted instead of destroyed.",
    ),
    (
        ev.AttackDeclared(attack=ATTACK),
        (
            f"Bismarck (p1-1) fires its main guns at {HOOD}, range 2, with Rapid Fire: 13 dice"
            f" (12 printed, +1 ability from {SHOKAKU}), each -1 (-1 crippled, [-1 escort from USS"
            " Fletcher (DD 445) (p2-2), overlapped]); needs 8 to hit, 12 (13 printed, -1 crippled)"
            " to destroy."
        ),
    ),
    (
        ev.AttackDeclared(attack=TORPEDO),
        f"{KATE} launches torpedoes at {HOOD}, range 0: 2 dice; each 6 hits.",
    ),
    (
        ev.AttackRolled(attacker="p1-1", faces=(6, 1, 4), successes=3),
        "Bismarck (p1-1) rolls 1 4 6: 3 successes.",
    ),
    (
        ev.ConcealmentRolled(unit="p2-1", face=5, needed=5, concealed=True),
        f"{HOOD} rolls 5 for concealment (5+): hidden: the attack misses.",
    ),
    (
        ev.ConcealmentRolled(unit="p2-1", face=5, needed=6, concealed=False),
        f"{HOOD} rolls 5 for concealment (6+): seen.",
    ),
    (
        ev.AttackResolved(attacker="p1-1", weapon="main", target="p2-1", outcome="miss"),
        f"Miss: {HOOD} is unharmed.",
    ),
    (
        ev.AttackResolved(attacker="p1-1", weapon="main", target="p2-1", outcome="hit", damage=1),
        f"Hit: 1 hull point pending on {HOOD}.",
    ),
    (
        ev.AttackResolved(
            attacker="p1-1",
            weapon="main",
            target="p2-1",
            outcome="destroyed",
            because="fatal-flaw",
        ),
        f"{HOOD} will be destroyed when the phase ends (Fatal Flaw).",
    ),
    (
        ev.AttackResolved(attacker="p2-2", weapon="antiair", target="p1-3", outcome="aborted"),
        f"{KATE} is aborted.",
    ),
    (
        ev.AttackResolved(
            attacker="p1-1",
            weapon="main",
            target="p2-2",
            outcome="no-effect",
            because="chase-the-salvoes",
        ),
        "No effect on USS Fletcher (DD 445) (p2-2) (Chase the Salvoes).",
    ),
    (ev.AttackEnded(attacker="p1-1"), QUIET),
    (
        ev.EffectBegan(
            effect=Threat(unit="p1-2", dice=-1, source="p2-2", rule="WAS-SUBA-03", until=3)
        ),
        f"{SHOKAKU} is under ASW threat from USS Fletcher (DD 445) (p2-2) this turn.",
    ),
    (
        ev.EffectBegan(
            effect=SpeedChange(unit="p2-1", change=-1, source="p2-1", rule="R", until=3)
        ),
        f"{HOOD} has speed -1 until the end of turn 3.",
    ),
    (
        ev.UnitDoomed(unit="p1-3", cause="press-the-attack"),
        f"{KATE} will be lost when the phase ends: Press the Attack.",
    ),
    (
        ev.UnitSpared(unit="p2-1", pending=4),
        f"{HOOD} stays in play with one hull point left.",
    ),
    (
        ev.SmokeLaid(unit="p2-2", sector="7.3", until=4),
        "USS Fletcher (DD 445) (p2-2) lays a smoke screen in 7.3, until the end of turn 4.",
    ),
    (
        ev.AttackAmended(attack=ATTACK),
        f"Bismarck (p1-1) has 13 (12 printed, +1 ability from {SHOKAKU}) dice left for the attack.",
    ),
    (
        ev.AttackGivenUp(unit="p2-2", weapon="all"),
        "USS Fletcher (DD 445) (p2-2) gives up its attacks.",
    ),
    (
        ev.AttackGivenUp(unit="p2-2", weapon="main"),
        "USS Fletcher (DD 445) (p2-2) gives up the attack with its main guns.",
    ),
    (ev.MinesLaid(unit="p2-2", sector="7.3"), "USS Fletcher (DD 445) (p2-2) mines 7.3."),
    (
        ev.MinesSwept(unit="p2-2", sector="7.3"),
        "USS Fletcher (DD 445) (p2-2) sweeps mines in 7.3.",
    ),
    (
        ev.HullLost(unit="p2-2", points=2, cause="mines", faces=(2, 5)),
        "Mines (2 5): 2 hull points pending on USS Fletcher (DD 445) (p2-2).",
    ),
    (
        ev.HullRepaired(unit="p2-2", points=1, cause="repair"),
        "1 hull point of USS Fletcher (DD 445) (p2-2) repaired: Repair.",
    ),
    (
        ev.AirbaseShelled(seat="p1", units=("p1-3",), effects=()),
        f"Shells hit p1's land airbase: {KATE} must rearm.",
    ),
    (
        ev.AircraftPlaced(unit="p1-3", seat="p1", sector="airbase-north"),
        f"{KATE} flies to the north land airbase.",
    ),
    (ev.PointsScored(seat="p1", points=4, cause="air-raid"), "p1 scores 4 points: Air Raid."),
    (
        ev.UnitDeployed(unit="p1-9", card="rheinubung-bismarck", seat="p1"),
        "p1 deploys Rheinübung Bismarck (p1-9) off the map.",
    ),
    (
        ev.EffectBegan(effect=MayRam(unit="p1-3", source="p1-3", rule="WAS-CARD-ram", until=2)),
        f"{KATE} may ram at once.",
    ),
    (ev.RearmingEnded(unit="p1-3"), f"{KATE} is ready to fly again."),
    (ev.EffectEnded(word="aimed", unit="p2-2", source="p1-1"), ""),
    (ev.SmokeCleared(sectors=("7.3", "7.4")), "The smoke clears in 7.3 and 7.4."),
    (ev.SquallsMoved(sectors=("6.3", "6.4")), "There are squalls in 6.3 and 6.4."),
    (ev.SquallsMoved(sectors=("7.4",), faces=(1,)), "The squalls drift to 7.4."),
    (
        ev.SearchRolled(unit="p1-3", face=3, needed=5, found=False),
        f"{KATE} does not find its sector in the dark (3, 5 needed).",
    ),
    (
        ev.RecoveryRolled(units=("p1-3",), faces=(1,), lost=("p1-3",)),
        f"Recovery in the dark (1): lost: {KATE}.",
    ),
    (
        ev.RecoveryRolled(units=("p1-3",), faces=(4,), lost=()),
        "Recovery in the dark (4).",
    ),
    (ev.CarrierDoomed(carrier="p1-2"), f"{SHOKAKU} goes down when the phase ends."),
    (
        ev.CarrierDoomed(carrier="p1-2", chosen=("p1-3",)),
        f"At risk with {SHOKAKU}: {KATE}.",
    ),
    (
        ev.CarrierLossRolled(carrier="p1-2", units=("p1-3",), faces=(1,), lost=("p1-3",)),
        f"Aircraft of {SHOKAKU} roll (1: lost): {KATE} 1; lost: {KATE}.",
    ),
    (
        ev.CarrierLossRolled(carrier="p1-2", units=(), faces=(), lost=()),
        f"No Aircraft are at risk with {SHOKAKU}: there are none that could go down with it.",
    ),
    (
        ev.DamageApplied(unit="p2-1", damage=2, crippled=True),
        f"{HOOD} loses 2 hull points and is crippled.",
    ),
    (
        ev.UnitRemoved(unit="p2-1", scorer="p1", points=48, cause="destroyed"),
        f"{HOOD} sinks: 48 points for p1.",
    ),
    (
        ev.UnitRemoved(unit="p1-3", scorer="p2", points=1, cause="destroyed"),
        f"{KATE} is shot down: 1 point for p2.",
    ),
    (
        ev.UnitRemoved(unit="p1-3", scorer="p2", points=9, cause="no-room"),
        f"{KATE} is given up, for no base has room: 9 points for p2.",
    ),
    (
        ev.UnitRemoved(unit="p1-3", scorer="p2", points=0, cause="withdrawn"),
        f"{KATE} leaves play: its mission is over.",
    ),
    (
        ev.UnitRemoved(unit="p1-3", scorer="p2", points=0, cause="lost-with-ship"),
        f"{KATE} is lost with its Ship.",
    ),
    (
        ev.UnitRemoved(unit="p1-3", scorer="p2", points=0, cause="embark-b-25"),
        f"{KATE} has flown its mission and leaves play.",
    ),
    (
        ev.SquadronJoined(
            unit="p1-4", card="scoutplane", seat="p1", source="p1-1", sector="6.4", base="p1-1"
        ),
        "Scoutplane (p1-4) flies to 6.4, launched by Bismarck (p1-1).",
    ),
    (
        ev.SquadronJoined(
            unit="p1-4", card="seaplane-detachment", seat="p1", source="p1-1", base="p1-1"
        ),
        "Seaplane Detachment (p1-4) joins Bismarck (p1-1).",
    ),
    (ev.AircraftStayed(seat="p1", units=("p1-3",)), f"p1 keeps at their own base: {KATE}."),
    (ev.RearmingBegan(unit="p1-3"), f"{KATE} must rearm."),
    (ev.StackKept(carrier="p1-2", cards=("b5n2-kate",)), QUIET),
    (
        ev.AircraftReturned(unit="p1-3", base="4.2"),
        f"{KATE} returns to its anchorage in 4.2.",
    ),
    (ev.PhaseEnded(phase="air-attack"), QUIET),
    (ev.ReturnBegan(seat="p1", rearmed=()), QUIET),
    (ev.ReturnBegan(seat="p1", rearmed=("p1-3",)), f"{KATE} has rearmed."),
    (ev.AircraftReturned(unit="p1-3", base="p1-2"), f"{KATE} returns to {SHOKAKU}."),
    (
        ev.AircraftReturned(unit="p1-3", base="airbase", rearming=True),
        f"{KATE} returns to the land airbase and must rearm.",
    ),
    (ev.ReturnEnded(seat="p1"), QUIET),
    (
        ev.ObjectiveClaimed(seat="p1", sector="6.2", points=50),
        "p1 claims the objective in 6.2: 50 points.",
    ),
    (ev.ClaimDeclined(seat="p1", sectors=("6.2",)), "p1 leaves the objective in 6.2."),
    (
        ev.PointsScored(seat="p1", points=50, cause="no-ships"),
        "p1 scores 50 points: the enemy has no Ships left.",
    ),
    (
        ev.StalemateCalled(seat="p1"),
        "p1 asks for the battle to be ended as a stalemate.",
    ),
    (ev.TurnEnded(turn=3, calm=0), "Turn 3 ends: p1 50 and p2 7."),
    (
        ev.GameEnded(winners=("p1",), reason="victory-points", rule="WAS-EOT-06"),
        "p1 wins the battle: victory points (WAS-EOT-06). Score: p1 50 and p2 7.",
    ),
    (
        ev.GameEnded(winners=(), reason="stalemate", rule="RUL-83"),
        "The battle is a draw: stalemate (RUL-83). Score: p1 50 and p2 7.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), EXAMPLES, ids=lambda x: getattr(x, "NAME", ""))
def test_the_sentence(event: ev.AnyEvent, sentence: str) -> None:
    assert says(state_before(), event) == sentence


@pytest.mark.parametrize("part", ["before", "after"])
def test_a_step_for_abilities_is_silent_unless_it_is_all_that_is_on_record(part: str) -> None:
    began = ev.StepBegan(step=StepKey("surface-attack", part))
    inside = msgspec.structs.replace(state_before(), step=StepKey("surface-attack", "second"))
    outside = msgspec.structs.replace(state_before(), step=StepKey("air-attack", "end"))
    assert (says(inside, began), says(outside, began)) == ("", "Surface Attack.")


def test_every_event_has_an_example() -> None:
    assert {type(event) for event, _ in EXAMPLES} == set(get_args(ev.AnyEvent))


@pytest.mark.parametrize(("event", "sentence"), EXAMPLES, ids=lambda x: getattr(x, "NAME", ""))
def test_without_a_state_it_is_only_shorter(event: ev.AnyEvent, sentence: str) -> None:
    assert bool(says(None, event)) == bool(sentence)


def test_a_miss_says_how_far_it_fell_short() -> None:
    declared = ev.AttackDeclared(attack=ATTACK)
    rolled = ev.AttackRolled(attacker="p1-1", faces=(1, 4, 6), successes=3)
    missed = ev.AttackResolved(attacker="p1-1", weapon="main", target="p2-1", outcome="miss")
    state = GAME.fold([declared, rolled], state_before())
    assert says(state, missed) == f"Miss: {HOOD} is unharmed (3 of 8 needed)."


def test_what_decided_the_initiative_is_told() -> None:
    state = state_before()
    even = {seat: Tally.of(Reason(7, "WAS-INIT-07", "die")) for seat in ("p1", "p2")}
    thrown = {"p1": 7, "p2": 7}
    by = {
        ("WAS-INIT-11", "WAS-INIT-13"): "; equal, and p1 has the lower Flagship bonus",
        ("WAS-INIT-11", "RUL-15", "WAS-INIT-13"): "; equal, and p1 has the lower bonus",
        ("WAS-CARD-general-pursuit", "WAS-INIT-13"): "; p1 yields it (General Pursuit)",
        ("WAS-INIT-10", "WAS-INIT-13"): "",
    }
    for rules, why in by.items():
        rolled = ev.InitiativeRolled(totals=even, thrown=thrown, first="p1", rules=rules)
        assert says(state, rolled) == f"Initiative: p1 7 and p2 7{why}. p1 is First Player."


def test_how_a_convoy_stands_is_told() -> None:
    ships = [unit(f"p1-{n}", "convoy-ship", "3.3") for n in range(1, 6)]
    state = table("2009", *ships, scenario="convoy", escort="p1")
    for number, cause, stands in (
        (1, "exited", "leaves the map and is safe (convoy: 1 of 3 through, 0 of 3 lost)."),
        (2, "destroyed", "sinks: 0 points for p2 (convoy: 1 of 3 through, 1 of 3 lost)."),
        (3, "stranded", "lost (convoy: 1 of 3 through, 2 of 3 lost)."),
    ):
        gone = ev.UnitRemoved(unit=f"p1-{number}", scorer="p2", points=0, cause=cause)
        assert says(state, gone).endswith(stands)
        state = GAME.evolve(state, gone)
    ended = ev.TurnEnded(turn=15, calm=0)
    assert says(state, ended) == "Turn 15 ends: convoy: 1 of 3 through, 2 of 3 lost."
    over = ev.GameEnded(winners=("p2",), reason="convoy-sunk", rule="WAS-SCEN-28")
    assert says(state, over).endswith("(WAS-SCEN-28). Convoy: 1 of 3 through, 2 of 3 lost.")


def test_torpedoes_hit_rather_than_succeed() -> None:
    state = GAME.fold([ev.AttackDeclared(attack=TORPEDO)], state_before())
    rolled = ev.AttackRolled(attacker="p1-3", faces=(6, 2), successes=1)
    assert says(state, rolled) == f"{KATE} rolls 2 6: 1 hit."


def test_the_lost_keep_their_names() -> None:
    gone = ev.UnitRemoved(unit="p2-1", scorer="p1", points=48, cause="destroyed")
    state = GAME.evolve(state_before(), gone)
    assert says(state, ev.UnitDoomed(unit="p2-1", cause="x")).startswith(HOOD)


# --- whole battles -------------------------------------------------------------------------------


def battle(edition: str, seed: int, turns: int) -> Played:
    """Random legal play for some turns."""
    choose = random.Random(seed)
    setup = Setup("war-at-sea", edition, "standard", ("p1", "p2"))
    for played in play(GAME, setup, choose.randrange):
        if played.state.turn > turns:
            return played
    return played


def told(played: Played, viewer: str) -> Iterator[str]:
    """What a viewer is told, event by event."""
    state = None
    for event in played.events:
        seen = GAME.seen(event, viewer)
        yield says(state, seen)
        state = GAME.evolve(state, seen)


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_viewers_are_told_the_same_but_for_sealed_fleets(edition: str) -> None:
    played = battle(edition, 7, 3)
    truth = list(told(played, TRUTH))
    for viewer in ("p1", "p2", PUBLIC):
        pairs = zip(truth, told(played, viewer), strict=True)
        differing = [(full, seen) for full, seen in pairs if full != seen]
        sealed = [seat for seat in ("p1", "p2") if seat != viewer]
        assert sorted(seen for _, seen in differing) == [
            f"{s} locks a secret fleet." for s in sealed
        ]
        assert all("locks the fleet of" in full for full, _ in differing)


@pytest.mark.parametrize("edition", ["2007", "2009"])
@pytest.mark.parametrize("viewer", ["p1", PUBLIC])
def test_two_worlds_are_told_alike(edition: str, viewer: str) -> None:
    """Change only the other seat's secret fleet: until it is deployed no sentence differs."""
    seats = ("p1", "p2")
    opening = GAME.opening(Setup("war-at-sea", edition, "standard", seats))
    state = GAME.fold(opening)
    fleets = list(GAME.legal(state, "p2").commands)[:2]
    assert len(fleets) == 2
    worlds = []
    for fleet in fleets:
        events = GAME.decide(state, "p2", fleet)
        view = GAME.fold(GAME.seen(event, viewer) for event in opening)
        worlds.append([says(view, GAME.seen(event, viewer)) for event in events])
    assert worlds[0] == worlds[1]
    assert "p2 locks a secret fleet." in worlds[0]


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_a_battle_is_told_in_sentences(edition: str) -> None:
    texts = [text for text in told(battle(edition, 3, 8), TRUTH) if text]
    assert all(text[-1] == "." and "\n" not in text and "  " not in text for text in texts)
    assert len(texts) > 50

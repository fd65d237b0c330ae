"""Every event is one sentence: an example of each, word for word, and whole battles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import get_args

import pytest

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules.geometry.pose import Pose
from domain.games.crimson_tide.rules.state import (
    Impact,
    Inbound,
    Options,
    Order,
    Pick,
    Purpose,
    Seen,
    Shot,
    State,
    Storm,
    Terms,
)
from domain.games.crimson_tide.shown.sentences import says
from domain.kernel.chance import Awaited, Dice
from domain.kernel.conformance import Played, play
from domain.kernel.setup import Setup
from domain.kernel.tally import Reason, Tally
from domain.kernel.values import PUBLIC, TRUTH, Hidden, Known, StepKey
from tests.crimson_tide.table import CAPITAL, MEDIUM, SMALL, SUBMARINE, aircraft, table, unit

BISMARCK, EXETER, FLETCHER, U47, ZERO = (
    "KMS Bismarck (p1-1)", "HMS Exeter (p2-1)", "USS Fletcher (p2-2)", "U-47 (p1-2)",
    "A6M2 Zero (p2-3)",
)  # fmt: skip
BEFORE = table(
    unit("p1-1", CAPITAL, 500_000, 500_000, hull_lost=1),
    unit("p1-2", SUBMARINE, 300_000, 300_000),
    unit("p2-1", MEDIUM, 500_000, 900_000),
    unit("p2-2", SMALL, 600_000, 900_000),
    aircraft("p2-3", "a6m2-zero", (500_000, 900_000)),
)
SHOT = Shot(
    "p1-1",
    "primary",
    "p2-1",
    "forward",
    band=2,
    seen=Seen("impeded", ("", "p2-2", "p2-2")),
    dice=Tally.of(Reason(6, "CT-CARD-05", "printed", "p1-1"), Reason(-3, "CT-COLL-07", "collided")),
    least=Tally.of(Reason(4, "CT-DICE-01", "hits on"), Reason(1, "CT-LOS-05", "impeded")),
    armor=Tally.of(Reason(2, "CT-COMB-03", "printed", "p2-1")),
    critical=Tally.of(Reason(7, "CT-COMB-04", "printed", "p2-1")),
)
TORPEDOES = Shot(
    "p2-2",
    "torpedo",
    "p1-1",
    "port",
    band=1,
    least=Tally.of(Reason(6, "CT-WPN-05", "hits on")),
    seen=Seen("clear"),
    spotter="p2-3",
    dice=Tally.of(Reason(3, "CT-CARD-05", "printed", "p2-2")),
)
ORDER = Order("p1-1", (0, -45, 90), klicks=3, allowed=4, evade=True, stop=True)
TOTALS = {
    "p1": Tally.of(
        Reason(4, "I", "die"), Reason(1, "I", "die"), Reason(1, "I", "flagship", "p1-1")
    ),
    "p2": Tally.of(Reason(6, "I", "die"), Reason(5, "I", "die")),
}
QUIET = ""

SET_UP: list[tuple[ev.AnyEvent, str]] = [
    (
        ev.GameOpened(
            scenario="standard",
            options=Options(),
            terms=Terms(points={}, units=15, airbase=5),
            seats=("p1", "p2"),
        ),
        "Standard battle: p1 and p2 take their seats.",
    ),
    (
        ev.FleetLocked(seat="p1", units=Known((Pick(SMALL), Pick("f4f-4-wildcat", "land-base")))),
        "p1 locks the fleet of USS Fletcher, F4F-4 Wildcat (17 points).",
    ),
    (ev.FleetLocked(seat="p1", units=Hidden(1)), "p1 locks a secret fleet."),
    (
        ev.FleetsRevealed(
            fleets={"p1": (Pick(SMALL),), "p2": (Pick("a6m2-zero", "land-base"),) * 2}
        ),
        "The fleets are revealed: p1 has USS Fletcher; p2 has 2 A6M2 Zero.",
    ),
    (
        ev.StormsGathered(face=5, storms=(Storm("a", (1, 1), 1), Storm("b", (1, 1), 1))),
        "The weather: 5, 2 squalls.",
    ),
    (ev.StormsGathered(face=3, storms=()), "The weather: 3, no squall."),
    (
        ev.UnitPlaced(unit="p1-7", card=SMALL, seat="p1", pose=Pose(310_000, 60_000, 45)),
        "p1 sets up USS Fletcher (p1-7) at (12.4, 2.4), heading 022.5.",
    ),
    (
        ev.AircraftBased(unit="p1-8", card="f4f-4-wildcat", seat="p1", base="land-base"),
        "F4F-4 Wildcat (p1-8) is based on the land base.",
    ),
    (
        ev.DiceAwaited(awaited=Awaited("x", (Dice(1),), "p1"), purpose=Purpose("evasion")),
        QUIET,
    ),
    (ev.DiceThrown(label="x", faces=Known(((1,),)), owner="p1"), QUIET),
]

TURN: list[tuple[ev.AnyEvent, str]] = [
    (ev.TurnBegan(turn=3), "Turn 3 begins."),
    (
        ev.InitiativeRolled(totals=TOTALS, first="p1"),
        (
            f"Initiative: p1 6 (4 die, 1 die, +1 flagship by {BISMARCK}); p2 11 (6 die, 5 die); "
            "p1 is first."
        ),
    ),
    (
        ev.InitiativeRolled(totals={"p1": TOTALS["p2"], "p2": TOTALS["p2"]}),
        "Initiative: p1 11 (6 die, 5 die); p2 11 (6 die, 5 die); a tie, rolled again.",
    ),
    (ev.StepBegan(step=StepKey("surface-attack", "second")), "Surface attack, p2."),
    (ev.StepBegan(step=StepKey("air-deployment")), "Air deployment."),
    (ev.StepBegan(step=StepKey("torpedo-check")), "Torpedo checks."),
    (ev.StepBegan(step=StepKey("end-of-turn")), "End of turn."),
    (ev.StepBegan(step=StepKey("air-defense", "end")), "Air defense."),
    (ev.StepBegan(step=StepKey("placing")), QUIET),
    (ev.TaskDone(task="wind"), QUIET),
    (ev.Passed(seat="p1"), "p1 does no more in this step."),
    (
        ev.DivesChosen(seat="p1", submerged=Known(("p1-2",))),
        f"p1 settles to have submerged: {U47}.",
    ),
    (ev.DivesChosen(seat="p1", submerged=Hidden(1)), "p1 has settled its dives."),
    (
        ev.DivesRevealed(seats=("p1", "p2"), submerged=("p1-2",), vanished=("p1-2",)),
        f"Submerged this turn: {U47}; no longer detected: {U47}.",
    ),
    (ev.DivesRevealed(seats=("p1",), submerged=()), "Submerged this turn: nothing."),
    (ev.DrawOffered(seat="p2"), "p2 offers a draw."),
    (
        ev.PlayerLeft(seat="p3", heir="p1"),
        "p3 has left the battle; p1 commands what it had.",
    ),
    (ev.TurnEnded(turn=3), QUIET),
    (
        ev.GameEnded(winners=("p1",), reason="last-turn", rule="CT-WIN-01"),
        "p1 wins the battle: the last turn is over (CT-WIN-01). Score: p1 0, p2 0.",
    ),
    (
        ev.GameEnded(winners=(), reason="draw-agreed", rule="CT-FSM-13"),
        "The battle is a draw: a draw is agreed (CT-FSM-13). Score: p1 0, p2 0.",
    ),
]

MOVES: list[tuple[ev.AnyEvent, str]] = [
    (
        ev.MoveOrdered(order=ORDER),
        (
            f"{BISMARCK} is ordered 3 klicks ahead, 22.5 degrees to port before the 2nd, "
            "45 degrees to starboard before the 3rd, with evasive maneuvers, then to stop."
        ),
    ),
    (
        ev.MoveOrdered(order=Order("p1-1", (0,), 1, 3, astern=True)),
        f"{BISMARCK} is ordered 1 klick astern.",
    ),
    (
        ev.MoveOrdered(order=Order("p1-1", (), 0, 3, stop=True)),
        f"{BISMARCK} is ordered to stay where it is.",
    ),
    (
        ev.EvasionRolled(unit="p1-1", face=5, needed=4, evaded=True),
        f"{BISMARCK} evades: 5, 4 needed: one torpedo is shaken off.",
    ),
    (
        ev.EvasionRolled(unit="p1-1", face=3, needed=4, evaded=False),
        f"{BISMARCK} evades: 3, 4 needed: no torpedo is shaken off.",
    ),
    (
        ev.UnitMoved(
            unit="p1-1",
            track=(Pose(0, 0), Pose(512_500, 525_000, 61)),
            ahead=1,
            astern=0,
            turned=True,
            order=ORDER,
        ),
        f"{BISMARCK} is now at (20.5, 21.0), heading 030.5.",
    ),
    (
        ev.GroundingTested(unit="p1-1", face=3, grounds_on=3, aground=True, hazard="reef"),
        f"{BISMARCK} in treacherous waters (reef): 3, 3 or less grounds: it runs aground.",
    ),
    (
        ev.GroundingTested(unit="p1-1", face=4, grounds_on=3, aground=False, hazard="reef"),
        f"{BISMARCK} in treacherous waters (reef): 4, 3 or less grounds: it passes.",
    ),
    (
        ev.RanAground(
            unit="p1-1", land="reef", hardness="hard", impacts=(Impact("p1-1", "reef", 8),)
        ),
        f"{BISMARCK} is stopped by reef (hard ground).",
    ),
    (
        ev.RanAground(unit="p1-1", land="bar", hardness="soft", impacts=()),
        f"{BISMARCK} is stopped by bar (soft ground), unharmed.",
    ),
    (
        ev.UnitsCollided(
            unit="p1-1",
            other="p2-1",
            impacts=(Impact("p2-1", "p1-1", 5), Impact("p1-1", "p2-1", 3)),
        ),
        f"{BISMARCK} collides with {EXETER}.",
    ),
    (
        ev.ImpactRolled(
            unit="p2-1", by="p1-1", rounds=((6, 1, 4), (3,)), hits=3, armor=2, critical=7, hull=1
        ),
        (
            f"Impact of {BISMARCK} on {EXETER}: 1 4 6 + 3: 3 hits against armor 2, critical 7: "
            "1 hull point lost."
        ),
    ),
    (
        ev.ImpactRolled(
            unit="p2-1", by="reef", rounds=((1,),), hits=0, armor=2, critical=7, hull=0
        ),
        f"Impact of reef on {EXETER}: 1: 0 hits against armor 2, critical 7: no hull point lost.",
    ),
    (ev.MoveEnded(unit="p1-1", stopped=True), f"{BISMARCK} is stopped."),
    (ev.WindDrawn(direction=444), "The wind blows toward 222."),
    (ev.StormsMoved(klicks=2, at={}), "The storms move 2 klicks."),
    (
        ev.StormsMoved(klicks=1, at={}, gone=("gale", "squall")),
        "The storms move 1 klick; gale and squall leave the table.",
    ),
    (
        ev.DriftBegan(order=Order("p1-1", (), 0, 0, drifting=True)),
        f"{BISMARCK} drifts before the wind.",
    ),
]

AIR: list[tuple[ev.AnyEvent, str]] = [
    (
        ev.AircraftDeployed(unit="p2-3", seat="p2", mission="free", at=(250_000, 260_000)),
        f"{ZERO} flies to (10.0, 10.4).",
    ),
    (
        ev.AircraftDeployed(
            unit="p2-3", seat="p2", mission="strafe", at=(0, 0), beside="p1-1", side="bow"
        ),
        f"{ZERO} flies to strafe {BISMARCK} from the bow.",
    ),
    (
        ev.AircraftDeployed(
            unit="p2-3", seat="p2", mission="ordnance", at=(0, 0), beside="p1-1", side="port"
        ),
        f"{ZERO} flies to attack {BISMARCK} from port.",
    ),
    (
        ev.SpottingRolled(unit="p2-3", face=4, needed=5, found=False),
        f"{ZERO} in the dark: 4, 5 needed: it is aborted.",
    ),
    (ev.Rearmed(units=("p2-3",)), f"A rearming marker comes off {ZERO}."),
    (
        ev.AircraftLanded(unit="p2-3", base="land-base", rearming=2),
        f"{ZERO} lands on the land base, 2 rearming markers.",
    ),
    (
        ev.RecoveryRolled(unit="p2-3", base="p2-1", face=2, outcome="crash"),
        f"{ZERO} comes down on {EXETER} in the dark: 2, crash.",
    ),
    (ev.TransitEnded(seat="p1"), QUIET),
]

ATTACKS: list[tuple[ev.AnyEvent, str]] = [
    (
        ev.AttackDeclared(
            attacker="p1-1", weapon="primary", target="p2-1", slot="primary.aft", arc="aft"
        ),
        f"{BISMARCK} fires its aft primary guns at {EXETER}.",
    ),
    (
        ev.AttackDeclared(attacker="p1-2", weapon="torpedo", target="p2-1", slot="torpedo"),
        f"{U47} launches torpedoes at {EXETER}.",
    ),
    (
        ev.AttackDeclared(attacker="p2-3", weapon="strafe", target="p1-1", slot="strafe"),
        f"{ZERO} strafes {BISMARCK}.",
    ),
    (
        ev.AttackDeclared(attacker="p2-3", weapon="bombs", target="p1-1", slot="bombs"),
        f"{ZERO} bombs {BISMARCK}.",
    ),
    (
        ev.AttackDeclared(attacker="p2-2", weapon="asw", target="p1-2", slot="asw"),
        f"{FLETCHER} drops depth charges on {U47}.",
    ),
    (
        ev.AttackDeclared(attacker="p1-1", weapon="aaw", target="p2-3", slot="aaw"),
        f"{BISMARCK} attacks {ZERO} in the air.",
    ),
    (
        ev.AttackMeasured(shot=SHOT),
        (
            "Measured: range 2, in the forward arc, line of sight impeded "
            f"(bow behind {FLETCHER}, stern behind {FLETCHER}); 3 (6 printed, -3 collided) dice, "
            "hitting on 5 (4 hits on, +1 impeded) and up; armor 2, critical 7."
        ),
    ),
    (
        ev.AttackMeasured(shot=TORPEDOES),
        (
            "Measured: range 1, in the port channel, line of sight clear, "
            f"spotted by {ZERO}; 3 dice, hitting on 6."
        ),
    ),
    (
        ev.AttackWasted(
            attacker="p1-1", weapon="primary", target="p2-1", reason="out-of-range", band=5
        ),
        f"The attack of {BISMARCK} fails and is spent: out of range, range 5.",
    ),
    (
        ev.AttackWasted(
            attacker="p1-1",
            weapon="primary",
            target="p2-1",
            reason="no-line-of-sight",
            band=1,
            seen=Seen("blocked", ("p2-2", "p2-2", "reef")),
            taken_back=True,
        ),
        (
            f"The attack of {BISMARCK} fails and is taken back: no line of sight, range 1, "
            f"line of sight blocked (center behind {FLETCHER}, bow behind {FLETCHER}, "
            "stern behind reef)."
        ),
    ),
    (
        ev.ConcealmentRolled(attacker="p1-1", target="p2-1", face=3, needed=4, passed=False),
        f"Concealment: 3, 4 needed: {EXETER} is not seen.",
    ),
    (
        ev.DetectionRolled(attacker="p2-1", target="p1-2", face=5, needed=5, detected=True),
        f"Detection: 5, 5 needed: {U47} is detected.",
    ),
    (
        ev.AttackResolved(
            attacker="p1-1",
            weapon="primary",
            target="p2-1",
            rounds=((2, 3, 4, 5, 6), (4,)),
            hits=5,
            outcome="hit",
            hull=1,
        ),
        f"2 3 4 5 6 + 4: 5 hits; 1 hull point lost by {EXETER}.",
    ),
    *(
        (
            ev.AttackResolved(
                attacker="p1-1",
                weapon="aaw",
                target="p2-3",
                rounds=((1,),),
                hits=0,
                outcome=outcome,
            ),
            f"1: 0 hits; {ZERO} is {result}.",
        )
        for outcome, result in (
            ("miss", "unharmed"),
            ("aborted", "aborted"),
            ("destroyed", "destroyed"),
        )
    ),
    (
        ev.AttackResolved(
            attacker="p1-1",
            weapon="primary",
            target="p2-1",
            rounds=((6, 6), (6, 4), (5,)),
            hits=8,
            outcome="critical",
            hull=1,
        ),
        f"6 6 + 4 6 + 5: 8 hits; 1 hull point lost by {EXETER}, and critical damage.",
    ),
    (
        ev.CriticalRolled(target="p2-1", faces=(2, 4), result=6),
        f"Critical damage of {EXETER}: 6, fire.",
    ),
    (
        ev.CriticalRolled(target="p2-1", faces=(6, 6), result=0),
        f"Critical damage of {EXETER}: 12, a lucky escape.",
    ),
    (
        ev.TorpedoesLaunched(attacker="p1-2", target="p2-1", inbound=Inbound("p1-2", 2, 2)),
        f"2 torpedo markers on {EXETER}, to be checked next turn.",
    ),
    (
        ev.TorpedoesChecked(target="p2-1", firer="p1-2", turn=1, faces=(6, 2, 6), hits=2, hull=4),
        f"Torpedoes of {U47} at {EXETER}: 2 6 6, hitting on 6; 2 hits, 4 hull points lost.",
    ),
    (
        ev.TorpedoesChecked(target="p2-1", firer="p1-2", turn=1, faces=(1,), hits=0, hull=0),
        f"Torpedoes of {U47} at {EXETER}: 1, hitting on 6; all miss.",
    ),
    (ev.AttackEnded(attacker="p1-1"), QUIET),
]

OUTCOMES: list[tuple[ev.AnyEvent, str]] = [
    (
        ev.HullLost(unit="p1-1", hull=2, cause="collision"),
        f"{BISMARCK} loses 2 hull points by collision, at the end of the turn.",
    ),
    (
        ev.HullLost(unit="p1-1", hull=1, cause="grounding", pending=False),
        f"{BISMARCK} loses 1 hull point by grounding.",
    ),
    (
        ev.DamageApplied(unit="p1-1", hull_lost=3, criticals=(6, 4)),
        f"{BISMARCK} loses 2 hull points and suffers fire and steering breakdown.",
    ),
    (ev.UnitDestroyed(unit="p1-1", by="p2-1"), f"{BISMARCK} is destroyed by {EXETER}."),
    (ev.UnitDestroyed(unit="p1-1"), f"{BISMARCK} is destroyed."),
    (ev.UnitCrippled(unit="p1-1"), f"{BISMARCK} is crippled."),
    (
        ev.UnitRemoved(unit="p1-1", scorer="p2", points=41, cause="destroyed"),
        f"{BISMARCK} is taken off the table: 41 points for p2.",
    ),
    (
        ev.UnitRemoved(unit="p1-1", scorer="p2", points=0, cause="exit"),
        f"{BISMARCK} is off the table and safe.",
    ),
    (
        ev.RepairRolled(unit="p1-1", critical=5, face=4, repaired=False),
        f"{BISMARCK}, engine breakdown: 4, 5 needed: not repaired.",
    ),
    (ev.FireBurned(unit="p1-1"), f"{BISMARCK} burns and loses 1 hull point."),
    (
        ev.ControlChecked(objective="atoll", turns={"p1": 1, "p2": 0}),
        "atoll is held by p1 for 1.",
    ),
    (
        ev.ObjectiveGained(objective="atoll", seat="p1", points=50, unit="p1-1"),
        f"p1 gains atoll with {BISMARCK}: 50 points.",
    ),
]

EXAMPLES = [*SET_UP, *TURN, *MOVES, *AIR, *ATTACKS, *OUTCOMES]
named = pytest.mark.parametrize(
    ("event", "sentence"), EXAMPLES, ids=lambda x: getattr(x, "NAME", "")
)


@named
def test_the_sentence(event: ev.AnyEvent, sentence: str) -> None:
    assert says(BEFORE, event) == sentence


@named
def test_without_a_state_nothing_fails(event: ev.AnyEvent, sentence: str) -> None:
    if not isinstance(event, ev.StepBegan):
        assert bool(says(None, event)) == bool(sentence)


def test_the_end_of_a_phase_is_silent_unless_it_is_all_that_is_on_record() -> None:
    ends = ev.StepBegan(step=StepKey("air-defense", "end"))
    assert says(table(step=StepKey("air-defense", "second")), ends) == ""
    assert says(table(step=StepKey("air-deployment")), ends) == "Air defense."


def test_every_event_has_an_example() -> None:
    assert {type(event) for event, _ in EXAMPLES} == set(get_args(ev.AnyEvent))


@pytest.mark.parametrize("stopped", [True, False])
def test_the_end_of_a_move_is_told_only_if_it_is_a_new_stop(stopped: bool) -> None:
    state = table(unit("p1-1", CAPITAL, 500_000, 500_000, stopped=True))
    assert says(state, ev.MoveEnded(unit="p1-1", stopped=stopped)) == ""


def test_the_lost_keep_their_names() -> None:
    gone = ev.UnitRemoved(unit="p2-1", scorer="p1", points=12, cause="fire")
    state = GAME.evolve(BEFORE, gone)
    assert says(state, ev.FireBurned(unit="p2-1")).startswith(EXETER)


# --- whole battles -------------------------------------------------------------------------------


def battle(scenario: str, seed: int) -> Played:
    """Random legal play of a short battle."""
    choose = random.Random(seed)
    setup = Setup("crimson-tide", "1", scenario, ("p1", "p2"), {"turns": 3})
    *_, played = play(GAME, setup, choose.randrange)
    return played


def told(played: Played, viewer: str) -> Iterator[str]:
    """What a viewer is told, event by event."""
    state: State | None = None
    for event in played.events:
        seen = GAME.seen(event, viewer)
        yield says(state, seen)
        state = GAME.evolve(state, seen)


@pytest.mark.parametrize("scenario", ["standard", "night"])
def test_viewers_are_told_the_same_but_for_secrets(scenario: str) -> None:
    played = battle(scenario, 7)
    truth = list(told(played, TRUTH))
    for viewer in ("p1", "p2", PUBLIC):
        pairs = zip(truth, told(played, viewer), strict=True)
        hidden = {seen for full, seen in pairs if full != seen}
        sealed = [seat for seat in ("p1", "p2") if seat != viewer]
        assert {f"{s} locks a secret fleet." for s in sealed} <= hidden
        assert hidden <= {f"{s} locks a secret fleet." for s in sealed} | {
            f"{s} has settled its dives." for s in sealed
        }

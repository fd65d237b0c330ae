"""Every event as one sentence of an after-action report; empty for pure book-keeping.

A redacted event or state only makes a sentence shorter: nothing here fails or tells more than it
was given. Each group is matched in full, so that a new event does not type-check without words.
"""

from __future__ import annotations

from typing import assert_never

from ....kernel.order import ordered
from ....kernel.shown.wording import count, join
from ....kernel.values import Known, StepKey
from ..rules import events as ev
from ..rules.damage import REPAIRED_ON
from ..rules.state import State
from . import names
from .attack_sentences import AttackEvent, attack
from .move_sentences import MoveEvent, move
from .names import unit_name, unit_names

SET_UP = ("fleets", "placing-order", "placing")
"""Steps before the first turn."""

SetUpEvent = (
    ev.GameOpened
    | ev.FleetLocked
    | ev.FleetsRevealed
    | ev.StormsGathered
    | ev.UnitPlaced
    | ev.AircraftBased
)
TurnEvent = (
    ev.TurnBegan
    | ev.InitiativeRolled
    | ev.StepBegan
    | ev.Passed
    | ev.DivesChosen
    | ev.DivesRevealed
    | ev.DrawOffered
    | ev.PlayerLeft
    | ev.GameEnded
)
AirEvent = (
    ev.AircraftDeployed | ev.SpottingRolled | ev.Rearmed | ev.AircraftLanded | ev.RecoveryRolled
)
OutcomeEvent = (
    ev.HullLost
    | ev.DamageApplied
    | ev.UnitDestroyed
    | ev.UnitCrippled
    | ev.UnitRemoved
    | ev.RepairRolled
    | ev.FireBurned
    | ev.ControlChecked
    | ev.ObjectiveGained
)
QuietEvent = (
    ev.DiceAwaited | ev.DiceThrown | ev.TaskDone | ev.AttackEnded | ev.TransitEnded | ev.TurnEnded
)


def says(state: State | None, event: ev.AnyEvent) -> str:
    """The event as a sentence; ``state`` is the state before it."""
    if isinstance(event, QuietEvent):
        return ""
    if isinstance(event, SetUpEvent):
        return _set_up(state, event)
    if isinstance(event, TurnEvent):
        return _turn(state, event)
    if isinstance(event, MoveEvent):
        return move(state, event)
    if isinstance(event, AirEvent):
        return _air(state, event)
    if isinstance(event, AttackEvent):
        return attack(state, event)
    if isinstance(event, OutcomeEvent):
        return _outcome(state, event)
    assert_never(event)


def _set_up(state: State | None, event: SetUpEvent) -> str:
    match event:
        case ev.GameOpened():
            seats = join(event.seats)
            return (
                f"{event.title or names.scenario_name(event.scenario)}: {seats} take their seats."
            )
        case ev.FleetLocked():
            return _locked(event)
        case ev.FleetsRevealed():
            lists = (
                f"{seat} has {names.fleet(pick.card for pick in picks)}"
                for seat, picks in ordered(event.fleets)
            )
            return f"The fleets are revealed: {'; '.join(lists)}."
        case ev.StormsGathered():
            many = count(len(event.storms), "squall") if event.storms else "no squall"
            return f"The weather: {event.face}, {many}."
        case ev.UnitPlaced():
            unit = f"{names.card_name(event.card)} ({event.unit})"
            return f"{event.seat} sets up {unit} {names.lies(state, event.pose)}."
        case ev.AircraftBased():
            unit, base = f"{names.card_name(event.card)} ({event.unit})", event.base
            return f"{unit} is based on {names.base_name(state, base)}."
        case _:
            assert_never(event)


def _locked(event: ev.FleetLocked) -> str:
    if not isinstance(event.units, Known):
        return f"{event.seat} locks a secret fleet."
    held = tuple(pick.card for pick in event.units.items)
    return f"{event.seat} locks the fleet of {names.fleet(held)} ({names.fleet_cost(held)} points)."


def _turn(state: State | None, event: TurnEvent) -> str:
    match event:
        case ev.TurnBegan():
            return f"Turn {event.turn} begins."
        case ev.InitiativeRolled():
            return _initiative(state, event)
        case ev.StepBegan():
            return _step(state, event.step)
        case ev.Passed():
            return f"{event.seat} does no more in this step."
        case ev.DivesChosen():
            return _dives(state, event)
        case ev.DivesRevealed():
            return _revealed(state, event)
        case ev.DrawOffered():
            return f"{event.seat} offers a draw."
        case ev.PlayerLeft():
            return f"{event.seat} has left the battle; {event.heir} commands what it had."
        case ev.GameEnded():
            return _ended(state, event)
        case _:
            assert_never(event)


def _initiative(state: State | None, event: ev.InitiativeRolled) -> str:
    totals = (
        f"{names.side(state, side)} {names.number(state, total)}"
        for side, total in ordered(event.totals)
    )
    thrown = f"Initiative: {'; '.join(totals)}"
    if not event.first:
        return f"{thrown}; a tie, rolled again."
    are = names.form(state, event.first, "is", "are")
    return f"{thrown}; {names.side(state, event.first)} {are} first."


def _step(state: State | None, step: StepKey) -> str:
    """Phases of a turn, with who acts if only one does; steps of the set-up are silent.

    So is the end of a phase, unless it is all that the phase has on record.
    """
    phase, part = step.phase, step.part
    if phase in SET_UP or (part == "end" and (state is None or state.step.phase == phase)):
        return ""
    if part in ("", "end") or state is None:
        return f"{names.phase_name(phase).capitalize()}."
    side = state.first if part == "first" else state.second
    return f"{names.phase_name(phase).capitalize()}, {names.side(state, side)}."


def _dives(state: State | None, event: ev.DivesChosen) -> str:
    if not isinstance(event.submerged, Known):
        return f"{event.seat} has settled its dives."
    below = unit_names(state, event.submerged.items)
    return f"{event.seat} settles to have submerged: {below or 'nothing'}."


def _revealed(state: State | None, event: ev.DivesRevealed) -> str:
    text = f"Submerged this turn: {unit_names(state, event.submerged) or 'nothing'}"
    if event.vanished:
        text += f"; no longer detected: {unit_names(state, event.vanished)}"
    return f"{text}."


_REASONS = {
    "target-reached": "the target is reached",
    "last-turn": "the last turn is over",
    "elimination": "a side has no unit left",
    "convoy-through": "the convoy is through",
    "convoy-lost": "the convoy is lost",
    "resignation": "the enemy gives up",
    "draw-agreed": "a draw is agreed",
}


def _ended(state: State | None, event: ev.GameEnded) -> str:
    score = ""
    if state is not None:
        points = (f"{names.side(state, side)} {points}" for side, points in ordered(state.scores))
        score = f" Score: {', '.join(points)}."
    why = f"{_REASONS[event.reason]} ({event.rule})"
    if not event.winners:
        return f"The battle is a draw: {why}.{score}"
    wins = "wins" if len(event.winners) == 1 else "win"
    return f"{join(event.winners)} {wins} the battle: {why}.{score}"


def _air(state: State | None, event: AirEvent) -> str:
    match event:
        case ev.AircraftDeployed():
            return _deployed(state, event)
        case ev.SpottingRolled():
            result = "it finds its way" if event.found else "it is aborted"
            unit = unit_name(state, event.unit)
            return f"{unit} in the dark: {event.face}, {event.needed} needed: {result}."
        case ev.Rearmed():
            return f"A rearming marker comes off {unit_names(state, event.units)}."
        case ev.AircraftLanded():
            base = names.base_name(state, event.base)
            markers = count(event.rearming, "rearming marker")
            return f"{unit_name(state, event.unit)} lands on {base}, {markers}."
        case ev.RecoveryRolled():
            unit, base = unit_name(state, event.unit), names.base_name(state, event.base)
            return f"{unit} comes down on {base} in the dark: {event.face}, {event.outcome}."
        case _:
            assert_never(event)


def _deployed(state: State | None, event: ev.AircraftDeployed) -> str:
    unit = unit_name(state, event.unit)
    if not event.beside:
        return f"{unit} flies to {names.spot(state, event.at)}."
    what = "to strafe" if event.mission == "strafe" else "to attack"
    return f"{unit} flies {what} {unit_name(state, event.beside)} {names.quarter(event.side)}."


_CAUSES = {
    "destroyed": "is taken off the table",
    "with-carrier": "is lost with its ship",
    "left-table": "has left the table and is lost",
    "no-base": "has no base to land on and is lost",
    "crashed": "crashes on landing",
    "fire": "burns out",
    "exit": "is off the table and safe",
}


def _by(state: State | None, unit: str) -> str:
    return f" by {unit_name(state, unit)}" if unit else ""


def _outcome(state: State | None, event: OutcomeEvent) -> str:
    match event:
        case ev.HullLost():
            when = ", at the end of the turn" if event.pending else ""
            lost = count(event.hull, "hull point")
            return f"{unit_name(state, event.unit)} loses {lost} by {event.cause}{when}."
        case ev.DamageApplied():
            return _damage(state, event)
        case ev.UnitDestroyed():
            return f"{unit_name(state, event.unit)} is destroyed{_by(state, event.by)}."
        case ev.UnitCrippled():
            return f"{unit_name(state, event.unit)} is crippled{_by(state, event.by)}."
        case ev.UnitRemoved():
            how = _CAUSES[event.cause]
            points = f": {count(event.points, 'point')} for {names.side(state, event.scorer)}"
            return f"{unit_name(state, event.unit)} {how}{points if event.points else ''}."
        case ev.RepairRolled():
            unit, marker = unit_name(state, event.unit), names.critical_name(event.critical)
            result = "repaired" if event.repaired else "not repaired"
            needed = f"{event.face}, {REPAIRED_ON} needed"
            return f"{unit}, {marker}: {needed}: {result}."
        case ev.FireBurned():
            return f"{unit_name(state, event.unit)} burns and loses 1 hull point."
        case ev.ControlChecked():
            held = (
                f"{names.side(state, side)} for {turns}"
                for side, turns in ordered(event.turns)
                if turns
            )
            return f"{event.objective} is held by {join(held) or 'nobody'}."
        case ev.ObjectiveGained():
            points = count(event.points, "point")
            by = f" with {unit_name(state, event.unit)}" if event.unit else ""
            side = names.side(state, event.seat)
            gains = names.form(state, event.seat, "gains", "gain")
            return f"{side} {gains} {event.objective}{by}: {points}."
        case _:
            assert_never(event)


def _damage(state: State | None, event: ev.DamageApplied) -> str:
    unit = unit_name(state, event.unit)
    known = state.units.get(event.unit) if state is not None else None
    before = known.hull_lost if known is not None else 0
    parts = []
    if event.hull_lost > before:
        parts.append(f"loses {count(event.hull_lost - before, 'hull point')}")
    if event.criticals:
        marks = join(names.critical_name(number) for number in event.criticals)
        parts.append(f"suffers {marks}")
    return f"{unit} {' and '.join(parts) or 'is unharmed'}."

"""Every event as one sentence of an after-action report; empty for pure book-keeping.

A redacted event or state only makes a sentence shorter: nothing here fails or tells more than it
was given. Each group is matched in full, so that a new event does not type-check without words.
"""

from __future__ import annotations

from typing import assert_never

from ....kernel.order import ordered
from ....kernel.shown.wording import count, join
from ....kernel.values import StepKey
from ..rules import convoy, facts
from ..rules import events as ev
from ..rules.facts import limits_of
from ..rules.families import deeds
from ..rules.families.effects import declared_by, of_family
from ..rules.state import State
from . import names
from .attack_sentences import AttackEvent, attack
from .card_sentences import CardEvent, card
from .names import unit_name, unit_names
from .set_up_sentences import SetUpEvent, set_up

TurnEvent = (
    ev.TurnBegan
    | ev.LightChanged
    | ev.InitiativeRolled
    | ev.StepBegan
    | ev.Passed
    | ev.StalemateCalled
    | ev.TurnEnded
    | ev.GameEnded
)
TravelEvent = (
    ev.UnitMoved
    | ev.UnitShifted
    | ev.AircraftPlaced
    | ev.AircraftSentHome
    | ev.SearchRolled
    | ev.RecoveryRolled
    | ev.ReturnBegan
    | ev.AircraftReturned
    | ev.ReturnEnded
)
LossEvent = (
    ev.UnitDoomed
    | ev.UnitSpared
    | ev.CarrierDoomed
    | ev.CarrierLossRolled
    | ev.DamageApplied
    | ev.UnitRemoved
)
TableEvent = (
    ev.SmokeLaid
    | ev.SmokeCleared
    | ev.SquallsMoved
    | ev.ObjectiveClaimed
    | ev.ClaimDeclined
    | ev.PointsScored
)
QuietEvent = (
    ev.DiceAwaited
    | ev.DiceThrown
    | ev.TaskDone
    | ev.PhaseEnded
    | ev.AttackEnded
    | ev.EffectEnded
    | ev.StackKept
)


def says(state: State | None, event: ev.AnyEvent) -> str:
    """The event as a sentence; ``state`` is the state before it."""
    if isinstance(event, QuietEvent):
        return ""
    if isinstance(event, SetUpEvent):
        return set_up(state, event)
    if isinstance(event, TurnEvent):
        return _turn(state, event)
    if isinstance(event, TravelEvent):
        return _travel(state, event)
    if isinstance(event, AttackEvent):
        return attack(state, event)
    if isinstance(event, LossEvent):
        return _loss(state, event)
    if isinstance(event, TableEvent):
        return _table(state, event)
    if isinstance(event, CardEvent):
        return card(state, event)
    assert_never(event)


def _turn(state: State | None, event: TurnEvent) -> str:
    match event:
        case ev.TurnBegan():
            return f"Turn {event.turn} begins."
        case ev.LightChanged():
            return "Night falls." if event.dark else "Day breaks."
        case ev.InitiativeRolled():
            return _initiative(state, event)
        case ev.StepBegan():
            return _step(state, event.step)
        case ev.Passed():
            return f"{event.seat} does no more in this step."
        case ev.StalemateCalled():
            return f"{event.seat} asks for the battle to be ended as a stalemate."
        case ev.TurnEnded():
            return _turn_ended(state, event)
        case ev.GameEnded():
            return _ended(state, event)
        case _:
            assert_never(event)


def _initiative(state: State | None, event: ev.InitiativeRolled) -> str:
    rolls = join(f"{seat} {names.number(state, total)}" for seat, total in ordered(event.totals))
    if not event.first:
        return f"Initiative is tied: {rolls}; roll again."
    return f"Initiative: {rolls}{_decided(event)}. {event.first} is First Player."


def _decided(event: ev.InitiativeRolled) -> str:
    """What decided where it was not the higher total."""
    loser = event.first
    if "WAS-INIT-11" in event.rules:
        what = "bonus" if "RUL-15" in event.rules else "Flagship bonus"
        return f"; equal, and {loser} has the lower {what}"
    yields = (f for f, word in declared_by(deeds.Shift).items() if word.how == "all-nearer")
    told = next((f for f in yields if names.ability_rule(f) in event.rules), "")
    return f"; {loser} yields it ({names.ability_name(told)})" if told else ""


def _step(state: State | None, step: StepKey) -> str:
    """Phases of a turn: who acts, or that the phase ends; steps of the set-up are silent.

    So is what comes between two players' steps, unless it is all that its phase has on record.
    """
    phase, part = step.phase, step.part
    if phase not in names.PHASES:
        return ""
    if part in ("hunt", "patrol", "before", "after"):
        first = state is not None and state.step.phase != phase
        return f"{names.phase_name(phase)}." if first else ""
    if part in ("", "end"):
        return f"{names.phase_name(phase)}{' ends' if part else ''}."
    seat = "" if state is None else (state.first if part == "first" else state.second)
    return f"{names.phase_name(phase)}: {'First' if part == 'first' else 'Second'} Player {seat}."


def _turn_ended(state: State | None, event: ev.TurnEnded) -> str:
    if state is None:
        return f"Turn {event.turn} ends."
    if facts.convoy(state):
        return f"Turn {event.turn} ends: {_tally(state, *convoy.tally(state))}."
    return f"Turn {event.turn} ends: {_scores(state)}."


def _scores(state: State) -> str:
    return join(f"{seat} {points}" for seat, points in ordered(state.scores))


_REASONS = {
    "resignation": "the enemy gives up",
    "elimination": "the enemy has no units left",
    "mutual-elimination": "nobody has units left",
    "victory-points": "victory points",
    "stalemate": "stalemate",
    "turn-limit": "the last turn is over",
    "equal-scores": "equal scores at the target",
    "convoy-through": "enough convoy Ships are through",
    "convoy-sunk": "too many convoy Ships are lost",
}


def _ended(state: State | None, event: ev.GameEnded) -> str:
    score = f" Score: {_scores(state)}." if state is not None else ""
    if state is not None and facts.convoy(state):
        score = f" {_tally(state, *convoy.tally(state)).capitalize()}."
    why = f"{_REASONS[event.reason]} ({event.rule})"
    if not event.winners:
        return f"The battle is a draw: {why}.{score}"
    verb = "wins" if len(event.winners) == 1 else "win"
    return f"{join(event.winners)} {verb} the battle: {why}.{score}"


def _travel(state: State | None, event: TravelEvent) -> str:
    match event:
        case ev.UnitMoved():
            return _moved(state, event)
        case ev.UnitShifted():
            unit = unit_name(state, event.unit)
            if event.ability == "joined":
                return f"{unit} catches up with its quarry in {event.sector}."
            return f"{unit} goes to {event.sector} by {names.ability_name(event.ability)}."
        case ev.AircraftPlaced():
            role = f" as {event.role}" if event.role else ""
            low = ", to strafe" if event.strafing else ""
            to = names.sector_name(event.sector)
            return f"{unit_name(state, event.unit)} flies to {to}{role}{low}."
        case ev.AircraftSentHome():
            return f"{event.seat} keeps at the land airbase: {unit_names(state, event.units)}."
        case ev.SearchRolled():
            unit, how = unit_name(state, event.unit), "finds" if event.found else "does not find"
            return f"{unit} {how} its sector in the dark ({event.face}, {event.needed} needed)."
        case ev.RecoveryRolled():
            back = f"Recovery in the dark ({names.faces(event.faces)})"
            return f"{back}: lost: {unit_names(state, event.lost)}." if event.lost else f"{back}."
        case ev.ReturnBegan():
            if not event.rearmed:
                return ""
            ready = "has rearmed" if len(event.rearmed) == 1 else "have rearmed"
            return f"{unit_names(state, event.rearmed)} {ready}."
        case ev.AircraftReturned():
            base = names.base_name(state, event.base)
            why = " and must rearm" if event.rearming else ""
            return f"{unit_name(state, event.unit)} returns to {base}{why}."
        case ev.ReturnEnded():
            return ""
        case _:
            assert_never(event)


def _moved(state: State | None, event: ev.UnitMoved) -> str:
    unit, here = unit_name(state, event.unit), names.sector_of(state, event.unit)
    start = f" from {here}" if here else ""
    by_way = event.path[:-1]
    via = f" by way of {join(by_way)}" if by_way else ""
    boost = f", with {names.ability_name(event.boost)}" if event.boost else ""
    return f"{unit} moves{start} to {event.path[-1]}{via}{boost}."


def _loss(state: State | None, event: LossEvent) -> str:
    match event:
        case ev.UnitDoomed():
            unit, cause = unit_name(state, event.unit), names.ability_name(event.cause)
            return f"{unit} will be lost when the phase ends: {cause}."
        case ev.UnitSpared():
            return f"{unit_name(state, event.unit)} stays in play with one hull point left."
        case ev.CarrierDoomed():
            return _carrier(state, event)
        case ev.CarrierLossRolled():
            return _carrier_rolled(state, event)
        case ev.DamageApplied():
            unit, points = unit_name(state, event.unit), count(event.damage, "hull point")
            return f"{unit} loses {points}{' and is crippled' if event.crippled else ''}."
        case ev.UnitRemoved():
            return _removed(state, event)
        case _:
            assert_never(event)


def _carrier(state: State | None, event: ev.CarrierDoomed) -> str:
    ship = unit_name(state, event.carrier)
    if not event.chosen:
        return f"{ship} goes down when the phase ends."
    return f"At risk with {ship}: {unit_names(state, event.chosen)}."


def _carrier_rolled(state: State | None, event: ev.CarrierLossRolled) -> str:
    ship = unit_name(state, event.carrier)
    if not event.units:
        return f"No Aircraft are at risk with {ship}: there are none that could go down with it."
    dice = join(
        f"{unit_name(state, unit)} {face}"
        for unit, face in zip(event.units, event.faces, strict=False)
    )
    lost = unit_names(state, event.lost) or "none"
    return f"Aircraft of {ship} roll (1: lost): {dice}; lost: {lost}."


_CAUSES = {
    "exited": "leaves the map and is safe",
    "stranded": "is still at sea when time is up, and is lost",
    "withdrawn": "leaves play: its mission is over",
    "lost-with-ship": "is lost with its Ship",
}


def _left(cause: str) -> str:
    """How a unit has left play that was not destroyed; empty where it was."""
    if of_family(cause, deeds.Delivers):
        return "has delivered its cargo and leaves the game"
    if of_family(cause, deeds.Embarks):
        return "has flown its mission and leaves play"
    return _CAUSES.get(cause, "")


def _removed(state: State | None, event: ev.UnitRemoved) -> str:
    unit = unit_name(state, event.unit)
    card = state.units.get(event.unit) if state is not None else None
    left = _left(event.cause)
    if left:
        return f"{unit} {left}{_convoy(state, event)}."
    if event.cause == "no-room":
        what = "is given up, for no base has room"
    elif card is not None and names.type_of(card.card) == "Aircraft":
        what = "is shot down"
    else:
        what = "sinks"
    points = count(event.points, "point")
    return f"{unit} {what}: {points} for {event.scorer}{_convoy(state, event)}."


def _convoy(state: State | None, event: ev.UnitRemoved) -> str:
    """How the convoy stands once one of its Ships is gone."""
    gone = state.units.get(event.unit) if state is not None else None
    if state is None or gone is None or gone.card != convoy.SHIP or not facts.convoy(state):
        return ""
    out, lost = convoy.tally(state)
    through = event.cause == convoy.EXITED
    return f" ({_tally(state, out + through, lost + (not through))})"


def _tally(state: State, out: int, lost: int) -> str:
    limits = limits_of(state)
    enough = limits.convoy - limits.through + 1
    return f"convoy: {out} of {limits.through} through, {lost} of {enough} lost"


def _table(state: State | None, event: TableEvent) -> str:
    match event:
        case ev.SmokeLaid():
            until = f"until the end of turn {event.until}"
            if not event.unit:
                return f"There is a smoke screen in {event.sector}, {until}."
            return f"{unit_name(state, event.unit)} lays a smoke screen in {event.sector}, {until}."
        case ev.SmokeCleared():
            return f"The smoke clears in {join(event.sectors)}."
        case ev.SquallsMoved():
            what = "The squalls drift to" if event.faces else "There are squalls in"
            return f"{what} {join(event.sectors)}."
        case ev.ObjectiveClaimed():
            points = count(event.points, "point")
            return f"{event.seat} claims the objective in {event.sector}: {points}."
        case ev.ClaimDeclined():
            return f"{event.seat} leaves the objective in {join(event.sectors)}."
        case ev.PointsScored():
            points = count(event.points, "point")
            no_ships = event.cause == "no-ships"
            why = "the enemy has no Ships left" if no_ships else names.ability_name(event.cause)
            return f"{event.seat} scores {points}: {why}."
        case _:
            assert_never(event)

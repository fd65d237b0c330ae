"""What the events mean to readers who do not know the game; a new event gets a line here."""

from __future__ import annotations

from collections.abc import Iterable

from ....kernel.shown.roles import Part, Role, Roles, each, nothing, phase, placed
from ..rules import events as ev
from ..rules.state import State

SAFE = "exit"
"""The cause of a unit that has left the table where it may: no loss."""


def _each(
    role: Part, state: State | None, units: Iterable[str], by: str = "", cause: str = ""
) -> tuple[Role, ...]:
    return each(role, state.units if state is not None else {}, units, by, cause)


def _moved(state: State | None, event: ev.UnitMoved | ev.AircraftLanded) -> tuple[Role, ...]:
    return _each("moved", state, (event.unit,))


def _revealed(state: State | None, event: ev.DivesRevealed) -> tuple[Role, ...]:
    return tuple(Role("revealed", seat=seat) for seat in event.seats)


def _attacked(state: State | None, event: ev.AttackDeclared) -> tuple[Role, ...]:
    return _each("attacked", state, (event.target,), event.attacker, event.weapon)


def _resolved(state: State | None, event: ev.AttackResolved) -> tuple[Role, ...]:
    hurt = (event.target,) if event.hull else ()
    return _each("damaged", state, hurt, event.attacker, event.weapon)


def _critical(state: State | None, event: ev.CriticalRolled) -> tuple[Role, ...]:
    """A result of 0 has no meaning for the unit."""
    return _each("damaged", state, (event.target,) if event.result else (), cause="critical")


def _torpedoes(state: State | None, event: ev.TorpedoesChecked) -> tuple[Role, ...]:
    hurt = (event.target,) if event.hull else ()
    return _each("damaged", state, hurt, event.firer, "torpedo")


def _hull_lost(state: State | None, event: ev.HullLost) -> tuple[Role, ...]:
    return _each("damaged", state, (event.unit,), cause=event.cause)


def _burned(state: State | None, event: ev.FireBurned) -> tuple[Role, ...]:
    return _each("damaged", state, (event.unit,), cause="fire")


def _repaired(state: State | None, event: ev.RepairRolled) -> tuple[Role, ...]:
    return _each("repaired", state, (event.unit,) if event.repaired else ())


def _removed(state: State | None, event: ev.UnitRemoved) -> tuple[Role, ...]:
    if event.cause == SAFE:
        return _each("left", state, (event.unit,), cause=SAFE)
    return _each("lost", state, (event.unit,), event.scorer, event.cause)


ROLES: Roles = {
    ev.TurnBegan: lambda state, event: (Role("turn", number=event.turn),),
    ev.StepBegan: phase,
    ev.UnitPlaced: placed,
    ev.AircraftBased: placed,
    ev.AircraftDeployed: placed,
    ev.UnitMoved: _moved,
    ev.AircraftLanded: _moved,
    ev.FleetsRevealed: lambda state, event: tuple(Role("revealed", seat=s) for s in event.fleets),
    ev.DivesRevealed: _revealed,
    ev.AttackDeclared: _attacked,
    ev.AttackResolved: _resolved,
    ev.CriticalRolled: _critical,
    ev.TorpedoesChecked: _torpedoes,
    ev.HullLost: _hull_lost,
    ev.FireBurned: _burned,
    ev.RepairRolled: _repaired,
    ev.UnitRemoved: _removed,
    # Told when it came about, or by the hull points that it costs, or when it leaves the table.
    ev.UnitDestroyed: nothing,
    ev.UnitCrippled: nothing,
    ev.DamageApplied: nothing,
    ev.ImpactRolled: nothing,
    ev.UnitsCollided: nothing,
    ev.RanAground: nothing,
    ev.GroundingTested: nothing,
    # An attack goes on.
    ev.AttackMeasured: nothing,
    ev.AttackWasted: nothing,
    ev.AttackEnded: nothing,
    ev.ConcealmentRolled: nothing,
    ev.DetectionRolled: nothing,
    ev.TorpedoesLaunched: nothing,
    # A move goes on.
    ev.MoveOrdered: nothing,
    ev.MoveEnded: nothing,
    ev.EvasionRolled: nothing,
    ev.DriftBegan: nothing,
    ev.SpottingRolled: nothing,
    ev.RecoveryRolled: nothing,
    ev.Rearmed: nothing,
    ev.TransitEnded: nothing,
    # Of no unit, or a secret.
    ev.GameOpened: nothing,
    ev.FleetLocked: nothing,
    ev.DivesChosen: nothing,
    ev.DiceAwaited: nothing,
    ev.DiceThrown: nothing,
    ev.StormsGathered: nothing,
    ev.StormsMoved: nothing,
    ev.WindDrawn: nothing,
    ev.InitiativeRolled: nothing,
    ev.TaskDone: nothing,
    ev.Passed: nothing,
    ev.ControlChecked: nothing,
    ev.ObjectiveGained: nothing,
    ev.TurnEnded: nothing,
    ev.DrawOffered: nothing,
    ev.PlayerLeft: nothing,
    ev.GameEnded: nothing,
}

"""What the events mean to readers who do not know the game; a new event gets a line here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ....kernel.shown.roles import Part, Reading, Role, Roles, each, nothing, phase, placed
from ..rules import events as ev
from ..rules.families import deeds
from ..rules.families.effects import declared_by
from ..rules.state import State


@cache
def safe() -> frozenset[str]:
    """Causes of units that have left play because their task is done: no losses.

    Families are read of files: not before a game of theirs is told.
    """
    return frozenset(
        {"exited", "withdrawn", *declared_by(deeds.Delivers), *declared_by(deeds.Embarks)}
    )


def _each(
    role: Part, state: State | None, units: Iterable[str], by: str = "", cause: str = ""
) -> tuple[Role, ...]:
    return each(role, state.units if state is not None else {}, units, by, cause)


def _of_unit(role: Part) -> Reading:
    """An event that is about its ``unit``."""
    return lambda state, event: _each(role, state, (event.unit,))


def _attacked(state: State | None, event: ev.AttackDeclared) -> tuple[Role, ...]:
    attack = event.attack
    return _each("attacked", state, (attack.target,), attack.attacker, attack.weapon)


def _resolved(state: State | None, event: ev.AttackResolved) -> tuple[Role, ...]:
    """Hull points; a unit that is destroyed is lost by another event, when its phase ends."""
    hurt = (event.target,) if event.damage else ()
    return _each("damaged", state, hurt, event.attacker, event.weapon)


def _hull_lost(state: State | None, event: ev.HullLost) -> tuple[Role, ...]:
    return _each("damaged", state, (event.unit,), cause=event.cause)


def _hull_repaired(state: State | None, event: ev.HullRepaired) -> tuple[Role, ...]:
    return _each("repaired", state, (event.unit,), cause=event.cause)


def _removed(state: State | None, event: ev.UnitRemoved) -> tuple[Role, ...]:
    if event.cause in safe():
        return _each("left", state, (event.unit,), cause=event.cause)
    return _each("lost", state, (event.unit,), event.scorer, event.cause)


def _returned(state: State | None, event: ev.AircraftReturned) -> tuple[Role, ...]:
    return _each("moved", state, (event.unit,))


ROLES: Roles = {
    ev.TurnBegan: lambda state, event: (Role("turn", number=event.turn),),
    ev.StepBegan: phase,
    ev.UnitDeployed: placed,
    ev.AircraftPlaced: placed,
    ev.SquadronJoined: placed,
    ev.UnitMoved: _of_unit("moved"),
    ev.UnitShifted: _of_unit("moved"),
    ev.AircraftReturned: _returned,
    ev.AttackDeclared: _attacked,
    ev.AttackResolved: _resolved,
    ev.HullLost: _hull_lost,
    ev.HullRepaired: _hull_repaired,
    ev.UnitRemoved: _removed,
    # Told when it came about; this is when it takes effect, or that it will.
    ev.DamageApplied: nothing,
    ev.UnitDoomed: nothing,
    ev.UnitSpared: nothing,
    ev.CarrierDoomed: nothing,
    ev.CarrierLossRolled: nothing,
    ev.RecoveryRolled: nothing,
    # An attack goes on.
    ev.AttackRolled: nothing,
    ev.AttackEnded: nothing,
    ev.AttackAmended: nothing,
    ev.AttackGivenUp: nothing,
    ev.ConcealmentRolled: nothing,
    # Abilities, and what they leave on the board.
    ev.AbilityUsed: nothing,
    ev.AbilityDeclined: nothing,
    ev.AbilityRolled: nothing,
    ev.EffectBegan: nothing,
    ev.EffectEnded: nothing,
    ev.SmokeLaid: nothing,
    ev.SmokeCleared: nothing,
    ev.MinesLaid: nothing,
    ev.MinesSwept: nothing,
    ev.AirbaseShelled: nothing,
    # Aircraft at their bases.
    ev.AircraftSentHome: nothing,
    ev.AircraftStayed: nothing,
    ev.StackKept: nothing,
    ev.SearchRolled: nothing,
    ev.RearmingBegan: nothing,
    ev.RearmingEnded: nothing,
    ev.ReturnBegan: nothing,
    ev.ReturnEnded: nothing,
    # Of no unit.
    ev.GameOpened: nothing,
    ev.CustomsBrought: nothing,
    ev.SideChooserFound: nothing,
    ev.SidesSet: nothing,
    ev.EscortChosen: nothing,
    ev.FleetLocked: nothing,
    ev.DiceAwaited: nothing,
    ev.DiceThrown: nothing,
    ev.ZoneSelected: nothing,
    ev.LightSet: nothing,
    ev.LightChanged: nothing,
    ev.WeatherRolled: nothing,
    ev.SquallsMoved: nothing,
    ev.DeployerChosen: nothing,
    ev.EdgesChosen: nothing,
    ev.FleetDeployed: nothing,
    ev.InitiativeRolled: nothing,
    ev.TaskDone: nothing,
    ev.Passed: nothing,
    ev.PhaseEnded: nothing,
    ev.ObjectiveClaimed: nothing,
    ev.ClaimDeclined: nothing,
    ev.PointsScored: nothing,
    ev.StalemateCalled: nothing,
    ev.TurnEnded: nothing,
    ev.GameEnded: nothing,
}

"""Who sees what. Only undeployed fleets are secret (section 6.6); all else is on the table.

There is no catch-all: a new event does not type-check until somebody has decided who sees it.
"""

from __future__ import annotations

from typing import assert_never, get_args

import msgspec

from ....kernel.rules import rule
from ....kernel.values import Hidden, Viewer
from . import events as ev

OpenEvent = (
    ev.GameOpened
    | ev.CustomsBrought
    | ev.SideChooserFound
    | ev.SidesSet
    | ev.EscortChosen
    | ev.DiceAwaited
    | ev.DiceThrown
    | ev.ZoneSelected
    | ev.LightSet
    | ev.WeatherRolled
    | ev.DeployerChosen
    | ev.EdgesChosen
    | ev.UnitDeployed
    | ev.FleetDeployed
    | ev.TurnBegan
    | ev.LightChanged
    | ev.InitiativeRolled
    | ev.StepBegan
    | ev.TaskDone
    | ev.Passed
    | ev.UnitMoved
    | ev.UnitShifted
    | ev.AircraftPlaced
    | ev.SearchRolled
    | ev.AircraftSentHome
    | ev.AbilityUsed
    | ev.AbilityDeclined
    | ev.AbilityRolled
    | ev.AttackDeclared
    | ev.AttackRolled
    | ev.ConcealmentRolled
    | ev.AttackResolved
    | ev.AttackEnded
    | ev.EffectBegan
    | ev.UnitDoomed
    | ev.UnitSpared
    | ev.SmokeLaid
    | ev.SmokeCleared
    | ev.SquallsMoved
    | ev.CarrierDoomed
    | ev.CarrierLossRolled
    | ev.DamageApplied
    | ev.UnitRemoved
    | ev.PhaseEnded
    | ev.ReturnBegan
    | ev.RecoveryRolled
    | ev.AircraftReturned
    | ev.ReturnEnded
    | ev.ObjectiveClaimed
    | ev.ClaimDeclined
    | ev.PointsScored
    | ev.StalemateCalled
    | ev.TurnEnded
    | ev.GameEnded
    | ev.AttackAmended
    | ev.AttackGivenUp
    | ev.EffectEnded
    | ev.HullLost
    | ev.HullRepaired
    | ev.MinesLaid
    | ev.MinesSwept
    | ev.RearmingEnded
    | ev.AirbaseShelled
    | ev.RearmingBegan
    | ev.SquadronJoined
    | ev.AircraftStayed
    | ev.StackKept
)
"""Events that lie on the table for everybody. A new event is in no list until somebody decides."""


_OPEN = frozenset(get_args(OpenEvent))
"""The same as a set: whether an event is in it is one look, not one try for each type."""


@rule("WAS-ATK-17")
def redact(event: ev.AnyEvent, viewer: Viewer) -> ev.AnyEvent:
    """What ``viewer`` may know of ``event``: another seat's fleet list is one sealed envelope."""
    if type(event) in _OPEN:
        return event
    if isinstance(event, ev.FleetLocked):
        if viewer == event.seat:
            return event
        return msgspec.structs.replace(event, cards=Hidden(1))
    if isinstance(event, OpenEvent):
        return event
    assert_never(event)

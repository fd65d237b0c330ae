"""Who sees what: fleets until both are locked, dives until both are chosen; all else is open.

There is no catch-all: a new event does not type-check until somebody has decided who sees it.
"""

from __future__ import annotations

from typing import assert_never, get_args

import msgspec

from ....kernel.values import Hidden, Viewer
from . import events as ev

OpenEvent = (
    ev.GameOpened
    | ev.FleetsRevealed
    | ev.DiceAwaited
    | ev.DiceThrown
    | ev.StormsGathered
    | ev.UnitPlaced
    | ev.AircraftBased
    | ev.TurnBegan
    | ev.InitiativeRolled
    | ev.StepBegan
    | ev.TaskDone
    | ev.Passed
    | ev.DivesRevealed
    | ev.MoveOrdered
    | ev.EvasionRolled
    | ev.UnitMoved
    | ev.GroundingTested
    | ev.RanAground
    | ev.UnitsCollided
    | ev.ImpactRolled
    | ev.MoveEnded
    | ev.AircraftDeployed
    | ev.SpottingRolled
    | ev.Rearmed
    | ev.AttackDeclared
    | ev.AttackMeasured
    | ev.AttackWasted
    | ev.ConcealmentRolled
    | ev.DetectionRolled
    | ev.AttackResolved
    | ev.CriticalRolled
    | ev.TorpedoesLaunched
    | ev.TorpedoesChecked
    | ev.AttackEnded
    | ev.AircraftLanded
    | ev.RecoveryRolled
    | ev.TransitEnded
    | ev.HullLost
    | ev.DamageApplied
    | ev.UnitRemoved
    | ev.RepairRolled
    | ev.FireBurned
    | ev.UnitDestroyed
    | ev.UnitCrippled
    | ev.WindDrawn
    | ev.StormsMoved
    | ev.DriftBegan
    | ev.ControlChecked
    | ev.ObjectiveGained
    | ev.TurnEnded
    | ev.DrawOffered
    | ev.PlayerLeft
    | ev.GameEnded
)
"""Events that lie on the table for everybody. A new event is in no list until somebody decides."""

_OPEN = frozenset(get_args(OpenEvent))
"""The same as a set: whether an event is in it is one look, not one try for each type."""


def redact(event: ev.AnyEvent, viewer: Viewer) -> ev.AnyEvent:
    """What ``viewer`` may know of ``event`` (CT-FSM-09): a secret is one sealed envelope."""
    if type(event) in _OPEN:
        return event
    if isinstance(event, ev.FleetLocked):
        return event if viewer == event.seat else msgspec.structs.replace(event, units=Hidden(1))
    if isinstance(event, ev.DivesChosen):
        if viewer == event.seat:
            return event
        return msgspec.structs.replace(event, submerged=Hidden(1))
    if isinstance(event, OpenEvent):
        return event
    assert_never(event)

"""What happens in a battle. Events carry outcomes; their stored form is frozen in tests/frozen/."""

from __future__ import annotations

from .attack import (
    AbilityDeclined,
    AbilityRolled,
    AbilityUsed,
    AttackDeclared,
    AttackEnded,
    AttackResolved,
    AttackRolled,
    ConcealmentRolled,
    EffectBegan,
    SmokeLaid,
    UnitDoomed,
    UnitSpared,
)
from .card import (
    AttackAmended,
    AttackGivenUp,
    EffectEnded,
    HullLost,
    HullRepaired,
    MinesLaid,
    MinesSwept,
    RearmingEnded,
)
from .outcome import (
    CarrierDoomed,
    CarrierLossRolled,
    ClaimDeclined,
    DamageApplied,
    GameEnded,
    ObjectiveClaimed,
    PhaseEnded,
    PointsScored,
    SmokeCleared,
    StalemateCalled,
    TurnEnded,
    UnitRemoved,
)
from .setup import (
    DeployerChosen,
    DiceAwaited,
    DiceThrown,
    EdgesChosen,
    FleetDeployed,
    FleetLocked,
    GameOpened,
    SideChooserFound,
    SidesSet,
    UnitDeployed,
    ZoneSelected,
)
from .turn import (
    AircraftPlaced,
    AircraftReturned,
    AircraftSentHome,
    InitiativeRolled,
    Passed,
    ReturnBegan,
    ReturnEnded,
    StepBegan,
    TaskDone,
    TurnBegan,
    UnitMoved,
    UnitShifted,
)

AnyEvent = (
    GameOpened
    | SideChooserFound
    | SidesSet
    | FleetLocked
    | DiceAwaited
    | DiceThrown
    | ZoneSelected
    | DeployerChosen
    | EdgesChosen
    | UnitDeployed
    | FleetDeployed
    | TurnBegan
    | InitiativeRolled
    | StepBegan
    | TaskDone
    | Passed
    | UnitMoved
    | UnitShifted
    | AircraftPlaced
    | AircraftSentHome
    | AbilityUsed
    | AbilityDeclined
    | AbilityRolled
    | AttackDeclared
    | AttackRolled
    | ConcealmentRolled
    | AttackResolved
    | AttackEnded
    | EffectBegan
    | UnitDoomed
    | UnitSpared
    | SmokeLaid
    | SmokeCleared
    | CarrierDoomed
    | CarrierLossRolled
    | DamageApplied
    | UnitRemoved
    | PhaseEnded
    | ReturnBegan
    | AircraftReturned
    | ReturnEnded
    | ObjectiveClaimed
    | ClaimDeclined
    | PointsScored
    | StalemateCalled
    | TurnEnded
    | GameEnded
    | AttackAmended
    | AttackGivenUp
    | EffectEnded
    | HullLost
    | HullRepaired
    | MinesLaid
    | MinesSwept
    | RearmingEnded
)

__all__ = [
    "AbilityDeclined",
    "AbilityRolled",
    "AbilityUsed",
    "AircraftPlaced",
    "AircraftReturned",
    "AircraftSentHome",
    "AnyEvent",
    "AttackAmended",
    "AttackDeclared",
    "AttackEnded",
    "AttackGivenUp",
    "AttackResolved",
    "AttackRolled",
    "CarrierDoomed",
    "CarrierLossRolled",
    "ClaimDeclined",
    "ConcealmentRolled",
    "DamageApplied",
    "DeployerChosen",
    "DiceAwaited",
    "DiceThrown",
    "EdgesChosen",
    "EffectBegan",
    "EffectEnded",
    "FleetDeployed",
    "FleetLocked",
    "GameEnded",
    "GameOpened",
    "HullLost",
    "HullRepaired",
    "InitiativeRolled",
    "MinesLaid",
    "MinesSwept",
    "ObjectiveClaimed",
    "Passed",
    "PhaseEnded",
    "PointsScored",
    "RearmingEnded",
    "ReturnBegan",
    "ReturnEnded",
    "SideChooserFound",
    "SidesSet",
    "SmokeCleared",
    "SmokeLaid",
    "StalemateCalled",
    "StepBegan",
    "TaskDone",
    "TurnBegan",
    "TurnEnded",
    "UnitDeployed",
    "UnitDoomed",
    "UnitMoved",
    "UnitRemoved",
    "UnitShifted",
    "UnitSpared",
    "ZoneSelected",
]

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
    AirbaseShelled,
    AircraftStayed,
    AttackAmended,
    AttackGivenUp,
    EffectEnded,
    HullLost,
    HullRepaired,
    MinesLaid,
    MinesSwept,
    RearmingBegan,
    RearmingEnded,
    SquadronJoined,
    StackKept,
    ended,
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
    SquallsMoved,
    StalemateCalled,
    TurnEnded,
    UnitRemoved,
)
from .setup import (
    CustomsBrought,
    DeployerChosen,
    DiceAwaited,
    DiceThrown,
    EdgesChosen,
    EscortChosen,
    FleetDeployed,
    FleetLocked,
    GameOpened,
    LightSet,
    SideChooserFound,
    SidesSet,
    UnitDeployed,
    WeatherRolled,
    ZoneSelected,
)
from .turn import (
    AircraftPlaced,
    AircraftReturned,
    AircraftSentHome,
    InitiativeRolled,
    LightChanged,
    Passed,
    RecoveryRolled,
    ReturnBegan,
    ReturnEnded,
    SearchRolled,
    StepBegan,
    TaskDone,
    TurnBegan,
    UnitMoved,
    UnitShifted,
)

AnyEvent = (
    GameOpened
    | CustomsBrought
    | SideChooserFound
    | SidesSet
    | EscortChosen
    | FleetLocked
    | DiceAwaited
    | DiceThrown
    | ZoneSelected
    | LightSet
    | WeatherRolled
    | DeployerChosen
    | EdgesChosen
    | UnitDeployed
    | FleetDeployed
    | TurnBegan
    | LightChanged
    | InitiativeRolled
    | StepBegan
    | TaskDone
    | Passed
    | UnitMoved
    | UnitShifted
    | AircraftPlaced
    | SearchRolled
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
    | SquallsMoved
    | CarrierDoomed
    | CarrierLossRolled
    | DamageApplied
    | UnitRemoved
    | PhaseEnded
    | ReturnBegan
    | RecoveryRolled
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
    | AirbaseShelled
    | RearmingBegan
    | SquadronJoined
    | AircraftStayed
    | StackKept
)

__all__ = [
    "AbilityDeclined",
    "AbilityRolled",
    "AbilityUsed",
    "AirbaseShelled",
    "AircraftPlaced",
    "AircraftReturned",
    "AircraftSentHome",
    "AircraftStayed",
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
    "CustomsBrought",
    "DamageApplied",
    "DeployerChosen",
    "DiceAwaited",
    "DiceThrown",
    "EdgesChosen",
    "EffectBegan",
    "EffectEnded",
    "EscortChosen",
    "FleetDeployed",
    "FleetLocked",
    "GameEnded",
    "GameOpened",
    "HullLost",
    "HullRepaired",
    "InitiativeRolled",
    "LightChanged",
    "LightSet",
    "MinesLaid",
    "MinesSwept",
    "ObjectiveClaimed",
    "Passed",
    "PhaseEnded",
    "PointsScored",
    "RearmingBegan",
    "RearmingEnded",
    "RecoveryRolled",
    "ReturnBegan",
    "ReturnEnded",
    "SearchRolled",
    "SideChooserFound",
    "SidesSet",
    "SmokeCleared",
    "SmokeLaid",
    "SquadronJoined",
    "SquallsMoved",
    "StackKept",
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
    "WeatherRolled",
    "ZoneSelected",
    "ended",
]

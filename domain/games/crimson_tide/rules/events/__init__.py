"""What happens in a battle. Events carry outcomes; their stored form is frozen in tests/frozen/."""

from __future__ import annotations

from .attack import (
    AttackDeclared,
    AttackEnded,
    AttackMeasured,
    AttackResolved,
    AttackWasted,
    ConcealmentRolled,
    CriticalRolled,
    DetectionRolled,
    TorpedoesChecked,
    TorpedoesLaunched,
)
from .movement import (
    DriftBegan,
    EvasionRolled,
    GroundingTested,
    ImpactRolled,
    MoveEnded,
    MoveOrdered,
    RanAground,
    StormsMoved,
    UnitMoved,
    UnitsCollided,
    WindDrawn,
)
from .outcome import (
    ControlChecked,
    DamageApplied,
    DrawOffered,
    FireBurned,
    GameEnded,
    HullLost,
    ObjectiveGained,
    PlayerLeft,
    RepairRolled,
    TurnEnded,
    UnitCrippled,
    UnitDestroyed,
    UnitRemoved,
)
from .setup import (
    AircraftBased,
    DiceAwaited,
    DiceThrown,
    FleetLocked,
    FleetsRevealed,
    GameOpened,
    StormsGathered,
    UnitPlaced,
)
from .turn import (
    AircraftDeployed,
    AircraftLanded,
    DivesChosen,
    DivesRevealed,
    InitiativeRolled,
    Passed,
    Rearmed,
    RecoveryRolled,
    SpottingRolled,
    StepBegan,
    TaskDone,
    TransitEnded,
    TurnBegan,
)

AnyEvent = (
    GameOpened
    | FleetLocked
    | FleetsRevealed
    | DiceAwaited
    | DiceThrown
    | StormsGathered
    | UnitPlaced
    | AircraftBased
    | TurnBegan
    | InitiativeRolled
    | StepBegan
    | TaskDone
    | Passed
    | DivesChosen
    | DivesRevealed
    | MoveOrdered
    | EvasionRolled
    | UnitMoved
    | GroundingTested
    | RanAground
    | UnitsCollided
    | ImpactRolled
    | MoveEnded
    | AircraftDeployed
    | SpottingRolled
    | Rearmed
    | AttackDeclared
    | AttackMeasured
    | AttackWasted
    | ConcealmentRolled
    | DetectionRolled
    | AttackResolved
    | CriticalRolled
    | TorpedoesLaunched
    | TorpedoesChecked
    | AttackEnded
    | AircraftLanded
    | RecoveryRolled
    | TransitEnded
    | HullLost
    | DamageApplied
    | UnitDestroyed
    | UnitCrippled
    | UnitRemoved
    | RepairRolled
    | FireBurned
    | WindDrawn
    | StormsMoved
    | DriftBegan
    | ControlChecked
    | ObjectiveGained
    | TurnEnded
    | DrawOffered
    | PlayerLeft
    | GameEnded
)

__all__ = [
    "AircraftBased",
    "AircraftDeployed",
    "AircraftLanded",
    "AnyEvent",
    "AttackDeclared",
    "AttackEnded",
    "AttackMeasured",
    "AttackResolved",
    "AttackWasted",
    "ConcealmentRolled",
    "ControlChecked",
    "CriticalRolled",
    "DamageApplied",
    "DetectionRolled",
    "DiceAwaited",
    "DiceThrown",
    "DivesChosen",
    "DivesRevealed",
    "DrawOffered",
    "DriftBegan",
    "EvasionRolled",
    "FireBurned",
    "FleetLocked",
    "FleetsRevealed",
    "GameEnded",
    "GameOpened",
    "GroundingTested",
    "HullLost",
    "ImpactRolled",
    "InitiativeRolled",
    "MoveEnded",
    "MoveOrdered",
    "ObjectiveGained",
    "Passed",
    "PlayerLeft",
    "RanAground",
    "Rearmed",
    "RecoveryRolled",
    "RepairRolled",
    "SpottingRolled",
    "StepBegan",
    "StormsGathered",
    "StormsMoved",
    "TaskDone",
    "TorpedoesChecked",
    "TorpedoesLaunched",
    "TransitEnded",
    "TurnBegan",
    "TurnEnded",
    "UnitCrippled",
    "UnitDestroyed",
    "UnitMoved",
    "UnitPlaced",
    "UnitRemoved",
    "UnitsCollided",
    "WindDrawn",
]

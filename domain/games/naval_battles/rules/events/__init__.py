"""What happens in a battle. Events carry outcomes; their stored form is frozen in tests/frozen/."""

from __future__ import annotations

from .attack import (
    AttackDeclared,
    AttackIgnored,
    AttackMissed,
    AttackMoved,
    AttackStopped,
    CoverTried,
    DamageScored,
    DefensePlayed,
    PlanningUsed,
    RollIntended,
    RollScored,
    RowsClosed,
    ShipSunk,
    SilenceTried,
    SurpriseDeclared,
    SurpriseSprung,
)
from .setup import (
    CardsDrawn,
    DeckLaid,
    DiceAwaited,
    DiceThrown,
    FirstPlayerRolled,
    FleetCommitted,
    FleetLaidOut,
    GameOpened,
    NationTaken,
)
from .turn import (
    BattleBegan,
    BattleEnded,
    CardPrepared,
    CardsDiscarded,
    CardsExpired,
    DamageRemoved,
    EndCalled,
    FleetArranged,
    GameEnded,
    Passed,
    PlayerLeft,
    ReinforcementsPlayed,
    RetreatPlayed,
    StepBegan,
    TurnBegan,
)

AnyEvent = (
    GameOpened
    | NationTaken
    | FleetCommitted
    | FirstPlayerRolled
    | FleetLaidOut
    | DeckLaid
    | DiceAwaited
    | DiceThrown
    | CardsDrawn
    | TurnBegan
    | StepBegan
    | CardsExpired
    | Passed
    | FleetArranged
    | RetreatPlayed
    | DamageRemoved
    | ReinforcementsPlayed
    | CardPrepared
    | CardsDiscarded
    | EndCalled
    | PlayerLeft
    | BattleEnded
    | BattleBegan
    | GameEnded
    | AttackDeclared
    | SurpriseDeclared
    | SurpriseSprung
    | DefensePlayed
    | CoverTried
    | SilenceTried
    | AttackStopped
    | AttackMoved
    | RollIntended
    | PlanningUsed
    | RollScored
    | AttackMissed
    | AttackIgnored
    | DamageScored
    | ShipSunk
    | RowsClosed
)

__all__ = [
    "AnyEvent",
    "AttackDeclared",
    "AttackIgnored",
    "AttackMissed",
    "AttackMoved",
    "AttackStopped",
    "BattleBegan",
    "BattleEnded",
    "CardPrepared",
    "CardsDiscarded",
    "CardsDrawn",
    "CardsExpired",
    "CoverTried",
    "DamageRemoved",
    "DamageScored",
    "DeckLaid",
    "DefensePlayed",
    "DiceAwaited",
    "DiceThrown",
    "EndCalled",
    "FirstPlayerRolled",
    "FleetArranged",
    "FleetCommitted",
    "FleetLaidOut",
    "GameEnded",
    "GameOpened",
    "NationTaken",
    "Passed",
    "PlanningUsed",
    "PlayerLeft",
    "ReinforcementsPlayed",
    "RetreatPlayed",
    "RollIntended",
    "RollScored",
    "RowsClosed",
    "ShipSunk",
    "SilenceTried",
    "StepBegan",
    "SurpriseDeclared",
    "SurpriseSprung",
    "TurnBegan",
]

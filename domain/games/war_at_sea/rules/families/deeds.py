"""Words that all rules but those of attacks ask for: speed, set-up, bases, deeds, points."""

from __future__ import annotations

from typing import Literal

from .words import Amount, Effect, Whom

How = Literal[
    "screen", "own-speed", "all-nearer", "nearer", "torpedo-range", "to-hostile-aircraft", "away",
    "push",
]  # fmt: skip
"""Which unit moves where (rules/mechanisms/shifts.py)."""


class SpeedDie(Effect, frozen=True, kw_only=True, tag="speed-die"):
    """A die at the start of its owner's step: on ``needed`` it is faster, or slower."""

    change: int
    needed: Amount


class HeldBack(Effect, frozen=True, tag="held-back"):
    """It does not move on turn 1."""


class FasterNearEnemy(Effect, frozen=True, kw_only=True, tag="faster-near-enemy"):
    """More speed with an enemy Ship within 3 at the start of its owner's step."""

    add: int


class Sprint(Effect, frozen=True, kw_only=True, tag="sprint"):
    """A die before its move: on ``needed`` or more it is faster."""

    needed: int


class Deploys(Effect, frozen=True, kw_only=True, tag="deploys"):
    """It may be set up outside the usual area.

    where    anywhere, next to an island of the own half, or in the own half
    cost     what an unusual place costs it
    until    the turn at whose end the cost lapses
    company  one Cruiser or Destroyer may join it there, at the same cost
    """

    where: Literal["anywhere", "coast", "half"]
    cost: Literal["", "no-attack", "no-move", "no-claim"] = ""
    until: int = 9999
    company: bool = False


class Breakout(Effect, frozen=True, kw_only=True, tag="breakout"):
    """It starts off the map, with a Cruiser, and arrives at the end of one of these turns."""

    first_turn: int
    last_turn: int


class Moored(Effect, frozen=True, tag="moored"):
    """Based in a sector by an island."""


class Detachments(Effect, frozen=True, kw_only=True, tag="detachments"):
    """So many Aircraft of this card are set up with it."""

    card: str
    number: int


class Embarks(Effect, frozen=True, kw_only=True, tag="embarks"):
    """One Aircraft of this card is based on it; its mission is worth points."""

    card: str
    points: int


class Overstacks(Effect, frozen=True, tag="overstacks"):
    """Up to three such Aircraft do not count at the land airbase."""


class Launches(Effect, frozen=True, kw_only=True, tag="launches"):
    """Launches an Aircraft of one mission.

    turn  in this turn only; 0: in any
    """

    card: str
    turn: int = 0


class ArrivesByDie(Effect, frozen=True, kw_only=True, tag="arrives-by-die"):
    """It starts with a Rearming counter, which comes off by a die of ``needed`` or more."""

    needed: int


class Replenishes(Effect, frozen=True, kw_only=True, tag="replenishes"):
    """A die of ``needed`` or more brings back a squadron that was destroyed."""

    needed: int


class Loiters(Effect, frozen=True, tag="loiters"):
    """It needs not rearm at the land airbase."""


class PoorFacilities(Effect, frozen=True, tag="poor-facilities"):
    """Of two Aircraft that land on it the second must rearm."""


class Refits(Effect, frozen=True, tag="refits"):
    """Takes a Rearming counter off before its owner's missions."""


class AirfieldStrike(Effect, frozen=True, tag="airfield-strike"):
    """A Fighter flies to the enemy airbase and attacks what is on the ground."""


class AirRaid(Effect, frozen=True, kw_only=True, tag="air-raid"):
    """A Bomber of the Carrier flies to the enemy airbase for points."""

    points: Amount


class Patrols(Effect, frozen=True, tag="patrols"):
    """At the end of the Air Mission phase it may fly on to enemy Aircraft."""


class Hunts(Effect, frozen=True, tag="hunts"):
    """After Sea Movement it may move to an adjacent enemy Submarine."""


class Elusive(Effect, frozen=True, tag="elusive"):
    """It is never the prey of units that hunt Submarines."""


class LaysSmoke(Effect, frozen=True, tag="lays-smoke"):
    """Lays a smoke screen instead of attacking."""


class LaysMines(Effect, frozen=True, tag="lays-mines"):
    """Mines its sector instead of attacking."""


class SweepsMines(Effect, frozen=True, kw_only=True, tag="sweeps-mines"):
    """Sweeps a mine marker instead of attacking: a die, ``needed`` or more."""

    needed: int


class AvoidsMines(Effect, frozen=True, tag="avoids-mines"):
    """It sets no mines off."""


class Pursues(Effect, frozen=True, tag="pursues"):
    """As First Player's it picks an enemy Ship in its sector and follows it."""


class Rams(Effect, frozen=True, tag="rams"):
    """After its move it may attack a Submarine in its sector by ASW."""


class Shift(Effect, frozen=True, kw_only=True, tag="shift"):
    """Moves a unit outside its normal move.

    sectors  how far
    beyond   no enemy Ship may be as near as this
    units    how many units it moves
    """

    how: How
    sectors: Amount = 1
    beyond: int = 0
    units: int = 1


class Missed(Effect, frozen=True, tag="missed"):
    """What a Ship's ASW attack that misses it brings about is kept until the phase is over."""


class Repairs(Effect, frozen=True, kw_only=True, tag="repairs"):
    """A die at the end of a turn, until one hull point is repaired."""

    needed: int


class RepairsOther(Effect, frozen=True, kw_only=True, tag="repairs-other"):
    """Tied up with a damaged friendly Ship: a die at the end of the turn repairs it."""

    needed: int


class Surprise(Effect, frozen=True, kw_only=True, tag="surprise"):
    """With so much on the initiative dice, so many enemy Ships lose antiair dice."""

    initiative: int
    ships: int
    dice: int


class Shadows(Effect, frozen=True, kw_only=True, tag="shadows"):
    """One enemy of a subtype at a range may not attack it in the Surface Attack phase."""

    prey: Whom
    nearest: int


class Divides(Effect, frozen=True, kw_only=True, tag="divides"):
    """Its own attacks and the enemy Ships' antiair in its sector get worse."""

    die: int


class Directs(Effect, frozen=True, kw_only=True, tag="directs"):
    """Sends a Fighter on that has brought an Aircraft down, so far away."""

    within: int = 99


class AttacksAgain(Effect, frozen=True, tag="attacks-again"):
    """The last friendly Aircraft in its sector makes a second antiair attack."""


class Legs(Effect, frozen=True, kw_only=True, tag="legs"):
    """Victory points by an enemy island, then back in the own row."""

    points: tuple[int, int]


class Delivers(Effect, frozen=True, kw_only=True, tag="delivers"):
    """Victory points by an enemy island; the unit leaves the game."""

    points: Amount


class Promises(Effect, frozen=True, kw_only=True, tag="promises"):
    """Gives up an attack for points, or shells, at the end of the turn.

    counters  Rearming counters for Aircraft at the enemy's land airbase
    """

    instead_of: Literal["main", "all"]
    where: Literal["enemy-shore", "wreck"]
    points: int = 0
    counters: int = 0


Deed = (
    SpeedDie
    | HeldBack
    | FasterNearEnemy
    | Sprint
    | Deploys
    | Breakout
    | Moored
    | Detachments
    | Embarks
    | Overstacks
    | Launches
    | ArrivesByDie
    | Replenishes
    | Loiters
    | PoorFacilities
    | Refits
    | AirfieldStrike
    | AirRaid
    | Patrols
    | Hunts
    | Elusive
    | LaysSmoke
    | LaysMines
    | SweepsMines
    | AvoidsMines
    | Pursues
    | Rams
    | Shift
    | Missed
    | Repairs
    | RepairsOther
    | Surprise
    | Shadows
    | Divides
    | Directs
    | AttacksAgain
    | Legs
    | Delivers
    | Promises
)

"""Words that the rules of attacks ask for: each what its family does at one place, with figures."""

from __future__ import annotations

from typing import Literal

from .words import Amount, Effect, Whom


class Dodge(Effect, frozen=True, kw_only=True, tag="dodge"):
    """A die of the target before the attack dice: on ``needed`` or more the attack misses.

    stays  the target does not move in the next turn
    """

    attack: Literal["bomb", "torpedo"]
    needed: int
    stays: bool = False


class Dud(Effect, frozen=True, kw_only=True, tag="dud"):
    """A die before attacks of a kind: on ``up_to`` or less the attack misses outright."""

    attack: Literal["torpedo"]
    up_to: int


class Jam(Effect, frozen=True, kw_only=True, tag="jam"):
    """A die before attacks of a kind: on a 1 they have fewer dice until the end of the next
    turn.
    """

    attack: Literal["main"]
    dice: int


class Exposes(Effect, frozen=True, kw_only=True, tag="exposes"):
    """Declared with an attack it changes the unit's own armor until the end of the next turn."""

    armor: int


class Sacrifice(Effect, frozen=True, tag="sacrifice"):
    """The unit is lost with the attack that it is declared with."""


class LostAtEnd(Effect, frozen=True, tag="lost-at-end"):
    """The Aircraft is lost at the end of the Air Attack phase, wherever it flies."""


class SplitFire(Effect, frozen=True, tag="split-fire"):
    """The main guns fire at two sectors, and nothing else is fired that turn."""


class Apart(Effect, frozen=True, tag="apart"):
    """Attacks with the ability are counted apart from all others of their kind."""


class Pinpoint(Effect, frozen=True, kw_only=True, tag="pinpoint"):
    """After an attack on a Submarine friendly Ships roll more ASW dice at it this turn."""

    dice: int


class Straddle(Effect, frozen=True, kw_only=True, tag="straddle"):
    """Main guns that do no damage roll more dice in their next attack on that target."""

    dice: int


class Instinct(Effect, frozen=True, kw_only=True, tag="instinct"):
    """The first success with a weapon gives dice with it for the rest of the game."""

    attack: Literal["asw", "torpedo"]
    prey: Whom
    dice: int


class Inspire(Effect, frozen=True, kw_only=True, tag="inspire"):
    """A hit gives own Ships more dice next turn.

    prey    whom it has to hit
    attack  in attacks of this kind only
    nation  Ships of this nation only, and not the unit itself
    """

    prey: Whom
    dice: int
    attack: Literal["", "gunnery"]
    nation: str = ""


class CoveringFire(Effect, frozen=True, kw_only=True, tag="covering-fire"):
    """A Ship that it attacks shoots worse at all but the unit, until its next Surface Attack
    step is over.
    """

    die: int


class Bounty(Effect, frozen=True, kw_only=True, tag="bounty"):
    """More victory points for prey that it sinks."""

    prey: Whom
    points: int


class CarrierHunt(Effect, frozen=True, kw_only=True, tag="carrier-hunt"):
    """A Submarine that Aircraft of the Carrier attack is easier for friendly units."""

    to: Whom
    dice: int


class PressOn(Effect, frozen=True, kw_only=True, tag="press-on"):
    """Aborted by a Ship the Aircraft may roll: 4 or more, and it attacks all the same.

    torpedoes  with torpedoes too
    """

    torpedoes: bool = False


class Stop(Effect, frozen=True, kw_only=True, tag="stop"):
    """A torpedo hit on a Battleship may stop it: a die, ``needed`` or more."""

    needed: int


class Cripple(Effect, frozen=True, kw_only=True, tag="cripple"):
    """Main guns that damage a Cruiser or Battleship roll: ``needed`` or more, and it counts as
    crippled.
    """

    needed: int


class BadLuck(Effect, frozen=True, kw_only=True, tag="bad-luck"):
    """So many 1s in one roll of its own bring harm to the unit and to a Ship beside it."""

    gunnery: int
    torpedo: int


class Protection(Effect, frozen=True, kw_only=True, tag="protection"):
    """A die for each torpedo hit: on ``needed`` or more it does one hull point less."""

    needed: int


class Tough(Effect, frozen=True, tag="tough"):
    """Bombs leave the unit its last hull point."""


class Spared(Effect, frozen=True, kw_only=True, tag="spared"):
    """A die before the unit is removed: on ``needed`` or more it stays with one hull point."""

    needed: int


class HidesInside(Effect, frozen=True, tag="hides-inside"):
    """Concealed in an island sector and in the dark."""


class HidesBeside(Effect, frozen=True, tag="hides-beside"):
    """Concealed next to an island, from outside its sector."""


class HidesBetter(Effect, frozen=True, tag="hides-better"):
    """Its concealment die counts one higher; it never counts two higher."""


class FindsHidden(Effect, frozen=True, tag="finds-hidden"):
    """Concealment meets it as it does from the same sector."""


class SeesThrough(Effect, frozen=True, tag="sees-through"):
    """Smoke and squalls hide nothing from it."""


class SeesAtNight(Effect, frozen=True, tag="sees-at-night"):
    """Its guns see in the dark."""


class AtHomeAtNight(Effect, frozen=True, tag="at-home-at-night"):
    """Darkness costs its attacks nothing."""


class Searches(Effect, frozen=True, tag="searches"):
    """Its search check counts one higher."""


class FirstShotSees(Effect, frozen=True, kw_only=True, tag="first-shot-sees"):
    """Its first main attack of the game sees in the dark, so far, while the unit is undamaged."""

    farthest: int


class Disguise(Effect, frozen=True, tag="disguise"):
    """Not attacked before it has attacked, or ended Sea Movement beside another Ship."""


class Guards(Effect, frozen=True, tag="guards"):
    """Auxiliaries beside it are attacked only after it."""


class DrawsFighters(Effect, frozen=True, kw_only=True, tag="draws-fighters"):
    """A die beside an enemy Fighter: on ``needed`` or more enemy Fighters must attack it."""

    needed: int


class Escort(Effect, frozen=True, tag="escort"):
    """Enemy Fighters' dice count lower at Bombers beside it."""


class Stalwart(Effect, frozen=True, tag="stalwart"):
    """Crippled, its gunnery dice do not count lower."""


class SafeStrafing(Effect, frozen=True, tag="safe-strafing"):
    """Strafing does not lower its armor."""


class HeavyLoad(Effect, frozen=True, tag="heavy-load"):
    """As a Dive Bomber its armor is lower by one; as a Fighter it may strafe."""


class SubmergedShot(Effect, frozen=True, tag="submerged-shot"):
    """Its torpedoes may be used at a local Submarine."""


class IgnoresThreat(Effect, frozen=True, tag="ignores-threat"):
    """ASW Threat costs it no dice."""


class LocalThreat(Effect, frozen=True, tag="local-threat"):
    """It threatens Submarines in its own sector only."""


class WornOut(Effect, frozen=True, tag="worn-out"):
    """It makes no torpedo attack while an ASW Threat applies to it."""


class NotGranted(Effect, frozen=True, kw_only=True, tag="not-granted"):
    """Dice that these abilities of friends give do not count for it.

    afar  only in attacks on another sector
    """

    families: tuple[str, ...]
    afar: bool = False


class Payload(Effect, frozen=True, kw_only=True, tag="payload"):
    """A local bomb attack in place of the torpedo attack."""

    dice: Amount


class NoClaims(Effect, frozen=True, tag="no-claims"):
    """It never claims an objective."""


Hook = (
    Dodge
    | Dud
    | Jam
    | Exposes
    | Sacrifice
    | LostAtEnd
    | SplitFire
    | Apart
    | Pinpoint
    | Straddle
    | Instinct
    | Inspire
    | CoveringFire
    | Bounty
    | CarrierHunt
    | PressOn
    | Stop
    | Cripple
    | BadLuck
    | Protection
    | Tough
    | Spared
    | HidesInside
    | HidesBeside
    | HidesBetter
    | FindsHidden
    | SeesThrough
    | SeesAtNight
    | AtHomeAtNight
    | Searches
    | FirstShotSees
    | Disguise
    | Guards
    | DrawsFighters
    | Escort
    | Stalwart
    | SafeStrafing
    | HeavyLoad
    | SubmergedShot
    | IgnoresThreat
    | LocalThreat
    | WornOut
    | NotGranted
    | Payload
    | NoClaims
)

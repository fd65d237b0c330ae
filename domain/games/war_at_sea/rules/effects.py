"""What abilities set going and what lasts for a while: one type for each thing.

State and events hold them; they lapse at the end of the turn that each names.
"""

from __future__ import annotations

from typing import get_args

from ....kernel.values import Part


class Lasting(Part, frozen=True, tag_field="word"):
    """What they have in common.

    unit    whom it concerns
    amount  how much
    source  the unit whose ability it is
    rule    the ability's rule ID
    until   the turn at whose end it lapses
    attack  the attack kind it concerns, if any
    """

    unit: str
    amount: int
    source: str
    rule: str
    until: int
    attack: str = ""


class Threat(Lasting, frozen=True, tag="threat"):
    """An Aircraft's ASW attack: the Submarine rolls fewer torpedo dice (WAS-SUBA-03)."""


class Astray(Lasting, frozen=True, tag="astray"):
    """The Aircraft has not found its sector in the dark (WAS-DARK-04)."""


class NoAttack(Lasting, frozen=True, tag="no-attack"):
    """The unit makes no attack of a kind, or none at all."""


class NoMove(Lasting, frozen=True, tag="no-move"):
    """The unit does not move."""


class NoClaim(Lasting, frozen=True, tag="no-claim"):
    """The Ship claims no objective."""


class MayAttack(Lasting, frozen=True, tag="may-attack"):
    """The unit may make attacks of a kind although it is aborted."""


class MayRam(Lasting, frozen=True, tag="may-ram"):
    """The Ship has just moved beside a Submarine; over when another unit moves."""


class MoreDice(Lasting, frozen=True, tag="dice"):
    """The unit rolls more dice in attacks of a kind, or fewer."""


class DiceLater(Lasting, frozen=True, tag="dice-later"):
    """The unit rolls more dice, in the turn at whose end it lapses and not before."""


class DiceAt(Lasting, frozen=True, tag="dice-at"):
    """Friends of the source roll more dice in attacks at the unit."""


class EachDie(Lasting, frozen=True, tag="die"):
    """Each die of the unit's attacks of a kind counts higher or lower."""


class Aimed(Lasting, frozen=True, tag="aimed"):
    """The source's next attack of a kind at the unit has more dice."""


class Covered(Lasting, frozen=True, tag="covered"):
    """Each gunnery die of the unit counts lower, but at the source."""


class ArmorChange(Lasting, frozen=True, tag="armor"):
    """The unit's armor and vital armor are higher or lower."""


class Crippling(Lasting, frozen=True, tag="crippled"):
    """The unit counts as crippled, from the end of the phase on."""


class SpeedChange(Lasting, frozen=True, tag="speed"):
    """The unit is faster or slower."""


class Exposed(Lasting, frozen=True, tag="exposed"):
    """The disguised unit is known for an enemy."""


class Shuns(Lasting, frozen=True, tag="shuns"):
    """The unit may not attack the source."""


class Missed(Lasting, frozen=True, tag="missed"):
    """An enemy Ship's ASW attack has missed the unit."""


class Drawing(Lasting, frozen=True, tag="draw"):
    """Enemy Fighters beside the Aircraft have to attack it."""


class Downed(Lasting, frozen=True, tag="downed"):
    """The Fighter has brought an Aircraft down and may be sent on."""


class Led(Lasting, frozen=True, tag="led"):
    """The unit has been moved by an ability of the source in this step."""


class Pursued(Lasting, frozen=True, tag="pursuit"):
    """The source follows the unit, an enemy Ship, when that has moved."""


class MovesOver(Lasting, frozen=True, tag="moves-over"):
    """The side makes no normal moves any more in this step."""


class Yields(Lasting, frozen=True, tag="yields-initiative"):
    """The side loses the initiative of the turn at whose end it lapses."""


class InRepair(Lasting, frozen=True, tag="in-repair"):
    """The Ship is tied up: a die at the end of the turn may repair it."""


class Landed(Lasting, frozen=True, tag="landed"):
    """An Aircraft has landed on the Carrier this turn."""


class Replenishing(Lasting, frozen=True, tag="replenish"):
    """The source's die is for this lost Aircraft."""


class Replaced(Lasting, frozen=True, tag="replaced"):
    """The lost Aircraft has come back as another unit."""


class Raiding(Lasting, frozen=True, tag="raid"):
    """The Aircraft is on a mission at the enemy airbase."""


class Shelled(Lasting, frozen=True, tag="shelled"):
    """The Aircraft has Rearming counters until the Air Return of the turn when it lapses."""


class Promised(Lasting, frozen=True, tag="award"):
    """Victory points at the end of the turn."""


class Bombarded(Lasting, frozen=True, tag="bombarded"):
    """The enemy's airbase is shelled at the end of the turn."""


class Bounty(Lasting, frozen=True, tag="bounty"):
    """Victory points for the other side when the unit leaves play."""


class Wreck(Lasting, frozen=True, tag="wreck"):
    """A Ship went down in a sector while a rescuer was in play."""


Effect = (
    Threat
    | Astray
    | NoAttack
    | NoMove
    | NoClaim
    | MayAttack
    | MayRam
    | MoreDice
    | DiceLater
    | DiceAt
    | EachDie
    | Aimed
    | Covered
    | ArmorChange
    | Crippling
    | SpeedChange
    | Exposed
    | Shuns
    | Missed
    | Drawing
    | Downed
    | Led
    | Pursued
    | MovesOver
    | Yields
    | InRepair
    | Landed
    | Replenishing
    | Replaced
    | Raiding
    | Shelled
    | Promised
    | Bombarded
    | Bounty
    | Wreck
)
"""Something that an ability set going and that lasts for a while."""

WORDS: dict[type[Lasting], str] = {
    each: str(each.__struct_config__.tag) for each in get_args(Effect)
}


def word_of(effect: Lasting) -> str:
    """The word that stands for the effect's type in what is stored."""
    return WORDS[type(effect)]

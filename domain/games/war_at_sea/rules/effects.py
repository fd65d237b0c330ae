"""What abilities set going and what lasts for a while: one type for each thing, its own fields.

State and events hold them; they lapse at the end of the turn that each names.
"""

from __future__ import annotations

from typing import Literal, get_args

from ....kernel.values import Part, Seat
from .cards import Kind
from .ids import AbilityId, BaseId, RuleId, SectorId, UnitId

ALWAYS = 9999
"""A turn that no game reaches: what lasts until something ends it."""


class Lasting(Part, frozen=True, kw_only=True, tag_field="word"):
    """What they have in common.

    source  the unit whose ability it is
    rule    the ability's rule ID
    until   the turn at whose end it lapses
    """

    source: UnitId
    rule: RuleId
    until: int


class OnUnit(Lasting, frozen=True, kw_only=True):
    """Something that concerns a unit."""

    unit: UnitId


class Threat(OnUnit, frozen=True, kw_only=True, tag="threat"):
    """An Aircraft's ASW attack: the Submarine rolls fewer torpedo dice (WAS-SUBA-03)."""

    dice: int


class Astray(OnUnit, frozen=True, kw_only=True, tag="astray"):
    """The Aircraft has not found its sector in the dark (WAS-DARK-04)."""


class NoAttack(OnUnit, frozen=True, kw_only=True, tag="no-attack"):
    """The unit makes no attack of a kind, or none at all.

    attack      the kind; empty: none at all
    after_turn  it begins when this turn is over
    """

    attack: Kind | Literal[""] = ""
    after_turn: int = 0


class NoMove(OnUnit, frozen=True, kw_only=True, tag="no-move"):
    """The unit does not move."""


class NoClaim(OnUnit, frozen=True, kw_only=True, tag="no-claim"):
    """The Ship claims no objective."""


class MayAttack(OnUnit, frozen=True, kw_only=True, tag="may-attack"):
    """The unit may make attacks of a kind although it is aborted."""

    attack: Kind


class MayRam(OnUnit, frozen=True, kw_only=True, tag="may-ram"):
    """The Ship has just moved beside a Submarine; over when another unit moves."""


class MoreDice(OnUnit, frozen=True, kw_only=True, tag="dice"):
    """The unit rolls more dice in attacks of a kind, or fewer."""

    dice: int
    attack: Kind


class DiceLater(OnUnit, frozen=True, kw_only=True, tag="dice-later"):
    """The unit rolls more dice, in the turn at whose end it lapses and not before.

    attack  in attacks of this kind; empty: of any
    """

    dice: int
    attack: Literal["", "gunnery"]


class DiceAt(OnUnit, frozen=True, kw_only=True, tag="dice-at"):
    """Attacks at the unit are rolled with more dice by the units of a seat.

    seat  the side whose units roll them
    to    those of this type or subtype; empty: all
    """

    seat: Seat
    dice: int
    attack: Kind
    to: str = ""


class EachDie(OnUnit, frozen=True, kw_only=True, tag="die"):
    """Each die of the unit's attacks of a kind counts higher or lower."""

    die: int
    attack: Kind


class Aimed(OnUnit, frozen=True, kw_only=True, tag="aimed"):
    """The source's next attack of a kind at the unit has more dice."""

    dice: int
    attack: Kind


class Covered(OnUnit, frozen=True, kw_only=True, tag="covered"):
    """Each gunnery die of the unit counts lower, but at the source."""

    die: int


class ArmorChange(OnUnit, frozen=True, kw_only=True, tag="armor"):
    """The unit's armor and vital armor are higher or lower."""

    armor: int


class Crippling(OnUnit, frozen=True, kw_only=True, tag="crippled"):
    """The unit counts as crippled.

    placed_turn, placed_phase  when it came; it works when that phase is over
    """

    placed_turn: int
    placed_phase: str


class SpeedChange(OnUnit, frozen=True, kw_only=True, tag="speed"):
    """The unit is faster or slower."""

    change: int


class Exposed(OnUnit, frozen=True, kw_only=True, tag="exposed"):
    """The disguised unit is known for an enemy."""


class Shuns(OnUnit, frozen=True, kw_only=True, tag="shuns"):
    """The unit may not attack the source."""


class Missed(OnUnit, frozen=True, kw_only=True, tag="missed"):
    """An enemy Ship's ASW attack has missed the unit."""


class Drawing(OnUnit, frozen=True, kw_only=True, tag="draw"):
    """Enemy Fighters beside the Aircraft have to attack it."""


class Downed(OnUnit, frozen=True, kw_only=True, tag="downed"):
    """The Fighter has brought an Aircraft down and may be sent on."""


class Led(OnUnit, frozen=True, kw_only=True, tag="led"):
    """The unit has been moved by an ability of the source in this step.

    start  where the source was before it
    """

    start: SectorId


class Pursued(OnUnit, frozen=True, kw_only=True, tag="pursuit"):
    """The source follows the unit, an enemy Ship, when that has moved."""


class MovesOver(Lasting, frozen=True, kw_only=True, tag="moves-over"):
    """The side makes no normal moves any more in this step."""

    seat: Seat


class Yields(Lasting, frozen=True, kw_only=True, tag="yields-initiative"):
    """The side loses the initiative of the turn at whose end it lapses."""

    seat: Seat


class InRepair(OnUnit, frozen=True, kw_only=True, tag="in-repair"):
    """The Ship is tied up: a die at the end of the turn may repair it."""


class Landed(Lasting, frozen=True, kw_only=True, tag="landed"):
    """An Aircraft has landed on the Carrier this turn."""

    base: BaseId


class Replenishing(Lasting, frozen=True, kw_only=True, tag="replenish"):
    """The source's die is for this lost Aircraft."""

    lost: UnitId


class Replaced(Lasting, frozen=True, kw_only=True, tag="replaced"):
    """The lost Aircraft has come back as another unit."""

    lost: UnitId


class Raiding(OnUnit, frozen=True, kw_only=True, tag="raid"):
    """The Aircraft is on a mission at the enemy airbase.

    ability  by which it flies there
    """

    ability: AbilityId
    points: int = 0


class Shelled(OnUnit, frozen=True, kw_only=True, tag="shelled"):
    """The Aircraft has Rearming counters until the Air Return of the turn when it lapses.

    counters  number that this salvo put on
    """

    counters: int


class Promised(OnUnit, frozen=True, kw_only=True, tag="award"):
    """Victory points at the end of the turn, for a deed of the unit.

    seat  the seat that scores them
    """

    seat: Seat
    ability: AbilityId
    points: int


class Bombarded(OnUnit, frozen=True, kw_only=True, tag="bombarded"):
    """The unit has shelled an airbase: counters at the end of the turn.

    seat  the owner of the airbase
    """

    seat: Seat
    ability: AbilityId


class Bounty(OnUnit, frozen=True, kw_only=True, tag="bounty"):
    """Victory points for the other side when the unit leaves play.

    seat  the seat that scores them
    """

    seat: Seat
    ability: AbilityId
    points: int


class Wreck(Lasting, frozen=True, kw_only=True, tag="wreck"):
    """A Ship went down in a sector while a rescuer was in play.

    seat  the owner of the Ship
    """

    seat: Seat
    sector: SectorId


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

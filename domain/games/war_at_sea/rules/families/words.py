"""The words in which ability files are written (README.md)."""

from __future__ import annotations

from typing import Literal

from .....kernel.values import Value

Attack = Literal[
    "main", "secondary", "tertiary", "antiair", "asw", "torpedo", "bomb", "strafe", "gunnery"
]
"""An attack kind; ``gunnery`` stands for main, secondary, tertiary and strafe."""

Holder = Literal["attacker", "target", "beside-target", "beside", "adjacent", "nearby", "fleet"]
"""Whose card the ability is on, seen from an attack: the attacker's; the target's; a unit of the
target's side in its sector; a unit of the attacker's side in its sector, in an adjacent one, in
either, or anywhere in play."""

Amount = int | Literal["n", "-n"]
"""A number, or the number on the card."""

Whom = str
"""A type, a subtype, or ``Bomber``."""


Role = Literal["Fighter", "Dive Bomber", "Torpedo Bomber"]
"""What an Aircraft with Mission Selection flies as."""


class Effect(Value, frozen=True, tag_field="word"):
    """Base of every word."""


class When(Effect, frozen=True):
    """Circumstances of an attack; a word that has them counts only if all that are given hold.

    holder         whose card it is on
    attacks        the attack is of one of these kinds
    attacker       the attacker's type or subtype is one of these
    target         the target's type or subtype is one of these
    target_damaged the target has lost hull points
    target_unmoved the target has not moved in this turn's Sea Movement
    range_from, range_to, turn_from, turn_to  bounds, both included
    friend         a friendly unit of this subtype is in the attacker's sector
    crippled_friend  a crippled friendly Ship is in the attacker's sector
    alone          no other friendly Ship is in the attacker's sector
    no_enemy_fighter  no enemy Fighter is in the attacker's sector
    another        another unit of the attacker's side in play has the ability
    target_antiair_to  the target's printed antiair is at most this
    won_initiative the attacker's side is this turn's Second Player
    initiative_from  the attacker's side rolled at least this, before modifiers
    spotted        another friendly Ship has attacked the target with gunnery this turn
    fighter_attacked  the attack is by a Fighter, or one has attacked the target this turn
    dark        it is dark (WAS-DARK-01)
    """

    holder: Holder = "attacker"
    attacks: tuple[Attack, ...] = ()
    attacker: tuple[Whom, ...] = ()
    target: tuple[Whom, ...] = ()
    target_damaged: bool = False
    target_unmoved: bool = False
    range_from: Amount = 0
    range_to: Amount = 99
    turn_from: int = 1
    turn_to: int = 99
    friend: Whom = ""
    crippled_friend: bool = False
    alone: bool = False
    no_enemy_fighter: bool = False
    another: bool = False
    target_antiair_to: int = 99
    won_initiative: bool = False
    initiative_from: int = 0
    spotted: bool = False
    fighter_attacked: bool = False
    dark: bool = False


class Dice(When, frozen=True, kw_only=True, tag="dice"):
    """More attack dice are rolled, or fewer."""

    add: Amount


class Die(When, frozen=True, kw_only=True, tag="die"):
    """Each attack die counts higher or lower; a natural 6 stays what it is (RUL-52)."""

    add: Amount


class Armor(When, frozen=True, kw_only=True, tag="armor"):
    """The target's armor is higher or lower; with ``vital`` its vital armor too."""

    add: Amount
    vital: bool = False


class TorpedoHit(When, frozen=True, kw_only=True, tag="torpedo-hit"):
    """Each torpedo hit does more hull damage, or less."""

    add: Amount


class Reach(Effect, frozen=True, kw_only=True, tag="reach"):
    """The attack reaches ``nearest`` to ``farthest`` with the dice of another range.

    An optional one counts when it is declared; with ``at`` only for targets of these subtypes.
    """

    attack: Literal["main", "antiair", "torpedo", "bomb", "strafe"]
    nearest: Amount
    farthest: Amount
    dice_of: int
    at: tuple[Whom, ...] = ()


class OnlySixes(When, frozen=True, tag="only-sixes"):
    """Nothing but natural 6s counts."""


class SixCounts(When, frozen=True, kw_only=True, tag="six-counts"):
    """A natural 6 is this many successes."""

    successes: int


class ForbidTarget(When, frozen=True, tag="forbid-target"):
    """The attack may not be made at such a target."""


class Negate(When, frozen=True, kw_only=True, tag="negate"):
    """When the attack hits, a die of ``needed`` or more makes it do nothing.

    exactly  only for exactly so many successes
    """

    needed: int
    exactly: int = 0


class Save(When, frozen=True, kw_only=True, tag="save"):
    """A result that replaces destruction by an attack that reaches vital armor.

    needed        the die needed; 0 when none is rolled
    result        what happens instead: one hull point is lost, or the Aircraft is aborted
    exactly       only when the successes are exactly this, or exactly the vital armor
    misprint      rule of the update that corrects the trigger; 2007 plays ``printed`` for its cards
    """

    result: Literal["hit", "aborted"]
    needed: int = 0
    exactly: int | Literal["", "vital"] = ""
    misprint: str = ""
    printed: int = 0


class Doom(When, frozen=True, kw_only=True, tag="doom"):
    """An attack that rolls at least so many natural 6s destroys the unit."""

    sixes: int


class ExtraAttacks(Effect, frozen=True, kw_only=True, tag="extra-attacks"):
    """Further attacks of a kind in one phase, each on another target or into another sector.

    dice   the dice of the further ones; 0: as many as the first
    among  at least one of the targets must be of this subtype; empty: any
    there  all targets must be in one sector
    """

    attack: Literal["main", "secondary", "antiair", "torpedo"]
    more: int
    elsewhere: Literal["target", "sector"]
    dice: int = 0
    among: Whom = ""
    there: bool = False


class Arm(Effect, frozen=True, kw_only=True, tag="arm"):
    """When it is declared, the unit makes an attack of a kind with these dice.

    farthest  how far it reaches
    """

    attack: Literal["antiair", "bomb", "strafe"]
    dice: Amount
    farthest: int = 0


class Reroll(Effect, frozen=True, kw_only=True, tag="reroll"):
    """The attacker may roll the dice of an attack again; the new roll stands."""

    attacks: tuple[Attack, ...]
    turn_from: int = 1


class Grant(Effect, frozen=True, kw_only=True, tag="grant"):
    """One chosen friendly unit of a subtype rolls more dice in its attacks of a kind this turn."""

    to: Whom
    attack: Literal["antiair", "asw", "bomb", "torpedo"]
    add: Amount


class Mark(Effect, frozen=True, kw_only=True, tag="mark"):
    """Friendly units of these types roll more dice at one chosen enemy unit this turn.

    within  how near the chosen unit must be; 99: anywhere
    """

    to: tuple[Whom, ...]
    attacks: tuple[Attack, ...]
    add: Amount
    target: Whom = "Ship"
    within: int = 99


class Initiative(Effect, frozen=True, kw_only=True, tag="initiative"):
    """Added to the initiative roll for units of a subtype that one commands.

    each  counted for each, the unit itself included; otherwise once, if there is another one
    most  the most that it adds
    """

    subtype: Whom
    each: bool = False
    most: int = 1


class Speed(Effect, frozen=True, kw_only=True, tag="speed"):
    """More speed for one move, if its owner wants it.

    bars  its fleet claims no objective this turn
    """

    add: Amount
    bars: bool = False


class Ashore(Effect, frozen=True, tag="ashore"):
    """The Aircraft may not be based on a Carrier."""


class Bases(Effect, frozen=True, kw_only=True, tag="bases"):
    """Aircraft that may be based on this Carrier whatever else keeps them ashore."""

    cards: tuple[str, ...]


class AboardNations(Effect, frozen=True, kw_only=True, tag="aboard-nations"):
    """The Aircraft may be based on Carriers of these nations whatever else keeps it ashore."""

    nations: tuple[str, ...]


class Roles(Effect, frozen=True, kw_only=True, tag="roles"):
    """The Aircraft takes one of these roles when it is placed."""

    roles: tuple[Role, ...]


class Enter(Effect, frozen=True, tag="enter"):
    """Islands and shoals are open to the unit."""


class Room(Effect, frozen=True, kw_only=True, tag="room"):
    """So many friendly Ships may share the unit's sector."""

    ships: int


class Points(Effect, frozen=True, kw_only=True, tag="points"):
    """Victory points at the end of a turn for a place by an island in the enemy half.

    place       next to an island sector, or also in one
    unwatched   no enemy Ship may be in the unit's sector or an adjacent one
    one_a_turn  a side takes at most one such award of the family a turn
    """

    add: Amount
    place: Literal["next", "in-or-next"]
    unwatched: bool = False
    one_a_turn: bool = False


class Printed(Effect, frozen=True, tag="printed"):
    """The figures of the card show it already; the ability only says why."""


Word = (
    Dice
    | Die
    | Armor
    | TorpedoHit
    | Reach
    | OnlySixes
    | SixCounts
    | ForbidTarget
    | Negate
    | Save
    | Doom
    | ExtraAttacks
    | Arm
    | Reroll
    | Grant
    | Mark
    | Initiative
    | Speed
    | Ashore
    | Bases
    | AboardNations
    | Roles
    | Enter
    | Room
    | Points
    | Printed
)

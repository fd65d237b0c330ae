"""What the abilities of the units come to: pure questions that the engine asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from .....kernel.rules import rule
from .....kernel.tally import Reason, Tally
from ..cards import NO_ATTACK, AbilityRef, Card, Kind
from . import words
from .shots import (
    GUNNERY,
    Found,
    Shot,
    at_work,
    bears,
    declared_by,
    effects_among,
    effects_of,
    has,
    is_a,
    keeps,
    named,
    number,
    of_family,
    of_kind,
)
from .vocabulary import Limit, families

__all__ = [
    "GUNNERY", "Award", "Negation", "Saving", "Shot", "armed_with", "armor_modifiers", "arms",
    "ashore_only", "attack_dice", "attack_value", "bears", "declarable", "declared_by",
    "die_modifiers", "dooming_roll", "enters_land", "extra_among", "extra_attacks", "extra_dice",
    "extra_there", "faster", "forbidden_target", "grants", "has", "initiative_modifiers", "is_a",
    "label_of", "marks", "max_range", "named", "negations", "number", "of_family", "once",
    "only_sixes", "permits_basing", "place_points", "reaches", "rerolls", "roles", "rule_of",
    "saves", "ship_room", "six_counts", "speed_boost", "spends", "torpedo_damage",
    "vital_modifiers",
]  # fmt: skip


class Negation(NamedTuple):
    """A die that may undo a hit."""

    family: str
    needed: int


class Saving(NamedTuple):
    """A result that may replace destruction; ``needed`` 0: no die is rolled."""

    family: str
    needed: int
    result: str


class Award(NamedTuple):
    """Victory points of an ability; ``one_a_turn``: a side takes one of the family a turn."""

    family: str
    points: int
    one_a_turn: bool


# --- cards ---------------------------------------------------------------------------------------


def rule_of(family: str) -> str:
    """The rule ID of a family."""
    return families()[family].id


@cache
def label_of(rule_: str) -> str:
    """What a line of a tally calls an ability: its name, if the rule ID is that of one only."""
    found = [each.called(each.plain) for each in families().values() if each.id == rule_]
    return found[0] if len(found) == 1 else "ability"


def once(family: str) -> Limit:
    """How often a family may be used: ``game``, ``turn``, or empty for no limit."""
    return families()[family].limit


def attack_value(
    card: Card,
    kind: Kind,
    range: int,
    *,
    undamaged: bool,
    declared: Sequence[str] = (),
    on: Card | None = None,
) -> int:
    """Dice of an attack at a range, abilities that extend it included; -1 where there are none.

    ``declared`` names the optional abilities that are used, ``on`` the target that some ask for.
    """
    if armed_with(card, kind, declared):
        return armed_with(card, kind, declared, range) or NO_ATTACK
    row = card.attacks.get(kind)
    if row is None:
        return NO_ATTACK
    if range < len(row) and row[range] >= 0:
        return row[range]
    for ref, effect in effects_of(card, words.Reach):
        if effect.attack == kind and _reaches(ref, effect, range, undamaged, declared, on):
            return row[effect.dice_of]
    return NO_ATTACK


def armed_with(card: Card, kind: Kind, declared: Sequence[str], range: int = 0) -> int:
    """Dice of the attack that a declared ability makes possible at a range; 0: none does."""
    if not declared:
        return 0
    found = (
        number(effect.dice, ref.n)
        for ref, effect in effects_of(card, words.Arm)
        if effect.attack == kind and ref.family in declared and range <= effect.farthest
    )
    return next(found, 0)


def arms(card: Card, kind: Kind, spent: Sequence[str]) -> list[str]:
    """Abilities by which the card may make such an attack once they are declared."""
    found = effects_of(card, words.Arm)
    return [r.family for r, e in found if e.attack == kind and r.family not in spent]


def reaches(card: Card, declared: Sequence[str]) -> tuple[str, ...]:
    """Declared abilities that lengthen the range of an attack."""
    if not declared:
        return ()
    return tuple(r.family for r, _ in effects_of(card, words.Reach) if r.family in declared)


def _reaches(
    ref: AbilityRef,
    effect: words.Reach,
    range: int,
    undamaged: bool,
    declared: Sequence[str],
    on: Card | None,
) -> bool:
    family = families()[ref.family]
    if not keeps(family, undamaged):
        return False
    if family.timing == "optional" and ref.family not in declared:
        return False
    if effect.at and (on is None or not any(is_a(on, whom) for whom in effect.at)):
        return False
    return number(effect.nearest, ref.n) <= range <= number(effect.farthest, ref.n)


def max_range(card: Card, kind: Kind, *, undamaged: bool) -> int:
    """The farthest range of an attack; -1 where the card has none."""
    reached = (r for r in range(9, -1, -1) if attack_value(card, kind, r, undamaged=undamaged) >= 0)
    return next(reached, NO_ATTACK)


def declarable(card: Card, kind: Kind, spent: Sequence[str]) -> tuple[str, ...]:
    """Optional abilities about attacks of this kind; :func:`applies` judges each attack."""
    about = _about(card.abilities, kind)
    return tuple([family for family in about if family not in spent]) if about else ()


@cache
def _about(abilities: tuple[AbilityRef, ...], kind: Kind) -> tuple[str, ...]:
    """The optional ones of a card, used up or not."""
    dice = [r.family for r, e in effects_among(abilities, words.Dice) if of_kind(e, kind)]
    reach = [r.family for r, e in effects_among(abilities, words.Reach) if e.attack == kind]
    arm = [r.family for r, e in effects_among(abilities, words.Arm) if e.attack == kind]
    known = families()
    return tuple(each for each in (*dice, *reach, *arm) if known[each].timing == "optional")


def rerolls(card: Card, kind: Kind, spent: Sequence[str], turn: int) -> tuple[str, ...]:
    """Abilities by which the attacker may roll such an attack again."""
    return tuple(
        ref.family
        for ref, effect in effects_of(card, words.Reroll)
        if ref.family not in spent and turn >= effect.turn_from and named(effect.attacks, kind)
    )


def extra_attacks(card: Card, kind: Kind, spent: Sequence[str]) -> tuple[int, str]:
    """More attacks of a kind in a phase, and what must differ: ``target`` or ``sector``."""
    for ref, effect in effects_of(card, words.ExtraAttacks):
        if effect.attack == kind and ref.family not in spent:
            return effect.more, effect.elsewhere
    return 0, ""


def extra_dice(card: Card, kind: Kind) -> int:
    """Dice of a further attack of a kind where it has its own number; 0: as many as the first."""
    return max(
        (e.dice for _, e in effects_of(card, words.ExtraAttacks) if e.attack == kind), default=0
    )


def extra_there(card: Card, kind: Kind) -> bool:
    """Whether the further attacks of a kind go into the sector of the first."""
    return any(e.there for _, e in effects_of(card, words.ExtraAttacks) if e.attack == kind)


def extra_among(card: Card, kind: Kind) -> str:
    """The subtype of which one target must be if a kind is used again; empty: any."""
    found = (e.among for _, e in effects_of(card, words.ExtraAttacks) if e.attack == kind)
    return next(found, "")


def speed_boost(card: Card, family: str) -> int:
    """What an optional ability of the card adds to its speed for a move; 0 if it is none."""
    return sum(number(e.add, r.n) for r, e in effects_of(card, words.Speed) if r.family == family)


def faster(card: Card) -> tuple[str, ...]:
    """Optional abilities of the card that add to its speed for a move."""
    return tuple(r.family for r, _ in effects_of(card, words.Speed))


def initiative_modifiers(card: Card, source: str, others: Sequence[Card]) -> tuple[Reason, ...]:
    """What a unit adds to its side's initiative besides a Flagship bonus.

    ``others`` are the other units of its side in play.
    """
    reasons = []
    for ref, effect in effects_of(card, words.Initiative):
        like = sum(is_a(other, effect.subtype) for other in others)
        if effect.each:
            like += is_a(card, effect.subtype)
        if like:
            found = Found(ref, families()[ref.family], source)
            reasons.append(found.reason(min(like, effect.most)))
    return tuple(reasons)


def grants(card: Card) -> tuple[tuple[str, words.Grant, int], ...]:
    """Abilities that give dice to a chosen friendly unit: family, word, dice."""
    return tuple((r.family, e, number(e.add, r.n)) for r, e in effects_of(card, words.Grant))


def marks(card: Card) -> tuple[tuple[str, words.Mark, int], ...]:
    """Abilities that give friendly units dice at a chosen enemy: family, word, dice."""
    return tuple((r.family, e, number(e.add, r.n)) for r, e in effects_of(card, words.Mark))


@rule("WAS-ABIL-28")
def ashore_only(aircraft: Card) -> bool:
    """Whether an ability of the Aircraft keeps it off Carriers."""
    return any(True for _ in effects_of(aircraft, words.Ashore))


@rule("WAS-ABIL-39")
def permits_basing(carrier: Card, aircraft: Card) -> bool:
    """Whether an ability names the pair, so that the Aircraft may be based there all the same."""
    return any(aircraft.id in e.cards for _, e in effects_of(carrier, words.Bases)) or any(
        carrier.nation in e.nations for _, e in effects_of(aircraft, words.AboardNations)
    )


def roles(card: Card) -> tuple[words.Role, ...]:
    """The roles of which an Aircraft takes one when it is placed; most have none to choose."""
    return tuple(role for _, effect in effects_of(card, words.Roles) for role in effect.roles)


def enters_land(card: Card) -> bool:
    """Whether islands and shoals are open to the unit."""
    return any(True for _ in effects_of(card, words.Enter))


def ship_room(card: Card) -> int:
    """How many friendly Ships may share its sector by its ability; 0: it says nothing."""
    found = effects_of(card, words.Room)
    return max(effect.ships for _, effect in found) if found else 0


def place_points(card: Card, *, inside: bool, beside: bool, watched: bool) -> tuple[Award, ...]:
    """Victory points at the end of a turn for a place by an island in the enemy half.

    inside   it is in such an island sector
    beside   it is next to one
    watched  an enemy Ship is in its sector or an adjacent one
    """
    return tuple(
        Award(ref.family, number(effect.add, ref.n), effect.one_a_turn)
        for ref, effect in effects_of(card, words.Points)
        if (beside or (inside and effect.place == "in-or-next"))
        and not (watched and effect.unwatched)
    )


# --- attacks -------------------------------------------------------------------------------------


@rule("WAS-ABIL-17", "WAS-ABIL-36")
def attack_dice(shot: Shot) -> tuple[Reason, ...]:
    """Dice that abilities add."""
    return tuple(found.reason(effect.add) for found, effect in at_work(shot, words.Dice))


def die_modifiers(shot: Shot) -> tuple[Reason, ...]:
    """What abilities add to each die."""
    return tuple(found.reason(effect.add) for found, effect in at_work(shot, words.Die))


def armor_modifiers(shot: Shot) -> tuple[Reason, ...]:
    """What abilities add to the armor that the attack meets."""
    return tuple(found.reason(effect.add) for found, effect in at_work(shot, words.Armor))


def vital_modifiers(shot: Shot) -> tuple[Reason, ...]:
    """What abilities add to the vital armor that the attack meets."""
    return tuple(f.reason(e.add) for f, e in at_work(shot, words.Armor) if e.vital)


@rule("WAS-ABIL-47")
def torpedo_damage(shot: Shot) -> Tally:
    """Hull points that each torpedo hit does."""
    base = Tally.of(Reason(2, "WAS-TORP-05", "torpedo hit"))
    changes = (f.reason(e.add) for f, e in at_work(shot, words.TorpedoHit))
    return base.plus(*changes).at_least(0, "WAS-ABIL-47")


def six_counts(shot: Shot) -> int:
    """Successes of a natural 6."""
    return max((e.successes for _, e in at_work(shot, words.SixCounts)), default=2)


def only_sixes(shot: Shot) -> bool:
    """Whether nothing but natural 6s counts."""
    return any(True for _ in at_work(shot, words.OnlySixes))


def forbidden_target(card: Card, kind: Kind, on: Card) -> str:
    """The rule by which an ability of the attacker forbids such a target; empty: none does."""
    for ref, effect in effects_of(card, words.ForbidTarget):
        if of_kind(effect, kind) and any(is_a(on, whom) for whom in effect.target):
            return rule_of(ref.family)
    return ""


def negations(
    shot: Shot, successes: int | None = None, spent: Sequence[str] = ()
) -> tuple[Negation, ...]:
    """Dice of the target that may undo a hit.

    ``successes`` are those of the hit; ``spent`` the target's abilities that are used up.
    """
    return tuple(
        Negation(found.ref.family, effect.needed)
        for found, effect in at_work(shot, words.Negate)
        if found.ref.family not in spent and effect.exactly in (0, successes)
    )


@rule("WAS-ABIL-38", "WAS-ABIL-40")
def saves(shot: Shot, successes: int, vital: int = 0) -> tuple[Saving, ...]:
    """What may replace destruction by an attack with so many successes.

    ``vital`` is the vital armor met; without it, the printed one with the abilities' modifiers.
    """
    met = vital or shot.target.vital_armor + sum(r.value for r in vital_modifiers(shot))
    return tuple(
        Saving(found.ref.family, effect.needed, effect.result)
        for found, effect in at_work(shot, words.Save)
        if _triggers(shot, effect, successes, met)
    )


@rule("WAS-FLEET-45", "WAS-FLEET-47")
def _triggers(shot: Shot, effect: words.Save, successes: int, vital: int) -> bool:
    misprinted = not shot.rulebook.corrected_cards
    if misprinted and effect.misprint in shot.target.errata and effect.printed:
        return successes == effect.printed
    if effect.exactly == "":
        return successes >= vital
    return successes == (vital if effect.exactly == "vital" else effect.exactly)


def dooming_roll(shot: Shot, faces: Sequence[int]) -> str:
    """The family by which these faces destroy the target outright; empty: none does."""
    sixes = list(faces).count(6)
    doomed = (f.ref.family for f, e in at_work(shot, words.Doom) if sixes >= e.sixes)
    return next(doomed, "")


@rule("WAS-ABIL-32")
def spends(shot: Shot) -> tuple[str, ...]:
    """Automatic once-a-game abilities of the attacker that this attack uses up."""
    return tuple(
        dict.fromkeys(
            found.ref.family
            for found, effect in at_work(shot, words.When)
            if found.family.limit == "game"
            and found.family.timing != "optional"
            and effect.holder == "attacker"
        )
    )

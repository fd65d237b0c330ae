"""What the abilities of the units come to: pure questions that the engine asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from ....kernel.rules import rule
from ....kernel.tally import Reason, Tally
from ....kernel.values import Value
from ..cards import NO_ATTACK, AbilityRef, Card, Edition, Kind
from . import vocabulary as words
from .vocabulary import Amount, Attack, Family, When, families

GUNNERY = ("main", "secondary", "tertiary", "strafe")
W = TypeVar("W", bound=words.Effect)


class Shot(Value, frozen=True, kw_only=True):
    """The circumstances of one attack.

    source, target_id  IDs of the two units
    friends   cards of the attacker's side in its sector, itself left out
    guards    cards of the target's side in the target's sector, itself left out
    fleet     cards of the attacker's side in play, itself left out
    adjacent  cards of the attacker's side one sector away
    enemy_fighter    an enemy Fighter is in the attacker's sector
    crippled_friend  a crippled friendly Ship is in the attacker's sector
    won_initiative   the attacker's side is this turn's Second Player
    initiative_roll  its two initiative dice, before modifiers
    spotted          another friendly Ship has attacked the target with gunnery this turn
    fighter_attacked a Fighter has attacked the target this turn
    declared  optional abilities declared with the attack
    spent     once-a-game abilities of the attacker that are used up
    """

    attacker: Card
    target: Card
    kind: Kind
    range: int
    edition: Edition
    turn: int
    undamaged: bool = True
    crippled: bool = False
    target_damaged: bool = False
    target_moved: bool = False
    source: str = ""
    target_id: str = ""
    friends: tuple[Card, ...] = ()
    guards: tuple[Card, ...] = ()
    fleet: tuple[Card, ...] = ()
    adjacent: tuple[Card, ...] = ()
    enemy_fighter: bool = False
    crippled_friend: bool = False
    won_initiative: bool = False
    initiative_roll: int = 0
    spotted: bool = False
    fighter_attacked: bool = False
    declared: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()


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


class Found(NamedTuple):
    """A word at work: its ability on a card, and the unit or card that it comes from."""

    ref: AbilityRef
    family: Family
    source: str

    def number(self, amount: Amount) -> int:
        return number(amount, self.ref.n)

    def reason(self, amount: Amount) -> Reason:
        label = self.family.called(self.ref.n)
        return Reason(self.number(amount), self.family.id, label, self.source)


def number(amount: Amount, n: int) -> int:
    """An amount of an ability file with the card's number put in."""
    if isinstance(amount, int):
        return amount
    return n if amount == "n" else -n


# --- cards ---------------------------------------------------------------------------------------


def has(card: Card, family: str) -> AbilityRef | None:
    """The card's ability of a family, if it has it."""
    for ref in card.abilities:
        if ref.family == family:
            return ref
    return None


def rule_of(family: str) -> str:
    """The rule ID of a family."""
    return families()[family].id


def once(family: str) -> str:
    """How often a family may be used: ``game``, ``turn``, or empty for no limit."""
    return families()[family].limit


def effects_of(card: Card, word: type[W]) -> Iterator[tuple[AbilityRef, W]]:
    """The words of one sort on a card, in the card's order."""
    known = families()
    for ref in card.abilities:
        for effect in known[ref.family].effects:
            if isinstance(effect, word):
                yield ref, effect


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
    row = card.attacks.get(kind)
    if row is None:
        return NO_ATTACK
    if range < len(row) and row[range] >= 0:
        return row[range]
    for ref, effect in effects_of(card, words.Reach):
        if effect.attack == kind and _reaches(ref, effect, range, undamaged, declared, on):
            return row[effect.dice_of]
    return NO_ATTACK


def _reaches(
    ref: AbilityRef,
    effect: words.Reach,
    range: int,
    undamaged: bool,
    declared: Sequence[str],
    on: Card | None,
) -> bool:
    family = families()[ref.family]
    if not _keeps(family, undamaged):
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


@rule("WAS-ABIL-45")
def _keeps(family: Family, undamaged: bool) -> bool:
    """Whether an undamaged or damaged holder still has the ability."""
    return undamaged or family.lost != "damaged"


def declarable(card: Card, kind: Kind, spent: Sequence[str], turn: int) -> tuple[str, ...]:
    """Optional abilities that its owner may declare with an attack of this kind."""
    dice = [r.family for r, e in effects_of(card, words.Dice) if _of_kind(e, kind)]
    reach = [r.family for r, e in effects_of(card, words.Reach) if e.attack == kind]
    known = families()
    return tuple(
        family
        for family in (*dice, *reach)
        if known[family].timing == "optional" and family not in spent
    )


def rerolls(card: Card, kind: Kind, spent: Sequence[str], turn: int) -> tuple[str, ...]:
    """Abilities by which the attacker may roll such an attack again."""
    return tuple(
        ref.family
        for ref, effect in effects_of(card, words.Reroll)
        if ref.family not in spent and turn >= effect.turn_from and _named(effect.attacks, kind)
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


def extra_among(card: Card, kind: Kind) -> str:
    """The subtype of which one target must be if a kind is used again; empty: any."""
    found = (e.among for _, e in effects_of(card, words.ExtraAttacks) if e.attack == kind)
    return next(found, "")


def speed_boost(card: Card, family: str) -> int:
    """What an optional ability of the card adds to its speed for a move; 0 if it is none."""
    return sum(number(e.add, r.n) for r, e in effects_of(card, words.Speed) if r.family == family)


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


def ashore_only(aircraft: Card) -> bool:
    """Whether an ability of the Aircraft keeps it off Carriers."""
    return any(True for _ in effects_of(aircraft, words.Ashore))


def permits_basing(carrier: Card, aircraft: Card) -> bool:
    """Whether an ability names the pair, so that the Aircraft may be based there all the same."""
    return any(aircraft.id in e.cards for _, e in effects_of(carrier, words.Bases)) or any(
        carrier.nation in e.nations for _, e in effects_of(aircraft, words.AboardNations)
    )


def roles(card: Card) -> tuple[str, ...]:
    """The roles of which an Aircraft takes one when it is placed; most have none to choose."""
    return tuple(role for _, effect in effects_of(card, words.Roles) for role in effect.roles)


def enters_land(card: Card) -> bool:
    """Whether islands and shoals are open to the unit."""
    return any(True for _ in effects_of(card, words.Enter))


def ship_room(card: Card) -> int:
    """How many friendly Ships may share its sector by its ability; 0: it says nothing."""
    return max((effect.ships for _, effect in effects_of(card, words.Room)), default=0)


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
        if _of_kind(effect, kind) and any(is_a(on, whom) for whom in effect.target):
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


def _triggers(shot: Shot, effect: words.Save, successes: int, vital: int) -> bool:
    if shot.edition == "2007" and effect.misprint in shot.target.errata and effect.printed:
        return successes == effect.printed
    if effect.exactly == "":
        return successes >= vital
    return successes == (vital if effect.exactly == "vital" else effect.exactly)


def dooming_roll(shot: Shot, faces: Sequence[int]) -> str:
    """The family by which these faces destroy the target outright; empty: none does."""
    sixes = list(faces).count(6)
    doomed = (f.ref.family for f, e in at_work(shot, words.Doom) if sixes >= e.sixes)
    return next(doomed, "")


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


# --- conditions ----------------------------------------------------------------------------------


def at_work(shot: Shot, word: type[W]) -> Iterator[tuple[Found, W]]:
    """The words of one sort that hold for the attack; each family of a place counts once.

    Abilities of the same name do not add up (WAS-ABIL-09).
    """
    seen: set[tuple[str, int]] = set()
    for place, card, source in _cards(shot):
        for ref, effect in effects_of(card, word):
            if not isinstance(effect, When) or not _there(effect, place):
                continue
            family = families()[ref.family]
            key = (ref.family, family.effects.index(effect))
            if key not in seen and _holds(shot, effect, ref, family, place):
                seen.add(key)
                yield Found(ref, family, source), effect


def _cards(shot: Shot) -> Iterator[tuple[str, Card, str]]:
    """Every card that may bear on the attack: where it is, the card, and the source to name."""
    yield "attacker", shot.attacker, shot.source or shot.attacker.id
    yield "target", shot.target, shot.target_id or shot.target.id
    for card in shot.guards:
        yield "beside-target", card, card.id
    for card in shot.friends:
        yield "beside", card, card.id
    for card in shot.adjacent:
        yield "adjacent", card, card.id
    for card in shot.fleet:
        yield "fleet", card, card.id


def _there(effect: When, place: str) -> bool:
    if effect.holder == "nearby":
        return place in ("attacker", "beside", "adjacent")
    return effect.holder == place


def _holds(shot: Shot, effect: When, ref: AbilityRef, family: Family, place: str) -> bool:
    if place == "attacker" and not _open(shot, ref.family, family):
        return False
    if place == "target" and not _keeps(family, not shot.target_damaged):
        return False
    return (
        _of_kind(effect, shot.kind)
        and _suits(shot, effect, ref.n)
        and _surroundings(shot, effect, ref.family)
        and _turn(shot, effect)
    )


def _open(shot: Shot, slug: str, family: Family) -> bool:
    """The attacker still has the ability, has not used it up, and declared it if it is optional."""
    if family.timing == "optional" and slug not in shot.declared:
        return False
    return _keeps(family, shot.undamaged) and slug not in shot.spent


def _of_kind(effect: When, kind: Kind) -> bool:
    return not effect.attacks or _named(effect.attacks, kind)


def _named(attacks: Sequence[Attack], kind: Kind) -> bool:
    return kind in attacks or (kind in GUNNERY and "gunnery" in attacks)


def is_a(card: Card, whom: str) -> bool:
    """Whether a card is of a type, of a subtype, or a Bomber."""
    return whom in (card.type, card.subtype) or (whom == "Bomber" and card.is_bomber)


def _suits(shot: Shot, effect: When, n: int) -> bool:
    """Attacker, target and range."""
    if effect.attacker and not any(is_a(shot.attacker, whom) for whom in effect.attacker):
        return False
    if effect.target and not any(is_a(shot.target, whom) for whom in effect.target):
        return False
    if effect.target_damaged and not shot.target_damaged:
        return False
    if effect.target_antiair_to < 99 and _antiair(shot.target) > effect.target_antiair_to:
        return False
    return number(effect.range_from, n) <= shot.range <= number(effect.range_to, n)


def _antiair(card: Card) -> int:
    return card.attacks.get("antiair", (NO_ATTACK,))[0]


def _surroundings(shot: Shot, effect: When, slug: str) -> bool:
    """Who else is about."""
    if effect.friend and not any(is_a(card, effect.friend) for card in shot.friends):
        return False
    if effect.another and not any(has(card, slug) for card in shot.fleet):
        return False
    if effect.alone and any(card.type == "Ship" for card in shot.friends):
        return False
    if effect.crippled_friend and not shot.crippled_friend:
        return False
    return not (effect.no_enemy_fighter and shot.enemy_fighter)


def _turn(shot: Shot, effect: When) -> bool:
    """What has happened this turn."""
    if not effect.turn_from <= shot.turn <= effect.turn_to:
        return False
    if effect.won_initiative and not shot.won_initiative:
        return False
    if effect.initiative_from > shot.initiative_roll and effect.initiative_from:
        return False
    if effect.spotted and not shot.spotted:
        return False
    fighter = shot.fighter_attacked or shot.attacker.subtype == "Fighter"
    return fighter or not effect.fighter_attacked

"""The circumstances of an attack, and which words of the ability files hold in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from .....kernel.rules import rule
from .....kernel.tally import Reason
from .....kernel.values import Value
from ..cards import NO_ATTACK, AbilityRef, Card, Kind
from ..editions import RULEBOOKS, Edition, Rulebook
from . import hooks, words
from .vocabulary import Family, families
from .words import Amount, Attack, When

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
    dark      it is dark now
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
    dark: bool = False
    declared: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()

    @property
    def rulebook(self) -> Rulebook:
        """What the edition says where the two differ."""
        return RULEBOOKS[self.edition]


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


def bears(card: Card, word: type[W]) -> tuple[AbilityRef, W] | None:
    """The first ability of the card with such a word, and the word; None where it has none."""
    if not card.abilities:
        return None
    found = _effects_among(card.abilities, word)
    return found[0] if found else None  # type: ignore[return-value]


@cache
def declared_by(word: type[W]) -> dict[str, W]:
    """Every family with such a word, and the word: of one family the first."""
    return {
        slug: effect
        for slug, family in families().items()
        for effect in reversed(family.effects)
        if isinstance(effect, word)
    }


def of_family(family: str, word: type[W]) -> W | None:
    """The word of one sort in a family's file."""
    known = families().get(family)
    found = (e for e in known.effects if isinstance(e, word)) if known else iter(())
    return next(found, None)


def has(card: Card, family: str) -> AbilityRef | None:
    """The card's ability of a family, if it has it."""
    for ref in card.abilities:
        if ref.family == family:
            return ref
    return None


@rule("WAS-ABIL-06")
def effects_of(card: Card, word: type[W]) -> tuple[tuple[AbilityRef, W], ...]:
    """The words of one sort on a card, in its order: they hold, not the general rules."""
    return _effects_among(card.abilities, word)  # type: ignore[return-value]


def effects_among(
    abilities: tuple[AbilityRef, ...], word: type[W]
) -> tuple[tuple[AbilityRef, W], ...]:
    """The words of one sort of these abilities."""
    return _effects_among(abilities, word)  # type: ignore[return-value]


@cache
def _effects_among(
    abilities: tuple[AbilityRef, ...], word: type[words.Effect]
) -> tuple[tuple[AbilityRef, words.Effect], ...]:
    known = families()
    return tuple(
        (ref, effect)
        for ref in abilities
        for effect in known[ref.family].effects
        if isinstance(effect, word)
    )


@rule("WAS-ABIL-45")
def keeps(family: Family, undamaged: bool) -> bool:
    """Whether an undamaged or damaged holder still has the ability."""
    return undamaged or family.lost != "damaged"


def applies(shot: Shot, family: str) -> bool:
    """Whether an ability that is declared with the attack has any part in it.

    What offers a declaration, what refuses it and what it brings about all go by this and by
    :func:`at_work`: no circumstance is judged anywhere else.
    """
    if permits(shot.attacker, shot.kind, family):
        return True
    return any(found.ref.family == family for found, _ in at_work(shot, words.When))


def permits(card: Card, kind: Kind, family: str) -> bool:
    """Whether an ability makes attacks of the kind possible: with other dice, or farther."""
    armed = any(r.family == family and e.attack == kind for r, e in effects_of(card, words.Arm))
    return armed or any(
        r.family == family and e.attack == kind for r, e in effects_of(card, words.Reach)
    )


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
    if place == "target" and not keeps(family, not shot.target_damaged):
        return False
    return (
        of_kind(effect, shot.kind)
        and _suits(shot, effect, ref.n)
        and _surroundings(shot, effect, ref.family)
        and _turn(shot, effect)
    )


def _open(shot: Shot, slug: str, family: Family) -> bool:
    """The attacker still has the ability, has not used it up, and declared it if it is optional."""
    if family.timing == "optional" and slug not in shot.declared:
        return False
    return keeps(family, shot.undamaged) and slug not in shot.spent


def of_kind(effect: When, kind: Kind) -> bool:
    return not effect.attacks or named(effect.attacks, kind)


def named(attacks: Sequence[Attack], kind: Kind) -> bool:
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
    if effect.target_unmoved and shot.target_moved:
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
    if (effect.spotted and not shot.spotted) or (effect.dark and not shot.dark):
        return False
    fighter = shot.fighter_attacked or shot.attacker.subtype == "Fighter"
    return fighter or not effect.fighter_attacked


def spent_on_more(card: Card) -> tuple[str, ...]:
    """Once-a-game abilities that a further attack of the phase uses up."""
    found = effects_of(card, words.ExtraAttacks)
    return tuple(ref.family for ref, _ in found if families()[ref.family].limit == "game")


def not_granted(card: Card, *, afar: bool) -> tuple[str, ...]:
    """Abilities of friends whose dice do not count for the card, or not in another sector."""
    found = effects_of(card, hooks.NotGranted)
    return tuple(family for _, e in found if e.afar == afar for family in e.families)


def bars_claims(family: str) -> bool:
    """Whether a boost keeps its fleet from claiming this turn."""
    boost = of_family(family, words.Speed)
    return boost is not None and boost.bars

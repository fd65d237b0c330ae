"""The dice of a unit's attacks as its card gives them, before any modifier."""

from __future__ import annotations

from functools import cache

from .cards import NO_ATTACK, AbilityRef, Card, Kind
from .facts import damaged
from .families import hooks, words
from .families.effects import attack_value, bears
from .families.shots import effects_among, number
from .state import Unit


def value_at(
    unit: Unit,
    card: Card,
    weapon: Kind,
    reach: int,
    declared: tuple[str, ...] = (),
    on: Card | None = None,
) -> int:
    """Dice of an attack at a range before any modifier; below 1 where there is no such attack."""
    if alternate_payload(unit, card, weapon):
        payload = bears(card, hooks.Payload)
        return number(payload[1].dice, payload[0].n) if payload and reach == 0 else NO_ATTACK
    sound = not damaged(unit)
    return attack_value(card, weapon, reach, undamaged=sound, declared=declared, on=on)


def alternate_payload(unit: Unit, card: Card, weapon: Kind) -> str:
    """Alternate Payload: the ability for one bomb attack in place of the torpedo attack."""
    if weapon != "bomb" or weapon in card.attacks:
        return ""
    payload = bears(card, hooks.Payload)
    return payload[0].family if payload and payload[0].family not in unit.spent else ""


def farthest(card: Card, weapon: Kind) -> int:
    """The farthest range at which :func:`value_at` may find dice, whatever is declared; -1: none.

    It leaves open whether an ability works just now, or for that target.
    """
    return _farthest(card.attacks.get(weapon, ()), card.abilities, weapon)


@cache
def _farthest(row: tuple[int, ...], abilities: tuple[AbilityRef, ...], weapon: Kind) -> int:
    printed = (reach for reach, dice in enumerate(row) if dice > 0)
    reaching = effects_among(abilities, words.Reach)
    further = (number(each.farthest, ref.n) for ref, each in reaching if each.attack == weapon)
    arming = effects_among(abilities, words.Arm)
    armed = (each.farthest for _, each in arming if each.attack == weapon)
    payload = (0 for _ in effects_among(abilities, hooks.Payload) if weapon == "bomb")
    return max((*printed, *further, *armed, *payload), default=NO_ATTACK)

"""The dice of a unit's attacks as its card gives them, before any modifier."""

from __future__ import annotations

from .cards import NO_ATTACK, Card, Kind
from .facts import damaged
from .families import hooks
from .families.effects import attack_value, bears
from .families.shots import number
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

"""The dice of a unit's attacks as its card gives them, before any modifier."""

from __future__ import annotations

from .cards import NO_ATTACK, Card, Kind
from .facts import damaged
from .families.effects import attack_value, has
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
        payload = has(card, "alternate-payload")
        return payload.n if payload and reach == 0 else NO_ATTACK
    sound = not damaged(unit)
    return attack_value(card, weapon, reach, undamaged=sound, declared=declared, on=on)


def alternate_payload(unit: Unit, card: Card, weapon: Kind) -> bool:
    """Alternate Payload: once a game a bomb attack in place of the torpedo attack."""
    if weapon != "bomb" or weapon in card.attacks:
        return False
    return has(card, "alternate-payload") is not None and "alternate-payload" not in unit.spent

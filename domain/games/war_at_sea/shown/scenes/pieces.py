"""One unit: silhouette and letters by its type, hull points, markers, and what it says aloud."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.shown.drawing import Marker, badges, boat, cross, deck, hull, pips, plane
from .....kernel.shown.scene import Group, Item, Paint, Word
from .....kernel.shown.wording import count
from ...rules.cards import Card
from ...rules.effects import OnUnit
from ...rules.facts import card_of, crippled
from ...rules.mechanisms import homes
from ...rules.mechanisms.airfield import last_counter
from ...rules.state import State, Unit
from .. import names
from ..effect_sentences import predicate
from .layout import Slot

LETTERS = {
    "Battleship": "BB",
    "Carrier": "CV",
    "Cruiser": "CA",
    "Destroyer": "DD",
    "Torpedo Boat": "TB",
    "Auxiliary": "AX",
    "Patrol Bomber": "PB",
    "Dive Bomber": "DB",
    "Torpedo Bomber": "TO",
    "Fighter": "FI",
}
"""What stands on a silhouette; a Submarine has SS."""

MARKERS = {
    "damaged": Marker("D", "damaged"),
    "crippled": Marker("C", "crippled"),
    "destroyed": Marker("X", "destroyed when the phase ends"),
    "aborted": Marker("A", "aborted"),
    "rearming": Marker("R", "rearming"),
    "grounded": Marker("G", "cannot leave its base"),
    "strafing": Marker("S", "strafing"),
    "role": Marker("*", "flies in another role"),
    "moved": Marker("m", "has moved"),
    "mission": Marker("f", "has its mission"),
    "fired": Marker("!", "has attacked in this phase"),
    "spent": Marker("1", "has used up an ability"),
    "effect": Marker("+", "under a lasting effect"),
    "active": Marker(">", "is making its attacks"),
}
"""Markers on units, by the name that they have in the picture."""


def letters(card: Card) -> str:
    """The two letters of a type."""
    return "SS" if card.type == "Submarine" else LETTERS[card.subtype]


def markers(state: State, unit: Unit) -> Iterator[str]:
    """Names of the markers on a unit."""
    shown = {
        "destroyed": unit.doomed,
        "crippled": crippled(state, unit),
        "damaged": bool(unit.damage) and not crippled(state, unit),
        "aborted": unit.aborted,
        "rearming": unit.rearming,
        "grounded": homes.grounded(state, unit),
        "strafing": unit.strafing,
        "role": bool(unit.role),
        "active": state.active == unit.id,
        "moved": unit.moved,
        "mission": unit.placed,
        "fired": bool(unit.done) or unit.attacked,
        "spent": bool(unit.spent),
        "effect": any(isinstance(e, OnUnit) and e.unit == unit.id for e in state.effects),
    }
    return (name for name, up in shown.items() if up)


def side(state: State, unit: Unit) -> Paint:
    """The first seat's pieces are full, the other's hollow."""
    return "first" if unit.seat == state.seats[0] else "second"


def piece(state: State, unit: Unit, slot: Slot, focus: str) -> Group:
    """The unit at its slot."""
    card = card_of(state, unit)
    x, y = slot.at
    length, width, radius = (size * slot.size // 100 for size in (18, 8, 6))
    paint = side(state, unit)
    ink: Paint = "first-ink" if paint == "first" else "second-ink"
    items: list[Item] = [_silhouette(card, slot, length, width, paint)]
    items.append(Word(x, y + width // 2, letters(card), 11 * slot.size // 100, ink, "middle"))
    name_at = y + width + 9 * slot.size // 100
    items.append(Word(x, name_at, unit.id, 9 * slot.size // 100, "strong", "middle"))
    if card.type != "Aircraft":
        left = card.hull_points - unit.damage
        pip = 5 * slot.size // 100
        items += pips((x, name_at + 2), left, unit.pending, unit.damage, pip)
    shown = [(name, MARKERS[name]) for name in markers(state, unit)]
    items += badges((x, y - width - radius - 1), shown, radius, per_row=4)
    if unit.doomed:
        items.append(cross((x, y), width + 3, "cross-destroyed"))
    return Group(
        tuple(items),
        name=f"unit unit-{card.type.lower()} seat-{unit.seat}"
        + (" focus" if focus == unit.id else ""),
        title=f"{names.unit_name(state, unit.id)}, {card.subtype or card.type} of {unit.seat}",
        about=", ".join(said(state, unit, card)),
        key=unit.id,
    )


def _silhouette(card: Card, slot: Slot, length: int, width: int, paint: Paint) -> Item:
    at = slot.at
    if card.type == "Aircraft":
        return plane(at, length, width, paint)
    if card.type == "Submarine":
        return boat(at, length, width, paint)
    return (deck if card.subtype == "Carrier" else hull)(at, length, width, paint)


def said(state: State, unit: Unit, card: Card) -> Iterator[str]:
    """Where it is and what is the matter with it, in words."""
    if unit.sector:
        yield f"in {names.sector_name(unit.sector)}"
    elif unit.base:
        yield f"at {names.base_name(state, unit.base)}"
    if card.type != "Aircraft":
        yield f"{card.hull_points - unit.damage} of {card.hull_points} hull points"
    if unit.pending:
        yield f"{unit.pending} more to be lost when the phase ends"
    for name in markers(state, unit):
        yield MARKERS[name].text
    if unit.rearming:
        yield count(last_counter(state, unit) - state.turn, "rearming counter")
    if unit.role:
        yield f"flies as {unit.role}"
    for effect in state.effects:
        if isinstance(effect, OnUnit) and effect.unit == unit.id:
            yield predicate(state, effect)

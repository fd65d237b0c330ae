"""What can be read off the table and the cards."""

from __future__ import annotations

from ....kernel.rules import No, rule
from ....kernel.values import Seat
from .abilities import W, found
from .cards import Card, cards
from .criticals import CRIPPLED, EXPLOSION, SYSTEMS, Critical
from .geometry.hull import Size
from .sides import of_side
from .state import State, Unit

CONVOY_SHIP = "convoy-ship"
"""The card of a merchant ship that the convoy scenario brings: safe beyond the far edge."""


@rule("CT-GEN-15")
def card_of(state: State, unit: Unit) -> Card:
    """The unit's stats card."""
    return cards()[unit.card]


def why_unknown(state: State, name: str, pointer: str) -> No | None:
    """Why nobody can mean that unit."""
    if name in state.units:
        return None
    return No("unit.unknown", "CT-GEN-15", f"There is no unit {name!r}.", pointer)


def why_not_own(state: State, seat: Seat, name: str) -> No | None:
    """Why the seat may not order that unit."""
    no = why_unknown(state, name, "/unit")
    if no is not None or state.units[name].seat == seat:
        return no
    return No("unit.not-yours", "CT-GEN-13", f"{name} is {state.units[name].seat}'s.", "/unit")


def size_of(state: State, unit: Unit) -> Size:
    """The size of a unit that has a base."""
    size = card_of(state, unit).size
    assert size is not None
    return size


def is_aircraft(state: State, unit: Unit) -> bool:
    """Whether the unit is an aircraft."""
    return card_of(state, unit).kind == "aircraft"


@rule("CT-UNIT-05")
def is_submarine(state: State, unit: Unit) -> bool:
    """A submarine is like a ship, but found and fired at by rules of its own."""
    return card_of(state, unit).kind == "submarine"


def ashore(state: State, unit: Unit) -> bool:
    """Whether the unit is a land target."""
    return card_of(state, unit).kind == "land"


def evades_guns(state: State, unit: Unit) -> bool:
    """Small vessels are hard to hit; what stands ashore evades nothing, however small its base."""
    return card_of(state, unit).size == "small" and not ashore(state, unit)


def is_ship(state: State, unit: Unit) -> bool:
    """Whether the unit is a ship."""
    return card_of(state, unit).kind == "ship"


@rule("CT-GEN-14", "CT-SUB-04")
def on_surface(state: State, unit: Unit) -> bool:
    """Ships, land targets and submarines that are not deep-dived are on the surface level."""
    return unit.pose is not None and not unit.submerged


def flying(unit: Unit) -> bool:
    """An aircraft that is on the table."""
    return unit.at is not None


def own(state: State, seat: Seat) -> tuple[Unit, ...]:
    """The seat's units in play, in the order in which they were placed."""
    return state.by_seat.get(seat, ())


@rule("CT-GEOM-25")
def in_order(state: State) -> list[Unit]:
    """All units: the first player's, then the second's, each in the order of placing.

    Before this turn's initiative the first player is that of the turn before.
    """
    first = state.first or state.led
    sides = (first, state.other(first)) if first else state.sides
    return [unit for side in sides for unit in of_side(state, side)]


@rule("CT-DMG-04", "CT-DMG-05")
def hull_left(state: State, unit: Unit) -> int:
    """Hull points left, counting only damage that has taken effect (CT-FSM-12)."""
    return card_of(state, unit).hull_points - unit.hull_lost


@rule("CT-DMG-06", "CT-DMG-07", "CT-FSM-12")
def crippled(state: State, unit: Unit) -> bool:
    """Damaged with one hull point left, or marked so by a critical."""
    if has_critical(unit, CRIPPLED):
        return True
    return unit.hull_lost > 0 and hull_left(state, unit) == 1


@rule("CT-DMG-08")
def sinking(state: State, unit: Unit) -> bool:
    """Has a DESTROYED marker: damage up to its hull points, or an explosion, takes effect later."""
    if unit.doomed or EXPLOSION.number in unit.pending_criticals + unit.criticals:
        return True
    return unit.pose is not None and unit.pending >= hull_left(state, unit)


@rule("CT-SA-02", "CT-SA-05", "CT-SA-06", "CT-CRIT-07", "CT-CRIT-19", "CT-SA-08")
def effects(unit: Unit, word: type[W]) -> tuple[tuple[W, int], ...]:
    """What the unit's abilities do that work, each with the card's number.

    SYSTEMS DOWN suspends the abilities that help, and never those that harm.
    """
    return found(unit.card, word, has_critical(unit, SYSTEMS))


def effect(unit: Unit, word: type[W]) -> W | None:
    """The one effect of this kind that the unit has, if it has it and it works."""
    return next((each for each, _ in effects(unit, word)), None)


@rule("CT-NIGHT-01")
def dark(state: State) -> bool:
    """Whether this turn is a dark one: all of a night, the turns before dawn or after dusk."""
    light, change = state.terms.light, state.terms.change
    if light == "dawn":
        return state.turn <= change
    return light == "night" or (light == "dusk" and state.turn >= change)


def has_critical(unit: Unit, row: Critical) -> bool:
    """Whether a critical has taken effect and is not repaired."""
    return row.number in unit.criticals

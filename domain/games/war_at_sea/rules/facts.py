"""What can be read off the table: cards, units in sectors, damaged and crippled."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ....kernel.rules import No, rule
from ....kernel.values import Seat
from .cards import Card, Source, card, catalogue_of
from .charts import Chart, laid_out, shipped_charts
from .editions import Edition
from .effects import Crippling
from .scenarios import Place, Scenario, Side, scenario
from .state import State, Unit

SURFACE = ("Ship", "Submarine")


def card_of(state: State, unit: Unit) -> Card:
    """The unit's stat card with the figures of the game's edition."""
    source = state.options.cards
    if unit.role:
        return _in_role(state.edition, source, unit.card, unit.role)
    try:
        return catalogue_of(state.edition, source)[unit.card]
    except KeyError:
        return card(unit.card, state.edition, source)


def card_named(state: State, name: str) -> Card:
    """A stat card by its ID, with the figures of the game."""
    return card(name, state.edition, state.options.cards)


@cache
def _in_role(edition: Edition, source: Source, name: str, role: str) -> Card:
    """A unit with Mission Selection counts as what it flies as (WAS-ABIL-29)."""
    return replace(catalogue_of(edition, source)[name], subtype=role)


def limits_of(state: State) -> Scenario:
    """The scenario with the figures of the game's edition."""
    if state.custom_scenario is not None:
        return state.custom_scenario
    return scenario(state.scenario, state.edition)


@rule("WAS-SCEN-20", "WAS-VP-13", "WAS-SCEN-31")
def convoy(state: State) -> bool:
    """Whether the convoy alone decides: no points, no objectives, no elimination."""
    return limits_of(state).convoy > 0


def charts_of(state: State) -> tuple[Chart, ...]:
    """The charts that may be laid out: one, or one for each face of a die."""
    if state.custom_map is not None:
        return laid_out(state.custom_map)
    return shipped_charts(limits_of(state).map)


def chart_of(state: State) -> Chart:
    """The chart that is laid out."""
    return charts_of(state)[state.zone - 1]


def chart_key(state: State) -> str | Chart:
    """What caches know the chart by: its ID, or itself where the players brought it."""
    chart = chart_of(state)
    return chart if state.custom_map is not None else chart.id


def side_of(state: State, seat: Seat) -> Side | None:
    """What the scenario says of the seat's side: by its alliance, in an exercise by its number."""
    sides = limits_of(state).sides
    if not sides:
        return None
    one, two = sides
    if one.alliance == two.alliance:
        return sides[state.seats.index(seat)]
    return one if one.alliance == state.alliances[seat] else two


def seat_of(state: State, place: Place) -> Seat:
    """The seat of the scenario's first or second side; in order of seats where it names none."""
    sides, number = limits_of(state).sides, 0 if place == "first" else 1
    if not sides:
        return state.seats[number]
    one, two = state.seats
    return one if side_of(state, one) is sides[number] else two


@rule("WAS-FLEET-03", "WAS-FLEET-05")
def is_ship(state: State, unit: Unit) -> bool:
    """A Submarine is not a Ship for any rule."""
    return card_of(state, unit).type == "Ship"


def off_map(unit: Unit) -> bool:
    """Neither on the map nor at a base: a Ship that has still to break out (Secret Breakout)."""
    return not unit.sector and not unit.base


def is_aircraft(state: State, unit: Unit) -> bool:
    """Whether the unit is an Aircraft."""
    return card_of(state, unit).type == "Aircraft"


@rule("WAS-FLEET-11")
def is_carrier(state: State, unit: Unit) -> bool:
    """Fleet, light and escort carriers are all Carriers."""
    return card_of(state, unit).subtype == "Carrier"


@rule("WAS-FLEET-07", "WAS-FLEET-06")
def is_bomber(subtype: str) -> bool:
    """Patrol, Dive and Torpedo Bombers are Bombers; Fighters are not."""
    return subtype in ("Patrol Bomber", "Dive Bomber", "Torpedo Bomber")


def why_not_in_play(state: State, name: str, pointer: str = "/unit") -> No | None:
    """Why a command may not name this unit: there is none of that name."""
    if name in state.units:
        return None
    return No("unit.unknown", "WAS-FLEET-01", f"There is no unit {name!r}.", pointer)


def why_not_own(state: State, seat: Seat, name: str) -> No | None:
    """Why a seat may not give the unit an order: there is none of that name, or it is an enemy."""
    unit = state.units.get(name)
    if unit is None:
        return why_not_in_play(state, name)
    if unit.seat != seat:
        return No("unit.not-yours", "WAS-GLOSS-15", f"{name} is the enemy's.", "/unit")
    return None


def own(state: State, seat: Seat) -> tuple[Unit, ...]:
    """The seat's units in play, in order of deployment."""
    return state.by_seat.get(seat, ())


@rule("WAS-DMG-03", "WAS-DMG-04")
def damaged(unit: Unit) -> bool:
    """Damaged: at least one hull point lost, counting only damage that has taken effect."""
    return unit.damage > 0


def _since(state: State, effect: Crippling) -> bool:
    """A counter placed in a phase works when that phase is over, as damage does."""
    placed = (effect.placed_turn, effect.placed_phase)
    return placed != (state.turn, state.step.phase)


@rule("WAS-DMG-05", "WAS-DMG-06", "WAS-DMG-22", "RUL-44", "RUL-40", "WAS-DMG-21")
def crippled(state: State, unit: Unit) -> bool:
    """Crippled: damaged, and exactly one hull point left. A sound unit of one point is not."""
    if any(_since(state, e) for e in state.lasting_on(Crippling, unit.id)):
        return True
    if not damaged(unit):
        return False
    return card_of(state, unit).hull_points - unit.damage == 1


@rule("WAS-DMG-01", "WAS-DMG-20", "RUL-41", "RUL-42", "WAS-FLEET-21")
def sinking(state: State, unit: Unit) -> bool:
    """Will be removed when the phase ends: a Destroyed counter, or damage up to its hull points."""
    if unit.doomed:
        return True
    return unit.damage + unit.pending >= card_of(state, unit).hull_points > 0 and unit.pending > 0

"""The battle as text for a terminal, at most 100 columns wide: the map, then each side's units."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from ....kernel.order import ordered
from ....kernel.shown.wording import count, join
from ....kernel.values import Hidden, Known, Seat
from ..rules import board as chart
from ..rules.darkness import dark
from ..rules.facts import card_of, chart_of, crippled, own
from ..rules.mechanisms import homes
from ..rules.mechanisms.airfield import last_counter
from ..rules.state import AIRBASE, State, Unit
from ..rules.weather import fog
from . import names

WIDTH = 100
CELL = 12
HALF = (CELL + 1) // 2
LABEL = 4
MARGIN = " " * LABEL
SUFFIX = {"Aircraft": "^", "Submarine": "v"}
LEGEND = "* objective   ^ Aircraft   v Submarine   rows run from 1 (south) to 11 (north)"


def board(state: State) -> str:
    """The whole table as text: heading, map, and the units of each side."""
    parts = [*_heading(state), ""]
    if state.zone:
        parts += [*_map(state), LEGEND, ""]
    for seat in state.seats:
        parts += [*_side(state, seat), ""]
    return "\n".join(line.rstrip()[:WIDTH] for line in parts[:-1])


def _heading(state: State) -> Iterator[str]:
    what = names.scenario_name(state.scenario, state.custom_scenario)
    when = f"turn {state.turn}, {state.step}" if state.turn else f"set-up, {state.step}"
    yield f"War at Sea, {state.edition} edition, {what}: {when}"
    if state.zone:
        yield names.chart_name(chart_of(state), state.zone)
    if state.escort:
        yield f"{state.escort} escorts the convoy"
    if state.light:
        yield f"Light: {state.light}{', dark now' if dark(state) else ''}"
    if state.first:
        yield f"First Player {state.first}, Second Player {state.second}"
    if state.result is not None:
        winners = join(state.result.winners) or "nobody"
        yield f"Over: {state.result.reason} ({state.result.rule}); won by {winners}"


# --- the map -------------------------------------------------------------------------------------


def _map(state: State) -> Iterator[str]:
    for row in range(chart.ROWS, 0, -1):
        sectors = [sector for sector in chart.SECTORS if chart.row(sector) == row]
        offset = "" if row % 2 else " " * HALF
        yield MARGIN + offset + "+" + f"{'-' * CELL}+" * len(sectors)
        cells = [_cell(state, sector) for sector in sectors]
        for number, texts in enumerate(zip_longest(*cells, fillvalue="")):
            label = f"{row:>{LABEL - 1}} " if number == 0 else MARGIN
            yield label + offset + "|" + "".join(f"{text:<{CELL}}|" for text in texts)
    yield MARGIN + "+" + f"{'-' * CELL}+" * 7


def _cell(state: State, sector: str) -> list[str]:
    """The lines of one sector: its name with what lies there, then the units."""
    title = " ".join((sector, *_terrain(state, sector)))
    return [title, *_wrapped(_mark(state, unit) for unit in _there(state, sector))]


def _terrain(state: State, sector: str) -> Iterator[str]:
    zone = chart_of(state)
    if sector in zone.islands:
        yield "island"
    if sector in zone.absent:
        yield "none"
    if sector in zone.shoals:
        yield "shoals"
    if sector in state.objectives:
        yield "*"
    if sector in state.smoke:
        yield "smoke"
    if sector in state.squalls:
        yield "squall"
    if sector in fog(state):
        yield "fog"
    if sector in state.mines:
        yield "mines"


def _there(state: State, sector: str) -> list[Unit]:
    return [unit for unit in state.all_units if unit.sector == sector]


def _mark(state: State, unit: Unit) -> str:
    return unit.id + SUFFIX.get(card_of(state, unit).type, "")


def _wrapped(marks: Iterator[str]) -> Iterator[str]:
    line = ""
    for mark in marks:
        if line and len(line) + 1 + len(mark) > CELL:
            yield line
            line = mark
        else:
            line = f"{line} {mark}".strip()
    if line:
        yield line


# --- the sides -----------------------------------------------------------------------------------


def _side(state: State, seat: Seat) -> Iterator[str]:
    yield _title(state, seat)
    units = own(state, seat)
    if units:
        yield f"  {'unit':<7}{'card':<34}{'where':<27}{'hull':<6}counters"
    for unit in units:
        yield _line(state, unit)
    fleet = state.fleets.get(seat)
    if isinstance(fleet, Hidden):
        yield "  the rest of the fleet is sealed"
    elif isinstance(fleet, Known) and fleet.items:
        yield from _folded("to deploy", names.fleet(fleet.items))
    gone = ", ".join(
        f"{names.card_name(lost.card)} ({lost.id}, turn {lost.turn})"
        for lost in state.lost
        if lost.seat == seat
    )
    if gone:
        yield from _folded("lost", gone)


def _title(state: State, seat: Seat) -> str:
    parts = [seat]
    if seat in state.alliances:
        parts.append(state.alliances[seat])
    if seat in state.edges:
        parts.append(f"{state.edges[seat]} edge")
    parts.append(count(state.scores.get(seat, 0), "point"))
    claimed = [sector for sector, owner in ordered(state.claimed) if owner == seat]
    if claimed:
        parts.append(f"objectives {join(claimed)}")
    return ", ".join(parts)


def _line(state: State, unit: Unit) -> str:
    card = card_of(state, unit)
    left = card.hull_points - unit.damage
    hull = f"{left}/{card.hull_points}" if card.type != "Aircraft" else "-"
    where = names.sector_name(unit.sector) or _short_base(state, unit.base)
    counters = ", ".join(_counters(state, unit))
    name = f"{card.name}, {card.subtype or card.type}"
    return f"  {unit.id:<7}{name[:33]:<34}{where[:26]:<27}{hull:<6}{counters}"


def _short_base(state: State, base: str) -> str:
    if not base:
        return "off the map"
    if base in chart.NEIGHBOURS:
        return f"anchored in {base}"
    return "land airbase" if base == AIRBASE else f"on {names.unit_name(state, base)}"


def _counters(state: State, unit: Unit) -> Iterator[str]:
    if unit.doomed:
        yield "destroyed"
    if crippled(state, unit):
        yield "crippled"
    elif unit.damage:
        yield "damaged"
    if unit.pending:
        yield f"{unit.pending} pending"
    if unit.aborted:
        yield "aborted"
    if unit.rearming:
        left = last_counter(state, unit) - state.turn
        yield f"rearming, {left} counters" if left > 1 else "rearming"
    if homes.grounded(state, unit):
        yield "grounded"
    if unit.strafing:
        yield "strafing"
    if unit.role:
        yield f"as {unit.role}"


def _folded(title: str, text: str) -> Iterator[str]:
    """A list in lines that fit, under its title."""
    line = f"  {title}:"
    for word in text.split(" "):
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = " " * 4 + word
        else:
            line += f" {word}"
    yield line

"""The battle as text for a terminal, at most 100 columns wide: the table, then each side's units.

The table is drawn in coarse squares, with places in klicks: nobody could measure a range on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.shown.wording import count, join
from ....kernel.values import Hidden, Known, Seat
from ..rules.criticals import CRIPPLED
from ..rules.facts import card_of, crippled, dark, hull_left, own, sinking
from ..rules.geometry.discs import holds
from ..rules.geometry.polygons import Polygon, meets
from ..rules.sight_lines import disc_of
from ..rules.state import LAND_BASE, State, Unit
from . import names

WIDTH = 100
CELL = 7
COLUMNS, ROWS = 13, 24
LABEL = 5
ARROWS = "↑↗→↘↓↙←↖"
LEGEND = "# land   ~ shallows   % storm   * objective   v submerged   ^ aircraft   +n: n more there"


def board(state: State) -> str:
    """The whole table as text: heading, map, and the units of each side."""
    parts = [*_heading(state), ""]
    if state.revealed:
        parts += [*_map(state), LEGEND, ""]
    for seat in state.seats:
        parts += [*_side(state, seat), ""]
    return "\n".join(line.rstrip()[:WIDTH] for line in parts[:-1])


def _heading(state: State) -> Iterator[str]:
    phase = names.phase_name(state.step.phase)
    when = f"turn {state.turn}, {phase}" if state.turn else phase
    yield f"Crimson Tide, {state.title or names.scenario_name(state.scenario)}: {when}"
    terms, options = state.terms, state.options
    size = f"Table {options.width} by {options.length} klicks of {options.klick} wu"
    ends = [f"last turn {terms.turns}"] if terms.turns else []
    ends += [f"target {terms.target}"] if terms.target else []
    yield ", ".join([size, *ends])
    if terms.light != "day":
        yield f"Light: {terms.light}{', dark now' if state.turn and dark(state) else ''}"
    for escort in terms.escorts:
        what = "a convoy" if terms.other_escort else "the convoy"
        does = names.form(state, escort, f"escorts {what}", f"escort {what}")
        yield f"{names.side(state, escort)} {does}"
    if state.first and state.turn:
        first, second = names.side(state, state.first), names.side(state, state.second)
        yield f"First player {first}, second player {second}"
    if state.result is not None:
        winners = join(state.result.winners) or "nobody"
        yield f"Over: {state.result.reason} ({state.result.rule}); won by {winners}"


# --- the map -------------------------------------------------------------------------------------


def _map(state: State) -> Iterator[str]:
    """Rows from the far edge down; the labels are klicks from the first side's edge."""
    width, length = state.table
    side = max(-(-width // COLUMNS), -(-length // ROWS))
    columns, rows = -(-width // side), -(-length // side)
    marks = _marks(state, side)
    rule = " " * LABEL + "+" + "-" * (CELL * columns) + "+"
    yield rule
    for row in reversed(range(rows)):
        label = names.klicks(row * side, state.options.klick)
        cells = (_cell(state, marks, column, row, side) for column in range(columns))
        yield f"{label:>{LABEL - 1}} |{''.join(f'{cell:<{CELL}}' for cell in cells)}|"
    yield rule


def _marks(state: State, side: int) -> dict[tuple[int, int], list[str]]:
    """What stands in each square, in the order of placing."""
    found: dict[tuple[int, int], list[str]] = {}
    for unit in state.all_units:
        at = unit.at if unit.pose is None else unit.pose.position
        if at is not None:
            found.setdefault((at[0] // side, at[1] // side), []).append(_mark(unit))
    for objective in state.objectives:
        x, y = objective.at
        found.setdefault((x // side, y // side), []).append("*")
    return found


def _mark(unit: Unit) -> str:
    """Its ID with an arrow where it heads, or a sign of its level."""
    if unit.pose is None:
        return f"{unit.id}^"
    if unit.submerged:
        return f"{unit.id}v"
    return unit.id + ARROWS[(unit.pose.heading + 45) // 90 % 8]


def _cell(
    state: State, marks: dict[tuple[int, int], list[str]], column: int, row: int, side: int
) -> str:
    there = marks.get((column, row), [])
    if len(there) == 1:
        return there[0][: CELL - 1]
    if there:
        return f"{there[0][: CELL - 3]}+{len(there) - 1}"
    return _water(state, column * side, row * side, side)


def _water(state: State, x: int, y: int, side: int) -> str:
    """The sign of an empty square: what lies in it, if anything."""
    square: Polygon = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    touched = [piece for piece in state.land if meets(square, piece.corners)]
    if touched:
        return "~~~" if all(piece.shallow for piece in touched) else "###"
    middle = x + side // 2, y + side // 2
    return "%%%" if any(holds(disc_of(storm), middle) for storm in state.storms) else "."


# --- the sides -----------------------------------------------------------------------------------


def _side(state: State, seat: Seat) -> Iterator[str]:
    gone = ", has left" if seat in state.gone else ""
    yield f"{seat}, {count(state.scores[state.side(seat)], 'point')}{gone}"
    units = list(own(state, seat))
    if units:
        yield f"  {'unit':<7}{'card':<30}{'where':<24}{'hull':<6}markers"
    for unit in units:
        yield from _lines(state, unit)
    fleet = state.fleets.get(seat)
    if isinstance(fleet, Hidden):
        yield "  the fleet is sealed"
    elif isinstance(fleet, Known) and fleet.items:
        yield from _folded("to set up", names.fleet(pick.card for pick in fleet.items))
    gone = ", ".join(
        f"{names.card_name(lost.card)} ({lost.id}, turn {lost.turn})"
        for lost in state.lost
        if lost.seat == seat
    )
    if gone:
        yield from _folded("out of play", gone)


def _lines(state: State, unit: Unit) -> Iterator[str]:
    """A unit with its markers, in as many lines as they take."""
    card = card_of(state, unit)
    hull = f"{hull_left(state, unit)}/{card.hull_points}" if card.hull_points else "-"
    name = f"{card.name}, {card.type}"
    line = f"  {unit.id:<7}{name[:29]:<30}{_where(state, unit)[:23]:<24}{hull:<6}"
    room = len(line)
    for number, marker in enumerate(_markers(state, unit)):
        if number and len(line) + 2 + len(marker) > WIDTH:
            yield f"{line},"
            line = " " * room
        line += marker if len(line) == room else f", {marker}"
    yield line


def _where(state: State, unit: Unit) -> str:
    if unit.pose is not None:
        return f"{names.spot(state, unit.pose.position)} {names.course(unit.pose.heading)}"
    if unit.at is not None:
        return f"{names.spot(state, unit.at)} {unit.mission}"
    return "land base" if unit.base == LAND_BASE else f"on {unit.base}"


def _markers(state: State, unit: Unit) -> Iterator[str]:
    if unit.doomed or (unit.pose is not None and sinking(state, unit)):
        yield "destroyed"
    elif unit.pending:
        yield f"{unit.pending} pending"
    if unit.pose is not None and crippled(state, unit):
        yield "crippled"
    yield from (
        names.critical_name(number) for number in unit.criticals if number != CRIPPLED.number
    )
    yield from (f"{names.critical_name(number)} pending" for number in unit.pending_criticals)
    flags = {
        "submerged": unit.submerged,
        "detected": unit.detected,
        "must reverse": unit.must_reverse and not unit.away_ahead,
        "must go ahead": unit.must_reverse and unit.away_ahead,
        "stopped": unit.stopped and not unit.must_reverse,
        "collided": unit.collided,
        "aborted": unit.aborted,
    }
    yield from (name for name, up in flags.items() if up)
    inbound = sum(each.number for each in unit.inbound)
    if inbound:
        yield count(inbound, "torpedo", "torpedoes") + " inbound"
    if unit.rearming:
        yield f"rearming {unit.rearming}"


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

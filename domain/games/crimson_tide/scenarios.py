"""Scenarios and charts as data, and the terms that a battle is played by."""

from __future__ import annotations

from functools import cache
from typing import Literal

from ...kernel.data import list_files, load_toml
from ...kernel.rules import Refused, rule
from ...kernel.values import Seat, Value
from .cards import PACKAGE
from .edges import on_table
from .state import Hardness, Land, Light, Objective, Options, PointOfTable, Storm, Terms

MILLI = 1_000
"""Charts are drawn in thousandths of a klick."""

STORM_RADIUS = 6
"""Radius of a storm in klicks (CT-GEOM-23)."""


class Scenario(Value, frozen=True):
    """One scenario (CT-SCN).

    points, units  the most a fleet may cost and hold; ``interceptor`` where the second differs
    airbase        room at each land base
    turns, target  the last turn; the score that ends it; 0: none
    chart          the table, unless the players agree on another
    convoy         ships that the first seat brings across besides its fleet
    lands          whether the first seat has troops to land
    """

    id: str
    name: str
    text: str
    rules: tuple[str, ...]
    points: int = 100
    units: int = 15
    airbase: int = 5
    turns: int = 12
    target: int = 0
    chart: str = "open-sea"
    light: Light = "day"
    change: int = 4
    convoy: int = 0
    interceptor: int = 0
    lands: bool = False


class _Land(Value, frozen=True):
    """A convex piece of land or shallow water, in thousandths of a klick."""

    id: str
    corners: tuple[PointOfTable, ...]
    hardness: Hardness
    blocks: bool = True
    shallow: bool = False


class _Storm(Value, frozen=True):
    """A storm at the start."""

    id: str
    at: PointOfTable
    radius: int = STORM_RADIUS * MILLI


class _Objective(Value, frozen=True):
    """A marker at the start."""

    id: str
    at: PointOfTable
    points: int
    kind: Literal["control", "landing"] = "control"


class Chart(Value, frozen=True):
    """What lies on a table of ``width`` by ``length`` klicks."""

    id: str
    name: str
    width: int = 40
    length: int = 60
    land: tuple[_Land, ...] = ()
    storm: tuple[_Storm, ...] = ()
    objective: tuple[_Objective, ...] = ()


@cache
def scenarios() -> dict[str, Scenario]:
    """Every scenario that ships, by ID."""
    files = list_files(PACKAGE, "scenarios", ".toml")
    return {found.id: found for found in (load_toml(PACKAGE, f, Scenario) for f in files)}


@cache
def charts() -> dict[str, Chart]:
    """Every chart that ships, by ID."""
    files = list_files(PACKAGE, "maps", ".toml")
    return {found.id: found for found in (load_toml(PACKAGE, f, Chart) for f in files)}


@rule("CT-SCN-01")
def scenario(name: str) -> Scenario:
    """The scenario ``name``; refuses an unknown one."""
    try:
        return scenarios()[name]
    except KeyError:
        known = ", ".join(scenarios())
        raise Refused(
            "setup.unknown-scenario", "CT-SCN-01", f"The scenarios are: {known}.", "/scenario"
        ) from None


def chart_for(found: Scenario, options: Options) -> Chart:
    """The chart of a battle; refuses an unknown one, or one for another size of table."""
    name = options.chart or found.chart
    laid_out = charts().get(name)
    if laid_out is None:
        known = ", ".join(charts())
        raise Refused("setup.unknown-chart", "CT-GEOM-22", f"Charts: {known}.", "/options/chart")
    empty = not (laid_out.land or laid_out.storm or laid_out.objective)
    if not empty and (options.width, options.length) != (laid_out.width, laid_out.length):
        size = f"{laid_out.width} by {laid_out.length}"
        raise Refused("setup.wrong-table", "CT-SETUP-07", f"That chart is {size} klicks.")
    return laid_out


@rule("CT-SCN-03", "CT-SCN-14", "CT-SCN-15", "CT-SCN-16", "CT-AMB-16")
def terms(found: Scenario, options: Options, seats: tuple[Seat, Seat]) -> Terms:
    """Scenario and options put together; what the options leave at 0 is the scenario's."""
    one, two = seats
    most = options.points or found.points
    other = most if options.points or not found.interceptor else found.interceptor
    return Terms(
        points={one: most, two: other},
        units=options.units or found.units,
        airbase=found.airbase,
        turns=options.turns or found.turns,
        target=options.target or found.target,
        light=options.light or found.light,
        change=options.change or found.change,
        escort=one if found.convoy else "",
        convoy=found.convoy,
        lander=one if found.lands else "",
    )


@rule("CT-GEOM-22")
def land(laid_out: Chart, options: Options) -> tuple[Land, ...]:
    """The chart's land and shallows in wu."""
    return tuple(
        Land(
            piece.id,
            tuple(_at(corner, options) for corner in piece.corners),
            piece.hardness,
            piece.blocks and not piece.shallow,
            piece.shallow,
        )
        for piece in laid_out.land
    )


def storms(laid_out: Chart, options: Options) -> tuple[Storm, ...]:
    """The chart's storms in wu."""
    return tuple(
        Storm(each.id, _at(each.at, options), each.radius * options.klick // MILLI)
        for each in laid_out.storm
    )


@rule("CT-WIN-03")
def objectives(laid_out: Chart, options: Options) -> tuple[Objective, ...]:
    """The chart's objectives in wu."""
    return tuple(
        Objective(each.id, _at(each.at, options), each.points, each.kind)
        for each in laid_out.objective
    )


def _at(point: PointOfTable, options: Options) -> PointOfTable:
    """A point of the chart on the table; the chart turns along with the players' edges."""
    x, y = point
    return on_table(options, (x * options.klick // MILLI, y * options.klick // MILLI))


__all__ = ["Chart", "Scenario", "chart_for", "charts", "land", "objectives", "scenario",
           "scenarios", "storms", "terms"]  # fmt: skip

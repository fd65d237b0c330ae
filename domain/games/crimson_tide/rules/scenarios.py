"""Scenarios as data, shipped or brought by players, and the terms that a battle is played by."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ....kernel.data import ShownKeys, list_files, load_toml
from ....kernel.rules import Refused, rule
from ....kernel.values import Seat, Value
from .cards import PACKAGE, cards
from .charts import Chart, Side, Slug, Text, Title, charts, figure
from .options import ConvoySide, Exit, Options, Start, Terms
from .seating import members, side
from .starts import StartForm, starts

SHOWN_KEYS: ShownKeys = {"scenarios/*.toml": {"text": ""}, "scenarios/examples/*.json": None}
"""What a scenario is about, and the examples for whoever writes one."""

CONVOY_POINTS = 10
"""What each ship of a convoy is worth where all points count (CT-AMB-87)."""


class ExitForm(Value, frozen=True):
    """An edge by which units of a side may leave unharmed (CT-SCN-17)."""

    side: Annotated[Side, Meta(description="The side whose units may leave.")]
    edge: Annotated[
        Literal["far", "own", "left", "right"],
        Meta(description="The edge as that side sees the table."),
    ]
    points: Annotated[int, figure(0, 1_000, "Points for each unit that leaves.")] = 0
    cards: Annotated[
        tuple[Slug, ...],
        Meta(max_length=60, description="The cards that may leave there; none named: all."),
    ] = ()


class Scenario(Value, frozen=True):
    """One scenario (CT-SCN). What is left out is as in the standard one."""

    id: Slug
    name: Title
    text: Text
    rules: Annotated[
        tuple[Annotated[str, Meta(pattern="^[A-Z]+(?:-[A-Z0-9]+)+$", max_length=20)], ...],
        Meta(max_length=20, description="The rules that these figures come from, by ID."),
    ] = ()
    points: Annotated[int, figure(10, 600, "The most that a fleet may cost.")] = 100
    units: Annotated[int, figure(1, 60, "The most units that a fleet may hold.")] = 15
    airbase: Annotated[int, figure(0, 40, "Squadrons that each land base holds.")] = 5
    turns: Annotated[int, figure(1, 60, "The last turn.")] = 12
    target: Annotated[int, figure(0, 1_000, "The score that ends the battle; 0: none.")] = 0
    chart: Annotated[
        Slug, Meta(description="A chart that ships, or custom: one brought with the scenario.")
    ] = "open-sea"
    light: Annotated[
        Literal["day", "night", "dawn", "dusk"], Meta(description="Dark throughout, or in part.")
    ] = "day"
    change: Annotated[int, figure(1, 60, "The last dark turn of a dawn, the first of a dusk.")] = 4
    convoy: Annotated[
        int, figure(0, 20, "Merchant ships that are brought across; they decide.")
    ] = 0
    convoy_side: Annotated[
        ConvoySide, Meta(description="Which side brings them across; both: each has as many.")
    ] = "first"
    convoy_points: Annotated[
        int, figure(0, 1_000, "All points count, and each ship of the convoy so many; 0: not so.")
    ] = 0
    interceptor: Annotated[
        int,
        figure(
            0,
            600,
            "The most that the fleet may cost whose side has no convoy; where neither has one, the "
            "second; 0: as the other.",
        ),
    ] = 0
    lands: Annotated[bool, Meta(description="Whether the first side has troops to land.")] = False
    exits: Annotated[
        tuple[ExitForm, ...], Meta(max_length=8, description="Edges by which units may leave.")
    ] = ()
    start: Annotated[
        tuple[StartForm, ...],
        Meta(
            max_length=120,
            description="Every unit of both sides and where it begins: nobody builds or places a "
            "fleet. None: the players do.",
        ),
    ] = ()


@cache
def scenarios() -> dict[str, Scenario]:
    """Every scenario that ships, by ID."""
    files = list_files(PACKAGE, "scenarios", ".toml")
    return {found.id: found for found in (load_toml(PACKAGE, f, Scenario) for f in files)}


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


def chart_for(found: Scenario, options: Options, brought: Chart | None = None) -> Chart:
    """The chart of a battle; refuses an unknown one, or one for another size of table.

    One that is brought goes before what the scenario says; naming another besides is refused.
    """
    laid_out = brought or charts().get(options.chart or found.chart)
    if laid_out is None or (brought is not None and options.chart):
        known = ", ".join(charts())
        raise Refused("setup.unknown-chart", "CT-GEOM-22", f"Charts: {known}.", "/options/chart")
    if not laid_out.bare and (options.width, options.length) != (laid_out.width, laid_out.length):
        size = f"{laid_out.width} by {laid_out.length}"
        raise Refused("setup.wrong-table", "CT-SETUP-07", f"That chart is {size} klicks.")
    return laid_out


@rule("CT-SCN-03", "CT-SCN-14", "CT-SCN-15", "CT-SCN-16", "CT-AMB-16")
def terms(found: Scenario, options: Options, seats: tuple[Seat, ...]) -> Terms:
    """Scenario and options put together; what the options leave at 0 is the scenario's."""
    one = seats[0]
    most = options.points or found.points
    other = most if options.points or not found.interceptor else found.interceptor
    escorts = _escorts(found, options, seats)
    interceptor = _interceptor(escorts, seats)
    sharers = _sharers(options, seats)
    built = Terms(
        points={s: (most, other)[side(seats, s) == interceptor] // sharers for s in seats},
        units=(options.units or found.units) // sharers,
        airbase=found.airbase // sharers,
        turns=options.turns or found.turns,
        target=options.target or found.target,
        light=options.light or found.light,
        change=options.change or found.change,
        escort=escorts[0],
        other_escort=escorts[1],
        convoy=found.convoy,
        convoy_points=_convoy_points(found, options),
        lander=one if found.lands else "",
        exits=tuple(
            Exit(seats[each.side == "second"], each.edge, each.points, each.cards)
            for each in found.exits
        ),
    )
    given = starts(found.start, options, seats)
    return _with_fleets(built, found.airbase, given, seats) if given else built


def _with_fleets(
    built: Terms, airbase: int, given: tuple[Start, ...], seats: tuple[Seat, ...]
) -> Terms:
    """The terms where the scenario brings the fleets: their figures are what these come to."""
    cost, number = dict.fromkeys(seats, 0), dict.fromkeys(seats, 0)
    for each in given:
        cost[each.seat] += cards()[each.card].points
        number[each.seat] += 1
    units = max(number.values())
    return replace(built, points=cost, units=units, airbase=airbase, starts=given)


@rule("CT-AMB-115")
def _escorts(found: Scenario, options: Options, seats: tuple[Seat, ...]) -> tuple[Seat, Seat]:
    """The side that has a convoy, and the second where both have one; empty: nobody."""
    one, two = seats[:2]
    whose = options.convoy_side or found.convoy_side
    if not found.convoy:
        return "", ""
    return {"first": (one, ""), "second": (two, ""), "both": (one, two)}[whose]


def _interceptor(escorts: tuple[Seat, Seat], seats: tuple[Seat, ...]) -> Seat:
    """The side without a convoy, the second where neither has one; empty where both have."""
    if escorts[1]:
        return ""
    return seats[escorts[0] != seats[1]]


@rule("CT-AMB-111")
def _sharers(options: Options, seats: tuple[Seat, ...]) -> int:
    """Among how many fleets the figures of a fleet are parted: each is a whole one, or a share."""
    return len(members(seats, seats[0])) if options.team_fleets == "shared" else 1


@rule("CT-AMB-87")
def _convoy_points(found: Scenario, options: Options) -> int:
    """What a ship of the convoy is worth; 0 where only its survival or loss counts."""
    if not found.convoy:
        return 0
    by_agreement = CONVOY_POINTS if options.convoy_counts == "all-points" else 0
    return found.convoy_points or by_agreement


__all__ = ["CONVOY_POINTS", "ExitForm", "Scenario", "chart_for", "scenario", "scenarios", "terms"]

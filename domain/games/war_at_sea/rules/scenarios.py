"""Scenarios as data: the form of every file in ``scenarios``, and of one that players bring."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, structs

from ....kernel.custom import CUSTOM
from ....kernel.data import ShownKeys, list_files, load_toml
from ....kernel.rules import Refused
from ....kernel.values import Part
from .charts import USUAL_AREA, Area, Sector, Slug, Text, Title
from .editions import Edition

PACKAGE = __name__.rpartition(".")[0]

SHOWN_KEYS: ShownKeys = {"scenarios/*.toml": {"text": ""}, "scenarios/examples/*.json": None}
"""What a scenario is about, and the examples for whoever writes one."""

Place = Literal["first", "second"]
"""A side of a scenario, in the order in which it is written."""

FIRST_YEAR, LAST_YEAR = 1939, 1945


def _figure(least: int, most: int, description: str) -> Any:
    return Meta(ge=least, le=most, description=description)


Points = Annotated[int, _figure(20, 1000, "The most that a fleet may cost.")]
Units = Annotated[int, _figure(1, 60, "The most units that a fleet may hold.")]
Target = Annotated[
    int, _figure(0, 5000, "Victory Points that win; 0: points do not win before the last turn.")
]
Worth = Annotated[
    int,
    _figure(0, 1000, "Victory Points for an objective, and in 2009 for an enemy without Ships."),
]
AircraftRoom = Annotated[int, _figure(1, 10, "Aircraft that a side may have in one sector.")]
Interceptor = Annotated[
    int,
    _figure(0, 1000, "Convoy: the most that the intercepting fleet may cost; 0: as the escort."),
]


class Objective(Part, frozen=True):
    """A sector that a Ship claims by holding it alone."""

    sector: Sector
    points: Annotated[int, _figure(0, 1000, "Its points; 0: the scenario's figure.")] = 0


class Smoke(Part, frozen=True):
    """A smoke screen that lies there when the battle begins."""

    sector: Sector
    turns: Annotated[int, _figure(1, 60, "It clears when this turn ends.")]


class Side(Part, frozen=True):
    """One of the two sides: whom it serves, its fleet, where it sets up."""

    alliance: Annotated[
        Literal["Axis", "Allies"],
        Meta(description="The alliance that it commands; the same for both is a fleet exercise."),
    ]
    points: Annotated[
        int, _figure(0, 1000, "The most that its fleet may cost; 0: the scenario's figure.")
    ] = 0
    units: Annotated[
        int, _figure(0, 60, "The most units that it may hold; 0: the scenario's figure.")
    ] = 0
    fleet: Annotated[
        tuple[Slug, ...],
        Meta(max_length=60, description="The fleet itself, unit by unit; none: its player builds."),
    ] = ()
    edge: Annotated[
        Literal["", "south", "north"],
        Meta(description="Its edge of the map; empty: the side that sets up first chooses."),
    ] = ""
    area: Annotated[Area, Meta(description="Its area of set-up, in place of the map's.")] = (
        USUAL_AREA
    )


class Figures(Part, frozen=True):
    """The figures that an edition changes."""

    points: Points | UnsetType = UNSET
    target: Target | UnsetType = UNSET
    objective: Worth | UnsetType = UNSET
    aircraft: AircraftRoom | UnsetType = UNSET
    interceptor: Interceptor | UnsetType = UNSET


NO_CHANGES = Figures()


class ByEdition(Part, frozen=True, rename={"of_2007": "2007", "of_2009": "2009"}):
    """The differences between editions."""

    of_2007: Annotated[Figures, Meta(description="In the edition of 2007.")] = NO_CHANGES
    of_2009: Annotated[Figures, Meta(description="In the edition of 2009.")] = NO_CHANGES


ALIKE = ByEdition()


class Scenario(Part, frozen=True):
    """The stakes of a battle, its fleets, its map and its length (WAS-SCEN). A field that is left
    out is as in the Standard scenario.
    """

    id: Slug
    name: Title
    text: Text
    points: Points = 100
    units: Units = 15
    airbase: Annotated[int, _figure(0, 40, "Aircraft that each land airbase holds.")] = 5
    target: Target = 150
    objective: Worth = 50
    ships: Annotated[int, _figure(1, 10, "Ships that a side may have in one sector.")] = 2
    submarines: Annotated[int, _figure(1, 10, "Submarines that a side may have there.")] = 1
    aircraft: AircraftRoom = 4
    rules: Annotated[
        tuple[Annotated[str, Meta(pattern="^[A-Z]+(?:-[A-Z0-9]+)+$", max_length=20)], ...],
        Meta(max_length=20, description="The rules that these figures come from, by ID."),
    ] = ()
    map: Annotated[
        Literal["zone", "convoy", "custom"],
        Meta(
            description="zone: a battle zone; convoy: the convoy map; custom: a map that is posted "
            "with the scenario."
        ),
    ] = "zone"
    zone: Annotated[
        int, _figure(0, 6, "Which battle zone, or where the die would put the island; 0: a die.")
    ] = 0
    convoy: Annotated[
        int, _figure(0, 20, "Convoy Ships that the escort gets besides its fleet; they decide.")
    ] = 0
    through: Annotated[
        int, _figure(1, 20, "Convoy Ships that must leave over the far edge, or be sunk, to win.")
    ] = 3
    interceptor: Interceptor = 0
    escort: Annotated[
        Literal["agreed", "first", "second"],
        Meta(description="Convoy: which side escorts; agreed: the game's option says."),
    ] = "agreed"
    turns: Annotated[int, _figure(0, 60, "The last turn; 0: there is none.")] = 0
    decision: Annotated[
        Literal["points", "draw", "first", "second"],
        Meta(
            description="The winner when the last turn ends: the side ahead on points, nobody, or "
            "always that side (it has held out)."
        ),
    ] = "points"
    elimination: Annotated[
        bool, Meta(description="Whether a side without units has lost at once.")
    ] = True
    objectives: Annotated[
        tuple[Objective, ...],
        Meta(max_length=12, description="Objectives in place of the map's."),
    ] = ()
    sides: Annotated[
        tuple[Side, ...],
        Meta(
            max_length=2,
            description="The two sides, if they differ in more than the alliance; else none.",
        ),
    ] = ()
    deploys: Annotated[
        Literal["coin", "first", "second"],
        Meta(description="Which side sets up first; a convoy's escort always does."),
    ] = "coin"
    light: Annotated[
        Literal["agreed", "day", "night", "twilight", "random"],
        Meta(description="2009: the light; agreed: the game's option says."),
    ] = "agreed"
    weather: Annotated[bool, Meta(description="2009: a die says how many squalls there are.")] = (
        False
    )
    squalls: Annotated[
        tuple[Sector, ...],
        Meta(
            max_length=3, description="Squalls that are there from the start; in 2009 they drift."
        ),
    ] = ()
    smoke: Annotated[
        tuple[Smoke, ...],
        Meta(max_length=20, description="Smoke screens that lie there from the start."),
    ] = ()
    fog: Annotated[
        tuple[Sector, ...],
        Meta(max_length=72, description="Sectors full of fog, which stays, besides the map's."),
    ] = ()
    year: Annotated[
        Literal[0, 1939, 1940, 1941, 1942, 1943, 1944, 1945],
        Meta(description="The year: no unit may be later; 0: the game's option says."),
    ] = 0
    history: Annotated[
        bool, Meta(description="Historical restrictions on fleets and Carriers.")
    ] = False
    editions: Annotated[ByEdition, Meta(description="Figures that an edition changes.")] = ALIKE


@cache
def scenarios() -> dict[str, Scenario]:
    """Every scenario that ships, by ID, with the figures of both editions."""
    files = list_files(PACKAGE, "scenarios", ".toml")
    return {found.id: found for found in (load_toml(PACKAGE, f, Scenario) for f in files)}


@cache
def scenario(name: str, edition: Edition) -> Scenario:
    """The scenario ``name`` as ``edition`` plays it; refuses an unknown one."""
    try:
        return in_edition(scenarios()[name], edition)
    except KeyError:
        raise Refused(
            "setup.unknown-scenario",
            "WAS-SETUP-28",
            f"The scenarios are: {', '.join(scenarios())}; {CUSTOM!r} is one that you bring.",
            "/scenario",
        ) from None


def in_edition(found: Scenario, edition: Edition) -> Scenario:
    """The scenario with the figures of one edition, and without those of the other."""
    by = found.editions
    changes = structs.asdict({"2007": by.of_2007, "2009": by.of_2009}[edition])
    figures = {name: value for name, value in changes.items() if value is not UNSET}
    return structs.replace(found, editions=ALIKE, **figures)

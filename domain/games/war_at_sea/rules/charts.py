"""Maps as data: the form of every file in ``maps``, and of a map that players bring."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Literal

from msgspec import Meta, field

from ....kernel.data import ShownKeys, list_files, load_toml
from ....kernel.values import Part

Art = Literal["L", "M", "W", "N", "C", "S"]

Sector = Annotated[
    str,
    Meta(
        pattern=r"^(?:(?:[13579]|11)\.[1-7]|(?:[2468]|10)\.[1-6])$",
        title="Sector",
        description="row.column: rows 1 to 11 from the south edge, columns from the west; odd rows "
        "have 7 whole sectors, even rows 6.",
        examples=["6.3"],
    ),
]
"""``"row.col"``: rows 1..11 northward, columns from 1 eastward over whole sectors only."""

Slug = Annotated[
    str,
    Meta(
        pattern="^[a-z0-9]+(?:-[a-z0-9]+)*$",
        max_length=40,
        description="A name of its own: small letters, digits and hyphens.",
    ),
]
Title = Annotated[str, Meta(min_length=1, max_length=60, description="For people.")]
Text = Annotated[str, Meta(max_length=600, description="Its subject, in a sentence or two.")]

SHOWN_KEYS: ShownKeys = {"maps/*.toml": {"text": None}, "maps/examples/*.json": None}
"""What a map is about, and the examples for whoever draws one."""


class Area(Part, frozen=True):
    """The area in which one side sets up its Ships and Submarines; empty: its edge row, its
    half."""

    ships: Annotated[
        tuple[Sector, ...],
        Meta(max_length=72, description="For Ships; none named: the row along the edge."),
    ] = ()
    submarines: Annotated[
        tuple[Sector, ...],
        Meta(max_length=72, description="For Submarines; none named: the five rows of the half."),
    ] = ()


USUAL_AREA = Area()


class Areas(Part, frozen=True):
    """The set-up areas, by the edge of the map that a side has."""

    south: Annotated[Area, Meta(description="Of the side with the south edge.")] = USUAL_AREA
    north: Annotated[Area, Meta(description="Of the side with the north edge.")] = USUAL_AREA


USUAL_AREAS = Areas()

Islands = Annotated[
    dict[Sector, Art],
    Meta(
        max_length=72,
        description="Sector to artwork: L large, M medium, W long from west to east, N long from "
        "south to north, C atoll open to the east, S three islets. Ships and Submarines keep out "
        "of the whole sector; only the artwork blocks sight.",
        examples=[{"4.2": "M"}],
    ),
]
Sectors = Annotated[tuple[Sector, ...], Meta(max_length=72)]


class _Sheet(Part, frozen=True):
    """What a map shows before play."""

    id: Slug
    name: Title
    islands: Islands = field(default_factory=dict)
    shoals: Annotated[
        Sectors,
        Meta(description="Closed to Ships and Submarines; they never block sight."),
    ] = ()
    objectives: Annotated[Sectors, Meta(description="Sectors with an objective marker.")] = ()
    absent: Annotated[
        Sectors,
        Meta(description="Sectors that this map does not have: nothing can be there."),
    ] = ()
    areas: Annotated[Areas, Meta(description="Set-up areas that differ from the usual.")] = (
        USUAL_AREAS
    )
    fog: Annotated[
        Sectors,
        Meta(
            description="Sectors full of fog, which stays: no sight through them, and who is in "
            "one has concealment; open to all units."
        ),
    ] = ()

    def __hash__(self) -> int:
        """For caches; a dict has none. Maps that differ in more than numbers are rare."""
        return 72 * len(self.islands) + len(self.shoals)


class Chart(_Sheet, frozen=True):
    """One map as it lies on the table.

    islands     sector to the template of its artwork (maps/README.md)
    objectives  in map order; none on the convoy charts
    """


class Map(_Sheet, frozen=True):
    """A map for battles: its terrain, and the places where a die may put its one moving island, if
    any."""

    text: Text = ""
    island_by_die: Annotated[
        Sectors,
        Meta(description="Six sectors: a die says in which of them a further island lies."),
    ] = ()
    art: Annotated[Art, Meta(description="Artwork of the island that the die places.")] = "M"


@lru_cache(maxsize=256)
def laid_out(map_: Map) -> tuple[Chart, ...]:
    """The charts of a map: one, or one for each face of the die that places its island."""
    if not map_.island_by_die:
        return (_chart(map_, map_.id, map_.name, map_.islands),)
    return tuple(
        _chart(
            map_,
            f"{map_.id}-{face}",
            f"{map_.name}, island in {sector}",
            {**map_.islands, sector: map_.art},
        )
        for face, sector in enumerate(map_.island_by_die, 1)
    )


def _chart(map_: Map, id: str, name: str, islands: dict[Sector, Art]) -> Chart:
    return Chart(
        id=id,
        name=name,
        islands=islands,
        shoals=map_.shoals,
        objectives=map_.objectives,
        absent=map_.absent,
        areas=map_.areas,
        fog=map_.fog,
    )


@cache
def maps() -> dict[str, Map]:
    """Every map that ships, by its ID, in order of file name."""
    files = list_files(__package__, "maps", ".toml")
    return {found.id: found for found in (load_toml(__package__, f, Map) for f in files)}


@cache
def charts() -> dict[str, Chart]:
    """Every chart by its ID, in order of file name: ``convoy-1`` .. ``zone-6``."""
    return {chart.id: chart for map_ in maps().values() for chart in laid_out(map_)}


@cache
def shipped_charts(name: str) -> tuple[Chart, ...]:
    """The charts that a die chooses from: the battle zones (``zone``), or the ``convoy`` map's."""
    return tuple(chart for id_, chart in charts().items() if id_.startswith(f"{name}-"))


def chart_by(key: str | Chart) -> Chart:
    """A chart by what caches know it by: the ID of one that ships, or the chart itself."""
    return charts()[key] if isinstance(key, str) else key


@lru_cache(maxsize=256)
def land(key: str | Chart) -> frozenset[str]:
    """Sectors that are closed to Ships and Submarines without an ability."""
    chart = chart_by(key)
    return frozenset((*chart.islands, *chart.shoals, *chart.absent))


@lru_cache(maxsize=256)
def off(key: str | Chart) -> frozenset[str]:
    """Sectors that the map does not have."""
    return frozenset(chart_by(key).absent)

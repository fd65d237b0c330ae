"""The battle map: sectors, neighbours, ranges, the charts, and lines of sight in exact integers.

Eleven staggered rows of squares, counted from the south edge. Odd rows have seven whole sectors,
even rows six between two half-sectors, which are never positions. Everything that the rules ask
often (neighbours, ranges) is computed once, when the module is imported.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal

from ....kernel.rules import rule
from ....kernel.values import Value
from .charts import Area, Art, Chart, Sector, chart_by, charts, land
from .editions import RULEBOOKS, Edition
from .geometry import Line, Point, Polygon, crosses

Edge = Literal["south", "north"]

ROWS = 11
MIDDLE_ROW = 6

STEPS: tuple[Point, ...] = ((1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1))
"""Squall directions 1..6 as (rows, half-columns): NE, E, SE, SW, W, NW. Opposites differ by 3."""


def _columns(row_number: int) -> int:
    return 7 if row_number % 2 else 6


def _half_column(row_number: int, column: int) -> int:
    """Horizontal position in half sectors, so that staggered rows share one axis."""
    return 2 * column - row_number % 2


SECTORS: tuple[Sector, ...] = tuple(
    f"{r}.{c}" for r in range(1, ROWS + 1) for c in range(1, _columns(r) + 1)
)

_PLACE: dict[Sector, Point] = {
    f"{r}.{c}": (r, _half_column(r, c))
    for r in range(1, ROWS + 1)
    for c in range(1, _columns(r) + 1)
}
_AT: dict[Point, Sector] = {place: sector for sector, place in _PLACE.items()}


@rule("WAS-MAP-03", "RUL-10")
def _beyond(sector: Sector) -> tuple[Sector, ...]:
    r, q = _PLACE[sector]
    return tuple(_AT.get((r + dr, q + dq), "") for dr, dq in STEPS)


BEYOND: dict[Sector, tuple[Sector, ...]] = {sector: _beyond(sector) for sector in SECTORS}
"""What lies in squall directions 1..6 of each sector; ``""`` is off the map."""

NEIGHBOURS: dict[Sector, tuple[Sector, ...]] = {
    sector: tuple(s for s in beyond if s) for sector, beyond in BEYOND.items()
}
"""The adjoining sectors, in squall order."""


def _range(a: Point, b: Point) -> int:
    rows, halves = abs(a[0] - b[0]), abs(a[1] - b[1])
    return rows + max(0, (halves - rows) // 2)


AIRFIELDS: dict[Edge, Sector] = {"south": "airbase-south", "north": "airbase-north"}
"""The land airbase of each side as the place of enemy Aircraft that raid it: no sector of the map,
next to nothing, and as far from everything as :data:`FAR`."""

FAR = 99
"""A range that no attack, move or ability reaches."""

_FIELDS = tuple(AIRFIELDS.values())

_DISTANCE: dict[Sector, dict[Sector, int]] = {
    **{
        a: {b: _range(_PLACE[a], _PLACE[b]) for b in SECTORS} | dict.fromkeys(_FIELDS, FAR)
        for a in SECTORS
    },
    **{field: dict.fromkeys((*SECTORS, *_FIELDS), FAR) | {field: 0} for field in _FIELDS},
}


@rule("WAS-MAP-04", "RUL-11")
def distance(a: Sector, b: Sector) -> int:
    """Sectors from ``a`` to ``b``, counting ``b`` and not ``a``. Raises KeyError off the map."""
    return _DISTANCE[a][b]


@rule("WAS-MAP-02", "WAS-GLOSS-02")
def adjacent(a: Sector, b: Sector) -> bool:
    """One sector away, in any of the six directions."""
    return _DISTANCE[a][b] == 1


@rule("WAS-ABIL-10")
def within(sector: Sector, reach: int) -> tuple[Sector, ...]:
    """Sectors at range 0..reach, in map order."""
    return _within(sector, reach)


@cache
def _within(sector: Sector, reach: int) -> tuple[Sector, ...]:
    return tuple(s for s in SECTORS if _DISTANCE[sector][s] <= reach)


def row(sector: Sector) -> int:
    """The sector's row, 1..11 from the south."""
    return _PLACE[sector][0]


def edge_row(edge: Edge) -> tuple[Sector, ...]:
    """The row along a map edge: where that side's Ships deploy."""
    return _EDGE_ROWS[edge]


@rule("WAS-MAP-08", "WAS-MAP-09")
def half(edge: Edge) -> tuple[Sector, ...]:
    """The five rows nearest an edge. The middle row is in neither half."""
    return _HALVES[edge]


EDGES: tuple[Edge, Edge] = ("south", "north")


def opposite(edge: Edge) -> Edge:
    """The other edge."""
    return "north" if edge == "south" else "south"


@rule("WAS-MAP-10")
def middle_row() -> tuple[Sector, ...]:
    """Nobody's row, from west to east: two end sectors outermost, two centre sectors inmost."""
    return _MIDDLE


def mirror(sector: Sector) -> Sector:
    """The sector that faces this one across the middle row."""
    r, q = _PLACE[sector]
    return _AT[(ROWS + 1 - r, q)]


_EDGE_ROWS: dict[Edge, tuple[Sector, ...]] = {
    "south": tuple(s for s in SECTORS if row(s) == 1),
    "north": tuple(s for s in SECTORS if row(s) == ROWS),
}
_HALVES: dict[Edge, tuple[Sector, ...]] = {
    "south": tuple(s for s in SECTORS if row(s) < MIDDLE_ROW),
    "north": tuple(s for s in SECTORS if row(s) > MIDDLE_ROW),
}
_MIDDLE: tuple[Sector, ...] = tuple(s for s in SECTORS if row(s) == MIDDLE_ROW)


def chart(id: str) -> Chart:
    """The chart called ``id``. Raises KeyError when there is none."""
    return charts()[id]


@cache
def zone(face: int) -> Chart:
    """The battle zone that a die selects (Standard and Major Engagement)."""
    return chart(f"zone-{face}")


def set_up(chart: Chart, edge: Edge, own: Area | None = None) -> dict[str, tuple[str, ...]]:
    """Open sectors where the side with an edge sets up ``ships`` and ``submarines``.

    own  what a scenario says of the side, in place of the map
    """
    mapped = chart.areas.south if edge == "south" else chart.areas.north
    area = own or mapped
    ships = area.ships or mapped.ships or edge_row(edge)
    submarines = area.submarines or mapped.submarines or half(edge)
    closed = land(chart)
    return {
        "ships": tuple(s for s in ships if s not in closed),
        "submarines": tuple(s for s in submarines if s not in closed),
    }


class Sighting(Value, frozen=True):
    """Whether a line of sight is clear; if not, what is in the way and which rule says so.

    blocker  the sector of the obstacle; the first in map order where there are several
    """

    clear: bool
    blocker: Sector = ""
    kind: Literal["", "island-art", "weather", "island-sector"] = ""
    rule: str = ""


CLEAR = Sighting(True)


@lru_cache(maxsize=65536)
def line_of_sight(
    on: str | Chart, obscured: frozenset[Sector], a: Sector, b: Sector, edition: Edition
) -> Sighting:
    """Whether units in ``a`` and ``b`` see each other. The same both ways (WAS-LOS-06).

    on        the chart, one that ships by its ID
    obscured  the sectors with smoke, fog or a squall. Shoals and units never matter.
    """
    return sight(chart_by(on), obscured, a, b, edition)


@rule("WAS-LOS-02", "WAS-LOS-06", "WAS-LOS-17", "WAS-LOS-19", "WAS-LOS-23", "WAS-GLOSS-22")
def sight(
    chart: Chart, obscured: frozenset[Sector], a: Sector, b: Sector, edition: Edition
) -> Sighting:
    """:func:`line_of_sight` without the memory, for a chart that need not be a printed one."""
    open_ = RULEBOOKS[edition].local_island_attacks
    shut = _shut_in_2009(chart, a, b) if open_ else _shut_in_2007(chart, a, b)
    if not shut.clear or a == b:
        return shut
    blocked = _behind_artwork(chart, a, b)
    return blocked if not blocked.clear else _behind_weather(obscured, a, b)


@rule("WAS-LOS-15", "RUL-58")
def _shut_in_2007(chart: Chart, a: Sector, b: Sector) -> Sighting:
    """A unit in an island sector sees nobody and nobody sees it, not even in that sector."""
    return _shut_in(chart, a, b, "WAS-LOS-15")


@rule("WAS-LOS-16")
def _shut_in_2009(chart: Chart, a: Sector, b: Sector) -> Sighting:
    """The same across the sector's border; inside one island sector attacks are possible."""
    return CLEAR if a == b else _shut_in(chart, a, b, "WAS-LOS-16")


def _shut_in(chart: Chart, a: Sector, b: Sector, rule_id: str) -> Sighting:
    ends = (s for s in _in_order(a, b) if s in chart.islands)
    return next((Sighting(False, s, "island-sector", rule_id) for s in ends), CLEAR)


@rule("WAS-LOS-05", "WAS-MAP-17", "WAS-LOS-21", "WAS-LOS-22")
def _behind_artwork(chart: Chart, a: Sector, b: Sector) -> Sighting:
    """Only the artwork blocks, not the rest of its sector."""
    line = sight_line(a, b)
    for sector in between(a, b):
        art = chart.islands.get(sector)
        if art and any(crosses(line, p) for p in _artwork(sector, art)):
            return Sighting(False, sector, "island-art", "WAS-LOS-05")
    return CLEAR


def _behind_weather(obscured: frozenset[Sector], a: Sector, b: Sector) -> Sighting:
    """Smoke, fog and squalls fill their sector; those at the ends of the line do not block."""
    hidden = (s for s in between(a, b) if s in obscured)
    return next((Sighting(False, s, "weather", "WAS-LOS-07") for s in hidden), CLEAR)


@rule("WAS-LOS-24", "RUL-59", "WAS-LOS-20")
def between(a: Sector, b: Sector) -> tuple[Sector, ...]:
    """The sectors that the line passes through, in map order, without those at its ends."""
    return _between(*_in_order(a, b))


def _in_order(a: Sector, b: Sector) -> tuple[Sector, Sector]:
    """The two in map order, so that every answer is the same both ways."""
    return (a, b) if _PLACE[a] <= _PLACE[b] else (b, a)


@cache
def _between(a: Sector, b: Sector) -> tuple[Sector, ...]:
    line = sight_line(a, b)
    south, north = row(a), row(b)
    west, east = sorted((_PLACE[a][1], _PLACE[b][1]))
    near = (s for s, (r, q) in _PLACE.items() if south <= r <= north and west - 2 < q < east + 2)
    return tuple(s for s in near if s not in (a, b) and crosses(line, _square(s)))


# Exact geometry. The unit is 1/40 of a sector side: centres and all artwork are whole numbers.

_ARTWORK: dict[Art, tuple[Polygon, ...]] = {
    "L": (((6, 2), (14, 2), (18, 6), (18, 14), (14, 18), (6, 18), (2, 14), (2, 6)),),
    "M": (((8, 5), (12, 5), (15, 8), (15, 12), (12, 15), (8, 15), (5, 12), (5, 8)),),
    "W": (((1, 10), (4, 7), (16, 7), (19, 10), (16, 13), (4, 13)),),
    "N": (((10, 1), (13, 4), (13, 16), (10, 19), (7, 16), (7, 4)),),
    "C": (((3, 3), (17, 3), (17, 7), (8, 7), (7, 10), (8, 13), (17, 13), (17, 17), (3, 17)),),
    "S": (
        ((3, 8), (6, 8), (6, 12), (3, 12)),
        ((12, 3), (15, 3), (15, 6), (12, 6)),
        ((12, 14), (15, 14), (15, 17), (12, 17)),
    ),
}
"""Island templates in 1/20 of a sector side from its south-west corner, counter-clockwise."""


@rule("WAS-MAP-22")
def sight_line(a: Sector, b: Sector) -> Line:
    """The segment between the centre dots; from the sector that comes first in map order."""
    first, last = _in_order(a, b)
    return _centre(_PLACE[first]), _centre(_PLACE[last])


def _centre(place: Point) -> Point:
    return 20 * place[1], 40 * place[0] - 20


@cache
def _square(sector: Sector) -> Polygon:
    x, y = _centre(_PLACE[sector])
    return (x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20)


@cache
def _artwork(sector: Sector, art: Art) -> tuple[Polygon, ...]:
    west, south = _square(sector)[0]
    return tuple(tuple((west + 2 * x, south + 2 * y) for x, y in p) for p in _ARTWORK[art])


def centre(sector: Sector) -> Point:
    """The middle of a sector in 1/40 of its side, from the south-west corner of the map."""
    return _centre(_PLACE[sector])


def artwork(sector: Sector, art: Art) -> tuple[Polygon, ...]:
    """The outlines of an island's artwork, in the same measure."""
    return _artwork(sector, art)

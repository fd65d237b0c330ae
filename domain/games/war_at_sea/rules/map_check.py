"""What the rules ask of a map. Messages are for whoever draws it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ....kernel.form import Fault
from . import board
from .charts import Chart, Map, laid_out, land, maps

SIX = 6


def map_faults(map_: Map) -> Iterator[Fault]:
    """Everything that is wrong with a map of the right form."""
    yield from _name(map_)
    yield from _twice(map_)
    yield from _die(map_)
    yield from _fog(map_)
    yield from _objectives(map_)
    for edge in board.EDGES:
        yield from _area(map_, edge)
    yield from _overlap(map_)
    yield from _pools(map_)


def _name(map_: Map) -> Iterator[Fault]:
    if map_.id in maps():
        text = f"A map of the name {map_.id!r} ships with the rules."
        yield Fault("map.name-taken", "/id", text, hint="Give yours another name.")


def _twice(map_: Map) -> Iterator[Fault]:
    """A sector is an island, a shoal or absent: one of them, once."""
    named = (*map_.islands, *map_.shoals, *map_.absent, *map_.island_by_die)
    for sector, number in Counter(named).items():
        if number > 1:
            text = f"Sector {sector} is given twice among islands, shoals and absent sectors."
            yield Fault("map.sector-twice", "", text, "WAS-SETUP-08", "Give each sector one use.")


def _die(map_: Map) -> Iterator[Fault]:
    if map_.island_by_die and len(map_.island_by_die) != SIX:
        text = "A die has six faces: it needs six sectors to choose from."
        hint = "Name six sectors, or put the island among the islands."
        yield Fault("map.not-six-sectors", "/islandByDie", text, "WAS-MAP-25", hint)


def _fog(map_: Map) -> Iterator[Fault]:
    """Fog lies anywhere on the map, over islands too."""
    for number, sector in enumerate(map_.fog):
        at = f"/fog/{number}"
        if sector in map_.absent:
            text = f"There is fog in {sector}, which the map does not have."
            yield Fault("map.fog-nowhere", at, text, "WAS-MAP-20", "Name a sector of the map.")
        if sector in map_.fog[:number]:
            text = f"{sector} is named twice."
            yield Fault("map.sector-twice", at, text, "WAS-SETUP-08", "Name each sector once.")


def _objectives(map_: Map) -> Iterator[Fault]:
    closed = _closed(map_)
    for number, sector in enumerate(map_.objectives):
        at = f"/objectives/{number}"
        if sector in closed:
            text = f"The objective in {sector} is not at sea: no Ship could ever claim it."
            yield Fault("map.objective-ashore", at, text, "WAS-EOT-01", "Put it in open sea.")
        if sector in map_.objectives[:number]:
            text = f"There are two objectives in {sector}."
            yield Fault("map.objective-twice", at, text, "WAS-SETUP-08", "One is enough.")


def _area(map_: Map, edge: board.Edge) -> Iterator[Fault]:
    """Every chart leaves both sides room to set up, and no Ship on dry land."""
    area = map_.areas.south if edge == "south" else map_.areas.north
    for kind, sectors in (("ships", area.ships), ("submarines", area.submarines)):
        for number, sector in enumerate(sectors):
            if sector in _closed(map_):
                at = f"/areas/{edge}/{kind}/{number}"
                text = f"Nobody can be set up in {sector}: it is not open sea."
                yield Fault("map.area-ashore", at, text, "WAS-SETUP-15", "Name open sea only.")
    for chart in laid_out(map_):
        for kind, sectors in board.set_up(chart, edge).items():
            if not sectors:
                text = f"The side with the {edge} edge has no open sector for its {kind}."
                hint = "Leave open sea along the edge, or name a set-up area."
                yield Fault("map.no-set-up-area", f"/areas/{edge}", text, "WAS-SETUP-13", hint)
                return


def _overlap(map_: Map) -> Iterator[Fault]:
    for chart in laid_out(map_)[:1]:
        south, north = (board.set_up(chart, edge) for edge in board.EDGES)
        both = [s for s in south["ships"] if s in north["ships"]]
        if both:
            text = f"Both sides set up Ships in {', '.join(both)}."
            hint = "Keep the set-up areas apart."
            yield Fault("map.areas-overlap", "/areas", text, "WAS-SETUP-13", hint)


def _pools(map_: Map) -> Iterator[Fault]:
    """All open sea hangs together: what sets up anywhere can reach everything."""
    for chart in laid_out(map_):
        first, *others = pools(chart) or [()]
        for pool in others:
            text = f"{chart.name}: sectors {', '.join(pool)} are cut off from the rest of the sea."
            hint = "Open a way, or make them shoals."
            yield Fault("map.cut-off", "", text, "WAS-SEA-08", hint)
        if not first:
            yield Fault("map.no-sea", "", "There is no open sea.", "WAS-SEA-08", "Leave some.")


def pools(chart: Chart) -> list[tuple[str, ...]]:
    """The open sea as connected pieces, the largest first; sectors in map order."""
    left = dict.fromkeys(s for s in board.SECTORS if s not in land(chart))
    found = []
    while left:
        frontier = [next(iter(left))]
        pool = dict.fromkeys(frontier)
        del left[frontier[0]]
        while frontier:
            near = [n for n in board.NEIGHBOURS[frontier.pop()] if n in left]
            for sector in near:
                del left[sector]
                pool[sector] = None
            frontier += near
        found.append(tuple(s for s in board.SECTORS if s in pool))
    return sorted(found, key=lambda pool: -len(pool))


def _closed(map_: Map) -> frozenset[str]:
    """Sectors that are not open sea, whatever the die says."""
    return frozenset((*map_.islands, *map_.shoals, *map_.absent, *map_.island_by_die))

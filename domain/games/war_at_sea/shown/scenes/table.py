"""The map: staggered sectors, islands, weather, mines, objectives."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.shown.drawing import Marker, badge, star
from .....kernel.shown.scene import Box, Group, Item, Paint, Way, Word
from ...rules import board
from ...rules.charts import Chart
from ...rules.darkness import dark
from ...rules.facts import chart_of
from ...rules.state import State
from ...rules.weather import fog
from .layout import CELL, LEFT, TOP, corner, on_map

MINE = Marker("M", "mine")


def sheet(state: State) -> Iterator[Item]:
    """Every sector with what lies in it, from the north-west; rows are numbered at the left."""
    chart = chart_of(state)
    for row in range(board.ROWS, 0, -1):
        y = TOP + (board.ROWS - row) * CELL + CELL // 2
        yield Word(LEFT - 8, y, str(row), 14, "faint", "end", "row")
    for sector in reversed(board.SECTORS):
        yield _sector(state, chart, sector)


def _sector(state: State, chart: Chart, sector: str) -> Group:
    x, y = corner(sector)
    water: Paint = "dark-sea" if state.turn and dark(state) else "sea"
    items: list[Item] = [Box(x, y, CELL, CELL, water)]
    said = []
    for name, what in _contents(state, chart, sector):
        items.append(what)
        said.append(name)
    items.append(Box(x, y, CELL, CELL, "grid", "sector-edge"))
    items.append(Word(x + 4, y + 12, sector, 11, "faint", name="sector-name"))
    title = f"sector {sector}" + (f": {', '.join(said)}" if said else "")
    return Group(tuple(items), name="sector", title=title, key=f"sector:{sector}")


def _contents(state: State, chart: Chart, sector: str) -> Iterator[tuple[str, Item]]:
    """What lies in a sector, with what to call it."""
    x, y = corner(sector)
    if sector in chart.absent:
        yield "not on this map", Box(x, y, CELL, CELL, "absent", "absent")
    if sector in chart.islands:
        for outline in board.artwork(sector, chart.islands[sector]):
            yield "island", Way(tuple(map(on_map, outline)), "land", "island", closed=True)
    if sector in chart.shoals:
        yield "shoals", Box(x + 8, y + 20, CELL - 16, CELL - 28, "shoal", "shoal", 20)
    if sector in state.smoke:
        yield f"smoke until turn {state.smoke[sector]}", _cloud(sector, "smoke")
    if sector in state.squalls:
        yield "squall", _cloud(sector, "squall")
    if sector in fog(state):
        yield "fog", _cloud(sector, "fog")
    if sector in state.objectives:
        yield "objective", star((x + CELL - 14, y + 14), 11, "badge", "objective")
    mines = state.mines.count(sector)
    for number in range(mines):
        at = x + CELL - 34 - 17 * number, y + 10
        yield f"mine {number + 1}", badge(at, MINE, "mine")


def _cloud(sector: str, name: str) -> Group:
    """A sector full of smoke, rain or fog; the letter says which where patterns cannot be seen."""
    x, y = corner(sector)
    fill: Paint = "storm" if name == "squall" else "smoke"
    label = Word(x + CELL - 5, y + CELL - 6, name, 11, "text", "end", f"{name}-name")
    return Group(
        (Box(x + 3, y + 3, CELL - 6, CELL - 6, fill, name, 26), label),
        name=f"weather-{name}",
    )

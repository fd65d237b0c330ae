"""Rules about tables, over every row; expectations are the booklet's, row by row."""

from __future__ import annotations

import pytest

from domain.games.crimson_tide.cards import catalogue
from domain.games.crimson_tide.commands import Deploy
from domain.games.crimson_tide.criticals import marker_on, repairable
from domain.games.crimson_tide.geometry.arcs import CHANNEL_LENGTH, channel
from domain.games.crimson_tide.geometry.hull import Side
from domain.games.crimson_tide.geometry.pose import Pose
from domain.games.crimson_tide.options import Options
from domain.games.crimson_tide.rules.air_missions import why_not_deploy
from domain.games.crimson_tide.scenarios import scenario, terms
from domain.games.crimson_tide.state import LAND_BASE, Mission, Place, Unit
from tests.crimson_tide.table import MEDIUM, table, unit

RESULTS = range(2, 13)


@pytest.mark.rule("CT-CRIT-14")
def test_which_results_can_be_repaired() -> None:
    assert [number for number in RESULTS if repairable(number)] == [4, 5, 6, 7, 9, 10, 11]


@pytest.mark.rule("CT-CRIT-18")
def test_what_each_result_leaves_on_each_kind() -> None:
    """All but 12 leave a marker; steering and engine mean nothing to a land target."""
    kinds = [*sorted({card.kind for card in catalogue().values()} - {"aircraft"}), "land"]
    for kind in kinds:
        wanted = [0 if n == 12 or (kind == "land" and n in (4, 5, 11)) else n for n in RESULTS]
        assert [marker_on(kind, n) for n in RESULTS] == wanted, kind


OUTWARD: dict[Side, tuple[int, int]] = {
    "bow": (0, 1), "starboard": (1, 0), "stern": (0, -1), "port": (-1, 0),
}  # fmt: skip
"""Where the strip goes, of a unit that heads along y."""


@pytest.mark.parametrize("side", OUTWARD)
@pytest.mark.rule("CT-ARC-05", "CT-GEOM-18")
def test_a_channel_leaves_each_side_at_right_angles_as_wide_as_it(side: Side) -> None:
    x, y = OUTWARD[side]
    near, far_off, other_off, other = channel(Pose(0, 0, 0), "medium", side)
    across = (other[0] - near[0], other[1] - near[1])
    assert across[0] * x + across[1] * y == 0
    assert abs(sum(across)) == (20_000 if x == 0 else 80_000)
    for begin, end in ((near, far_off), (other, other_off)):
        assert (end[0] - begin[0], end[1] - begin[1]) == (x * CHANNEL_LENGTH, y * CHANNEL_LENGTH)


BESIDE: dict[Mission, tuple[Place, ...]] = {
    "ordnance": ("starboard", "port"),
    "strafe": ("bow", "stern"),
}


@pytest.mark.parametrize("mission", BESIDE)
@pytest.mark.rule("CT-AIRD-04")
def test_bombers_go_to_the_long_sides_and_strafers_to_the_short_ones(mission: Mission) -> None:
    card = next(c.id for c in catalogue().values() if c.kind == "aircraft" and c.bombs and c.strafe)
    plane = Unit("p1-1", card, "p1", base=LAND_BASE)
    state = table(plane, unit("p2-1", MEDIUM, 500_000, 500_000), step="air-deployment")
    places: tuple[Place, ...] = ("starboard", "port", "bow", "stern")
    orders = [Deploy("p1-1", mission, "p2-1", place) for place in places]
    open_ = [each.side for each in orders if why_not_deploy(state, "p1", each) is None]
    assert tuple(open_) == BESIDE[mission]


FIGURES = {
    "standard": (100, 15, 5, 12, 0),
    "sea-control": (100, 15, 5, 12, 150),
    "major-200": (200, 20, 7, 12, 0),
    "major-300": (300, 25, 9, 12, 0),
}
"""Points, units, room of the land base, turns, points that win at once."""


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.rule("CT-SCN-14", "CT-SCN-15", "CT-SCN-16")
def test_figures_of_the_scenarios(name: str) -> None:
    found = terms(scenario(name), Options(), ("p1", "p2"))
    points, *figures = FIGURES[name]
    assert found.points == {"p1": points, "p2": points}
    assert [found.units, found.airbase, found.turns, found.target] == figures

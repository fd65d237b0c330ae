"""The range and line-of-sight vectors of the inventory (section 4.8), and the map they stand on."""

from __future__ import annotations

import pytest

from domain.games.war_at_sea.rules import board

RANGES = """
1.1  1.1  0
1.1  1.7  6
1.4  2.3  1
1.4  2.4  1
1.4  6.3  5
1.4  6.4  5
1.1  6.6  8
2.1  2.6  5
6.1  6.6  5
1.1  11.1 10
1.4  11.4 10
1.1  11.7 11
5.4  7.4  2
5.3  7.4  2
4.3  7.5  3
5.4  7.7  4
"""

SIGHTS = """
# zone, weather, from, to, range, result: what is in the way
2  -        5.3  7.3  2  clear                  # along the side 6.2/6.3
2  -        5.4  7.4  2  clear                  # vertical line along the side 6.3/6.4
2  -        5.3  7.4  2  island-art 6.3         # island 6.3
2  -        6.2  6.4  2  island-art 6.3         # island 6.3
2  -        4.3  8.3  4  island-art 6.3         # island 6.3
2  -        5.2  7.4  3  clear                  # passes beside 6.3
2  -        4.2  7.4  3  island-art 6.3         # island 6.3
2  -        5.1  7.1  2  clear                  # vertical line along the side of 6.1
2  -        5.1  7.2  2  island-art 6.1         # island 6.1
2  -        5.2  6.3  2  island-sector 6.3      # target in an island sector
4  -        5.2  7.3  2  island-art 6.2         # island 6.2
4  -        6.1  6.3  2  island-art 6.2         # from the west into the closed side of the atoll
4  -        5.2  7.2  2  clear                  # along the side 6.1/6.2
4  -        6.1  7.4  3  island-art 6.2         # island 6.2
1  -        5.5  7.6  2  island-art 6.5         # island 6.5
1  -        4.5  8.5  4  clear                  # crosses island sector 6.5 between the islets
1  -        6.4  6.6  2  island-art 6.5         # island 6.5
1  -        5.4  7.7  4  clear                  # nothing crossed
1  -        4.4  7.6  3  island-art 6.5         # island 6.5
1  6.3      5.4  7.4  2  clear                  # runs along the side of the squall sector
1  6.3+6.4  5.4  7.4  2  clear                  # between two squalls (RUL-57)
1  6.3      5.3  7.4  2  weather 6.3            # weather 6.3
1  6.3      6.2  6.4  2  weather 6.3            # weather 6.3
1  6.3      5.4  6.3  1  clear                  # into the squall: concealment
1  6.3      6.3  6.1  2  clear                  # out of the squall: no penalty
1  5.4      4.3  7.5  3  weather 5.4            # weather 5.4
1  6.4      4.3  7.5  3  weather 6.4            # weather 6.4
1  6.3      4.3  7.5  3  clear                  # line misses 6.3
1  4.4      4.3  5.5  2  weather 4.4            # weather 4.4
1  1.2      1.1  3.3  3  clear                  # 45-degree line touches only the corner of 1.2
1  2.1      1.1  3.3  3  weather 2.1            # weather 2.1
"""


def table(text: str) -> list[list[str]]:
    """The words of every line that is not a remark."""
    return [words for line in text.splitlines() if (words := line.split("#")[0].split())]


@pytest.mark.rule("WAS-MAP-04", "RUL-11")
@pytest.mark.parametrize(("a", "b", "sectors"), table(RANGES))
def test_a_range_counts_the_target_and_not_the_attacker(a: str, b: str, sectors: str) -> None:
    assert board.distance(a, b) == board.distance(b, a) == int(sectors)


@pytest.mark.rule("WAS-LOS-02", "WAS-LOS-04", "WAS-LOS-05")
@pytest.mark.rule("WAS-LOS-16", "WAS-LOS-24", "RUL-57", "RUL-59")
def test_the_sights_of_the_inventory() -> None:
    wrong = []
    for zone, weather, a, b, sectors, *expected in table(SIGHTS):
        obscured = frozenset() if weather == "-" else frozenset(weather.split("+"))
        seen = board.sight(board.chart(f"zone-{zone}"), obscured, a, b, "2009")
        found = ["clear"] if seen.clear else [seen.kind, seen.blocker]
        if found != expected or board.distance(a, b) != int(sectors):
            wrong.append((zone, weather, a, b, expected, found))
    assert wrong == []


def test_all_the_vectors_are_there() -> None:
    assert (len(table(RANGES)), len(table(SIGHTS))) == (16, 31)

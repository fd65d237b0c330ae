"""The lines of the last action cross no text of the panels beside War at Sea's map.

Text is taken to be as wide as the widest letters make it; the lines of all aircraft that return to
a base in a recorded battle are looked at, and of shots as they would be drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from domain.games.war_at_sea.events import AircraftReturned
from domain.games.war_at_sea.scenes.layout import GATE, PANEL, lines
from domain.kernel.drawing import Point
from domain.kernel.scene import Group, Item, Scene, Way, Word
from tests.support import history as histories
from tests.support.suites import suites

from .drawn import history

SUITE = suites()["war_at_sea"]
NAMES = [path.stem for path in histories.files(SUITE)]
LINES = ("move-line", "shot-line")
STEPS = 40
"""Points of a line that are looked at."""


class Frame(NamedTuple):
    """Where a word is written."""

    left: int
    top: int
    right: int
    bottom: int
    text: str

    def holds(self, x: int, y: int) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def inner(items: tuple[Item, ...], within: tuple[str, ...] = ()) -> Iterator[tuple[Item, str]]:
    """Everything that is drawn, with the names of the groups that it is in."""
    for item in items:
        if isinstance(item, Group):
            yield from inner(item.items, (*within, item.name))
        else:
            yield item, "/".join(within)


def frame(word: Word) -> Frame:
    """At least as large as the word is."""
    wide = len(word.text) * word.size * 62 // 100
    left = {"start": word.x, "middle": word.x - wide // 2, "end": word.x - wide}[word.anchor]
    return Frame(left, word.y - word.size * 3 // 4, left + wide, word.y + word.size // 4, word.text)


def panels(scene: Scene) -> list[Frame]:
    """All text of both sides, the names of their pieces and markers too."""
    return [
        frame(item)
        for item, within in inner(scene.items)
        if isinstance(item, Word) and within.startswith("side ")
    ]


def crossed(scene: Scene) -> list[tuple[str, tuple[Point, ...]]]:
    """Text of the panels that a line goes through."""
    words = panels(scene)
    drawn = [i for i, _ in inner(scene.items) if isinstance(i, Way) and i.name in LINES]
    return [
        (word.text, line.points)
        for line in drawn
        for at in along(line.points)
        for word in words
        if word.holds(*at)
    ]


def along(points: tuple[Point, ...]) -> Iterator[Point]:
    for (x, y), (to_x, to_y) in pairwise(points):
        for step in range(STEPS + 1):
            yield x + (to_x - x) * step // STEPS, y + (to_y - y) * step // STEPS


def returns(name: str) -> Iterator[Scene]:
    """The picture after each return to a base that is shown in a panel."""
    state: Any = None
    for event in history(SUITE, name):
        before, state = state, SUITE.game.evolve(state, event)
        if isinstance(event, AircraftReturned):
            yield SUITE.game.picture(state, before, (event,), "")


@pytest.mark.parametrize("name", NAMES)
def test_a_line_to_a_base_crosses_no_text(name: str) -> None:
    """It went straight through the panel, over losses and units in play."""
    for scene in returns(name):
        assert crossed(scene) == []


def test_lines_to_bases_are_drawn_and_straight_ones_would_be_noticed() -> None:
    scenes = [scene for name in NAMES for scene in returns(name)]
    into = [
        item.points
        for scene in scenes
        for item, _ in inner(scene.items)
        if isinstance(item, Way) and item.name in LINES and item.points[-1][0] > PANEL
    ]
    assert len(into) > 20
    assert all((GATE, y) == line[-2] for line in into for _, y in line[-1:] if line[0][0] < PANEL)
    straight = [((100, 700), (PANEL + 340, word.bottom)) for word in panels(scenes[0])]
    assert any(
        word.holds(*at) for line in straight for at in along(line) for word in panels(scenes[0])
    )


def test_a_shot_between_panels_goes_between_them_and_the_map() -> None:
    one, two = (PANEL + 40, 140), (PANEL + 160, 400)
    main, pointer = lines(one, two)
    assert [x for x, _ in main].count(GATE) == 2
    assert {y for _, y in pointer} == {400}
    assert PANEL < pointer[0][0] < pointer[1][0] < two[0]
    assert len(lines(one, (300, 300))) == len(lines((300, 300), one)) == 1
    assert lines((300, 300), (400, 400), (350, 500)) == (((300, 300), (350, 500), (400, 400)),)

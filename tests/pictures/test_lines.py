"""The last action hides nothing: lines cross no text of War at Sea's panels, words are apart.

Text is taken to be as wide as the widest letters make it; the lines of all aircraft that return to
a base in a recorded battle are looked at, and of shots as they would be drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import pytest

from domain.games.war_at_sea.rules.events import AircraftReturned
from domain.games.war_at_sea.shown.scenes.layout import GATE, PANEL, lines
from domain.kernel.shown.drawing import Point, readable
from domain.kernel.shown.scene import Box, Disc, Group, Item, Scene, Way, Word
from tests.support import history as histories
from tests.support.suites import Suite, suites

from .drawn import history, position

SUITE = suites()["war_at_sea"]
NAMES = [path.stem for path in histories.files(SUITE)]
LINES = ("move-line", "shot-line")
LONG = 24
"""Events that are drawn as one action: more than most commands have."""

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


def notes(scene: Scene) -> list[Frame]:
    """The words of the last action."""
    return [
        frame(item)
        for item, within in inner(scene.items)
        if isinstance(item, Word) and within.startswith("last ")
    ]


def overlapping(words: list[Frame]) -> list[tuple[str, str]]:
    return [
        (one.text, two.text)
        for one, two in combinations(words, 2)
        if one.left < two.right
        and two.left < one.right
        and one.top < two.bottom
        and two.top < one.bottom
    ]


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_no_word_of_an_action_lies_on_another(suite: Suite) -> None:
    """Two shots at one aircraft gave one blot; each word has a plate of its own below it."""
    path = max(histories.files(suite), key=lambda each: each.stat().st_size)
    events, several = history(suite, path.stem), 0
    states: list[Any] = [None]
    for event in events:
        states.append(suite.game.evolve(states[-1], event))
    for at in range(LONG, len(events), LONG // 2):
        last = tuple(events[at - LONG : at])
        scene = suite.game.picture(states[at], states[at - LONG], last, "")
        words = notes(scene)
        assert overlapping(words) == []
        plates = [i for i, _ in inner(scene.items) if isinstance(i, Box) and i.name == "note-plate"]
        assert len(plates) == len(words)
        several += len(words) > 1
    assert several > 5


def test_words_that_fall_together_are_moved_apart() -> None:
    word = Word(100, 100, "aborted", 12, "note", "middle")
    piled = [Group((word, Disc(100, 100, 9, "miss")), name="last shot") for _ in range(4)]
    assert len(overlapping([frame(word)] * 4)) == 6
    told = list(readable(piled))
    words = [item for group in told for item in group.items if isinstance(item, Word)]
    assert overlapping([frame(each) for each in words]) == []
    assert words[0] == word, "the first stays where it belongs"
    assert max(abs(each.y - word.y) for each in words) < 40
    assert all(isinstance(group.items[0], Box) for group in told), "the plate is below its word"


def test_the_name_of_land_stands_beside_an_objective_upon_it() -> None:
    """The shallows of a landing had the star on their name."""
    suite = suites()["crimson_tide"]
    scene = suite.game.picture(position("crimson_tide", "amphibious", 137), None, (), "")
    names = [
        frame(item)
        for item, within in inner(scene.items)
        if isinstance(item, Word) and within.startswith("terrain ")
    ]
    stars = [
        item
        for item, within in inner(scene.items)
        if isinstance(item, Disc) and within.startswith("objective ")
    ]
    assert names
    assert stars
    assert not any(
        word.holds(star.x + dx, star.y + dy)
        for word in names
        for star in stars
        for dx in (-star.radius, 0, star.radius)
        for dy in (-star.radius, 0, star.radius)
    )

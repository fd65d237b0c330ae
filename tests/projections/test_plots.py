"""The plot of luck: bars for what came and was expected, lines for its course, words."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from projections.plots import DASHES, Bar, Point, drawn, thousandths

SVG = "{http://www.w3.org/2000/svg}"
BARS = [Bar("p1", 6, Fraction(3), 910), Bar("p2", 0, Fraction(3, 2), 60)]
POINTS = [Point(4, "p1", 1500), Point(9, "p2", -1500), Point(14, "p1", 3000)]


def parts(text: str, name: str) -> list[ET.Element]:
    return list(ET.fromstring(text).iter(SVG + name))


def test_bars_are_as_long_as_what_they_stand_for() -> None:
    lengths = [
        (each.get("class"), int(each.get("width", ""))) for each in parts(drawn(BARS, ()), "rect")
    ]
    assert lengths == [("actual", 420), ("expected", 210), ("actual", 0), ("expected", 105)]


def test_each_seat_has_a_line_of_its_own_kind_that_steps_where_dice_fell() -> None:
    lines = [each for each in parts(drawn(BARS, POINTS), "path") if "V" in each.get("d", "")]
    assert [each.get("stroke-dasharray") for each in lines] == list(DASHES[:2])
    steps = [re.findall(r"H(\d+)V(\d+)", each.get("d", "")) for each in lines]
    assert [len(each) for each in steps] == [2, 1]
    (_, half), (right, top) = steps[0]
    (_, bottom) = steps[1][0]
    assert int(top) < int(half) < int(bottom)
    assert int(right) == 620


def test_all_of_it_is_said_in_words() -> None:
    (about,) = parts(drawn(BARS, POINTS), "desc")
    assert about.text == (
        "p1: 6, expected 3/1, worse in 910 of 1000; p2: 0, expected 3/2, worse in 60 of 1000; "
        "p1 was +3.000 ahead at most, 0 at least, +3.000 at last; "
        "p2 was 0 ahead at most, -1.500 at least, -1.500 at last"
    )


def test_a_game_without_dice_has_a_plot_too() -> None:
    (about,) = parts(drawn((), ()), "desc")
    assert about.text == "no rolls yet"
    assert not parts(drawn((), ()), "path")


def test_names_cannot_break_the_picture() -> None:
    text = drawn([Bar("<&", 1, Fraction(1), 500)], [Point(2, "<&", 0)])
    assert [each.text for each in parts(text, "text")].count("<&") == 1


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (1250, "+1.250"), (-4, "-0.004"), (-1000, "-1.000")]
)
def test_thousandths(value: int, text: str) -> None:
    assert thousandths(value) == text

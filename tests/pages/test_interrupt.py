"""A defense interrupts: what is coming, at whom, what may be done, and how long there is for it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .conftest import Person
from .test_board import BODIES, MEASURED, SIZES, until
from .test_every_command import Sat
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
MINUTES = 10


@pytest.fixture(scope="module")
def attacked(server: Running) -> tuple[Sat, str]:
    """A game of four whose clock runs, at the moment when somebody may defend."""
    body = {"ruleset": "naval-battles", **BODIES["naval-battles"], "deadline": 60 * MINUTES}
    sat = Sat(server.url, body)
    return sat, until(sat, "defend", 2)[0]


@pytest.mark.parametrize("size", SIZES)
def test_a_defense_shows_the_card_the_ship_and_the_time(
    person: People, attacked: tuple[Sat, str], size: tuple[int, int]
) -> None:
    sat, seat = attacked
    one = person(viewport={"width": size[0], "height": size[1]})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    timer = one.page.get_by_role("timer")
    expect(timer).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(one.page.locator(".ask .note")).to_contain_text("If the time runs out: no defense.")
    if one.page.locator("p.what:not(.turn)").inner_text().endswith("Which do you defend against?"):
        one.page.locator("button.chip").first.click()
    asked = re.compile(r"Do you defend\?|Who takes it\?")  # where one card alone would do
    expect(one.page.locator("p.what:not(.turn)")).to_contain_text(asked)
    scene = one.page.locator(".scene")
    expect(scene.locator(".card .name")).to_be_visible()
    expect(scene.locator(".shipcard .name")).to_be_visible()
    assert scene.locator("[data-key]").count() == 0, "a picture, and no second piece"
    box, room = timer.bounding_box(), one.page.locator(".ask").bounding_box()
    assert box is not None
    assert room is not None
    assert box["x"] + box["width"] <= room["x"] + room["width"]
    assert one.page.evaluate(MEASURED) == []
    assert one.serious() == []
    one.leave()

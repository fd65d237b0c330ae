"""What whole games by hand found: nobody's focus or finger is lost while the bar is painted anew."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .conftest import Person
from .test_every_command import Sat, until_there_are_odds
from .whole import at_the_table

People = Callable[..., Person]


@pytest.fixture(scope="module")
def dice(server: Running) -> tuple[Sat, str, list[dict[str, object]]]:
    """A battle of War at Sea in which somebody may fire."""
    sat = Sat(server.url, {"ruleset": "war-at-sea", "edition": "2009", "seed": "odds"})
    return sat, *until_there_are_odds(sat)


def test_the_focus_stays_where_the_page_asks_once_more(
    person: People, dice: tuple[Sat, str, list[dict[str, object]]]
) -> None:
    """Shots that may well hit are left; a bar of another height fits the board anew, and the bar with it."""
    sat, seat, _ = dice
    one = person(viewport={"width": 1440, "height": 900})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    one.page.keyboard.press("p")
    expect(one.page.locator("button.no")).to_be_focused()
    one.page.evaluate("document.querySelector('button.no').seen = true")
    one.page.set_viewport_size({"width": 1300, "height": 820})
    one.page.wait_for_function("!document.querySelector('button.no').seen")
    expect(one.page.locator("button.no")).to_be_focused()
    one.leave()

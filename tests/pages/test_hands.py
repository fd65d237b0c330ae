"""What whole games by hand found: no focus and no finger is lost at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person
from .reach import given
from .test_board import BODIES, until
from .test_every_command import Sat, until_there_are_odds
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]


@pytest.fixture(scope="module")
def dice(server: Running) -> tuple[Sat, str, list[dict[str, object]]]:
    """A battle of War at Sea in which somebody may fire."""
    sat = Sat(server.url, {"ruleset": "war-at-sea", "edition": "2009", "seed": "odds"})
    return sat, *until_there_are_odds(sat)


def test_the_focus_stays_where_the_page_asks_once_more(
    person: People, dice: tuple[Sat, str, list[dict[str, object]]]
) -> None:
    """A bar of another height fits the board anew, and that paints the bar."""
    sat, seat, _ = dice
    one = person(viewport={"width": 1440, "height": 900})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    one.page.keyboard.press("p")
    expect(one.page.locator("button.no")).to_be_focused()
    one.page.evaluate("document.querySelector('button.no').seen = true")
    one.page.set_viewport_size({"width": 1300, "height": 820})
    for _ in range(100):
        if not one.page.evaluate("document.querySelector('button.no').seen"):
            break
        one.page.wait_for_timeout(50)
    assert not one.page.evaluate("document.querySelector('button.no').seen"), "it is painted anew"
    expect(one.page.locator("button.no")).to_be_focused()
    one.leave()


@pytest.mark.parametrize("ruleset", ["war-at-sea", "naval-battles"])
def test_who_comes_to_answer_stands_at_the_first_answer(
    person: People, server: Running, ruleset: str
) -> None:
    """A fleet of War at Sea took 12 presses, and a nation 11: nine of them to pass the header."""
    sat = Sat(server.url, {"ruleset": ruleset, "seed": "first"})
    seat = sat.asked()
    one = person(viewport={"width": 1440, "height": 900})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    expect(one.page.locator(".chips button.command").first).to_be_focused()
    offers = one.page.locator(".ask")
    before = offers.get_attribute("data-version")
    for key in ("ArrowRight", "Enter"):
        one.page.keyboard.press(key)
    expect(offers).not_to_have_attribute("data-version", before or "")


def test_a_phone_has_the_whole_board_small_beside_a_part_of_it(
    person: People, server: Running
) -> None:
    sat = Sat(server.url, {"ruleset": "crimson-tide", **BODIES["crimson-tide"]})
    seat, _ = until(sat, "move", 3)
    one = person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    small, board = one.page.locator(".smallmap"), one.page.locator("svg.board")
    for key in "f+++":
        one.page.keyboard.press(key)
    expect(small).to_be_visible()
    expect(small.locator(".dot")).to_have_count(one.page.locator(".layer-pieces .piece").count())
    seen = board.get_attribute("viewBox")
    box = small.bounding_box()
    assert box is not None
    one.page.touchscreen.tap(box["x"] + 6, box["y"] + 6)
    expect(board).not_to_have_attribute("viewBox", seen or "")
    told = [float(each) for each in str(board.get_attribute("viewBox")).split()]
    assert told[0] <= 0, "the press was in the corner"
    assert told[1] <= 0
    shoot(one.page, "smallmap")
    one.page.set_viewport_size({"width": 1440, "height": 900})
    expect(small).to_be_hidden()


def test_who_stands_in_a_lit_sector_is_pressed_for_it(person: People, server: Running) -> None:
    """Pieces fill a sector, so that a finger cannot help meeting them."""
    sat = Sat(server.url, {"ruleset": "war-at-sea", **BODIES["war-at-sea"]})
    seat, items = until(sat, "place-aircraft", 20)
    token = {"Authorization": f"Bearer {sat.tokens[seat]}"}
    state = sat.client.get(f"/v1/games/{sat.game}/view", headers=token).json()["state"]
    there = {f"sector:{u['sector']}": key for key, u in state["units"].items() if u["sector"]}
    moves = [[part["key"] for part in i["parts"][:2]] for i in items]
    once = (i for i, keys in zip(items, moves, strict=True) if moves.count(keys) == 1)
    item = next(i for i in once if len(i["parts"]) == 2 and i["parts"][1]["key"] in there)
    one = person(viewport={"width": 1440, "height": 900})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()

    def press(page: Any, _: Any) -> None:
        page.locator(f"button.chip[data-key='{item['parts'][0]['key']}']").click()
        page.locator(f".board .piece[data-key='{there[item['parts'][-1]['key']]}']").click()

    ((_, sent),) = given(one.page, [item], press)
    assert sent == item["command"]
    one.leave()

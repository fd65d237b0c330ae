"""Crimson Tide by hand: a base is dragged and turned by its bow; what may be measured is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .conftest import Person
from .hands import Keys
from .reach import by_clicks, given
from .test_board import until
from .test_every_command import Sat
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
ROLES = ["unit", "weapon", "arc", "target"]


def sit(person: People, sat: Sat, seat: str) -> Person:
    one = person(viewport={"width": 1440, "height": 900})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    return one


def dragged(one: Person, handle: str, right: float, down: float) -> None:
    box = one.page.locator(f"[data-handle={handle}]").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    one.page.mouse.move(x, y)
    one.page.mouse.down()
    one.page.mouse.move(x + right, y + down, steps=4)
    one.page.mouse.up()


def test_a_base_is_set_up_by_its_middle_and_turned_by_its_bow(
    person: People, server: Running
) -> None:
    sat = Sat(server.url, {"ruleset": "crimson-tide", "seed": "a"})
    seat, items = until(sat, "place", 4)
    item = next(i for i in items if [p["role"] for p in i["parts"]] == ["card", "place"])
    one = sit(person, sat, seat)

    def place(page: Any, _: Any) -> None:
        page.locator(f"button.chip[data-key='{item['parts'][0]['key']}']").click()
        expect(page.locator(".ghost-base use")).to_have_count(1)
        page.locator("[data-handle=end]").click()
        expect(page.locator("[data-handle=bow]")).to_have_count(1)
        dragged(one, "bow", -40, 60)
        expect(page.locator(".dial-told")).not_to_contain_text("heading 180")
        page.locator("button.go").click()

    ((_, sent),) = given(one.page, [item], place)
    command = item["command"]
    assert (sent["x"], sent["y"]) == (command["x"], command["y"]), "turning moved it"
    assert sent["heading"] != command["heading"]
    assert sent["heading"] % 10 == 0, "whole fives of degrees"
    one.leave()


@pytest.mark.parametrize("measuring", ["free", "after-declaring"])
def test_what_an_attack_would_measure_is_told_only_by_agreement(
    person: People, server: Running, measuring: str
) -> None:
    options = {"measuring": measuring}
    sat = Sat(server.url, {"ruleset": "crimson-tide", "seed": "a", "options": options})
    seat, items = until(sat, "attack", 8)
    while not any([p["role"] for p in i["parts"]] == ROLES for i in items):
        sat.give(seat, items[-1]["command"], sat.offer(seat)["version"])
        seat, items = until(sat, "attack", 8)
    item = next(i for i in items if [p["role"] for p in i["parts"]] == ROLES)
    one = sit(person, sat, seat)
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url))
    by_clicks(one.page, {**item, "parts": item["parts"][:3], "command": {"type": "none"}})
    target = one.page.locator(f"button.chip[data-key='{item['parts'][3]['key']}']")
    expect(target).to_be_visible()
    one.page.wait_for_timeout(500)
    told = target.locator(".sub")
    if measuring == "free":
        expect(told).to_contain_text(re.compile(r"range \d|impossible"))
    else:
        assert not told.count() or not re.search("range|impossible", told.inner_text())
        assert not [url for url in asked if url.endswith("/commands/check")]
    one.watch.complaints.clear()
    one.leave()


def test_a_move_is_dialled_by_keys_and_the_focus_stays(person: People, server: Running) -> None:
    sat = Sat(server.url, {"ruleset": "crimson-tide", "seed": "a"})
    seat, items = until(sat, "move", 5)
    item = next(i for i in items if [p["role"] for p in i["parts"]][:2] == ["unit", "path"])
    one = sit(person, sat, seat)
    hand = Keys(one.page)

    def order(page: Any, _: Any) -> None:
        hand.take(f"unit {item['parts'][0]['key']}")
        told = page.locator(".dial-told").first
        hand.until("document.activeElement.ariaLabel === 'One klick fewer'")
        before = told.inner_text()
        hand.press("Enter")
        expect(told).not_to_have_text(before)
        drawn = page.evaluate_handle("document.querySelector('.ghost-base')")
        page.set_viewport_size({"width": 1300, "height": 860})  # fitted, and painted anew
        page.wait_for_function("old => !old.isConnected", arg=drawn)
        expect(page.get_by_role("button", name="One klick fewer")).to_be_focused()
        hand.until("document.activeElement.ariaLabel === 'One degree to port before each klick'")
        hand.press("Enter")
        expect(page.locator(".dial [role=status]")).to_contain_text("legal")
        hand.until("document.activeElement.matches('.ways button.go')")
        hand.press("Enter")

    ((_, sent),) = given(one.page, [item], order)
    assert sent["unit"] == item["command"]["unit"]
    assert sent["path"] != item["command"]["path"]
    one.leave()

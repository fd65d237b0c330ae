"""The card of a unit is shown where one points at it, by mouse, by keys and by a resting finger."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.server import Running

from .conftest import Person
from .test_every_command import Sat
from .test_requests import BATTLE, moves
from .test_table import People
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")


@pytest.fixture
def sat_down(person: People, server: Running) -> tuple[Person, Any]:
    """At a battle, and the card of one of one's own units."""
    sat = Sat(server.url, BATTLE)
    seat, _ = moves(sat)
    one = person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    button = one.page.locator(".fleets .unit.may").first
    unit = button.get_attribute("data-unit")
    token = {"Authorization": f"Bearer {sat.tokens[seat]}"}
    state = sat.client.get(f"/v1/games/{sat.game}/view", headers=token).json()["state"]
    path = f"/v1/rulesets/war-at-sea/units/{state['units'][unit]['card']}"
    return one, sat.client.get(path).json()


def card_of(page: Page) -> Locator:
    return page.get_by_role("tooltip")


def test_the_card_is_shown_under_the_mouse_and_at_the_focus(sat_down: tuple[Person, Any]) -> None:
    one, card = sat_down
    unit = one.page.locator(".fleets .unit.may").first
    shown = card_of(one.page)
    one.page.mouse.move(2, 2)  # the table may have come up below the mouse
    expect(shown).to_have_count(0)
    unit.hover()
    expect(shown.locator("h3")).to_have_text(card["name"])
    expect(shown.locator(".figures")).to_contain_text("armor")
    one.page.mouse.move(2, 2)
    expect(shown).to_have_count(0)
    key = unit.get_attribute("data-unit")
    one.page.locator(f"svg [data-key='{key}']").first.hover()
    expect(shown.locator("h3")).to_have_text(card["name"])
    one.page.keyboard.press("Escape")
    expect(shown).to_have_count(0)


def test_a_finger_that_rests_looks_and_does_not_choose(sat_down: tuple[Person, Any]) -> None:
    one, card = sat_down
    unit = one.page.locator(".fleets .unit.may").first
    touch = {"pointerType": "touch", "clientX": 9, "clientY": 9, "bubbles": True}
    unit.dispatch_event("pointerdown", touch)
    expect(card_of(one.page).locator("h3")).to_have_text(card["name"])
    unit.dispatch_event("pointerup", touch)
    unit.dispatch_event("click", {"bubbles": True, "cancelable": True})
    expect(one.page.locator(".fleets .unit[aria-pressed='true']")).to_have_count(0)
    unit.dispatch_event("pointerdown", touch)
    unit.dispatch_event("pointerup", touch)
    unit.dispatch_event("click", {"bubbles": True, "cancelable": True})
    expect(one.page.locator(".fleets .unit[aria-pressed='true']")).to_have_count(1)

"""The front page: a battle at one press, the games, a way to all else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.support.chromium import shoot

from .conftest import Person

People = Callable[..., Person]

SIZES = {"1440": (1440, 900), "390": (390, 844)}
SMALL = """() => [...document.querySelectorAll("main *")]
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((each) => {
    const scale = each.ownerSVGElement ? each.getScreenCTM().a : 1;
    return parseFloat(getComputedStyle(each).fontSize) * scale < 11;
  }).map((each) => each.textContent)"""
"""Texts under eleven pixels."""
TIGHT = """() => [...document.querySelectorAll("main a, main button")]
  .map((each) => [each.textContent, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 24 || height < 24).map(([text]) => text)"""
"""Targets under twenty-four."""


@pytest.mark.parametrize("size", SIZES)
def test_a_first_battle_is_begun_at_one_press(person: People, size: str) -> None:
    wide, high = SIZES[size]
    one = person(viewport={"width": wide, "height": high})
    one.go()
    expect(one.page.get_by_role("heading", level=1)).to_contain_text("by the book")
    expect(one.page.get_by_role("button", name="Play the house bot")).to_have_count(3)
    assert one.page.evaluate(SMALL) == []
    assert one.page.evaluate(TIGHT) == []
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if wide > high:
        assert one.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert one.serious() == []
    shoot(one.page, f"front-{size}")
    one.page.get_by_role("button", name="Play a first battle now").click()
    one.page.wait_for_url("**/#/game/*")
    expect(one.page.locator("h1")).to_contain_text("a first battle")
    expect(one.turn).to_contain_text("p1")
    game = one.page.url.rpartition("/")[2]
    told = one.page.evaluate(f"fetch('/v1/games/{game}').then((answer) => answer.json())")
    assert [(each["seat"], bool(each.get("bot"))) for each in told["seats"]] == [
        ("p1", False),
        ("p2", True),
    ]


def test_who_has_no_first_battle_in_mind_finds_the_rest(person: People, finished: str) -> None:
    one = person()
    one.go()
    one.page.get_by_role("link", name="Invite a friend").click()
    one.page.locator("form").get_by_role("button", name="Create").wait_for()
    one.page.get_by_role("link", name="Decklog").click()
    one.page.get_by_role("link", name="Watch a finished battle").click()
    one.page.wait_for_url("**/#/replay/*")  # of the newest: other tests have finished battles, too
    game = one.page.url.rpartition("/")[2].partition("?")[0]
    told = one.page.evaluate(f"fetch('/v1/games/{game}').then((answer) => answer.json())")
    assert told["status"] == "finished"

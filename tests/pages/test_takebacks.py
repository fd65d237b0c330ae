"""The table's undo: a step is taken back by a click or a key, and the other browser sees it."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .test_every_command import Sat
from .test_table import People
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

MOST = 200
"""Commands within which a battle has a step that may be taken back."""
BATTLE = {"ruleset": "war-at-sea", "edition": "2009", "scenario": "standard", "seed": "undo"}


def until_offered(sat: Sat) -> Any:
    """Random play until the last step may be taken back; that step."""
    chooser = random.Random("undo")
    for _ in range(MOST):
        seat = sat.asked()
        offer = sat.offer(seat)
        sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])
        if step := sat.client.get(f"/v1/games/{sat.game}").json()["takeback"]:
            return step
    raise AssertionError(f"no step that may be taken back within {MOST} commands")


@pytest.mark.parametrize("by", ["click", "key"])
def test_the_last_step_is_taken_back_and_everybody_sees_it(
    person: People, server: Running, by: str
) -> None:
    sat = Sat(server.url, BATTLE)
    step = until_offered(sat)
    (other,) = sat.tokens.keys() - {step["seat"]}
    one, two = person(), person()
    at_the_table(one, sat.game, step["seat"], sat.tokens[step["seat"]])
    at_the_table(two, sat.game, other, sat.tokens[other])
    undo = one.page.locator("button.undo")
    expect(undo).to_be_enabled()
    expect(undo).to_have_class("btn undo takes-back")
    expect(undo).to_have_attribute("title", re.compile("^Undo: (?!your last step)"))
    expect(two.page.locator("button.undo")).to_have_count(0)
    if by == "click":
        undo.click()
    else:
        one.page.keyboard.press("u")
    for each in (one, two):
        line = each.page.locator(".log li", has_text="takes back its last step")
        expect(line).to_have_count(1)
    expect(undo).to_be_disabled()
    expect(undo).to_have_attribute(
        "title",
        "Nothing to undo: only your own last step is taken "
        "back, while no die was rolled, nothing is hidden and nobody else was asked since",
    )
    expect(one.page.locator("p.turn")).to_contain_text("Your move")
    told = sat.client.get(f"/v1/games/{sat.game}").json()
    assert (told["takebacks"], told["takeback"]) == (1, None)
    token = {"Authorization": f"Bearer {sat.tokens[step['seat']]}"}
    path = f"/v1/games/{sat.game}/view"
    now, then = (
        sat.client.get(path, params={"at": at}, headers=token).json()["state"]
        for at in (told["version"], step["first"] - 1)
    )
    assert now == then

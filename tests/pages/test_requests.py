"""How many requests an order costs: of its giver's page, and of the one that looks on."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.server import Running

from .conftest import Person
from .reach import by_clicks
from .test_every_command import Sat
from .test_table import People
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

BATTLE = {"ruleset": "war-at-sea", "edition": "2009", "scenario": "standard", "seed": "requests"}
ORDERS = 6
"""Orders that are counted."""


def counted(page: Page, game: str) -> Counter[str]:
    """Requests to the service from now on, by what they are for."""
    found: Counter[str] = Counter()

    def note(answer: Any) -> None:
        path = urlsplit(answer.url).path
        if path.startswith("/v1/") and answer.ok:  # what was put off comes again
            found[f"{answer.request.method} {path.replace(f'/v1/games/{game}', '') or 'game'}"] += 1

    page.on("response", note)
    return found


def moves(sat: Sat) -> tuple[str, list[Any]]:
    """Random play until a seat has several moves to give; its list."""
    chooser = random.Random("requests")
    for _ in range(200):
        seat = sat.asked()
        offer = sat.offer(seat)
        kinds = {item["command"]["type"] for item in offer["items"]}
        if "war-at-sea.move" in kinds and not offer["next"]:
            return seat, offer["items"]
        sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])
    raise AssertionError("nobody moves")


def shown(one: Person, two: Person, sat: Sat) -> None:
    """Both have drawn the latest moment, and offer what may be done then."""
    version = sat.client.get(f"/v1/games/{sat.game}").json()["version"]
    for each in (one, two):
        expect(each.page.locator(f".ask[data-version='{version}']")).to_have_count(1)


def test_an_order_where_no_dice_fall_is_one_request_and_nobody_else_asks(
    person: People, server: Running
) -> None:
    sat = Sat(server.url, BATTLE)
    seat, _ = moves(sat)
    (other,) = sat.tokens.keys() - {seat}
    one, two = person(), person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    at_the_table(two, sat.game, other, sat.tokens[other])
    shown(one, two, sat)
    mine, theirs = counted(one.page, sat.game), counted(two.page, sat.game)
    given = 0
    while given < ORDERS and sat.asked() == seat:
        item = random.Random(given).choice(
            [each for each in sat.everything(seat) if each["command"]["type"].endswith(".move")]
        )
        before = sat.client.get(f"/v1/games/{sat.game}").json()["version"]
        by_clicks(one.page, item)
        given += 1
        expect(one.page.locator(f".ask[data-version='{before}']")).to_have_count(0)
        shown(one, two, sat)
    print(f"{given} orders: {dict(mine)}; the other browser: {dict(theirs)}")
    assert given > 1
    assert mine == Counter({"POST /commands": given})
    assert theirs == Counter(), "what others do comes by itself"

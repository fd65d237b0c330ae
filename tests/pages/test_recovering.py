"""A table that could not be laid is asked for anew: nobody has to load the page again."""

from __future__ import annotations

import json
import random
import re

import pytest
from playwright.sync_api import Route, expect

from tests.support.server import Running

from .reach import by_clicks
from .test_every_command import Sat
from .test_requests import BATTLE
from .test_table import People
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

STALE = {"type": "about:blank", "title": "Stale", "status": 412, "code": "version.stale"}


def laid(sat: Sat) -> str:
    """What a page has that offers what may be done at the latest moment."""
    version = sat.client.get(f"/v1/games/{sat.game}").json()["version"]
    return f".ask[data-version='{version}']"


def until_there_is_a_map(sat: Sat) -> str:
    """While fleets are built no picture is needed; the seat that is asked then."""
    chooser = random.Random("recovering")
    while True:
        seat = sat.asked()
        offer = sat.offer(seat)
        view = sat.client.get(f"/v1/games/{sat.game}/view", params={"as": "public"})
        if view.json()["state"].get("zone"):
            return seat
        sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])


def test_a_picture_that_fails_once_comes_later(person: People, server: Running) -> None:
    """What had failed counted as laid: nothing was offered until the next event."""
    sat = Sat(server.url, BATTLE)
    seat, one, failed = until_there_is_a_map(sat), person(), list[str]()

    def fail(route: Route) -> None:
        if failed:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.fulfill(status=500, body="")

    one.page.route(re.compile(r"/board\.svg"), fail)
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    expect(one.page.locator(laid(sat))).to_have_count(1, timeout=20_000)
    assert failed, "no picture was asked for"
    one.watch.complaints.clear()  # the failure that was made


def test_an_order_that_came_too_late_leads_to_what_may_be_done_now(
    person: People, server: Running
) -> None:
    """The page asked for nothing then, though what it offered was of the past."""
    sat = Sat(server.url, BATTLE)
    seat, one = sat.asked(), person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    expect(one.page.locator(laid(sat))).to_have_count(1)
    late = re.compile(r"/commands$")
    told = {"status": 412, "content_type": "application/problem+json", "body": json.dumps(STALE)}
    one.page.route(late, lambda route: route.fulfill(**told))
    with one.page.expect_request(re.compile(r"/view\?"), timeout=20_000):
        by_clicks(one.page, sat.everything(seat)[0])
    one.page.unroute(late)
    expect(one.page.locator(laid(sat))).to_have_count(1)

"""What a step costs at the pages: an order is sent once; everybody is sent what it changed."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from tests.campaigns.pages import EVENINGS

from .evening import DRAWN, Evening, Meter, Table, unharmed
from .hands import give

pytestmark = pytest.mark.slow("pages")

ORDERS = 24
"""Of each game, from its set-up on."""
MOST, MEAN = 1_024, 1_000
"""Bytes of a step of somebody else's: half of them at most have more, and what one has on average,
from the set-up on, with the one picture of the map in War at Sea."""
GIVEN, REQUESTS = 7_000, 2
"""Of half of the orders of one's own, with the order; in Crimson Tide it is asked about before."""
SETTLES = 150
"""Milliseconds in which whatever else a page would ask for is on its way."""


class Cost(NamedTuple):
    """Of one order at one page."""

    requests: int
    bytes: int


class Counted(Table):
    """A game whose orders are counted, at the page that gives them and at all others."""

    def __init__(self, browser: Browser, folder: Path, evening: Evening, way: str) -> None:
        super().__init__(browser, folder, evening, way)
        self.given: list[Cost] = []
        self.seen: list[Cost] = []

    def _harm(self, item: Any) -> Any:
        self.harmed = False
        return unharmed

    def order(self) -> tuple[str, int] | None:
        """What was asked, and in how many presses it was answered; None once it is over."""
        asked = self._asked()
        if asked is None:
            return None
        seat, question, item, version = asked
        page = self.people[seat].page
        expect(page.get_by_label("What you may do")).to_have_attribute("data-version", str(version))
        before = {each: read(meter) for each, meter in self.meters.items()}
        many = sum(presses for _, presses in give(self.hands[seat], item))
        come = f"version => document.querySelector('button.sure') || ({DRAWN})(version)"
        page.wait_for_function(come, arg=version)
        if page.locator("button.sure").count():
            many += self.hands[seat].sure()
        for person in self.people.values():
            person.page.wait_for_function(DRAWN, arg=version)
        page.wait_for_timeout(SETTLES)
        for each, meter in self.meters.items():
            now = read(meter)
            cost = Cost(now.requests - before[each].requests, now.bytes - before[each].bytes)
            (self.given if each == seat else self.seen).append(cost)
        return question, many


def read(meter: Meter) -> Cost:
    return Cost(meter.requests, meter.bytes)


@contextmanager
def counting(
    browser: Browser, folder: Path, ruleset: str, way: str, seed: str
) -> Iterator[Counted]:
    """A game of two whose orders are counted."""
    table = Counted(browser, folder, EVENINGS[ruleset]._replace(seats=2), way)
    table.sit(seed)
    yield table
    table.leave()
    table.stop()


@pytest.fixture(params=sorted(EVENINGS))
def counted(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Iterator[Counted]:
    with counting(browser, tmp_path, request.param, "mouse", "steps") as table:
        yield table


def test_a_step_sends_what_changed(counted: Counted) -> None:
    first = next(iter(counted.people.values())).page
    first.wait_for_function(DRAWN, arg=0)
    for _ in range(ORDERS):
        if counted.order() is None:
            break
    for name, costs in (("given", counted.given), ("seen", counted.seen)):
        print(counted.evening.ruleset, name, told(costs))
    seen, given = counted.seen, counted.given
    assert len(given) == ORDERS
    assert statistics.median(each.bytes for each in seen) <= MOST
    assert statistics.mean(each.bytes for each in seen) <= MEAN
    assert statistics.median(each.requests for each in seen) == 0
    assert statistics.median(each.bytes for each in given) <= GIVEN
    assert statistics.median(each.requests for each in given) <= REQUESTS
    assert not lists(counted)


def lists(counted: Counted) -> list[str]:
    """What a page asked for though its stream tells it."""
    asked = [url for meter in counted.meters.values() for url in meter.asked.values()]
    told = re.compile(r"^GET .*/v1/games/[0-9a-f]{32}/(view|commands|pieces|why)\b")
    return [url for url in asked if told.match(url)]


def told(costs: list[Cost]) -> str:
    many = sorted(each.bytes for each in costs)
    requests = statistics.mean(each.requests for each in costs)
    return f"{requests:.1f} requests, {statistics.mean(many):.0f} bytes: {many}"

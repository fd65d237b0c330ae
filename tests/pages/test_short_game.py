"""A short game against a bot by mouse, by finger, by keys: through a restart and a lost network."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Request, expect

from tests.support.chromium import SHOTS
from tests.support.server import Running, start

from .conftest import Person
from .whole import at_the_table

BODY = {
    "ruleset": "pennant",
    "options": {"turns": 8},
    "seats": [{"seat": "p1"}, {"seat": "p2", "hold": "bot"}],
}
RESTARTED, OFFLINE = 1, 2
"""Before which of my orders the service goes away, and the network."""


@pytest.fixture
def restartable(tmp_path: Path) -> Iterator[list[Running]]:
    """A server of its own, to be killed and started again at the same address."""
    servers = [start(tmp_path, "pennant")]
    yield servers
    servers[-1].stop()


def by_mouse(one: Person) -> int:
    one.commands.first.click()
    return 1


def by_finger(one: Person) -> int:
    """The first tap looks, the amber button gives the order."""
    one.page.locator(".chips button.command").first.tap()
    one.page.locator("button.go").tap()
    return 2


def by_key(one: Person) -> int:
    """After each order the focus is where the next answer is; Enter is all."""
    focused = "() => document.activeElement.closest('.chips') !== null"
    one.page.wait_for_function(focused)
    one.page.keyboard.press("Enter")
    return 1


WAYS: dict[str, tuple[Callable[[Person], int], dict[str, Any]]] = {
    "mouse": (by_mouse, {}),
    "finger": (by_finger, {"viewport": {"width": 390, "height": 844}, "has_touch": True}),
    "keys": (by_key, {}),
}


OFTEN = "finger"
"""The way that differs most from what the other pages' tests do; all three in their tier."""
EACH = [
    pytest.param(way, marks=() if way == OFTEN else pytest.mark.slow("clients")) for way in WAYS
]


@pytest.mark.parametrize("way", EACH)
def test_a_short_game_goes_on_through_all_that_happens(
    browser: Browser, restartable: list[Running], tmp_path: Path, way: str
) -> None:
    act, looks = WAYS[way]
    url = restartable[0].url
    sent = {"Idempotency-Key": f"{way:->32}"}
    made = httpx.post(f"{url}/v1/games", json=BODY, headers=sent, timeout=60).json()
    game, (token,) = made["game"]["id"], made["tokens"]
    one = Person(browser, url, **looks)
    finished: list[Request] = []
    one.page.on("requestfinished", lambda each: finished.append(each))  # noqa: PLW0108 (it marks its handlers)
    at_the_table(one, game, "p1", token["token"])
    clicks = orders = 0
    one.commands.first.wait_for()
    if way == "keys":
        one.page.locator(".chips button.command").first.focus()
    offer = one.page.get_by_label("What you may do")
    while not one.is_over():
        version = offer.get_attribute("data-version")
        if orders == RESTARTED:
            restartable[0].kill()
        if orders == OFFLINE:
            one.page.context.set_offline(True)
        clicks += act(one)
        orders += 1
        if orders == RESTARTED + 1:
            port = int(url.rpartition(":")[2])
            restartable.append(start(tmp_path, "pennant", port=port))
        if orders == OFFLINE + 1:
            expect(one.page.locator("#lamp")).to_have_attribute("data-lit", "no")
            one.page.context.set_offline(False)
        mine = f"""() => document.querySelector("p.turn").textContent.startsWith("The game is over")
          || (document.querySelector(".ask").dataset.version !== "{version}"
            && document.querySelector(".chips button.command:not([disabled])"))"""
        one.page.wait_for_function(mine)
    told = httpx.get(f"{url}/v1/games/{game}", timeout=60).json()
    assert told["status"] == "finished"
    assert orders == 1 + 8 // 2, "my colour and my half of the turns, each given once"
    assert clicks == orders * (2 if way == "finger" else 1)
    sizes = [request.sizes() for request in finished]
    took = {
        "orders": orders,
        "clicks": clicks,
        "requests": len(finished),
        "bytes": sum(each["responseBodySize"] + each["requestBodySize"] for each in sizes),
    }
    SHOTS.mkdir(parents=True, exist_ok=True)
    (SHOTS / f"short-game-{way}.json").write_text(json.dumps(took, indent=1), "utf-8")
    one.watch.complaints.clear()  # a browser tells of connections that were refused
    one.leave()

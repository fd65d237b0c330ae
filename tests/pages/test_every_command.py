"""No command is out of reach: long lists, lost answers, a service that is started anew."""

from __future__ import annotations

import random
import uuid
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from tests.support.server import Running, start

from .conftest import Person
from .reach import by_clicks, by_keys, given
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
PAGE = 200
"""The longest page of offered commands that the service gives."""
MOST = 400
"""Commands within which a large battle offers more than a page of them."""


class Sat:
    """One who holds all seats of a game, over HTTP."""

    def __init__(self, url: str, body: dict[str, Any]) -> None:
        self.client = httpx.Client(base_url=url, timeout=60)
        weakref.finalize(self, self.client.close)
        self.keys, self.name = 0, uuid.uuid4().hex
        made = self._post("/v1/games", body)
        self.game = made["game"]["id"]
        self.tokens = {each["seat"]: each["token"] for each in made["tokens"]}

    def _post(self, path: str, body: Any, **headers: str) -> Any:
        self.keys += 1
        key = {"Idempotency-Key": f"every-command-{self.name}-{self.keys:032}"}
        return self.client.post(path, json=body, headers=key | headers).raise_for_status().json()

    def asked(self) -> str:
        """The seat that is to move."""
        summary = self.client.get(f"/v1/games/{self.game}").json()
        return str(summary["toMove"][0]["seat"])

    def offer(self, seat: str, cursor: str = "") -> Any:
        token = {"Authorization": f"Bearer {self.tokens[seat]}"}
        more = {"cursor": cursor} if cursor else {}
        path = f"/v1/games/{self.game}/commands"
        return self.client.get(path, headers=token, params={"limit": PAGE, **more}).json()

    def give(self, seat: str, command: Any, version: int) -> None:
        token = {"Authorization": f"Bearer {self.tokens[seat]}", "If-Match": f'"{version}"'}
        self._post(f"/v1/games/{self.game}/commands", command, **token)

    def everything(self, seat: str) -> list[Any]:
        """All that the seat is offered, over all pages."""
        offer = self.offer(seat)
        items = list(offer["items"])
        while offer["next"]:
            offer = self.offer(seat, offer["next"])
            items += offer["items"]
        return items


def until_it_is_long(sat: Sat) -> str:
    """Random play until a list with passing has more than a page; the seat whose it is."""
    chooser = random.Random("every command")
    for _ in range(MOST):
        seat = sat.asked()
        offer = sat.offer(seat)
        if offer["next"] and any(each["optional"] for each in offer["toMove"]):
            return seat
        sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])
    raise AssertionError(f"no long list within {MOST} commands")


@pytest.fixture(scope="module")
def long(server: Running) -> tuple[Sat, str]:
    """A large battle in which more is offered than a page of the list holds."""
    body = {"ruleset": "war-at-sea", "edition": "2007", "scenario": "major-500", "seed": "long"}
    sat = Sat(server.url, body)
    return sat, until_it_is_long(sat)


@pytest.mark.parametrize("reach", [by_clicks, by_keys])
def test_commands_of_every_page_of_a_long_list_are_given(
    person: People, long: tuple[Sat, str], reach: Any
) -> None:
    """Those of its end too, and what ends the phase, which is always there."""
    sat, seat = long
    items = sat.everything(seat)
    assert len(items) > PAGE
    one = person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    expect(one.page.locator("button.bare[data-type='war-at-sea.pass']")).to_be_visible()
    chosen = [*random.Random("some").sample(items, 4), items[-1], items[0]]
    chosen += [item for item in items if item["command"]["type"] == "war-at-sea.pass"]
    for item, sent in given(one.page, chosen, reach):
        assert sent == item["command"], item["text"]


def test_an_answer_that_is_lost_on_its_way_is_asked_for_with_the_same_key(
    person: People, server: Running
) -> None:
    sat = Sat(server.url, {"ruleset": "pennant", "seed": "lost", "options": {"turns": 6}})
    seat = sat.asked()
    one = person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    keys: list[str] = []
    replayed: list[str] = []

    def lose(route: Route) -> None:
        """The service hears the first request; the page hears the answer to the second only."""
        if route.request.method != "POST":
            route.continue_()
            return
        keys.append(route.request.headers["idempotency-key"])
        answer = route.fetch()
        replayed.append(answer.headers.get("idempotency-replayed", ""))
        if len(keys) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    one.page.route("**/commands", lose)
    with one.page.expect_response(lambda answer: answer.request.method == "POST"):
        one.commands.first.click()
    expect(one.page.locator("#lamp")).to_have_attribute("data-lit", "yes")
    expect(one.page.locator(".problem")).to_have_count(0)
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert replayed[0] != "true" == replayed[1], "it was played twice"
    one.watch.complaints.clear()  # a browser tells of the connection that was cut


@pytest.fixture
def restartable(tmp_path: Path) -> Iterator[list[Running]]:
    """A server of its own, to be stopped and started at the same address."""
    servers = [start(tmp_path, "both")]
    yield servers
    servers[-1].stop()


def test_a_table_outlives_a_restart_in_the_middle_of_a_click(
    browser: Browser, restartable: list[Running], tmp_path: Path
) -> None:
    server = restartable[0]
    sat = Sat(server.url, {"ruleset": "pennant", "seed": "restart", "options": {"turns": 6}})
    seat = sat.asked()
    one = Person(browser, server.url)
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    before = sat.client.get(f"/v1/games/{sat.game}").json()["version"]
    server.kill()
    one.commands.first.click()
    lamp = one.page.locator("#lamp")
    expect(lamp).to_have_attribute("data-lit", "no")
    port = int(server.url.rpartition(":")[2])
    restartable.append(start(tmp_path, "both", port=port))
    expect(lamp).to_have_attribute("data-lit", "yes")
    expect(one.page.locator(".problem")).to_have_count(0)
    offer = one.page.get_by_label("What you may do")
    expect(offer).not_to_have_attribute("data-version", str(before))
    now = httpx.get(f"{server.url}/v1/games/{sat.game}", timeout=60).json()["version"]
    assert now > before
    expect(offer).to_have_attribute("data-version", str(now))
    one.watch.complaints.clear()  # a browser tells of connections that were refused
    one.leave()


def until_there_are_odds(sat: Sat) -> tuple[str, list[Any]]:
    """Random play until dice are offered; whose they are, and the offers with odds."""
    chooser = random.Random("odds on buttons")
    for _ in range(MOST):
        seat = sat.asked()
        offer = sat.offer(seat)
        if dice := [item for item in offer["items"] if item.get("odds", {}).get("outcomes")]:
            return seat, dice
        sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])
    raise AssertionError(f"no dice within {MOST} commands")


def test_odds_stand_on_the_answers_in_words(person: People, server: Running) -> None:
    sat = Sat(server.url, {"ruleset": "war-at-sea", "edition": "2009", "seed": "odds"})
    seat, dice = until_there_are_odds(sat)
    one = person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    for item in dice:
        one.page.keyboard.press("Escape")
        by_clicks(one.page, {**item, "parts": item["parts"][:2]})
        chip = one.page.locator(f"button.chip[data-key='{item['target']}']")
        expect(chip).to_contain_text(said(item["oddsSummary"]))


def said(short: Any) -> str:
    """What an answer says: how likely it hits, and destroys."""
    hit = int(short["hit"])
    if short["hopeless"]:
        return "hopeless"
    if hit > 990:
        return "over 99 %" if hit < 1000 else "100 %"
    return f"hit {'under 1' if hit < 10 else int(hit / 10 + 0.5)} %"

"""The replay desk fetches a game's film once: stepping through it asks nobody for anything."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .conftest import Person
from .test_board import BODIES
from .test_every_command import Sat

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
COMMANDS = 45
BOOKS = {"decklog.batch-rolled"}
"""Of dice: a log for players has their result alone, unless somebody looks for them."""

LOADED = """async ([game, ruleset, latest]) => {
  const { Film } = await import("/pages/film.js");
  const film = new Film(() => ({ game, ruleset, as: "", token: "" }));
  const whole = await film.load(latest, new AbortController().signal);
  return [whole, Object.fromEntries(film.states)];
}"""
"""Every state of a game, as the page's film makes them."""


def played(server: Running, body: dict[str, Any], commands: int = COMMANDS) -> tuple[str, int]:
    """A game into which some random commands were given, and its version."""
    sat, chooser = Sat(server.url, body), random.Random("film")
    for _ in range(commands):
        summary = sat.client.get(f"/v1/games/{sat.game}").json()
        if not summary["toMove"]:
            break
        seat = summary["toMove"][0]["seat"]
        offer = sat.offer(seat)
        if offer["items"]:
            sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])
    return sat.game, int(sat.client.get(f"/v1/games/{sat.game}").json()["version"])


@pytest.fixture(scope="module", params=[*sorted(BODIES), "pennant"])
def game(request: pytest.FixtureRequest, server: Running) -> tuple[str, str, int]:
    """Its ruleset, its id, its version."""
    ruleset = request.param
    body = {"ruleset": ruleset, **BODIES.get(ruleset, {"options": {"turns": 30}})}
    return (ruleset, *played(server, body))


def test_a_film_that_is_there_costs_no_request(person: People, game: tuple[str, str, int]) -> None:
    _, id_, latest = game
    one = person()
    one.go(f"replay/{id_}")
    board = one.page.locator(".desk-board").first
    expect(board).to_have_attribute("data-film", "whole")
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url))
    slider = one.page.get_by_label("Version", exact=True)
    for version in [*range(1, latest, max(1, latest // 40)), latest]:
        slider.fill(str(version))
        expect(one.page.locator("output")).to_have_text(f"{version} of {latest}")
    expect(board.get_by_role("group", name="Board", exact=True)).to_be_visible()
    assert [url for url in asked if "/v1/" in url] == []


def test_its_states_are_those_of_the_views(
    person: People, server: Running, game: tuple[str, str, int]
) -> None:
    ruleset, id_, latest = game
    one = person()
    one.go()
    whole, states = one.page.evaluate(LOADED, [id_, ruleset, latest])
    assert whole
    assert len(states) == latest
    for version in {*range(1, latest, 9), latest}:
        told = httpx.get(f"{server.url}/v1/games/{id_}/view?at={version}", timeout=60)
        if told.status_code == 200:
            assert states[str(version)] == told.json()["state"]
        else:
            assert states[str(version)] is None


def test_what_cannot_be_fetched_at_once_is_asked_for_when_it_is_wanted(
    person: People, finished: str
) -> None:
    one = person()
    one.page.route("**/film?*", lambda route: route.fulfill(status=404, json={"title": "Gone"}))
    one.go(f"replay/{finished}")
    one.page.locator(".desk-board svg").first.wait_for()
    with one.page.expect_response("**/view?at=4*"):
        one.page.get_by_label("Version", exact=True).fill("4")
    one.page.locator(".desk-board svg").first.wait_for()
    one.watch.complaints.clear()  # the browser tells of the refusal


def test_a_game_that_goes_on_is_followed_by_who_stands_at_its_end(
    person: People, server: Running
) -> None:
    """Somebody who looks at an earlier moment is left there, and told that there is more."""
    sat = Sat(server.url, {"ruleset": "pennant", "seed": "followed", "options": {"turns": 30}})
    at_the_end, earlier = person(), person()
    at_the_end.go(f"replay/{sat.game}")
    earlier.go(f"replay/{sat.game}/1")
    for one in (at_the_end, earlier):
        expect(one.page.locator(".desk-board").first).to_have_attribute("data-film", "whole")
    latest = 0
    for _ in range(3):
        seat = sat.asked()
        offer = sat.offer(seat)
        sat.give(seat, offer["items"][0]["command"], offer["version"])
        latest = int(sat.client.get(f"/v1/games/{sat.game}").json()["version"])
        expect(at_the_end.page.locator("output")).to_have_text(f"{latest} of {latest}")
        expect(earlier.page.locator("output")).to_have_text(f"1 of {latest}")
    expect(at_the_end.page).to_have_url(re.compile(f"/{latest}$"))
    events = sat.client.get(f"/v1/games/{sat.game}/events?limit=200").json()["items"]
    told = [each for each in events if each["text"]["en"] and each["type"] not in BOOKS]
    expect(at_the_end.page.locator(".deskside .log li")).to_have_count(len(told))

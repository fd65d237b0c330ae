"""The desk: what else could have been, two moments on one board, a link that plays a part."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person
from .test_every_command import Sat

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
MOST = 500
"""Commands within which somebody fires, and is fired at."""


class Battle(NamedTuple):
    """A game of War at Sea that was given up after some attacks, and its events."""

    id: str
    events: list[dict[str, Any]]

    def last(self, type_: str) -> dict[str, Any]:
        return next(each for each in reversed(self.events) if each["type"] == type_)


@pytest.fixture(scope="module")
def battle(server: Running) -> Battle:
    body = {"ruleset": "war-at-sea", "edition": "2009", "scenario": "major-300", "seed": "desk"}
    sat, chooser, attacks = Sat(server.url, body), random.Random("desk"), 0
    for _ in range(MOST):
        seat = sat.asked()
        offer = sat.offer(seat)
        fires = [item for item in offer["items"] if item.get("odds") and item["target"]]
        attacks += bool(fires)
        if attacks > 3:
            sat.give(seat, offer["concessions"][-1]["command"], offer["version"])
            break
        sat.give(seat, chooser.choice(fires or offer["items"])["command"], offer["version"])
    path = f"{server.url}/v1/games/{sat.game}"
    events: list[dict[str, Any]] = []
    while page := httpx.get(f"{path}/events?limit=200&after={len(events)}").json()["items"]:
        events += page
    assert httpx.get(path).json()["status"] == "finished"
    return Battle(sat.game, events)


@pytest.fixture(scope="module")
def desk(browser: Browser, server: Running, battle: Battle) -> Iterator[Person]:
    made = Person(browser, server.url)
    made.go(f"replay/{battle.id}")
    expect(made.page.locator(".desk-board").first).to_have_attribute("data-film", "whole")
    yield made
    made.leave()


def why(desk: Person, battle: Battle, event: dict[str, Any]) -> Locator:
    """The card of an event."""
    desk.page.goto("about:blank")  # the same address again leads nowhere
    desk.go(f"replay/{battle.id}/{event['seq']}?why=1")
    card = desk.page.get_by_label("Why", exact=True)
    card.locator("header .tag", has_text=str(event["seq"])).wait_for()
    card.get_by_role("heading", name="By the rules").wait_for()
    return card


def test_what_else_was_open_and_why_something_was_not(desk: Person, battle: Battle) -> None:
    declared = battle.last("war-at-sea.attack-declared")
    card = why(desk, battle, declared)
    card.get_by_role("button", name="Why not ...?").click()
    lines = card.locator(".open li")
    lines.first.wait_for()
    (attacked,) = (each for each in declared["roles"] if each["role"] == "attacked")
    assert "%" in lines.first.inner_text()
    unit, target = card.get_by_label("Unit"), card.get_by_label("Target or place")
    expect(unit).to_have_value(attacked["by"])
    target.select_option(attacked["unit"])
    card.get_by_role("button", name="Why not?", exact=True).click()
    card.get_by_text("It was possible: ").wait_for()
    expect(card.get_by_role("button", name="Why not?", exact=True)).to_be_in_viewport()
    shoot(desk.page, "desk-why-not")
    assert desk.serious() == []


def test_who_could_not_is_told_the_rule_in_its_words(desk: Person, battle: Battle) -> None:
    card = why(desk, battle, battle.last("war-at-sea.attack-declared"))
    card.get_by_role("button", name="Why not ...?").click()
    target = card.get_by_label("Target or place")
    target.wait_for()
    before = card.locator("dl.rules").count()
    refused = ""
    for key in target.evaluate("select => [...select.options].map((each) => each.value)"):
        target.select_option(key)
        with desk.page.expect_response("**/v1/odds") as answer:
            card.get_by_role("button", name="Why not?", exact=True).click()
        if refused := answer.value.json().get("rule", ""):
            break
    assert refused
    expect(card.locator("dl.rules")).to_have_count(before + 1)
    expect(card.locator("dl.rules").last).to_contain_text(refused)
    assert card.locator("p.bad").inner_text()
    desk.watch.complaints.clear()  # the browser tells of the refusals


def test_the_other_reading_is_told_with_what_this_game_agreed_on(
    desk: Person, battle: Battle, server: Running
) -> None:
    """The zone was rolled for (WAS-SETUP-07); by RUL-02 players may agree on one."""
    agreed = httpx.get(f"{server.url}/v1/games/{battle.id}").json()["options"]["battleZone"]
    card = why(desk, battle, battle.last("war-at-sea.zone-selected"))
    card.get_by_role("button", name="The other reading").click()
    told = card.locator(".reading")
    expect(told).to_contain_text(f"This game was played with battleZone={agreed}.")
    expect(told).to_contain_text("--option battleZone=1")
    ruling = httpx.get(f"{server.url}/v1/rulesets/war-at-sea/rules/RUL-02").json()
    expect(card.locator(".ways-shown dl.rules")).to_contain_text(ruling["title"])
    shoot(desk.page, "desk-reading")
    assert desk.serious() == []


def test_what_if_goes_to_the_moment_before_the_order(desk: Person, battle: Battle) -> None:
    declared = battle.last("war-at-sea.attack-declared")
    why(desk, battle, declared).get_by_role("button", name="What if", exact=True).click()
    first = next(e["seq"] for e in battle.events if e["causedBy"] == declared["causedBy"])
    expect(desk.page.locator("output")).to_contain_text(f"{first - 1} of")
    expect(desk.page.get_by_role("tab", name="What if")).to_have_attribute("aria-selected", "true")


def test_two_moments_are_compared_on_one_board(
    desk: Person, battle: Battle, server: Running
) -> None:
    """What lay elsewhere then is seen there, with the way to where it is."""
    latest = len(battle.events)
    deployed = battle.last("war-at-sea.initiative-rolled")["seq"]
    desk.page.get_by_role("button", name="Last", exact=True).click()
    desk.page.get_by_role("tab", name="Diff").click()
    desk.page.get_by_label("Compare with version", exact=False).first.check()
    other = desk.page.get_by_label("Version to compare with")
    other.fill(str(deployed))
    other.press("Tab")
    desk.page.get_by_role("heading", name=f"From version {deployed} to {latest}").wait_for()
    path = f"{server.url}/v1/games/{battle.id}/view"
    then, now = (httpx.get(path, params={"at": at}).json()["state"] for at in (deployed, latest))
    moved = {
        key
        for key, unit in then["units"].items()
        if unit["sector"] and unit["sector"] != now["units"].get(key, {}).get("sector")
    }
    assert moved
    ghosts = desk.page.locator("[data-ghost]")
    expect(ghosts).to_have_count(len(moved))
    keys = ghosts.evaluate_all("all => all.map((each) => each.dataset.ghost)")
    assert {*keys} == moved
    shoot(desk.page, "desk-ghosts")
    desk.page.get_by_label("as one board").uncheck()
    expect(ghosts).to_have_count(0)
    expect(desk.page.locator(".desk-board:not([hidden]):has(svg)")).to_have_count(2)
    desk.page.get_by_label("as one board").check()
    expect(ghosts).to_have_count(len(moved))
    desk.page.get_by_label("Compare with version", exact=False).first.uncheck()
    expect(ghosts).to_have_count(0)


def test_a_clip_is_cut_at_two_moments_and_plays_from_one_to_the_other(
    person: People, battle: Battle
) -> None:
    latest = len(battle.events)
    one = person()
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.go(f"replay/{battle.id}/{latest - 20}?as=p1")
    expect(one.page.locator(".desk-board").first).to_have_attribute("data-film", "whole")
    one.page.get_by_role("button", name="Clip", exact=True).click()
    one.page.get_by_label("Version", exact=True).fill(str(latest - 9))
    one.page.get_by_role("button", name=f"Clip from {latest - 20} to here").click()
    one.page.get_by_role("button", name="Clip", exact=True).wait_for()
    link = one.page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"#/replay/{battle.id}/{latest - 20}?to={latest - 9}&as=p1")
    other = person()
    other.page.goto(link)
    expect(other.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(other.page.locator("output")).to_have_text(f"{latest - 9} of {latest}")
    expect(other.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(other.page).to_have_url(re.compile(rf"/{latest - 9}\?as=p1$"))


def test_a_board_that_is_there_before_the_log_may_be_drawn_again(
    person: People, battle: Battle
) -> None:
    """Its window was made larger: nobody knows yet what the events of the moment did."""
    one = person()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    one.page.route("**/events?*", hold)
    one.go(f"replay/{battle.id}")
    one.page.locator(".desk-board .piece").first.wait_for()
    drawn = one.page.locator(".desk-board .piece").first.element_handle()
    one.page.set_viewport_size({"width": 1100, "height": 700})
    one.page.wait_for_function("piece => !piece.isConnected", arg=drawn)
    for route in held:
        route.continue_()
    one.page.locator(".log button").first.wait_for()


def test_on_a_phone_a_why_has_the_whole_side_until_it_leads_on(
    person: People, battle: Battle
) -> None:
    one = person(viewport={"width": 390, "height": 844})
    one.go(f"replay/{battle.id}/{battle.last('war-at-sea.attack-declared')['seq']}?why=1")
    card = one.page.get_by_label("Why", exact=True)
    card.get_by_role("heading", name="By the rules").wait_for()
    bottom = card.evaluate("card => card.getBoundingClientRect().bottom")
    assert bottom >= one.page.evaluate("innerHeight") - 1
    shoot(one.page, "desk-why-phone")
    assert one.serious() == []
    card.get_by_role("button", name="What if", exact=True).click()
    expect(one.page.get_by_role("tab", name="What if")).to_be_visible()
    expect(one.page.get_by_label("Dice of your choosing")).to_be_visible()


def test_a_place_is_asked_for_as_the_command_has_it(desk: Person) -> None:
    """Parts name a sector with its kind before it: asked for so, it was the place that was open."""
    sent = desk.page.evaluate(
        """async () => {
          const { reworded } = await import("/pages/otherwise.js");
          const parts = [{ role: "unit", key: "p2-1" }, { role: "place", key: "sector:11.4" }];
          const command = { unit: "p2-1", to: "11.4", path: ["11.3", "11.4"] };
          const model = { unit: "p2-1", parts, command };
          return reworded(model, "p2-1", "sector:10.1");
        }"""
    )
    assert sent == {"unit": "p2-1", "to": "10.1", "path": ["11.3", "10.1"]}

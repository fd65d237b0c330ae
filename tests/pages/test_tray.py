"""What the pages read out of the record by themselves: dice and odds, what lies on a board."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from domain.games.crimson_tide.rules.geometry.hull import HALVES
from tests.support.server import Running

from .conftest import Person
from .test_every_command import Sat
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
ORDERS = 90
PAGE = {"limit": 200}
READ = """async (rolls) => {
  const { thrown } = await import("/pages/tray.js");
  return rolls.map(thrown).map(({ faces, score, outcome, odds }) => ({ faces, score,
    outcome: outcome ?? "", of: odds && String(odds.of),
    scores: odds && odds.scores.map(({ score, ways }) => [score, String(ways)]),
    outcomes: odds && odds.outcomes.map(({ outcome, ways }) => [outcome, String(ways)]) }));
}"""
HEARD = """async (events) => {
  const { Tray } = await import("/pages/tray.js");
  const tray = new Tray((seq) => `#/replay/g/${seq}?why=1`);
  return events.map((event) => {
    const read = tray.hear({ causedBy: "c1", rules: [], text: { en: "" }, ...event }, "Hood fires");
    return [read, tray.box.hidden ? "" : tray.box.querySelector("a").getAttribute("href")];
  });
}"""


def all_of(client: httpx.Client, path: str, token: str) -> list[Any]:
    found: list[Any] = []
    query: dict[str, Any] = dict(PAGE)
    while True:
        told = client.get(path, params=query, headers={"Authorization": f"Bearer {token}"}).json()
        found += told["items"]
        if not told.get("next"):
            return found
        query = PAGE | {"cursor": told["next"]}


def expected(roll: Any) -> dict[str, Any]:
    """What the service says of it."""
    odds = roll.get("odds")
    return {
        "faces": roll["faces"],
        "score": roll.get("score"),
        "outcome": roll.get("outcome", ""),
        "of": odds and odds["of"],
        "scores": odds and [[each["score"], each["ways"]] for each in odds["scores"]],
        "outcomes": odds and [[each["outcome"], each["ways"]] for each in odds["outcomes"]],
    }


@pytest.mark.parametrize("ruleset", ["crimson-tide", "naval-battles", "war-at-sea"])
def test_a_page_works_out_of_the_record_what_the_service_says_of_a_roll(
    person: People, server: Running, ruleset: str
) -> None:
    sat = Sat(server.url, {"ruleset": ruleset, "seed": "tray"})
    chooser = random.Random(f"tray {ruleset}")
    for _ in range(ORDERS):
        seat = sat.asked()
        offer = sat.offer(seat)
        sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])
    path, token = f"/v1/games/{sat.game}", sat.tokens["p1"]
    batches = [
        event["data"]
        for event in all_of(sat.client, f"{path}/events", token)
        if event["type"] == "decklog.batch-rolled"
    ]
    told = {roll["id"]: roll for roll in all_of(sat.client, f"{path}/rolls", token)}
    seen = [roll for batch in batches if batch["link"] for roll in batch["rolls"]]
    sealed = {roll["label"] for batch in batches if not batch["link"] for roll in batch["rolls"]}
    assert sealed == {id for id, roll in told.items() if roll["hidden"]}
    one = person()
    one.go("lobby")
    read = one.page.evaluate(READ, seen)
    assert len(read) > 3
    assert read == [expected(told[roll["label"]]) for roll in seen]
    if ruleset != "naval-battles":
        assert any(each["scores"] for each in read)


def batch(seq: int, link: str, *labels: str) -> dict[str, Any]:
    rolls = [
        {"label": each, "pools": [{"count": 1, "sides": 6}], "faces": [[4]]} for each in labels
    ]
    data = {"link": link, "rolls": rolls}
    return {"seq": seq, "type": "decklog.batch-rolled", "data": data, "text": {"en": "Dice."}}


def named(seq: int, label: str, *rules: str) -> dict[str, Any]:
    return {"seq": seq, "type": "x.happened", "data": {"label": label}, "rules": list(rules)}


def test_why_leads_to_the_dice_until_something_came_of_them(person: People) -> None:
    """Dice that no event names later have no moment but their own: they had led to moment 0."""
    one = person()
    one.go("lobby")
    heard = one.page.evaluate(HEARD, [named(6, "a"), batch(7, "link", "a", "later")])
    assert heard[1] == ["1 dice: 4", "#/replay/g/7?why=1"]
    thrown = named(8, "a")  # by no rule: it says what fell
    heard = one.page.evaluate(HEARD, [named(6, "a"), batch(7, "link", "a"), thrown])
    assert heard[-1] == ["", "#/replay/g/7?why=1"]
    led = [named(9, "a", "X-1"), named(10, "b", "X-2")]
    heard = one.page.evaluate(HEARD, [named(6, "a"), batch(7, "link", "a"), thrown, *led])
    assert heard[-1] == ["", "#/replay/g/9?why=1"]


def test_dice_that_nobody_asked_for_yet_or_that_are_sealed_lie_in_no_tray(person: People) -> None:
    one = person()
    one.go("lobby")
    assert one.page.evaluate(HEARD, [named(6, "a"), batch(7, "", "a")])[-1] == ["", ""]
    assert one.page.evaluate(HEARD, [named(6, "b"), batch(7, "link", "a")])[-1] == ["", ""]


BASES = """async ([cards, klick]) => {
  const { Tide } = await import("/pages/tide.js"), board = new Tide("p1");
  board.state = { options: { klick } };
  board.cards = Object.fromEntries(cards.map((size) => [size, { data: { size } }]));
  return cards.map((size) => board.sizeOf(size));
}"""


@pytest.mark.parametrize("klick", [25_000, 20_000])
def test_bases_are_as_large_as_the_rules_say(person: People, klick: int) -> None:
    one = person()
    one.go("lobby")
    drawn = one.page.evaluate(BASES, [list(HALVES), klick])
    assert drawn == [[2 * long / klick, 2 * wide / klick] for long, wide in HALVES.values()]


def test_land_and_objectives_of_crimson_tide_need_no_picture(
    person: People, server: Running
) -> None:
    body = {"ruleset": "crimson-tide", "seed": "land", "scenario": "sea-control"}
    sat = Sat(server.url, body)
    chooser = random.Random("land")
    token = sat.tokens["p1"]
    path, head = f"/v1/games/{sat.game}/view", {"Authorization": f"Bearer {token}"}
    while not (state := sat.client.get(path, headers=head).json()["state"])["objectives"]:
        seat = sat.asked()
        offer = sat.offer(seat)
        sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])
    one = person()
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url))
    at_the_table(one, sat.game, "p1", token)
    one.page.locator(".boardbox[data-drawn]").wait_for()
    board = one.page.locator("svg.board")
    dry = [piece for piece in state["land"] if not piece["shallow"]]
    assert board.locator("path.coast").count() == len(dry)
    assert board.locator("path.shallows").count() == len(state["land"]) - len(dry)
    assert board.locator("use[href='#objective']").count() == len(state["objectives"])
    assert not [url for url in asked if "board.svg" in url]


LYING = """async (state) => {
  const { Sea } = await import("/pages/sea.js");
  const calm = { zone: 1, smoke: {}, squalls: [], objectives: [], mines: [] };
  return new Sea("p1").lying({ ...calm, ...state })
    .filter((each) => each.signs.length || each.about)
    .map(({ key, signs, about }) => [key, signs, about]);
}"""


def test_what_lies_on_the_sea_for_a_while_is_drawn_from_the_state(person: People) -> None:
    one = person()
    one.go("lobby")
    state = {"smoke": {"5.4": 3}, "squalls": ["5.4"], "objectives": ["2.1"], "mines": ["2.1"] * 2}
    assert one.page.evaluate(LYING, state) == [
        ["sector:5.4", ["smoke", "squall"], "smoke until turn 3, squall"],
        ["sector:2.1", ["mine"], "objective, 2 mines"],
    ]
    assert one.page.evaluate(LYING, {}) == []

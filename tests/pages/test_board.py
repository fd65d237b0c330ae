"""The table as one screen: the board takes orders, says what they are worth, and is legible."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person
from .reach import by_clicks, by_keys, given
from .test_every_command import Sat
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
Prefer = Callable[[list[Any], random.Random], list[Any]]
SIZES = [(1440, 900), (820, 1180), (390, 844)]
MOST = 260

MEASURED = """() => {
  const told = new Set();
  const seen = (each) => !each.closest(".sheet-of-art, [hidden], .sr, footer, .skip")
    && getComputedStyle(each).visibility === "visible";
  for (const each of document.querySelectorAll("body *")) {
    const box = each.getBoundingClientRect();
    if (!box.width || !box.height || !seen(each)) continue;
    const text = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    let size = parseFloat(getComputedStyle(each).fontSize);
    if (each.tagName === "text") { const { a, b } = each.getScreenCTM(); size *= Math.hypot(a, b); }
    if (text && size < 10.95) told.add(`text of ${size.toFixed(1)}: ${each.textContent}`);
    const inline = each.closest("p, .said");
    if (each.matches("button, a, select, summary, .board [data-lit]") && !inline)
      if (box.width < 23.9 || box.height < 23.9)
        told.add(`target of ${box.width} by ${box.height}: ${each.outerHTML.slice(0, 80)}`);
  }
  for (const each of document.querySelectorAll(".problem")) told.add(each.textContent);
  const { scrollHeight, scrollWidth } = document.scrollingElement;
  if (scrollHeight > innerHeight + 1 || scrollWidth > innerWidth) told.add("the page scrolls");
  const nodes = document.querySelectorAll("body *").length;
  if (nodes > 2600) told.add(`${nodes} elements`);
  return [...told];
}"""


def on(items: list[Any], chooser: random.Random) -> list[Any]:
    """Those that go on: what ends a phase only now and then."""
    rest = [each for each in items if not each["command"]["type"].endswith(".pass")]
    ends = [each for each in items if each not in rest]
    return ends if ends and chooser.random() < 0.2 else rest or items


def until(sat: Sat, asked: str, least: int, seed: str = "") -> tuple[str, list[Any]]:
    """Random play until a seat is asked so, with so many answers."""
    chooser = random.Random(f"board {seed}")
    for _ in range(MOST):
        summary = sat.client.get(f"/v1/games/{sat.game}").json()
        question = summary["toMove"][0]
        offer = sat.offer(question["seat"])
        if question["question"] == asked and len(offer["items"]) >= least:
            return str(question["seat"]), sat.everything(question["seat"])
        pick = chooser.choice(on(offer["items"], chooser))
        sat.give(question["seat"], pick["command"], offer["version"])
    raise AssertionError(f"nobody is asked to {asked}")


BODIES: dict[str, dict[str, Any]] = {
    "war-at-sea": {"edition": "2009", "scenario": "major-300", "seed": "a"},
    "crimson-tide": {"seed": "a"},
    "naval-battles": {
        "seed": "a",
        "seats": [{"seat": f"p{n}", "hold": "keep"} for n in range(1, 5)],
    },
}
ASKED = {
    "war-at-sea": ("move", 20),
    "crimson-tide": ("move", 5),
    "naval-battles": ("declare", 10),
}


class Moment:
    """A game at a question, and whose it is."""

    def __init__(self, url: str, ruleset: str) -> None:
        self.sat = Sat(url, {"ruleset": ruleset, **BODIES[ruleset]})
        self.seat, self.items = until(self.sat, *ASKED[ruleset])

    def sit(self, person: Person) -> Person:
        at_the_table(person, self.sat.game, self.seat, self.sat.tokens[self.seat])
        person.commands.first.wait_for()
        return person

    def item(self, *roles: str) -> Any:
        return next(i for i in self.items if [p["role"] for p in i["parts"]] == [*roles])


@pytest.fixture(scope="module")
def moments(server: Running) -> Callable[[str], Moment]:
    made: dict[str, Moment] = {}

    def moment(ruleset: str) -> Moment:
        if ruleset not in made:
            made[ruleset] = Moment(server.url, ruleset)
        return made[ruleset]

    return moment


Moments = Callable[[str], Moment]


SHARE = {("war-at-sea", 0), ("crimson-tide", 1), ("naval-battles", 2)}
"""Each game in one way and each way in some game; the others where what they show has changed."""


def shared(*ways: Any) -> list[Any]:
    """Each game in each way, most of them in the tier ``clients``."""
    rest = pytest.mark.slow("clients")
    return [
        pytest.param(ruleset, way, marks=() if (ruleset, number) in SHARE else rest)
        for ruleset in sorted(BODIES)
        for number, way in enumerate(ways)
    ]


@pytest.mark.parametrize(("ruleset", "reach"), shared(by_clicks, by_keys))
def test_some_commands_of_each_game_are_given(
    person: People, moments: Moments, ruleset: str, reach: Any
) -> None:
    moment = moments(ruleset)
    one = moment.sit(person())
    some = random.Random(ruleset).sample(moment.items, 5)
    for item, sent in given(one.page, some, reach):
        assert sent == item["command"], item["text"]


@pytest.mark.parametrize(("ruleset", "size"), shared(*SIZES))
def test_the_table_is_one_screen_and_legible(
    person: People, moments: Moments, ruleset: str, size: tuple[int, int]
) -> None:
    moment = moments(ruleset)
    one = moment.sit(person(viewport={"width": size[0], "height": size[1]}))
    one.page.wait_for_timeout(200)
    assert one.page.evaluate(MEASURED) == []
    one.page.locator("button.chip").first.click()
    one.page.wait_for_timeout(200)
    shoot(one.page, f"board-{ruleset}-{size[0]}")
    assert one.page.evaluate(MEASURED) == []
    assert one.serious() == []


def piece(one: Person, key: str) -> Any:
    return one.page.locator(f".board [data-key='{key}']").first


def test_two_clicks_on_the_board_move_a_ship(person: People, moments: Moments) -> None:
    moment = moments("war-at-sea")
    one, item = moment.sit(person()), moment.item("unit", "place")
    unit, place = (part["key"] for part in item["parts"])

    def click(page: Any, given: Any) -> None:
        piece(one, unit).click()
        expect(piece(one, unit)).to_have_class(re.compile("picked"))
        expect(piece(one, place)).to_have_class(re.compile("may"))
        piece(one, place).hover()
        expect(page.locator("rect.ghost")).to_have_count(1)
        piece(one, place).click()

    ((_, sent),) = given(one.page, [item], click)
    assert sent == item["command"]


def test_arrows_go_round_the_board_and_escape_goes_back(person: People, moments: Moments) -> None:
    moment = moments("war-at-sea")
    one, item = moment.sit(person()), moment.item("unit", "place")
    unit = item["parts"][0]["key"]
    page = one.page
    page.locator("svg.board [data-lit][tabindex='0']").focus()
    for _ in range(12):
        if page.evaluate("document.activeElement.dataset.key") == unit:
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    where = "document.activeElement.dataset.key"
    assert page.evaluate(where).startswith("sector:"), "the focus is on a lit sector"
    before = page.evaluate(where)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(where) != before
    page.keyboard.press("Escape")
    expect(piece(one, unit)).not_to_have_class(re.compile("picked"))
    assert page.evaluate("document.activeElement.tagName") != "BODY"


def test_a_finger_looks_first_and_gives_the_order_by_the_button(
    person: People, moments: Moments
) -> None:
    moment = moments("war-at-sea")
    one = moment.sit(person(viewport={"width": 390, "height": 844}, has_touch=True))
    item = moment.item("unit", "place")
    unit, place = (part["key"] for part in item["parts"])

    def tap(page: Any, given: Any) -> None:
        page.locator(f"button.chip[data-key='{unit}']").tap()
        page.locator(f"button.chip[data-key='{place}']").tap()
        expect(page.locator("[data-sent]")).to_have_count(0)
        page.locator("button.go").tap()

    ((_, sent),) = given(one.page, [item], tap)
    assert sent == item["command"]


def test_a_card_is_carried_to_its_target_and_what_is_idle_says_why(
    person: People, moments: Moments
) -> None:
    moment = moments("naval-battles")
    one = moment.sit(person(viewport={"width": 1440, "height": 900}))
    item = moment.item("card", "unit", "weapon", "target")
    card, target = item["parts"][0]["key"], item["parts"][-1]["key"]
    usable = {part["key"] for i in moment.items for part in i["parts"] if part["role"] == "card"}
    cards = one.page.locator(".card").evaluate_all("all => all.map((each) => each.dataset.key)")
    assert set(cards) - usable, "every card is of use"
    assert one.page.locator(".card.idle .why").first.inner_text()

    def carry(page: Any, given: Any) -> None:
        piece(one, card).hover()
        page.mouse.down()
        box = piece(one, target).bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 80, steps=4)
        page.mouse.move(box["x"] + 40, box["y"] + 40, steps=4)
        page.mouse.up()
        if page.locator(".crumbs [aria-current]").inner_text() == "unit":
            piece(one, item["parts"][1]["key"]).click()
            piece(one, target).click()

    ((_, sent),) = given(one.page, [item], carry)
    assert sent is not None
    assert (sent["card"], sent["target"]) == (card[5:], target)


def test_a_move_is_dragged_and_told_in_degrees_and_klicks(person: People, moments: Moments) -> None:
    moment = moments("crimson-tide")
    one = moment.sit(person(viewport={"width": 1440, "height": 900}))
    item = next(i for i in moment.items if i["parts"] and i["parts"][1]["role"] == "path")
    unit = item["parts"][0]["key"]

    def drag(page: Any, given: Any) -> None:
        page.locator(f"button.chip[data-key='{unit}']").click()
        handle = page.locator("[data-handle=end]")
        box = handle.bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.down()
        page.mouse.move(box["x"] - 10, box["y"] + 40, steps=5)
        page.mouse.up()
        expect(page.locator(".dial [role=status]")).not_to_be_empty()
        shown = page.locator(".table").inner_text()
        assert re.search("° to (port|starboard)", shown)
        assert not re.search(r"\d{5}", shown), "micrometres"
        page.locator("button.go").click()

    ((_, sent),) = given(one.page, [item], drag)
    assert sent["unit"] == unit
    assert any(sent["path"])
    assert all(isinstance(ticks, int) for ticks in sent["path"])


def test_sectors_that_are_worth_a_look_are_lit_with_their_reasons(
    person: People, server: Running
) -> None:
    """Aircraft may fly anywhere: the service says from where something may follow."""
    sat = Sat(server.url, {"ruleset": "war-at-sea", "edition": "2009", "seed": "worth"})
    chooser = random.Random("worth a look")
    while True:
        seat = sat.asked()
        items = sat.everything(seat)
        worth = [i for i in items if "worthwhile" in i]
        if worth:
            break
        version = sat.offer(seat)["version"]
        sat.give(seat, chooser.choice(items)["command"], version)
    unit = worth[0]["unit"]
    sectors = {i["target"]: i["worthwhile"]["purposes"] for i in worth if i["unit"] == unit}
    one = person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    one.page.locator(f'button.command[data-key="{unit}"]').first.click()
    expect(one.page.locator(".note")).to_contain_text("worth a look")
    first = one.commands.nth(0)
    key = str(first.get_attribute("data-key")).removeprefix("sector:")
    assert key in sectors
    expect(first).to_contain_text(sectors[key][0]["text"].split(" (")[0])
    lit = one.page.locator("svg.board [data-lit][data-key^='sector:']")
    expect(lit).to_have_count(len(sectors))
    assert {str(e.get_attribute("data-key")).removeprefix("sector:") for e in lit.all()} == set(
        sectors
    )


def test_the_dice_that_count_are_lit(person: People, server: Running) -> None:
    sat = Sat(server.url, {"ruleset": "war-at-sea", "edition": "2009", "seed": "odds"})
    chooser = random.Random("odds on buttons")
    while True:
        seat = sat.asked()
        offer = sat.offer(seat)
        if dice := [i for i in offer["items"] if i.get("odds", {}).get("outcomes")]:
            break
        sat.give(seat, chooser.choice(offer["items"])["command"], offer["version"])
    one = person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    item = next((i for i in dice if not i.get("pointless")), dice[0])
    by_clicks(one.page, item)
    if one.page.locator("button.sure").count():
        one.page.locator("button.sure").click()
    tray = one.page.locator(".tray")
    expect(tray).to_be_visible()
    for die in tray.locator(".die").all():
        face, worth = die.locator("circle").count(), int(die.get_attribute("data-worth") or 0)
        assert worth == (2 if face == 6 else 1 if face >= 4 else 0)
    expect(tray.locator(".dist i.was")).to_have_count(1)
    came = tray.locator(".came")
    expect(came).not_to_be_empty()  # what became of it, as the log says
    expect(one.page.locator("div.log")).to_contain_text(came.inner_text())
    assert "Dice batch" not in one.page.locator("div.log").inner_text()
    shoot(one.page, "board-dice")


TRAY = """async (when) => {
  const { Tray } = await import("/pages/tray.js");
  const tray = new Tray(() => "#/"), saved = "Naka is hit, not destroyed (Survivor).";
  const roll = { faces: [[6, 6]], pools: [], score: 4, outcome: "destroyed", odds: null };
  if (when === "before") tray.resolved("c1", saved);
  tray.resolved("c0", "Another's end.");
  if (when === "before") tray.resolved("c1", saved);
  tray.show(roll, "Alaska fires", 7, "c1");
  if (when === "after") tray.resolved("c1", saved);
  return [".result", ".came"].map((each) => tray.box.querySelector(each).textContent);
}"""


@pytest.mark.parametrize("when", ["before", "after", "never"])
def test_dice_that_are_enough_call_no_ship_destroyed(person: People, when: str) -> None:
    """An ability may save it, and it is lost when its phase ends alone."""
    one = person()
    one.go("lobby")
    result, came = one.page.evaluate(TRAY, when)
    assert result == "4 successes enough to destroy"
    assert came == ("" if when == "never" else "Naka is hit, not destroyed (Survivor).")


def test_a_fleet_is_built_from_cards_and_says_why_not(person: People, server: Running) -> None:
    sat = Sat(server.url, {"ruleset": "war-at-sea", "edition": "2009", "seed": "yard"})
    seat = sat.asked()
    one = person(viewport={"width": 1440, "height": 900})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    yard, lock = one.page.locator(".yard"), one.page.locator("button.lock")
    expect(lock).to_be_disabled()
    yard.get_by_label("Search cards").fill("bismarck")
    yard.locator(".unitcard", has_text="Bismarck").get_by_role("button", name="Add").first.click()
    expect(yard.get_by_role("status")).to_contain_text("Legal.")
    yard.get_by_label("show what does not fit").check()
    yard.get_by_label("Search cards").fill("yamato")
    expect(yard.locator(".unfit .why").first).to_contain_text("are left")
    yard.get_by_label("Search cards").fill("")
    assert one.page.evaluate(MEASURED) == []
    assert one.serious() == []
    shoot(one.page, "fleet")
    lock.click()
    expect(one.turn).to_contain_text("Waiting for")
    events = sat.client.get(
        f"/v1/games/{sat.game}/events", headers={"Authorization": f"Bearer {sat.tokens[seat]}"}
    )
    locked = [e for e in events.json()["items"] if e["type"] == "war-at-sea.fleet-locked"]
    assert len(locked[0]["data"]["cards"]["items"]) == 1


def test_a_link_brings_a_fleet(person: People, server: Running) -> None:
    sat = Sat(server.url, {"ruleset": "war-at-sea", "edition": "2009", "seed": "yard"})
    seat = sat.asked()
    one = person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.go(f"game/{sat.game}/fleet/bismarck,u-47")
    listed = one.page.locator(".yard-side li")
    expect(listed).to_have_count(2)
    expect(one.page.locator("button.lock")).to_be_enabled()

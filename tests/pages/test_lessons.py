"""Lessons: played to the end by clicks, by finger and by keys; none says what is not so."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import expect

from domain.kernel.finder import games
from service.lessons import NAME, Act, brought, lessons
from tests.support.chromium import shoot
from tests.support.server import ROOT, Running

from .conftest import Person
from .hands import WAYS, Hand, give
from .reach import Item
from .test_table import People

pytestmark = pytest.mark.slow("pages")

LESSONS = sorted(lessons())
TITLES = {name: game.title for name, game in games().items()}
MOST = 300
"""Orders within which a lesson is done."""
ROUNDS = 1_200
"""Looks at a game until the page has it; other work may keep the machine busy."""
PASS = ".pass"
SMALL = """least => [...document.querySelectorAll(".lesson *")]
  .filter((each) => each.getClientRects().length)
  .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 11
    || each.matches(".btn") && each.getBoundingClientRect().height < least
    || each.matches("button") && each.getBoundingClientRect().height < 24)
  .map((each) => each.textContent)"""
"""Of the strip: texts under eleven pixels, and targets that are too small."""
SPOKEN = """() => {
  window.spoken = [];
  const region = document.getElementById("status");
  const heard = () => window.spoken.push(region.textContent);
  new MutationObserver(heard).observe(region, { childList: true });
}"""
"""Keeps what the page's live region says."""


def begun(one: Person, ruleset: str) -> None:
    """From the front page, at one press."""
    one.go()
    one.page.evaluate(SPOKEN)
    card = one.page.locator(".offers li", has_text=TITLES[ruleset])
    card.get_by_role("button", name="Learn by playing").click()
    one.page.locator(".lesson").wait_for()


class Learner:
    """Somebody at a lesson: what the page says, and what the service offers at that moment."""

    def __init__(self, one: Person, ruleset: str, url: str) -> None:
        self.page, self.lesson = one.page, lessons()[ruleset]
        self.game = one.page.url.rpartition("/")[2]
        kept = json.loads(one.page.evaluate("localStorage.getItem('decklog.games')"))[self.game]
        self.seat, token = next(iter(kept["seats"].items()))
        self.client = httpx.Client(
            base_url=f"{url}/v1/games/{self.game}",
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )

    def settled(self) -> dict[str, Any]:
        """The game, once the page asks about its newest state or says that it is over."""
        for _ in range(ROUNDS):
            summary: dict[str, Any] = self.client.get("").json()
            over = summary["status"] == "finished"
            mine = self.seat in [each["seat"] for each in summary["toMove"]]
            if (over and self.state in ("over", "end")) or (mine and self._asks(summary)):
                return summary
            self.page.wait_for_timeout(50)
        raise AssertionError(self.page.locator(".lesson").inner_text())

    def _asks(self, summary: dict[str, Any]) -> bool:
        asked = f".ask[data-version='{summary['version']}']:not(:has([data-sent]))"
        return bool(self.page.locator(asked).count())

    def items(self) -> list[Item]:
        found: list[Item] = []
        query: dict[str, Any] = {"limit": 200}
        while True:
            offer = self.client.get("/commands", params=query).json()
            found += offer["items"]
            if not offer["next"]:
                return found
            query["cursor"] = offer["next"]

    @property
    def state(self) -> str:
        return str(self.page.locator(".lesson").get_attribute("data-state"))

    @property
    def place(self) -> int:
        return int(str(self.page.locator(".lesson").get_attribute("data-step"))) - 1

    def fitting(self, summary: Any, items: list[Item]) -> list[Item]:
        """What is offered of what the step that is shown asks for."""
        rules = [each["rule"] for each in summary["toMove"] if each["seat"] == self.seat]
        step = self.lesson.steps[self.place]
        return [item for item in items if any(fits(item, act, rules) for act in step.act)]


def fits(item: Item, act: Act, asked: list[str]) -> bool:
    keys = {part["role"]: part["key"] for part in item["parts"]}
    return (
        item["command"]["type"] == act.command
        and act.rule in ("", item["rule"])
        and (not act.asked or act.asked in asked)
        and all(keys.get(role) in values for role, values in act.parts.items())
    )


def worth(item: Item) -> int:
    odds = item.get("oddsSummary")
    if item.get("pointless") or (odds and odds["hopeless"]):
        return -1
    return 1000 * (odds["destroyed"] or 0) + odds["hit"] if odds else 0


def use(item: Item) -> tuple[int, bool, int]:
    """What a learner would rather do: good odds, what is worth a look, a short way straight on."""
    way = "".join(part["key"] for part in item["parts"] if part["role"] == "path")
    looked = bool((item.get("worthwhile") or {}).get("purposes"))
    return worth(item), looked, -len(way) - 100 * bool(re.search("[1-9-]", way))


def usual(items: list[Item]) -> Item:
    """What somebody does of whom a step asks nothing: on; but aircraft fly, and the last ship that
    is to move is moved: on a phone its dial stands where the way on was.
    """
    units = {item["parts"][0]["key"] for item in items if item["parts"]}
    kinds = {item["command"]["type"].partition(".")[2] for item in items}
    if kinds & {"deploy", "place"} or ("move" in kinds and len(units) == 1):
        return max((item for item in items if item["parts"]), key=use)
    return next((item for item in items if item["command"]["type"].endswith(PASS)), items[0])


def checked(one: Learner, items: list[Item]) -> None:
    """What the step names is offered, and what is marked leads there."""
    text = one.page.locator(".lesson-text").inner_text()
    assert not re.search(r"[{}]|undefined|p\d-\d", text), text
    wanted = one.fitting(one.client.get("").json(), items)
    assert wanted, f"{one.place + 1}: {text}"
    step, best = one.lesson.steps[one.place].text, max(wanted, key=worth)
    for part in best["parts"]:
        if f"{{{part['role']}}}" in step:
            assert re.sub(r" \(p\d-\d+\)", "", part["text"]) in text
    if "{says}" in step:
        says = text.partition('"')[2].partition('"')[0]
        expect(one.page.locator(".ways button.bare").get_by_text(says)).to_be_visible()
    for name in one.page.locator(".chips .taught").evaluate_all(
        "all => all.map(e => e.dataset.id)"
    ):
        answers = {f"{p['role']} {p['key']}" for item in wanted for p in item["parts"]}
        assert name in answers or name.startswith("end "), name


def played(one: Learner, hand: Hand) -> Iterator[int]:
    """The lesson to its end; each step as it comes to be asked for."""
    for _ in range(MOST):
        summary = one.settled()
        if one.state in ("end", "over"):
            return
        items = one.items()
        if one.state == "act":
            checked(one, items)
            yield one.place
            give(hand, max(one.fitting(summary, items), key=use))
        else:
            give(hand, usual(items))
        if one.page.locator("button.sure").count():
            hand.sure()


@pytest.mark.timeout(500)
@pytest.mark.parametrize(
    ("ruleset", "way"),
    [
        *((ruleset, "mouse") for ruleset in LESSONS),
        ("war-at-sea", "finger"),
        *(pytest.param(n, "finger", marks=pytest.mark.slow("clients")) for n in LESSONS[:2]),
        ("naval-battles", "keys"),
        ("crimson-tide", "keys"),
        pytest.param("war-at-sea", "keys", marks=pytest.mark.slow("clients")),
    ],
)
def test_a_lesson_is_played_to_its_end(
    person: People, server: Running, ruleset: str, way: str
) -> None:
    one = person(**WAYS[way].looks, color_scheme="dark" if way == "keys" else "light")
    begun(one, ruleset)
    learner = Learner(one, ruleset, server.url)
    hand: Hand = WAYS[way](one.page)
    seen = []
    for place in played(learner, hand):
        if place not in seen:
            shoot(one.page, f"lesson-{ruleset}-{way}-{place + 1}")
            assert one.page.evaluate(SMALL, 44 if way == "finger" else 24) == []
            assert one.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        seen.append(place)
    assert learner.state == "end", one.page.locator(".lesson").inner_text()
    steps = learner.lesson.steps
    assert set(seen) == set(range(len(steps)))
    assert one.serious() == []
    spoken = one.page.evaluate("window.spoken")
    for number, step in enumerate(steps, 1):
        assert any(f"Step {number} of {len(steps)}: {step.title}." in each for each in spoken)


def test_who_does_otherwise_is_told_so_and_the_step_stays_open(
    person: People, server: Running
) -> None:
    """Ends the movement, comes back to the page, takes a move back, leaves a step out."""
    one = person(**WAYS["mouse"].looks)
    begun(one, "war-at-sea")
    learner, hand = Learner(one, "war-at-sea", server.url), WAYS["mouse"](one.page)
    box, note = one.page.locator(".lesson"), one.page.locator(".lesson .note")
    until(learner, hand, 2)
    give(hand, max(learner.items(), key=lambda item: len(item["parts"])))
    expect(box).to_have_attribute("data-step", "4")
    one.page.locator("button.takes-back").click()
    expect(box).to_have_attribute("data-step", "3")
    learner.settled()
    one.page.get_by_role("button", name="Leave this step out").click()
    expect(box).to_have_attribute("data-state", "meanwhile")
    expect(box).to_contain_text("First: move")
    give(hand, max(learner.items(), key=lambda item: len(item["parts"])))
    expect(box).to_have_attribute("data-step", "4")
    one.page.reload()
    box.wait_for()
    expect(box).to_have_attribute("data-step", "4")
    one.page.evaluate(SPOKEN)
    learner.settled()
    give(hand, usual(learner.items()))
    expect(box).to_have_attribute("data-step", "5")
    learner.settled()
    give(hand, next(i for i in learner.items() if "airbase" in i["command"]["type"]))
    expect(note).to_contain_text("was another order than the step's, and is as good.")
    expect(box).to_have_attribute("data-step", "5")
    assert any("another order" in each for each in one.page.evaluate("window.spoken"))
    one.page.locator(".lesson button.rule").first.click()
    expect(one.page.locator(".rulebox")).to_be_visible()
    one.page.keyboard.press("Escape")
    one.give_up()
    expect(box).to_have_attribute("data-state", "over")
    expect(box).to_contain_text("It ended before all was shown.")
    one.page.get_by_role("button", name="Close").click()
    expect(box).to_have_count(0)
    expect(one.page.locator("#status")).to_have_text("The lesson is ended; the battle goes on.")


def test_on_a_phone_the_strip_is_one_line_until_it_is_opened(person: People) -> None:
    one = person(**WAYS["finger"].looks)
    begun(one, "war-at-sea")
    strip, text = one.page.locator(".lesson"), one.page.locator(".lesson-text")
    expect(strip).to_contain_text("Step 1 of")
    expect(text).to_be_hidden()
    box = strip.bounding_box()
    assert box is not None
    assert box["height"] < 60
    one.page.get_by_role("button", name="Open", exact=True).tap()
    expect(text).to_be_visible()
    expect(one.page.get_by_role("button", name="End the lesson")).to_be_visible()
    shoot(one.page, "lesson-phone-open")
    one.page.get_by_role("button", name="Fold", exact=True).tap()
    expect(text).to_be_hidden()
    shoot(one.page, "lesson-phone-folded")
    assert one.serious() == []
    other = person()
    begun(other, "war-at-sea")
    expect(other.page.locator(".lesson-text")).to_be_visible()


def until(learner: Learner, hand: Hand, place: int) -> None:
    """To the first moment at which that step is asked for."""
    summary = learner.settled()
    while (learner.state, learner.place) != ("act", place):
        items = learner.items()
        give(hand, max(learner.fitting(summary, items) or items, key=use))
        summary = learner.settled()


def consts(ruleset: str) -> str:
    return (ROOT / "openapi" / "rulesets" / f"{ruleset}.json").read_text("utf-8")


@pytest.mark.parametrize("ruleset", LESSONS)
def test_a_lesson_names_only_what_there_is(server: Running, ruleset: str) -> None:
    """Commands, events and rules; and its game can be made."""
    lesson, known = lessons()[ruleset], consts(ruleset)
    acts = [act for step in lesson.steps for act in step.act]
    signs = [sign for step in lesson.steps for sign in (*step.done, *step.also, *step.since)]
    for name in {*(act.command for act in acts), *(sign.event for sign in signs)}:
        assert f'"const": "{name}"' in known, name
    rules = {rule for step in lesson.steps for rule in step.rules}
    rules |= {rule for hint in lesson.meanwhile.values() for rule in hint.rules}
    rules |= {rule for act in acts for rule in (act.rule, act.asked)}
    rules |= {sign.rule for sign in signs}
    path = f"{server.url}/v1/rulesets/{ruleset}/rules"
    for rule in sorted(rules - {""}):
        assert httpx.get(f"{path}/{rule}", timeout=60).status_code == 200, rule
    units, query = list[Any](), dict[str, Any](limit=200)
    while query.get("cursor") is not None or not units:
        told = httpx.get(f"{path.removesuffix('rules')}units", params=query, timeout=60).json()
        units, query["cursor"] = units + told["items"], told["next"]
    said = " ".join(
        [step.text for step in lesson.steps] + [h.text for h in lesson.meanwhile.values()]
    )
    named = [unit["name"] for unit in units if unit["name"] in said]
    assert named == [], "a unit may be lost by then: its name is that of an offer, {unit}"
    assert 8 <= len(lesson.steps) <= 12
    assert all(step.act and step.done and step.rules for step in lesson.steps)


def test_a_game_brings_its_lesson_in_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One without has none, and one that is wrong is left out, and told."""
    own = msgspec.json.encode(lessons()["war-at-sea"])
    for name, text in {
        "with_one": own,
        "with_none": None,
        "with_a_wrong_one": b'{"steps": 1}',
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        if text is not None:
            (tmp_path / name / NAME).write_bytes(text)
    monkeypatch.syspath_prepend(tmp_path)
    found = {name: name for name in ("with_one", "with_none", "with_a_wrong_one")}
    with caplog.at_level(logging.WARNING, logger="service.lessons"):
        assert dict(brought(found)) == {"with_one": lessons()["war-at-sea"]}
    assert "the lesson of with_a_wrong_one is left out" in caplog.text

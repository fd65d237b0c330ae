"""The choice tree of the pages, in a browser: part after part leads to every command.

Over positions of every recorded game, one in eleven always and each in the tier ``clients``; those
whose offers have the same parts are walked through once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from domain.kernel.commands import tag_of
from tests.every_game.test_parts import recorded
from tests.support.recorded import files, read
from tests.support.server import Running
from tests.support.suites import suites

from .conftest import Person

pytestmark = pytest.mark.slow("pages")

FOLDERS = sorted(suites())
EVERY = 11
"""That the parts make a tree is shown in each position without a browser, in test_parts.py."""
Offers = list[dict[str, Any]]

WALK = """async (positions) => {
  const { Choices, Cursor } = await import("/pages/choices.js");
  const told = [];
  for (const items of positions) {
    const asked = new Choices(items);
    const clicks = new Set(asked.bare), keys = new Set(asked.bare);
    let most = 0;
    // By clicks: each answer, then back, which must show the same question again.
    const click = (depth) => {
      most = Math.max(most, depth);
      const ids = asked.options.map((each) => each.id), before = ids.join();
      for (const id of ids) {
        if (!asked.choose(id)) { told.push(`${id} is no answer`); continue; }
        if (asked.chosen) clicks.add(asked.chosen); else click(depth + 1);
        if (!asked.back()) told.push(`no way back from ${id}`);
      }
      const now = asked.options.map((each) => each.id).join();
      if (now !== before) told.push(`back at ${now}, not at ${before}`);
    };
    click(1);
    // By keys: an arrow leads from each answer to the next, Enter takes it, Escape goes back.
    const cursor = new Cursor(asked);
    const type = () => {
      const many = asked.options.length;
      for (let place = 0; place < many; place += 1) {
        for (let step = 0; step < place; step += 1) cursor.press("ArrowRight");
        cursor.press("Enter");
        if (asked.chosen) keys.add(asked.chosen); else type();
        cursor.press("Escape");
      }
    };
    type();
    if (clicks.size !== items.length || keys.size !== items.length)
      told.push(`${clicks.size} by clicks, ${keys.size} by keys of ${items.length}`
        + JSON.stringify(items.find((item) => !clicks.has(item))));
    if (most > 7) told.push(`${most} questions for one command`);
  }
  return told;
}"""


def positions(folder: str, every: int) -> Iterator[Offers]:
    """What is offered in one of so many recorded positions, once for the same parts."""
    suite, known = suites()[folder], set[int]()
    for path in files(suite):
        for each in recorded(suite, path.stem, read(path), every):
            found = [
                {
                    "command": {"type": tag_of(type(command)), "number": number},
                    "text": str(number),
                    "parts": [{"role": p.role, "key": p.key, "text": p.text} for p in parts],
                }
                for number, (command, parts) in enumerate(each.offers)
            ]
            shape = hash(json.dumps(found))
            if shape not in known:
                known.add(shape)
                yield found


@pytest.fixture(scope="module")
def page(browser: Browser, server: Running) -> Iterator[Page]:
    one = Person(browser, server.url)
    one.go()
    yield one.page
    one.leave()


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_legal_command_of_recorded_positions_is_reached(page: Page, folder: str) -> None:
    assert walked(page, folder, EVERY) > 50


@pytest.mark.slow("clients")
@pytest.mark.parametrize("folder", FOLDERS)
def test_each_legal_command_of_each_recorded_position_is_reached(page: Page, folder: str) -> None:
    assert walked(page, folder, 1) > 100


def walked(page: Page, folder: str, every: int) -> int:
    """How many positions were walked through, each of whose commands was reached."""
    batch: list[Offers] = []
    done = 0
    for each in positions(folder, every):
        batch.append(each)
        if len(batch) == 100:
            assert page.evaluate(WALK, batch) == []
            done, batch = done + len(batch), []
    assert page.evaluate(WALK, batch) == []
    return done + len(batch)


def offer(type_: str, *parts: tuple[str, str], **more: Any) -> dict[str, Any]:
    made = [{"role": role, "key": key, "text": key} for role, key in parts]
    return {"command": {"type": type_}, "text": type_, "parts": made, **more}


Ask = Callable[[Offers, str], Any]


@pytest.fixture
def ask(page: Page) -> Ask:
    """What an expression about the tree ``asked`` of these offers comes to."""

    def answer(offers: Offers, expression: str) -> Any:
        text = (
            "async (items) => { const { Choices, effect } = await import('/pages/choices.js');"
            f" const asked = new Choices(items); {expression} }}"
        )
        return page.evaluate(text, offers)

    return answer


FIRE = [
    offer("fire", ("unit", "a"), ("weapon", "main"), ("target", "x")),
    offer("fire", ("unit", "a"), ("weapon", "main"), ("target", "y")),
    offer("fire", ("unit", "b"), ("weapon", "main"), ("target", "x"), pointless="doomed"),
    offer("use", ("unit", "b"), ("weapon", "main"), ("target", "x")),
    offer("pass"),
]


def test_a_part_with_one_answer_is_not_asked_but_told(ask: Ask) -> None:
    told = ask(FIRE, "asked.pick('a'); return [asked.role, asked.answers.map((a) => a.asked)];")
    assert told == ["target", [True, False]]


def test_one_command_alone_is_asked_for(ask: Ask) -> None:
    told = ask(FIRE[:1], "return [asked.chosen, asked.options.length, asked.role];")
    assert told == [None, 1, "unit"]


def test_what_has_no_part_stands_beside_every_question(ask: Ask) -> None:
    assert ask(FIRE, "asked.pick('a'); return asked.bare.map((i) => i.text);") == ["pass"]


def test_a_click_on_another_piece_goes_back_to_its_question(ask: Ask) -> None:
    told = ask(FIRE, "asked.pick('a'); asked.pick('b'); return asked.answers[0].option.key;")
    assert told == "b"
    told = ask(FIRE, "asked.pick('a'); return [asked.pick('z'), asked.answers[0].option.key];")
    assert told == [False, "a"]


def test_types_that_end_at_one_place_are_told_apart_last(ask: Ask) -> None:
    told = ask(
        FIRE, "asked.pick('b'); return asked.options.map((o) => [o.text, Boolean(o.pointless)]);"
    )
    assert told == [["use", False], ["fire", True]], "what is pointless comes last"


def test_what_is_hopeless_comes_last_with_its_word(ask: Ask) -> None:
    dry = {**FIRE[0], "oddsSummary": {**SHORT, "hit": 0, "hopeless": "armor 7: no (WAS-ATK-04)"}}
    told = ask(
        [dry, *FIRE[1:]], "asked.pick('a'); return asked.options.map((o) => [o.key, o.vain]);"
    )
    assert told == [["y", None], ["x", {"word": "hopeless", "why": "armor 7: no (WAS-ATK-04)"}]]


def test_what_is_worth_a_look_comes_first_with_its_reasons(ask: Ask) -> None:
    def place(to: str, **more: Any) -> Any:
        return {**offer("place", ("unit", "a"), ("place", to)), **more}

    bombs = {"purposes": [{"text": "bombs Hood (p2-1)"}, {"text": "bombs Repulse (p2-2)"}]}
    told = ask(
        [place("1.1"), place("7.4", worthwhile=bombs), place("1.2")],
        "asked.pick('a'); return asked.options.map((o) => [o.key, o.reasons]);",
    )
    first = ["7.4", ["bombs Hood (p2-1)", "bombs Repulse (p2-2)"]]
    assert told == [first, ["1.1", []], ["1.2", []]]


SHORT = {"hit": 869, "destroyed": 134, "expected": 900, "hopeless": ""}


def test_what_is_worth_most_is_told_by_the_odds_in_short(ask: Ask) -> None:
    short = [SHORT, {**SHORT, "destroyed": None, "hit": 950}, {**SHORT, "hit": 0}]
    texts = "return items.map((item) => effect(item));"
    told = [{**each, "oddsSummary": of} for each, of in zip(FIRE, short, strict=False)]
    worth = [{"hit": 869, "lost": 134}, {"hit": 950, "lost": 0}, {"hit": 0, "lost": 134}]
    assert ask(told, texts) == worth
    assert ask(FIRE[:1], texts) == [{"hit": 0, "lost": 0}], "no dice roll for it"

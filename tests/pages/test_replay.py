"""A judge steps through a finished game: any version, any eyes, why, what changed, the dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person

People = Callable[..., Person]


@pytest.fixture(scope="module")
def desk(browser: Browser, server: Running, finished: str) -> Iterator[Person]:
    """Somebody at the replay desk of a finished game, for all tests here: loaded once."""
    made = Person(browser, server.url)
    made.go(f"replay/{finished}")
    made.page.locator(".log button").first.wait_for()
    yield made
    made.leave()


@pytest.fixture
def judge(desk: Person) -> Person:
    """The same, at the newest version, with nothing filtered or compared."""
    desk.page.get_by_label("Filter").fill("")
    desk.page.get_by_label("Compare with version", exact=False).first.uncheck()
    desk.page.get_by_label("Through").select_option("")
    desk.page.get_by_role("button", name="Last", exact=True).click()
    desk.page.locator(".board svg").wait_for()
    return desk


def version(judge: Person) -> int:
    return int(judge.page.locator("output").inner_text().split()[0])


def test_steps_by_buttons_and_by_keys(judge: Person) -> None:
    latest = version(judge)
    judge.page.get_by_role("button", name="First").click()
    assert version(judge) == 1
    judge.page.get_by_text("There is no board yet.").wait_for()
    judge.page.get_by_role("button", name="Next").click()
    judge.page.locator(".board svg").wait_for()
    assert version(judge) == 2
    judge.page.locator("h1").click()
    judge.page.keyboard.press("PageDown")
    assert version(judge) > 2
    judge.page.keyboard.press("PageUp")
    assert version(judge) == 2
    judge.page.keyboard.press("End")
    assert version(judge) == latest
    judge.page.keyboard.press("ArrowLeft")
    assert version(judge) == latest - 1
    judge.page.get_by_label("Version", exact=True).fill("5")
    assert version(judge) == 5


def test_the_board_is_that_of_the_version_and_of_the_eyes(judge: Person) -> None:
    judge.page.get_by_label("Version", exact=True).fill("4")
    for eyes in ("p1", "p2", "truth", "public"):
        judge.page.get_by_label("Through").select_option(eyes)
        expect(judge.page.locator(".board svg")).to_have_count(1)
        assert version(judge) == 4
        assert judge.page.locator(".log button").count()


def test_the_log_is_filtered_and_jumps(judge: Person) -> None:
    every = judge.page.locator(".log button").count()
    judge.page.get_by_label("Filter").fill("dice")
    expect(judge.page.locator(".log button")).not_to_have_count(every)
    row = judge.page.locator(".log button").first
    number = int(row.inner_text().split(".")[0])
    row.click()
    expect(judge.page.locator("output")).to_contain_text(f"{number} of")
    phases = judge.page.get_by_label("Phase").locator("option")
    assert phases.count()


def test_why_with_rules_and_odds_and_the_dice_again(judge: Person) -> None:
    judge.page.get_by_label("Filter").fill("fire")
    judge.page.locator(".log button").first.wait_for()
    judge.page.locator(".log button").last.click()
    why = judge.page.get_by_label("Why", exact=True)
    why.get_by_text("Rolled again in this browser: the same faces.").first.wait_for()
    why.get_by_role("heading", name="By the rules").wait_for()
    shoot(judge.page, "replay")
    assert judge.serious() == []


def test_two_versions_beside_each_other(judge: Person) -> None:
    judge.page.get_by_label("Compare with version", exact=False).first.check()
    expect(judge.page.locator(".board svg")).to_have_count(2)
    judge.page.get_by_role("heading", name="From version").wait_for()
    assert judge.page.get_by_label("What changed").locator("li").count()
    assert judge.serious() == []
    shoot(judge.page, "replay-split")


def test_an_answer_that_was_overtaken_is_not_shown(judge: Person) -> None:
    """Reasons of two events stood under one heading, and far versions over near ones."""
    rows = judge.page.locator(".log button")
    # The very last event opens the master, by no rule.
    first, last = rows.first, rows.nth(-2)
    slow = int(first.inner_text().split(".")[0])
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    judge.page.route(f"**/why?event={slow}", hold)
    judge.page.route("**/diff?from=3&*", hold)
    first.click()
    why = judge.page.get_by_label("Why", exact=True)
    why.get_by_role("heading", name=f"Why: event {slow}").wait_for()
    last.click()
    why.get_by_role("heading", name="By the rules").wait_for()
    judge.page.get_by_role("button", name="Last", exact=True).click()
    judge.page.get_by_label("Compare with version", exact=False).first.check()
    judge.page.get_by_role("heading", name="From version").wait_for()
    other = judge.page.get_by_label("Version to compare with")
    for number in ("3", "4"):
        other.fill(number)
        other.press("Tab")
    judge.page.get_by_role("heading", name="From version 4").wait_for()
    told = why.inner_text(), judge.page.get_by_label("What changed").inner_text()
    assert len(held) == 2
    for route in held:
        with judge.page.expect_response(route.request.url):
            route.continue_()
    judge.page.wait_for_load_state("networkidle")
    assert (why.inner_text(), judge.page.get_by_label("What changed").inner_text()) == told
    judge.page.unroute_all()


def test_luck_in_a_plot_and_in_tables(judge: Person, server: Running, finished: str) -> None:
    judge.page.locator("summary", has_text="Luck").click()
    plot = judge.page.locator("svg.decklog-luck")
    plot.wait_for()
    told = httpx.get(f"{server.url}/v1/games/{finished}/luck").json()
    assert plot.locator("rect.actual").count() == len(told["seats"]) > 0
    for caption, groups in (("seat", "seats"), ("phase", "phases"), ("weapon", "weapons")):
        rows = judge.page.get_by_label(f"By {caption}").locator("tbody tr").all_inner_texts()
        assert len(rows) == len(told[groups])
        for row, group in zip(rows, told[groups], strict=True):
            assert row.split("\t")[0] == group["seat"]
            assert row.endswith(f"{group['perMille']} of 1000")
    words = plot.locator("desc").text_content()
    assert words
    assert all(f"{seat['seat']} was" in words for seat in told["seats"])
    judge.page.get_by_text("The course of it in figures").click()
    assert judge.page.get_by_label("Ahead of what was expected").locator("tbody tr").count() == len(
        told["series"]
    )
    plot.scroll_into_view_if_needed()
    shoot(judge.page, "replay-luck")
    assert judge.serious() == []
    judge.page.locator("summary", has_text="Luck").click()


def test_a_question_to_the_whole_game_leads_to_its_moments(
    judge: Person, server: Running, finished: str
) -> None:
    judge.page.locator("summary", has_text="When did it hold?").click()
    moments = judge.page.get_by_label("Moments", exact=True).locator("button")
    question = judge.page.get_by_label("Question", exact=True)
    question.fill("when(len(rolls) > 0)")
    judge.page.get_by_role("button", name="Ask", exact=True).click()
    moments.first.wait_for()
    asked: dict[str, str | int] = {"question": "when(len(rolls) > 0)", "limit": 200}
    told = httpx.get(f"{server.url}/v1/games/{finished}/query", params=asked).json()
    assert moments.count() == told["count"] > 0
    moments.first.click()
    expect(judge.page.get_by_label("Version", exact=True)).to_have_value(
        str(told["moments"][0]["seq"])
    )
    saved = judge.page.get_by_label("Saved question")
    assert saved.locator("option").count() > 1
    saved.select_option(index=1)
    expect(question).not_to_have_value("when(len(rolls) > 0)")
    expect(judge.page.get_by_text(re.compile(r"^At (no|\d+) moments?\."))).to_be_visible()
    assert judge.serious() == []
    judge.page.locator("summary", has_text="When did it hold?").click()


def test_nothing_is_cut_off_on_a_phone(person: People, finished: str) -> None:
    made = person(viewport={"width": 390, "height": 800}, color_scheme="dark")
    made.go("evidence")
    made.page.locator("input[type=file]").wait_for()
    assert made.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    made.go(f"replay/{finished}")
    made.page.locator(".board svg").wait_for()
    assert made.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert made.serious() == []
    shoot(made.page, "replay-phone-dark")

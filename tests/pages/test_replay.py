"""A judge steps through a finished game: any version, any eyes, why, what changed, the dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person

pytestmark = pytest.mark.slow("pages")

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
    tab(desk, "Diff")
    desk.page.get_by_label("Compare with version", exact=False).first.uncheck()
    tab(desk, "Log")
    desk.page.get_by_label("Filter").fill("")
    desk.page.get_by_role("button", name="Own eyes").click()
    desk.page.get_by_role("button", name="Last", exact=True).click()
    expect(boards(desk)).to_have_count(1)
    return desk


def tab(judge: Person, name: str) -> None:
    judge.page.get_by_role("tab", name=name, exact=True).click()


def boards(judge: Person) -> Locator:
    """The boards that are seen: one, or two that are compared."""
    return judge.page.locator(".desk-board:not([hidden]):has(svg)")


def version(judge: Person) -> int:
    return int(judge.page.locator("output").inner_text().split()[0])


def test_steps_by_buttons_and_by_keys(judge: Person) -> None:
    latest = version(judge)
    judge.page.get_by_role("button", name="First").click()
    assert version(judge) == 1
    judge.page.get_by_text("There is no board yet.").wait_for()
    judge.page.get_by_role("button", name="Next").click()
    boards(judge).wait_for()
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
    for eyes in ("p1 sees", "p2 sees", "Judge", "Public"):
        judge.page.get_by_role("button", name=eyes).click()
        expect(judge.page.get_by_role("button", name=eyes)).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(boards(judge)).to_have_count(1)
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


def test_how_dice_came_about_stands_in_no_players_log_until_it_is_looked_for(
    judge: Person, server: Running, finished: str
) -> None:
    events = httpx.get(f"{server.url}/v1/games/{finished}/events?limit=200").json()["items"]
    books = [each for each in events if each["type"] == "decklog.batch-rolled"]
    assert books
    first = judge.page.locator(".log button", has_text=re.compile(rf"^{books[0]['seq']}\. "))
    expect(first).to_have_count(0)
    judge.page.get_by_label("Filter").fill("batch-rolled")
    expect(judge.page.locator(".log button")).to_have_count(len(books))


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
    tab(judge, "Diff")
    judge.page.get_by_label("Compare with version", exact=False).first.check()
    expect(boards(judge)).to_have_count(2)
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
    why.locator("header .tag", has_text=str(slow)).wait_for()
    last.click()
    why.get_by_role("heading", name="By the rules").wait_for()
    judge.page.get_by_role("button", name="Last", exact=True).click()
    tab(judge, "Diff")
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
    tab(judge, "Luck")
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


def test_a_question_to_the_whole_game_leads_to_its_moments(
    judge: Person, server: Running, finished: str
) -> None:
    tab(judge, "Ask")
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


def test_a_link_leads_to_its_moment_and_the_page_bears_it(
    person: People, server: Running, finished: str
) -> None:
    """``#/replay/ID/14?as=p1&why=1``: the version, the eyes, and the reasons; as they change."""
    events = httpx.get(f"{server.url}/v1/games/{finished}/events?limit=200").json()["items"]
    told = next(each for each in events if "fire" in each["text"]["en"])
    one = person()
    one.go(f"replay/{finished}/{told['seq']}?as=p1&why=1")
    why = one.page.get_by_label("Why", exact=True)
    why.get_by_role("heading", name="By the rules").wait_for()
    assert version(one) == told["seq"]
    pressed = one.page.locator(".eyes [aria-pressed=true]")
    assert pressed.inner_text() == "p1 sees"
    one.page.get_by_role("button", name="Close why").click()
    one.page.get_by_role("button", name="Next").click()
    expect(one.page).to_have_url(re.compile(f"/{told['seq'] + 1}[?]as=p1$"))
    one.page.get_by_role("button", name="Public").click()
    expect(one.page).to_have_url(re.compile(r"[?]as=public$"))
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.get_by_role("button", name="Copy link").click()
    assert one.page.evaluate("navigator.clipboard.readText()") == one.page.url
    again = person()
    again.page.goto(one.page.url)
    boards(again).wait_for()
    assert version(again) == told["seq"] + 1


def test_it_is_played_and_what_was_seen_is_asked_for_once(judge: Person) -> None:
    judge.page.get_by_role("button", name="First", exact=True).click()
    judge.page.get_by_role("button", name="4×").click()
    judge.page.get_by_role("button", name="Play", exact=True).click()
    expect(judge.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(judge.page.get_by_label("Version", exact=True)).not_to_have_value("1")
    judge.page.get_by_role("button", name="Pause").click()
    at = version(judge)
    judge.page.get_by_label("Version", exact=True).fill(str(at))
    judge.page.wait_for_load_state("networkidle")
    asked: list[str] = []
    judge.page.on("request", lambda request: asked.append(request.url))
    judge.page.get_by_role("button", name="Action back").click()
    judge.page.get_by_role("button", name="Action on").click()
    expect(judge.page.locator("output")).to_contain_text(f"{at} of")
    judge.page.wait_for_load_state("networkidle")
    assert [url for url in asked if "/v1/" in url] == []


def test_the_strip_has_turns_losses_and_everybodys_luck(
    judge: Person, server: Running, finished: str
) -> None:
    strip = judge.page.locator("svg.strip")
    report = httpx.get(f"{server.url}/v1/games/{finished}/report").json()
    turns = {chapter["turn"] for chapter in report["chapters"]}
    assert strip.locator(".turn-block").count() == len(turns)
    events = httpx.get(f"{server.url}/v1/games/{finished}/events?limit=200").json()["items"]
    roles = [role["role"] for event in events for role in event["roles"]]
    for mark in ("damaged", "lost"):
        assert strip.locator(f"[data-mark={mark}]").count() == roles.count(mark)
    luck = httpx.get(f"{server.url}/v1/games/{finished}/luck").json()["series"]
    seats = {point["seat"] for point in luck}
    assert seats
    expect(strip.locator("[data-luck]")).to_have_count(len(seats))
    latest = version(judge)
    judge.page.locator("h1").click()
    judge.page.keyboard.press("[")
    assert version(judge) == max(
        chapter["first"]
        for chapter in report["chapters"]
        if chapter["first"] < latest
        and chapter["first"]
        == min(each["first"] for each in report["chapters"] if each["turn"] == chapter["turn"])
    )
    assert strip.locator(".turn-block.on").count() == 1


def test_what_went_against_the_odds_is_told_and_leads_to_its_reasons(
    judge: Person, server: Running, finished: str
) -> None:
    rolls = httpx.get(f"{server.url}/v1/games/{finished}/rolls?limit=200").json()["items"]
    chances = {roll["event"]: rarity(roll) for roll in rolls if roll["odds"]}
    tab(judge, "Luck")
    told = judge.page.get_by_label("Against the odds", exact=True).locator("button")
    shown = [chances[int(text.split(".")[0])] for text in told.all_inner_texts()]
    assert shown == sorted(chances.values())[:8] != []
    first = told.first
    number = first.inner_text().split(".")[0]
    first.click()
    judge.page.get_by_label("Why", exact=True).locator("header .tag", has_text=number).wait_for()


def test_a_review_tells_turning_points_and_marks_them(
    judge: Person, server: Running, finished: str
) -> None:
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = httpx.get(f"{server.url}/v1/games/{finished}/review", params={"after": after}).json()
        found, after = [*found, *page["decisions"]], page["next"]
    turning = [each for each in found if each["turning"]]
    assert found
    tab(judge, "Review")
    panel = judge.page.get_by_label("Review", exact=True)
    expect(panel.get_by_text(f"{len(found)} decisions; the bot")).to_be_visible()
    expect(panel.locator("li button")).to_have_count(len(turning))
    expect(judge.page.locator("svg.strip [data-mark=turning]")).to_have_count(len(turning))
    assert judge.serious() == []


def test_turning_points_lead_to_their_moments(judge: Person, finished: str) -> None:
    """Made-up ones, for chance has it whether a game of the test has any."""
    order = {"text": "fires at the hull", "hit": 100, "lost": 0}
    better = {"text": "fires at the mast", "hit": 600, "lost": 50}
    told = {"event": 9, "seat": "p1", "question": "act", "offered": 2, "chosen": order}
    decision = {**told, "advised": better, "cost": 550, "turning": True}
    calm = {**told, "event": 10, "advised": better, "cost": 550, "turning": False}
    body = {"bot": "careful", "decisions": [decision, calm], "next": None}
    judge.page.route("**/review?*", lambda route: route.fulfill(json=body))
    judge.page.reload()
    judge.page.locator(".log button").first.wait_for()
    tab(judge, "Review")
    button = judge.page.get_by_label("Review", exact=True).locator("li button")
    expect(button).to_contain_text("fires at the hull (does something 10 %); rather")
    expect(judge.page.locator("svg.strip [data-mark=turning]")).to_have_count(1)
    button.click()
    judge.page.get_by_label("Why", exact=True).locator("header .tag", has_text="9").wait_for()
    judge.page.unroute_all()


def rarity(roll: dict[str, Any]) -> Fraction:
    """How likely so good a score or better was, or so bad or worse: the rarer of both."""
    scores = [(each["score"], int(each["ways"])) for each in roll["odds"]["scores"]]
    good = sum(ways for score, ways in scores if score >= roll["score"])
    bad = sum(ways for score, ways in scores if score <= roll["score"])
    return Fraction(min(good, bad), int(roll["odds"]["of"]))


def test_notes_stay_in_the_browser_and_go_along_as_a_file(judge: Person) -> None:
    judge.page.get_by_label("Version", exact=True).fill("7")
    tab(judge, "Docket")
    judge.page.get_by_label("Note on this moment").fill("Here it turned.")
    judge.page.get_by_role("button", name="Note it").click()
    judge.page.get_by_role("button", name="Last", exact=True).click()
    judge.page.get_by_role("button", name="7. Here it turned.").click()
    assert version(judge) == 7
    with judge.page.expect_download() as taken:
        judge.page.get_by_role("link", name="Take them along").click()
    assert "Here it turned." in taken.value.path().read_text("utf-8")
    assert judge.serious() == []
    judge.page.get_by_role("button", name="Remove the note").click()
    expect(judge.page.get_by_label("Docket", exact=True).locator("li")).to_have_count(0)


def test_a_question_stands_in_the_docket_until_it_is_ruled_on(judge: Person) -> None:
    page = judge.page
    page.get_by_label("Version", exact=True).fill("14")
    page.locator("#main").press("d")
    page.get_by_label("Note on this moment").fill("Was this in range?")
    page.get_by_label("What it is").select_option(label="question")
    page.get_by_role("button", name="Note it").click()
    expect(page.get_by_role("tab", name="Docket 1")).to_be_visible()
    entry = page.get_by_label("Docket", exact=True).locator("li")
    expect(entry.locator(".tag")).to_have_text("open")
    page.get_by_label("Rule on 14").select_option(label="refused")
    expect(entry.locator(".tag")).to_have_text("refused")
    expect(page.get_by_role("tab", name="Docket", exact=True)).to_be_visible()
    assert judge.serious() == []
    page.get_by_role("button", name="Remove the note").click()
    expect(entry).to_have_count(0)


def test_two_pairs_of_eyes_look_at_one_moment(judge: Person) -> None:
    page = judge.page
    page.get_by_label("Version", exact=True).fill("9")
    page.get_by_role("button", name="p1 sees").click()
    beside = page.get_by_label("Beside these eyes")
    beside.select_option(label="beside: p2 sees")
    expect(boards(judge)).to_have_count(2)
    panel = page.get_by_label("What changed")
    expect(panel).to_contain_text(re.compile("p1 and p2 (did not see alike|saw the same)"))
    assert judge.serious() == []
    beside.select_option(label="beside: p1 sees")
    expect(panel).to_contain_text("p1 and p1 saw the same of this moment.")
    beside.select_option(label="alone")
    expect(boards(judge)).to_have_count(1)


UNLIKE = """async ([one, other]) => {
  const { unlike } = await import("/pages/eyes.js");
  return unlike(one, other);
}"""


def test_what_one_saw_alone_is_named_by_its_place(judge: Person) -> None:
    one = {"hands": {"p1": {"items": ["a"]}, "p2": {"count": 3}}, "turn": 2}
    other = {"hands": {"p1": {"count": 1}, "p2": {"items": ["b"]}}, "turn": 2}
    told = judge.page.evaluate(UNLIKE, [one, other])
    assert told == ["hands, p1, items", "hands, p1, count", "hands, p2, count", "hands, p2, items"]
    assert judge.page.evaluate(UNLIKE, [one, one]) == []


def test_nothing_is_cut_off_on_a_phone(person: People, finished: str) -> None:
    made = person(viewport={"width": 390, "height": 800}, color_scheme="dark")
    made.go("evidence")
    made.page.locator("#file").wait_for()
    assert made.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    made.go(f"replay/{finished}")
    boards(made).wait_for()
    assert made.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert made.serious() == []
    shoot(made.page, "replay-phone-dark")

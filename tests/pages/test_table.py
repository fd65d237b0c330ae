"""Two browsers play; by mouse, by keyboard, on a phone; and nothing is unreadable to anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import pytest
from playwright.sync_api import Browser, Route, TimeoutError, expect

from domain.kernel.finder import games
from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person
from .test_every_command import Sat
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
GAMES = games()

MOMENT = 2_000
"""Milliseconds to wait for a command that was there just now."""

CLICKS = 200
"""More than any game here takes."""


@pytest.fixture(scope="module")
def pair(browser: Browser, server: Running) -> Iterator[tuple[Person, Person]]:
    """Two browsers for all tests here, one as narrow as a phone: opened once."""
    one = Person(browser, server.url)
    two = Person(browser, server.url, viewport={"width": 420, "height": 850})
    yield one, two
    one.leave()
    two.leave()


def seated(pair: tuple[Person, Person], ruleset: str, name: str, **options: int) -> None:
    """Both at one table: the first made the game, the second came by invitation."""
    one, two = pair
    one.create(ruleset, name, "I play it", "by invitation", **options)
    link = one.page.locator("p.wide a").get_attribute("href")
    assert link is not None
    two.page.goto(link)
    two.page.get_by_role("button", name="Take seat p2").click()
    two.turn.wait_for()


def play(one: Person, two: Person, clicks: int) -> None:
    """Whoever is asked takes the first offer."""
    for _ in range(clicks):
        for each in (one, two):
            if each.commands.count():
                # What was offered may be gone before it is clicked: the other was quicker.
                with suppress(TimeoutError):
                    each.commands.first.click(timeout=MOMENT)
        if one.is_over():
            return
        one.page.wait_for_timeout(50)


def test_two_browsers_play_a_game_to_its_end(pair: tuple[Person, Person], person: People) -> None:
    seated(pair, "pennant", "To the end", turns=4)
    one, two = pair
    play(one, two, CLICKS)
    assert one.is_over()
    expect(two.turn).to_have_text(one.turn.inner_text())
    said = one.page.locator(".log li").all_inner_texts()
    assert said
    assert one.page.locator("svg.board").count() == 1
    assert not one.commands.count()
    one.page.wait_for_timeout(200)
    late = person()
    late.page.goto(one.page.url)
    expect(late.page.locator(".log li")).to_have_count(one.page.locator(".log li").count())
    assert "answered by" not in late.page.locator("main").inner_text(), "nobody set a time"


@pytest.mark.parametrize("ruleset", ["war-at-sea", "crimson-tide", "naval-battles"])
def test_a_real_game_is_begun_and_given_up(pair: tuple[Person, Person], ruleset: str) -> None:
    seated(pair, ruleset, f"A game of {ruleset}")
    one, two = pair
    play(one, two, 4)
    shoot(one.page, f"table-{ruleset}")
    shoot(two.page, f"table-{ruleset}-phone")
    assert one.serious() == []
    assert two.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    two.menu().get_by_text("Ways out").click()
    two.page.locator("button.concession").last.click()
    two.page.get_by_role("button", name="No, go on").click()
    assert not two.page.locator("button.sure").count()
    two.page.locator("button.concession").last.click()
    assert not one.is_over(), "one click resigned"
    two.page.locator("button.sure").click()
    expect(one.turn).to_contain_text("The game is over")
    assert "p1 won" in one.turn.inner_text()


def give_up(one: Person, seat: str) -> None:
    one.sit(seat)
    one.give_up()


def test_four_share_two_sides(pair: tuple[Person, Person]) -> None:
    """Partners play at the same time; who gives up leaves his partner there; two win."""
    one, two = pair
    one.create("crimson-tide", "Teams", "I play it", "I play it", "by invitation", "I play it")
    link = one.page.locator("p.wide a").get_attribute("href")
    assert link is not None
    two.go("lobby")
    row = two.page.locator(".game").filter(has_text="Teams")
    expect(row).to_contain_text("p1 taken and p3 invited, against p2 taken and p4 taken")
    expect(row).to_contain_text("p1 and p3 0, p2 and p4 0")
    two.page.goto(link)
    teams = two.page.locator("p.teams")
    expect(teams).to_have_text("With p3 you play together with p1: p1 and p3, against p2 and p4.")
    two.page.get_by_role("button", name="Take seat p3").click()
    two.menu()
    expect(teams).to_have_text("p1 and p3, against p2 and p4.")
    two.page.keyboard.press("Escape")
    expect(two.turn).to_have_text("Your move, p3: build fleet.")
    expect(one.turn).to_have_text("Your move, p1: build fleet.")
    for person in pair:
        person.commands.first.click()
    expect(two.page.locator(".versus")).to_contain_text("p1, with you")
    give_up(one, "p4")
    expect(two.page.locator(".log")).to_contain_text("p4 has left the battle")
    assert not two.is_over()
    give_up(one, "p2")
    expect(two.turn).to_contain_text("p1 and p3 won. Score: p1 and p3 0, p2 and p4 0.")


def test_what_is_pointless_says_so_and_is_asked_twice(pair: tuple[Person, Person]) -> None:
    seated(pair, "pennant", "Pointless")
    one, _ = pair

    def mark(route: Route) -> None:
        answer = route.fetch()
        offer = answer.json()
        for item in offer.get("items", ()):
            item["pointless"] = "already doomed: no further damage (RUL-39)"
        route.fulfill(response=answer, json=offer)

    # A stream that brings no table: the page asks by itself, and what is told then is marked.
    one.page.route("**/events?*table=true*", lambda route: route.fulfill(status=204))
    one.page.route("**/commands?at=*", mark)
    one.page.reload()
    one.commands.first.wait_for()
    assert one.commands.first.inner_text().endswith("pointless: already doomed")
    offers = one.page.get_by_label("What you may do")
    version = offers.get_attribute("data-version")
    one.commands.first.click()
    expect(offers).to_contain_text(
        "It is pointless: already doomed: no further damage (RUL-39). Go on?"
    )
    assert offers.get_attribute("data-version") == version
    one.page.locator("button.sure").click()
    expect(offers).not_to_have_attribute("data-version", version or "")
    one.page.unroute_all(behavior="wait")


def test_what_one_does_is_seen_by_the_other_without_asking(pair: tuple[Person, Person]) -> None:
    seated(pair, "pennant", "Live")
    one, two = pair
    for each in pair:
        each.commands.first.click()
    one.commands.first.wait_for()
    before = one.page.locator(".log li").count()
    one.commands.first.click()
    two.page.locator(".log li").nth(before).wait_for(state="attached")


def test_a_seat_is_played_by_keys_alone(person: People) -> None:
    one = person()
    one.create("pennant", "Keys", "I play it", "I play it")
    one.commands.first.wait_for()
    said = one.page.locator(".log li").count()
    for _ in range(30):
        one.page.keyboard.press("Tab")
        if one.page.evaluate("document.activeElement.classList.contains('command')"):
            break
    one.page.keyboard.press("Enter")
    one.page.locator(".log li").nth(said).wait_for()
    expect(one.page.locator("button.command:focus, p.turn:focus")).to_have_count(1)
    one.sit("p2")
    one.commands.first.wait_for()
    assert "p2" in one.turn.inner_text()


def test_a_command_is_built_checked_and_refused_in_words(person: People) -> None:
    one = person()
    one.create("war-at-sea", "Build", "I play it", "by invitation")
    one.page.locator("details textarea").first.wait_for(state="attached")
    one.menu()
    one.page.locator("details:has(textarea) > summary").first.click()
    text = one.page.locator("textarea").first
    one.page.get_by_role("button", name="Check").first.click()
    one.page.get_by_text("That would be accepted.").wait_for()
    text.fill('{"type": "war-at-sea.submit-fleet", "cards": []}')
    one.page.get_by_role("button", name="Check").first.click()
    refused = one.page.locator("details .problem")
    refused.wait_for()
    assert refused.inner_text()
    one.watch.complaints = [each for each in one.watch.complaints if "422" not in each]


def test_the_lobby_lists_filters_and_lets_in(person: People, finished: str) -> None:
    one, two = person(), person(color_scheme="dark")
    game = one.create("pennant", "Open to all", "I play it", "open to all")
    two.go("lobby")
    row = two.page.locator(".game", has_text="Open to all")
    row.wait_for()
    shoot(two.page, "lobby-dark")
    assert two.serious() == []
    two.page.get_by_label("Status").select_option("finished")
    two.page.locator(".game", has_text="Finished").first.wait_for()
    expect(row).to_have_count(0)
    two.page.get_by_label("Status").select_option("")
    row.get_by_role("link", name="Take p2").click()
    two.page.get_by_role("button", name="Take seat p2").click()
    two.turn.wait_for()
    assert two.page.url.endswith(game)
    one.go("lobby")
    one.page.get_by_role("heading", name="Your games").wait_for()
    assert one.serious() == []
    shoot(one.page, "lobby")


def test_the_lobby_asks_what_does_something_in_the_edition(person: People) -> None:
    """Each option with its text; what was chosen for one edition is not taken into another."""
    one, texts = person(), GAMES["war-at-sea"].option_texts
    one.go("lobby")
    form = one.page.locator("form")
    form.locator("input[name=ruleset][value=war-at-sea]").check()
    expect(form).to_have_attribute("data-ruleset", "war-at-sea")
    form.get_by_text("Options of the rules").click()
    weather, home = form.get_by_label("weather"), form.get_by_label("stay home 2007")
    form.get_by_label("Edition").select_option("2009")
    expect(home).to_be_hidden()
    expect(form.get_by_text(texts["weather"].about)).to_be_visible()
    assert one.serious() == []
    weather.check()
    form.get_by_label("Edition").select_option("2007")
    expect(weather).to_be_hidden()
    expect(form.get_by_text(texts["stayHome2007"].about)).to_be_visible()
    home.uncheck()
    form.get_by_role("button", name="Create").click()
    one.page.wait_for_url("**/#/game/*")
    game = httpx.get(f"{one.url}/v1/games/{one.page.url.rpartition('/')[2]}").json()
    assert (game["options"]["stayHome2007"], game["options"]["weather"]) == (False, False)


def test_a_page_that_was_left_never_comes_back(person: People, finished: str) -> None:
    """The lobby's list arrives when the reader is at a table already."""
    one = person()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    one.page.route("**/v1", hold)
    with one.page.expect_request("**/v1"):
        one.go("lobby")
    one.go(f"game/{finished}")
    one.turn.wait_for()
    with one.page.expect_response("**/v1"):
        held[0].continue_()
    one.page.wait_for_timeout(MOMENT)
    expect(one.page.get_by_role("heading", name="Lobby")).to_have_count(0)
    expect(one.turn).to_be_visible()


KEPT = "JSON.parse(localStorage.getItem('decklog.kept.{game}') ?? '{{}}').head"


@pytest.mark.parametrize("later", [0, 5], ids=["another hash", "no such event"])
def test_a_record_that_is_another_than_before_is_shown_with_a_file(
    person: People, finished: str, later: int
) -> None:
    """What a browser was told of a game it compares when it is back."""
    one = person()
    one.go(f"game/{finished}")
    one.turn.wait_for()
    expect(one.page.locator("[role=log] li").last).to_be_visible()
    summary = httpx.get(f"{one.url}/v1/games/{finished}").json()
    one.page.wait_for_function(f"{KEPT.format(game=finished)}?.hash === '{summary['head']}'")
    one.page.evaluate(
        """([game, seq, hash]) => localStorage.setItem(
          `decklog.kept.${game}`, JSON.stringify({ head: { seq, hash } }))""",
        [finished, summary["version"] + later, "1" * 64],
    )
    one.page.reload()
    said = one.page.locator(".problem[role=alert]")
    kept = f"Event {summary['version'] + later} of game {finished} was {'1' * 64}"
    expect(said).to_contain_text(kept)
    link = said.get_by_role("link", name="Keep both heads as a file")
    assert link.get_attribute("download") == f"{finished}.heads.json"
    gone = [told for told in one.watch.complaints if "status of 404" in told]
    assert len(gone) == (later > 0), "the browser itself complains of what is not there"
    for each in gone:
        one.watch.complaints.remove(each)


def test_a_question_about_a_way_out_stands_while_others_act(
    person: People, server: Running
) -> None:
    """A bot's order, or a friend's, draws the table anew in the middle of it."""
    sat = Sat(server.url, {"ruleset": "war-at-sea", "edition": "2009", "seed": "ways out"})
    other = sat.asked()
    (seat,) = sat.tokens.keys() - {other}
    one = person()
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.menu().get_by_text("Ways out").click()
    one.page.locator("button.concession").last.click()
    no = one.page.get_by_role("button", name="No, go on")
    expect(no).to_be_focused()
    offer = sat.offer(other)
    sat.give(other, offer["items"][0]["command"], offer["version"])
    newer = sat.client.get(f"/v1/games/{sat.game}").json()["version"]
    assert newer > offer["version"]
    expect(one.page.locator(f".ask[data-version='{newer}']")).to_have_count(1)
    expect(no).to_be_focused()
    one.page.locator("button.sure").click()
    expect(one.turn).to_contain_text(f"{other} won")

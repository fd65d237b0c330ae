"""The page is its seat's agent: secrets of both players are in each die of a live game."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError, expect

from service.evidence.verify import verify
from tests.support.pennant import GAME
from tests.support.server import Running

from .conftest import Person

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
CLICKS = 200
MOMENT = 1_000


def joined(one: Person, two: Person, name: str, **options: int) -> str:
    """Both at one table; the game's id."""
    game = one.create("pennant", name, "I play it", "by invitation", **options)
    link = one.page.locator("p.wide a").get_attribute("href")
    assert link is not None
    two.page.goto(link)
    two.page.get_by_role("button", name="Take seat p2").click()
    two.turn.wait_for()
    return game


def press(each: Person) -> None:
    if each.commands.count():
        with suppress(TimeoutError):
            each.commands.first.click(timeout=MOMENT)


def test_two_pages_play_a_live_game_of_grade_a2_and_a_reload_goes_on(
    person: People, server: Running
) -> None:
    one, two = person(), person()
    game = joined(one, two, "Secrets of both", turns=6)
    lamp = one.page.locator(".dicegrade")
    expect(lamp).to_have_attribute("data-grade", "A2")
    expect(lamp).to_contain_text(
        "Secrets of p1, p2 are in each die, given once the order is locked"
    )
    two.page.reload()  # its secret is kept, and its chain is made again
    two.turn.wait_for()
    for _ in range(CLICKS):
        if one.is_over():
            break
        press(one)
        press(two)
        one.page.wait_for_timeout(50)
    assert one.is_over()
    evidence = one.page.request.get(f"{server.url}/v1/games/{game}/evidence").body()
    verdict = verify(evidence, {"pennant": GAME}, grade="A2")
    assert verdict.word == "UPHELD", verdict.text()
    assert verdict.batches
    assert verdict.absences == {}
    assert {each.seats for each in verdict.batches} == {("p1", "p2")}


def test_the_secrets_stay_in_the_browsers(person: People, server: Running) -> None:
    one, two = person(), person()
    sent: list[str] = []
    for each in (one, two):
        each.page.on("request", lambda request: sent.append(request.post_data or ""))
    game = joined(one, two, "Kept", turns=4)
    kept = [
        json.loads(each.page.evaluate("localStorage.getItem('decklog.games')"))[game]
        for each in (one, two)
    ]
    secrets = [*kept[0]["secrets"].values(), *kept[1]["secrets"].values()]
    assert [len(secret) for secret in secrets] == [64, 64]
    assert len(set(secrets)) == 2
    assert not [text for text in sent if any(secret in text for secret in secrets)]
    summary = one.page.request.get(f"{server.url}/v1/games/{game}").json()
    assert summary["grade"] == "A2"
    assert all(len(seat["diceTip"]) == 64 for seat in summary["seats"])


def test_who_plays_alone_or_with_a_bot_is_told_that_the_dice_are_the_services(
    person: People,
) -> None:
    one = person()
    one.create("pennant", "Alone", "I play it", "a bot plays it")
    expect(one.page.locator(".dicegrade")).to_have_attribute("data-grade", "A0")


def test_by_a_day_a_move_links_are_given_ahead(person: People, server: Running) -> None:
    one, two = person(), person()
    one.go("lobby")
    form = one.page.locator("form")
    form.locator("input[name=ruleset][value=pennant]").check()
    expect(form).to_have_attribute("data-ruleset", "pennant")
    form.get_by_label("Name", exact=True).fill("By mail")
    form.locator("input[name=against][value=invite]").check()
    form.locator("input[name=time][value=day]").check()
    expect(form.locator(".sum")).to_contain_text("Dice of grade A1")
    form.get_by_role("button", name="Create").click()
    one.turn.wait_for()
    game = one.page.url.rpartition("/")[2]
    link = one.page.locator("p.wide a").get_attribute("href")
    assert link is not None
    two.page.goto(link)
    two.page.get_by_role("button", name="Take seat p2").click()
    two.turn.wait_for()
    expect(two.page.locator(".dicegrade")).to_contain_text("given ahead")
    one.page.wait_for_function(
        """async (game) => (await (await fetch(`/v1/games/${game}`)).json())
            .seats.every((seat) => seat.linksUpto >= 32)""",
        arg=game,
    )
    assert server.url

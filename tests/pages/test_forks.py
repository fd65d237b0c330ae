"""A what-if game is made at the replay desk, played at the table, and compared with its parent."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person
from .test_replay import boards

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]


def test_a_fork_is_made_played_and_compared(person: People, finished: str) -> None:
    one = person()
    one.go(f"replay/{finished}")
    one.page.locator("svg.board, .board svg").first.wait_for()
    one.page.get_by_label("Version", exact=True).fill("14")
    wonder(one)
    one.turn.wait_for()
    fork = one.page.url.rpartition("/")[2]
    assert fork != finished
    one.page.get_by_label("Seat").wait_for(state="attached")
    asked = one.turn.inner_text()
    if "Your move" not in asked:
        one.sit("p2")
    one.commands.last.click()
    expect(one.page.locator(".log li").last).not_to_have_text("")
    one.menu().get_by_role("link", name="Replay desk").click()
    one.page.get_by_role("tab", name="What if").click()
    one.page.get_by_role("link", name="its parent").wait_for()
    one.page.get_by_label("Compare with the parent").check()
    expect(boards(one)).to_have_count(2)
    one.page.get_by_role("tab", name="Diff").click()
    one.page.get_by_role("heading", name="of the parent").wait_for()
    shoot(one.page, "replay-fork")
    assert one.serious() == []
    another = sibling(one, finished)
    one.go(f"replay/{fork}")
    one.page.reload()
    one.page.get_by_role("tab", name="What if").click()
    relative = one.page.get_by_label("Compare with another what-if")
    relative.select_option(another)
    expect(boards(one)).to_have_count(2)
    one.page.get_by_role("tab", name="Diff").click()
    one.page.get_by_role("heading", name="of the other what-if").wait_for()
    assert one.page.locator("section[aria-label='What changed'] li").count()
    one.page.get_by_role("tab", name="What if").click()
    relative.select_option("")
    expect(boards(one)).to_have_count(1)


def wonder(one: Person) -> None:
    one.page.get_by_role("tab", name="What if").click()
    one.page.get_by_role("button", name="What if it went on").click()


def sibling(one: Person, game: str) -> str:
    """Another what-if of the same game, from another version; its id."""
    one.go(f"replay/{game}")
    expect(boards(one)).to_have_count(1)
    one.page.get_by_label("Version", exact=True).fill("9")
    wonder(one)
    one.turn.wait_for()
    return one.page.url.rpartition("/")[2]


def test_dice_of_ones_choosing(person: People, server: Running, finished: str) -> None:
    rolls = httpx.get(f"{server.url}/v1/games/{finished}/rolls").json()["items"]
    roll = rolls[0]
    one = person()
    one.go(f"replay/{finished}")
    one.page.locator("svg.board, .board svg").first.wait_for()
    dice = one.page.get_by_label("Dice of your choosing")
    one.page.get_by_role("tab", name="What if").click()
    expect(dice).to_be_disabled()
    one.page.get_by_role("tab", name="Log").click()
    rows = one.page.locator(".log button")
    after = [int(text.partition(".")[0]) > roll["seq"] for text in rows.all_inner_texts()]
    rows.nth(after.index(True)).click()
    one.page.get_by_role("button", name="Let them fall otherwise").first.click()
    expect(dice).to_have_value("; ".join(" ".join(map(str, pool)) for pool in roll["faces"]))
    go = one.page.get_by_role("button", name="What if it went on")
    dice.fill("9")
    go.click()
    expect(one.page.locator(".problem")).to_contain_text("Not faces of these dice")
    one.watch.complaints = [each for each in one.watch.complaints if "422" not in each]
    assert one.serious() == []
    chosen = [[1 + face % 6 for face in pool] for pool in roll["faces"]]
    dice.fill("; ".join(" ".join(map(str, pool)) for pool in chosen))
    shoot(one.page, "replay-dice")
    go.click()
    one.turn.wait_for()
    fork = one.page.url.rpartition("/")[2]
    kept = one.page.evaluate(f"JSON.parse(localStorage['decklog.games'])['{fork}'].seats.p1")
    events = httpx.get(
        f"{server.url}/v1/games/{fork}/events", headers={"Authorization": f"Bearer {kept}"}
    )
    assert events.json()["items"][0]["data"]["setup"]["fork"]["faces"] == chosen


def test_nobody_else_hears_of_a_fork(person: People, finished: str) -> None:
    one, two = person(), person()
    one.go(f"replay/{finished}")
    one.page.locator("svg.board, .board svg").first.wait_for()
    one.page.get_by_role("button", name="Back", exact=True).click()
    one.page.get_by_label("Version", exact=True).fill("9")
    wonder(one)
    one.turn.wait_for()
    fork = one.page.url.rpartition("/")[2]
    two.go("lobby")
    two.page.locator(".game", has_text="Finished").first.wait_for()
    assert not two.page.locator(f"a[href*='{fork}']").count()
    two.go(f"game/{fork}")
    two.page.locator(".problem").wait_for()
    two.watch.complaints = [each for each in two.watch.complaints if "404" not in each]

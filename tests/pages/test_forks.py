"""A what-if game is made at the replay desk, played at the table, and compared with its parent."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.support.chromium import shoot

from .conftest import Person

People = Callable[..., Person]


def test_a_fork_is_made_played_and_compared(person: People, finished: str) -> None:
    one = person()
    one.go(f"replay/{finished}")
    one.page.locator(".board svg").wait_for()
    one.page.get_by_label("Version", exact=True).fill("14")
    one.page.get_by_role("button", name="What if").click()
    one.turn.wait_for()
    fork = one.page.url.rpartition("/")[2]
    assert fork != finished
    one.page.get_by_label("Seat").wait_for()
    asked = one.turn.inner_text()
    if "Your move" not in asked:
        one.page.get_by_label("Seat").select_option("p2")
    one.commands.last.click()
    expect(one.page.locator(".log li").last).not_to_have_text("")
    one.page.get_by_role("link", name="Replay desk").click()
    one.page.get_by_role("link", name="its parent").wait_for()
    one.page.get_by_label("Compare with the parent").check()
    expect(one.page.locator(".board svg")).to_have_count(2)
    one.page.get_by_role("heading", name="of the parent").wait_for()
    shoot(one.page, "replay-fork")
    assert one.serious() == []


def test_nobody_else_hears_of_a_fork(person: People, finished: str) -> None:
    one, two = person(), person()
    one.go(f"replay/{finished}")
    one.page.locator(".board svg").wait_for()
    one.page.get_by_role("button", name="Back", exact=True).click()
    one.page.get_by_label("Version", exact=True).fill("9")
    one.page.get_by_role("button", name="What if").click()
    one.turn.wait_for()
    fork = one.page.url.rpartition("/")[2]
    two.go()
    two.page.locator("tr", has_text="Finished").first.wait_for()
    assert not two.page.locator(f"a[href*='{fork}']").count()
    two.go(f"game/{fork}")
    two.page.locator(".problem").wait_for()
    two.watch.complaints = [each for each in two.watch.complaints if "404" not in each]

"""Somebody to play with: a bot of the service takes its part at the table and in a what-if."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .conftest import Person

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]


def test_a_bot_chosen_in_the_lobby_answers_at_the_table(person: People, server: Running) -> None:
    one = person()
    game = one.create("pennant", "Against a bot", "I play it", "an easy bot plays it")
    told = httpx.get(f"{server.url}/v1/games/{game}").json()
    assert [(seat["bot"], seat["strength"]) for seat in told["seats"]] == [
        ("", ""), ("gunner", "easy"),
    ]  # fmt: skip
    one.commands.first.click()
    expect(one.turn).to_contain_text("Your move")
    one.commands.first.click()
    expect(one.page.locator(".log")).to_contain_text(re.compile(r"\(p2\) (fires|lets|passes)"))
    one.leave()


def test_a_bot_plays_the_other_side_of_a_what_if(
    person: People, finished: str, server: Running
) -> None:
    one = person()
    one.go(f"replay/{finished}")
    one.page.locator("svg.board, .board svg").first.wait_for()
    one.page.get_by_label("Version", exact=True).fill("14")
    one.page.get_by_role("tab", name="What if").click()
    one.page.get_by_label("In the what-if I play").select_option("p1")
    one.page.get_by_role("button", name="What if it went on").click()
    one.turn.wait_for()
    expect(one.turn).to_contain_text("Your move")
    one.leave()

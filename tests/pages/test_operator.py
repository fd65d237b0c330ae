"""The operator's page in a browser: a game is stopped by a form, and no reader is kept out."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.pages.conftest import Person
from tests.service.cli.test_admin_page import page_of
from tests.support.server import Running

pytestmark = pytest.mark.slow("pages")


def test_the_operator_freezes_a_game_by_hand(
    server: Running, browser: Browser, tmp_path: Path
) -> None:
    body = {"ruleset": "pennant"}
    head = {"Idempotency-Key": "operators-page-" + "0" * 32}
    made = httpx.post(f"{server.url}/v1/games", json=body, headers=head, timeout=30).json()
    game = made["game"]["id"]
    token = tmp_path / "operator.token"
    with page_of(server.database, token) as (url, _):
        person = Person(browser, url)
        page = person.page
        page.goto(url)
        expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()
        assert person.serious() == []
        page.get_by_label("Your name").fill("harbour master")
        page.get_by_label("The operator’s token").fill(token.read_text().strip())
        page.get_by_role("button", name="Come in").click()
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()
        assert person.serious() == []
        page.get_by_role("link", name="Games").click()
        page.get_by_role("link", name=game).click()
        group = page.get_by_role("group", name="Stop it")
        group.get_by_label("What players read").fill("We look into it.")
        group.get_by_label("Why, for the operator's log").fill("a complaint")
        group.get_by_role("button", name="Freeze").click()
        expect(page.get_by_role("status")).to_have_text("Done: freeze.")
        assert person.serious() == []
        page.get_by_role("link", name="Log of acts").click()
        expect(page.get_by_role("cell", name="harbour master").first).to_be_visible()
        assert person.serious() == []
        assert person.watch.hosts == {url.removeprefix("http://")}
        person.context.close()
        assert [said for said in person.watch.complaints if "401" not in said] == []
    known = httpx.get(f"{server.url}/v1/games/{game}", timeout=30).json()
    assert known["paused"]["reason"] == "We look into it."

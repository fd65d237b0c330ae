"""One server and one browser for all pages, and a person at a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.chromium import Watch, chromium
from tests.support.server import Running, running

PATIENCE = 30_000
"""Milliseconds: other work may keep the machine busy."""

PAIR = 2
"""Players, unless the form is told otherwise."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("pages"), games="both") as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for a module, no longer: while it runs, nothing else in this process may use asyncio."""
    with chromium() as opened:
        yield opened


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, browser: Browser, url: str, **looks: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1400, "height": 1000}, **looks})
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.watch = Watch(self.page)
        self.url = url

    def go(self, place: str = "") -> None:
        """A page by the part of its address behind the #."""
        self.page.goto(f"{self.url}/#/{place}" if place else f"{self.url}/")

    def create(self, ruleset: str, name: str, *holds: str, **options: int) -> str:
        """A game from the lobby; its id. ``holds``: how each seat is filled, as people read it."""
        self.go("lobby")
        form = self.page.locator("form")
        form.locator(f"input[name=ruleset][value={ruleset}]").check()
        form.get_by_role("group", name="Scenario").wait_for()
        expect(form).to_have_attribute("data-ruleset", ruleset)
        form.get_by_label("Name", exact=True).fill(name)
        if len(holds) > PAIR:
            form.get_by_role("combobox", name="Players").select_option(str(len(holds)))
        form.get_by_text("Seats, one by one").click()
        for seat, hold in enumerate(holds, 1):
            form.locator("fieldset").get_by_label(f"p{seat}").select_option(label=hold)
        if options:
            form.get_by_text("Options of the rules").click()
        for option, value in options.items():
            form.get_by_label(option).fill(str(value))
        form.get_by_role("button", name="Create").click()
        self.turn.wait_for()
        return self.page.url.rpartition("/")[2]

    @property
    def turn(self) -> Locator:
        return self.page.locator("p.turn")

    @property
    def commands(self) -> Locator:
        return self.page.locator("button.command:not([disabled])")

    def menu(self) -> Locator:
        """The menu of the table, opened."""
        menu = self.page.locator(".menu")
        if not menu.is_visible():
            self.page.get_by_role("button", name="Menu", exact=True).click()
        return menu

    def sit(self, seat: str) -> None:
        """Play another seat that this browser holds."""
        self.menu().get_by_label("Seat").select_option(seat)
        own = re.compile(f"^{seat} ")
        expect(self.page.get_by_label("What you may do")).to_have_attribute("data-shape", own)
        self.page.keyboard.press("Escape")

    def give_up(self) -> None:
        self.menu().get_by_text("Ways out").click()
        self.page.locator("button.concession").last.click()
        self.page.locator("button.sure").click()

    def is_over(self) -> bool:
        return self.turn.inner_text().startswith("The game is over")

    def serious(self) -> list[str]:
        """What the accessibility engine finds serious or critical on the page as it is."""
        found = Axe().run(self.page).response["violations"]
        return [
            f"{each['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]

    def leave(self) -> None:
        """Close the browser; nothing was complained of, nothing asked of anybody else.

        A browser calls it an error when of two seats that act at once one comes too late (412), and
        when a request is asked for again that is still at work (409): both are usual.
        """
        self.context.close()
        usual = ("status of 412", "status of 409")
        assert [said for said in self.watch.complaints if not any(u in said for u in usual)] == []
        assert self.watch.hosts <= {self.url.split("/")[2]}


@pytest.fixture
def person(browser: Browser, server: Running) -> Iterator[Callable[..., Person]]:
    """Makes persons; at the end of the test each has left in peace."""
    made: list[Person] = []

    def make(**looks: Any) -> Person:
        made.append(Person(browser, server.url, **looks))
        return made[-1]

    yield make
    for each in made:
        each.leave()


@pytest.fixture(scope="session")
def finished(server: Running) -> str:
    """A game of Pennant that was played to its end over HTTP; its id."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        key = {"Idempotency-Key": "a-finished-game-for-the-pages-4e07"}
        wish = {"ruleset": "pennant", "name": "Finished", "seed": "pages", "options": {"turns": 6}}
        made = client.post("/v1/games", json=wish, headers=key).json()
        game, tokens = made["game"]["id"], {t["seat"]: t["token"] for t in made["tokens"]}
        for number in range(40):
            summary = client.get(f"/v1/games/{game}").json()
            if summary["status"] == "finished":
                return str(game)
            token = {"Authorization": f"Bearer {tokens[summary['toMove'][0]['seat']]}"}
            offer = client.get(f"/v1/games/{game}/commands", headers=token).json()
            fields = {"If-Match": f'"{offer["version"]}"', "Idempotency-Key": f"pages-{number:032}"}
            client.post(
                f"/v1/games/{game}/commands",
                json=offer["items"][0]["command"],
                headers={**token, **fields},
            ).raise_for_status()
    raise AssertionError("the game does not end")


@pytest.fixture
def evidence(server: Running, finished: str, tmp_path: Path) -> Path:
    """Its evidence, as a file."""
    path = tmp_path / "finished.decklog"
    path.write_bytes(httpx.get(f"{server.url}/v1/games/{finished}/evidence", timeout=60).content)
    return path

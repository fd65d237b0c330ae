"""Pictures in a real browser: drawn without a complaint, in light and dark, and told apart in grey.

Screenshots are left in build/screenshots, to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from projections.film import Caption, Film
from projections.pictures import FilmStep, scenes
from tests.support.chromium import Watch, chromium, shoot
from tests.support.suites import suites

from .drawn import history, picture

BOARDS = (
    ("war_at_sea", "points-2009", 250, ""),
    ("crimson_tide", "amphibious", 137, "p1-4"),
    ("naval_battles", "points-6", 200, ""),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def board(folder: str, name: str, version: int, unit: str) -> str:
    suite = suites()[folder]
    events = history(suite, name)[:version]
    before = suite.game.fold(events[:-3])
    state = suite.game.fold(events[-3:], before)
    return picture(suite.game, state, before, events[-3:], unit)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("folder", "name", "version", "unit"), BOARDS)
def test_a_board_is_drawn(
    browser: Browser, tmp_path: Path, folder: str, name: str, version: int, unit: str, scheme: str
) -> None:
    file = tmp_path / "board.svg"
    file.write_text(board(folder, name, version, unit), "utf-8")
    page = browser.new_page(
        viewport={"width": 1400, "height": 1500},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    watch = Watch(page)
    page.goto(file.as_uri())
    shoot(page, f"board-{folder}-{scheme}")
    sky = page.eval_on_selector(".sky", "e => getComputedStyle(e).fill")
    ink = page.eval_on_selector("text.title", "e => getComputedStyle(e).fill")
    assert (_lightness(sky) > _lightness(ink)) == (scheme == "light")
    _fits(page)
    page.close()
    assert watch.complaints == []


PAIRS = (
    ("first", "second"),
    ("first", "first-ink"),
    ("second", "second-ink"),
    ("badge", "badge-ink"),
)
"""Paints that lie on or beside each other."""


def _lightness(rgb: str) -> int:
    red, green, blue = (int(part) for part in rgb.strip("rgb()").split(",")[:3])
    return (299 * red + 587 * green + 114 * blue) // 1000


def _fits(page: Page) -> None:
    """No letter lies outside the picture."""
    beyond = page.evaluate(
        """() => {
          const frame = document.documentElement.viewBox.baseVal;
          return [...document.querySelectorAll("text")].filter((text) => {
            const box = text.getBBox();
            return box.x < 0 || box.y < 0 || box.x + box.width > frame.width
              || box.y + box.height > frame.height;
          }).map((text) => text.textContent);
        }"""
    )
    assert beyond == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_sides_are_told_apart_without_colour(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """Full and hollow pieces differ in lightness, and letters can be read on both."""
    file = tmp_path / "board.svg"
    file.write_text(board(*BOARDS[0]), "utf-8")
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(file.as_uri())
    light = {
        name: _lightness(page.eval_on_selector(f".{name}", "e => getComputedStyle(e).fill"))
        for name in ("first", "second", "first-ink", "second-ink", "badge", "badge-ink")
    }
    page.close()
    for one, other in PAIRS:
        assert abs(light[one] - light[other]) > 100, (one, other)


def test_a_film_plays_offline_by_keys_and_slider(browser: Browser, tmp_path: Path) -> None:
    suite = suites()["war_at_sea"]
    events = history(suite, "resignation-2009")[:80]
    steps = [FilmStep(event, str(number // 4)) for number, event in enumerate(events)]
    film = Film("War at Sea", "Eighty versions.")
    for number, scene in enumerate(scenes(suite.game, steps)):
        said = f"Sentence {number + 1}."
        film.add(scene, Caption(said, "p1", f"Turn {number // 40}", str(number // 4)))
    file = tmp_path / "film.html"
    file.write_text(film.html(), "utf-8")
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    watch = Watch(page)
    page.context.set_offline(True)
    page.goto(file.as_uri())
    shown = page.locator("#number")
    assert shown.inner_text() == "1 of 80"
    page.keyboard.press("ArrowRight")
    assert shown.inner_text() == "2 of 80"
    page.keyboard.press("PageDown")
    assert shown.inner_text() == "4 of 80"
    page.keyboard.press("PageDown")
    assert shown.inner_text() == "8 of 80"
    page.keyboard.press("PageUp")
    assert shown.inner_text() == "4 of 80"
    page.keyboard.press("End")
    assert page.locator("#said").inner_text() == "Turn 1: Sentence 80."
    assert page.locator("#things > g").count() > 80
    page.select_option("#chapter", "40")
    assert shown.inner_text() == "41 of 80"
    page.locator("#where").fill("17")
    assert page.locator("li[aria-current]").inner_text() == "Sentence 17."
    page.locator("#log li").nth(2).click()
    assert shown.inner_text() == "3 of 80"
    shoot(page, "film")
    page.close()
    assert watch.complaints == []
    assert watch.hosts == {""}

"""The way to an offered command at the table: part after part, by mouse, or by keys alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, Route, expect

Item = dict[str, Any]


def ids(item: Item) -> list[str]:
    """Of the answers that lead to it, as the page names them."""
    asked = [f"{part['role']} {part['key']}" for part in item["parts"]]
    return [*asked, f"end {item['command']['type']}"]


def by_clicks(page: Page, item: Item) -> int:
    """Click until the command is given; how many clicks it took."""
    if not item["parts"]:
        page.locator(f"button.bare[data-type='{item['command']['type']}']").first.click()
        return 1
    clicks, version = 0, page.locator(".ask").get_attribute("data-version")
    for answer in ids(item):
        if page.locator(f".ask:not([data-version='{version}']), [data-sent]").count():
            break
        other = page.get_by_role("group", name="Weapon").get_by_text(_weapon(item), exact=False)
        if answer.startswith("weapon ") and other.count():
            other.first.click()
        elif (chip := page.locator(f"button.chip[data-id={json.dumps(answer)}]")).count():
            chip.first.click()
            clicks += 1
    return clicks


def _weapon(item: Item) -> str:
    return next((str(p["text"]) for p in item["parts"] if p["role"] == "weapon"), "no weapon")


CHIPS = "[...document.querySelectorAll('.chips button.command')].map((each) => each.dataset.id)"
AT = "document.activeElement.dataset.id ?? ''"
WEAPONS = "[...document.querySelectorAll('.chips .weapon')].map((each) => each.textContent)"


def by_keys(page: Page, item: Item) -> None:
    """From the first answer by arrows and Enter, until the command is given."""
    if not item["parts"]:
        page.keyboard.press("p")
        return
    page.locator(".chips button.command[tabindex='0']").focus()
    for answer in ids(item):
        weapons = [text for text in page.evaluate(WEAPONS) if text.startswith(_weapon(item))]
        if answer.startswith("weapon ") and weapons:
            page.keyboard.press(weapons[0].split()[-1])
            page.locator(".chips button.command[tabindex='0']").focus()
        chips = page.evaluate(CHIPS)
        if answer not in chips:
            continue
        here = chips.index(page.evaluate(AT))
        steps = chips.index(answer) - here
        for _ in range(abs(steps)):
            page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        assert page.evaluate(AT) == answer, "the arrows lead elsewhere"
        page.keyboard.press("Enter")


def given(page: Page, items: list[Item], reach: Any) -> Iterator[tuple[Item, Any]]:
    """Each command, and what the page would have sent for it; nothing is played."""
    sent: list[Any] = []

    def stop(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        sent.append(route.request.post_data_json)
        body = json.dumps({"code": "version.stale", "title": "Stale", "detail": "not now"})
        route.fulfill(status=412, content_type="application/problem+json", body=body)

    page.route("**/commands", stop)
    for item in items:
        sent.clear()
        reach(page, item)
        if page.locator("button.sure").count():
            page.locator("button.sure").click()
        expect(page.locator("[data-sent]")).to_have_count(0)
        yield item, sent[-1] if sent else None
    page.unroute_all(behavior="wait")

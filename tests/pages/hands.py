"""Three ways to answer at the table: by mouse, by finger, by keys; each press counts."""

from __future__ import annotations

import json
import math
import re
import time
from typing import Any, ClassVar, Protocol

from playwright.sync_api import Locator, Page, expect

from .reach import AT, CHIPS, Item, ids

ROUND = 60
"""Stops of Tab within which everything at a table is reached."""

LIES = """key => {
  const chips = [...document.querySelectorAll(".chips button.command")];
  if (chips.filter((each) => each.dataset.key === key).length !== 1) return null;
  const lit = `.board [data-lit][data-key="${CSS.escape(key)}"]`;
  for (const each of document.querySelectorAll(lit)) {
    const { x, y, width, height } = each.getBoundingClientRect();
    const at = [x + width / 2, y + height / 2];
    if (document.elementFromPoint(...at)?.closest("[data-key]") === each) return at;
  }
  return null;
}"""
"""Where a lit piece or place can be pressed; nothing where it is hidden, or means two answers."""


STANDS = """([x, y]) => {
  const matrix = document.querySelector("svg.board").getScreenCTM();
  const at = new DOMPoint(x, y).matrixTransform(matrix);
  return [at.x, at.y];
}"""
"""Where a point of the picture is on the screen."""
PICTURE = 20
"""Of the picture to a klick, in Crimson Tide."""
GRIP = """() => {
  const handle = document.querySelector("[data-handle=end]").getBoundingClientRect();
  return [handle.x + handle.width / 2, handle.y + handle.height / 2];
}"""
"""The middle of the handle; it is drawn anew whenever the service has judged."""
KLICK, WIDE, LONG = 25_000, 40, 60
"""Micrometres of a klick, and klicks of the table, where nothing else was agreed."""
SETTLES = 120
"""Milliseconds between two taps, at least."""
FLUNG = 1_500
"""Milliseconds after a drag as quick as this: for so long Chromium takes a tap for its end."""
SLIP = 10
"""Pixels: what is nearer lies there already."""
LESS = "One klick fewer|degrees to starboard"
TRIES = 8
"""Dials of a move until it is legal."""
AWAY = (24, 30)
"""Pixels by which a move's end is dragged, to see it drawn and judged."""


class Hand(Protocol):
    """How somebody presses; each method says how many presses it took."""

    page: Page
    looks: ClassVar[dict[str, Any]]
    pressed: float

    def take(self, answer: str) -> int: ...

    def change(self, weapon: Locator, place: int) -> int: ...

    def plainly(self, kind: str) -> int: ...

    def sure(self) -> int: ...

    def end(self) -> int:
        """What an answer needs besides, once it was the last."""
        ...


class Mouse:
    """What lies on the board is clicked there, all else in the bar."""

    looks: ClassVar[dict[str, Any]] = {"viewport": {"width": 1440, "height": 900}}

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0.0

    def press(self, found: Locator) -> int:
        self.pressed = time.perf_counter()
        found.click()
        return 1

    def spot(self, x: float, y: float) -> int:
        self.pressed = time.perf_counter()
        self.page.mouse.click(x, y)
        return 1

    def drag(self, here: tuple[float, float], there: tuple[float, float]) -> int:
        self.page.mouse.move(*here)
        self.page.mouse.down()
        self.page.mouse.move(*there, steps=4)
        self.page.mouse.up()
        return 1

    def take(self, answer: str) -> int:
        if self.page.locator("[data-handle=end]").count():
            return steer(self, answer)
        found = self.page.evaluate(LIES, answer.partition(" ")[2])
        return self.spot(*found) if found else self.press(chip(self.page, answer))

    def change(self, weapon: Locator, place: int) -> int:
        return self.press(weapon)

    def plainly(self, kind: str) -> int:
        return self.press(self.page.locator(f"button.bare[data-type='{kind}']").first)

    def sure(self) -> int:
        return self.press(self.page.locator("button.sure"))

    def end(self) -> int:
        return 0


class Finger(Mouse):
    """The same on a phone; what gives the order is tapped once more, at its amber button."""

    looks: ClassVar[dict[str, Any]] = {
        "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
    }  # fmt: skip

    def press(self, found: Locator) -> int:
        self.pressed = time.perf_counter()
        found.tap()
        return 1

    def spot(self, x: float, y: float) -> int:
        self.pressed = time.perf_counter()
        self.page.touchscreen.tap(x, y)
        return 1

    def drag(self, here: tuple[float, float], there: tuple[float, float]) -> int:
        session = self.page.context.new_cdp_session(self.page)
        x, y = here
        way = [
            here,
            *((x + (there[0] - x) * n / 4, y + (there[1] - y) * n / 4) for n in (1, 2, 3, 4)),
        ]
        for number, (x, y) in enumerate(way):
            kind = "touchMove" if number else "touchStart"
            session.send("Input.dispatchTouchEvent", touch(kind, [{"x": x, "y": y}]))
        session.send("Input.dispatchTouchEvent", touch("touchEnd", []))
        session.detach()
        self.page.wait_for_timeout(FLUNG)
        return 1

    def end(self) -> int:
        self.page.wait_for_timeout(SETTLES)  # no finger is quicker, and the bar may have grown
        armed = self.page.locator(".chips button.command[aria-pressed='true']").count()
        return self.press(self.page.locator("button.go:not(.lock)").first) if armed else 0


class Keys:
    """No pointer at all: from where the focus is by arrows, Tab, digits and letters."""

    looks: ClassVar[dict[str, Any]] = {"viewport": {"width": 1440, "height": 900}}

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0.0

    def press(self, key: str) -> int:
        self.pressed = time.perf_counter()
        self.page.keyboard.press(key)
        return 1

    def until(self, reached: str) -> int:
        """By Tab until the focus is there."""
        for many in range(ROUND):
            if self.page.evaluate(reached):
                return many
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {reached}")

    def take(self, answer: str) -> int:
        if self.page.locator(".dial").count():
            return dialled(self)
        digit = chip(self.page, answer).locator("kbd")
        if digit.count():
            return self.press(digit.inner_text())
        many = self.until("document.activeElement.matches('.chips button.command')")
        chips = self.page.evaluate(CHIPS)
        steps = chips.index(answer) - chips.index(self.page.evaluate(AT))
        ahead = steps % len(chips)
        if min(ahead, len(chips) - ahead) > (last := len(chips) - 1 - chips.index(answer)) + 1:
            many, ahead = many + self.press("End"), -last % len(chips)
        key = "ArrowRight" if ahead <= len(chips) - ahead else "ArrowLeft"
        for _ in range(min(ahead, len(chips) - ahead)):
            many += self.press(key)
        assert self.page.evaluate(AT) == answer, "the arrows lead elsewhere"
        return many + self.press("Enter")

    def change(self, weapon: Locator, place: int) -> int:
        return self.press(str(place + 1))

    def plainly(self, kind: str) -> int:
        if kind.endswith(".pass"):
            return self.press("p")
        return self.until(f"document.activeElement.dataset.type === '{kind}'") + self.press("Enter")

    def sure(self) -> int:
        return self.press("Shift+Tab") + self.press("Enter")

    def end(self) -> int:
        return 0


def chip(page: Page, answer: str) -> Locator:
    return page.locator(f"button.chip[data-id={json.dumps(answer)}]").first


def touch(kind: str, points: list[dict[str, float]]) -> dict[str, Any]:
    return {"type": kind, "touchPoints": points}


def steer(hand: Mouse, answer: str) -> int:
    """Drag the base to where it is to be, until the page calls it legal; then the amber button."""
    page = hand.page
    verdict = page.locator(".dial [role=status]")
    page.wait_for_timeout(SETTLES)  # a bar of another height fits the board anew
    x, y = page.evaluate(GRIP)
    here = (float(x), float(y))
    there, many = _there(page, answer, here), 0
    if math.dist(here, there) > SLIP:
        many = hand.drag(here, there)
    less = page.get_by_role("button", name=re.compile(LESS))
    for _ in range(TRIES):
        expect(verdict).not_to_be_empty()
        if verdict.text_content() in ("legal", "leaves the table"):
            break
        many += hand.press(less)
    return many + hand.press(page.locator("button.go"))


def dialled(hand: Keys) -> int:
    """By the numbers, with the focus where a press left it, until the page calls it legal."""
    page, many = hand.page, 0
    verdict = page.locator(".dial [role=status]")
    for _ in range(TRIES):
        expect(verdict).not_to_be_empty()
        if re.match("legal|leaves the table", verdict.text_content() or ""):
            break
        many += hand.until(f"/{LESS}/.test(document.activeElement.ariaLabel)") + hand.press("Enter")
        assert page.evaluate(f"/{LESS}/.test(document.activeElement.ariaLabel)"), "focus is lost"
    many += hand.until("document.activeElement.matches('.ways button.go')")
    return many + hand.press("Enter")


def _there(page: Page, answer: str, here: tuple[float, float]) -> tuple[float, float]:
    """Where a bot would set it up; a move's end a little aside."""
    if "pose:" not in answer:
        return here[0] - AWAY[0], here[1] + AWAY[1]
    seat = str(page.locator(".ask").get_attribute("data-shape")).split()[0]
    x, y, _ = (int(each) / KLICK for each in answer.partition("pose:")[2].split(","))
    across, along = (x, y) if seat == "p1" else (WIDE - x, LONG - y)
    lies = page.evaluate("innerWidth > innerHeight")
    spot = [along, across] if lies else [across, LONG - along]
    left, top = page.evaluate(STANDS, [PICTURE * each for each in spot])
    return left, top


GONE = """version => document.querySelector("[data-sent]")
  || document.querySelector("button.sure, .chips button.command[aria-pressed='true']")
  || document.querySelector(".ask").dataset.version !== version"""


def give(hand: Hand, item: Item) -> list[tuple[str, int]]:
    """Answer part after part until the command is given: what was asked, and how many presses."""
    page, told = hand.page, list[tuple[str, int]]()
    version = page.locator(".ask").get_attribute("data-version")
    if not item["parts"]:
        told.append(("end", hand.plainly(item["command"]["type"])))
    for answer in ids(item) if item["parts"] else ():
        if page.evaluate(GONE, version):
            break
        role = answer.partition(" ")[0]
        buttons = page.locator(".chips .weapon")
        if role == "weapon" and buttons.count():
            told += _weapon(hand, item, buttons)
        elif chip(page, answer).count():
            told.append((role, hand.take(answer)))
    if (more := hand.end()) and told:
        told[-1] = (told[-1][0], told[-1][1] + more)
    return told


def _weapon(hand: Hand, item: Item, buttons: Locator) -> list[tuple[str, int]]:
    """Another weapon than the one that was chosen beforehand."""
    name = next(str(part["text"]) for part in item["parts"] if part["role"] == "weapon")
    texts = buttons.all_inner_texts()
    place = next(n for n, text in enumerate(texts) if text.startswith(name))
    if buttons.nth(place).get_attribute("aria-pressed") == "true":
        return []
    return [("weapon", hand.change(buttons.nth(place), place))]


WAYS: dict[str, type[Mouse] | type[Finger] | type[Keys]] = {
    "mouse": Mouse,
    "finger": Finger,
    "keys": Keys,
}

"""A turn that begins while nobody looks is told by a notification and a sound, if wanted."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .test_every_command import Sat
from .test_table import People
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

PENNANT = {"ruleset": "pennant", "seed": "notice", "options": {"turns": 9}}
HEARD = """
window.told = []; window.tones = 0;
window.Notification = class {
  constructor(title, { body }) { window.told.push([title, body]); }
  close() {}
};
window.Notification.permission = "default";
window.Notification.requestPermission = async () => {
  window.Notification.permission = window.allowed;
  return window.allowed;
};
const { createOscillator } = AudioContext.prototype;
AudioContext.prototype.createOscillator = function () {
  window.tones += 1;
  return createOscillator.call(this);
};
Object.defineProperty(document, "hidden", { get: () => true });
window.allowed = "%s";
"""


def until(sat: Sat, seat: str, *, asked: bool) -> None:
    """Random play until the seat is asked, or is not."""
    chooser = random.Random("notice")
    while (sat.asked() == seat) is not asked:
        other = sat.asked()
        offer = sat.offer(other)
        sat.give(other, chooser.choice(offer["items"])["command"], offer["version"])


@pytest.mark.parametrize(
    ("wanted", "allowed", "told", "tones"),
    [
        ((), "granted", 0, 0),
        (("notify me while I look elsewhere",), "granted", 1, 0),
        (("notify me while I look elsewhere",), "denied", 0, 0),
        (("ring",), "granted", 0, 4),
    ],
)
def test_a_turn_that_begins_is_told_as_it_is_wanted(
    person: People, server: Running, wanted: tuple[str, ...], allowed: str, told: int, tones: int
) -> None:
    sat = Sat(server.url, PENNANT)
    until(sat, "p2", asked=True)
    one = person()
    one.page.add_init_script(HEARD % allowed)
    at_the_table(one, sat.game, "p1", sat.tokens["p1"])
    expect(one.page.locator("p.turn")).to_contain_text("Waiting for p2")
    one.page.get_by_role("button", name="Menu", exact=True).click()
    one.page.get_by_text("When it is my turn").click()
    for label in wanted:
        box = one.page.get_by_label(label)
        box.click()
        if allowed == "granted":
            expect(box).to_be_checked()
        else:
            expect(one.page.get_by_text("does not let the page notify you")).to_have_count(1)
            expect(box).not_to_be_checked()
    until(sat, "p1", asked=True)
    expect(one.page).to_have_title(f"Your move - {_title(one.page.title())}")
    one.page.wait_for_function(f"told.length === {told} && tones === {tones}")
    if told:
        (title, body) = one.page.evaluate("told[0]")
        assert title.startswith("Your move: ")
        assert body.startswith("Your move, p1: ")


def _title(shown: str) -> str:
    return shown.removeprefix("Your move - ")

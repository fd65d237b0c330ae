"""The arc of the chosen mount is lit below the pieces, and fades: nothing is measured."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .conftest import Person
from .reach import ids
from .test_board import BODIES, until
from .test_every_command import Sat
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
ROLES = ["unit", "weapon", "arc", "target"]


def test_the_arc_of_a_mount_is_lit_until_one_goes_back(person: People, server: Running) -> None:
    sat = Sat(server.url, {"ruleset": "crimson-tide", **BODIES["crimson-tide"]})
    seat, items = until(sat, "attack", 8)
    while not any([p["role"] for p in i["parts"]] == ROLES for i in items):
        sat.give(seat, items[-1]["command"], sat.offer(seat)["version"])
        seat, items = until(sat, "attack", 8)
    item = next(i for i in items if [p["role"] for p in i["parts"]] == ROLES)
    one = person(viewport={"width": 1440, "height": 900})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    expect(one.page.locator(".bears")).to_have_count(0)
    for answer in ids(item)[:3]:
        chip = one.page.locator(f"button.chip[data-id={json.dumps(answer)}]")
        if answer.startswith("arc ") and chip.count():
            expect(chip.locator(".sub")).to_contain_text(re.compile(r"dice by band \d+"))
        if chip.count():
            chip.first.click()
    expect(one.page.locator(".bears")).to_have_count(1)
    assert one.page.locator(".bears, .piece").first.get_attribute("class") == "bears"
    assert re.fullmatch(
        r"M[-\d. ]+L[-\d. ]+L[-\d. ]+L[-\d. ]+Z",
        one.page.locator(".bears").get_attribute("d") or "",
    )
    for _ in ROLES:
        one.page.keyboard.press("Escape")
    expect(one.page.locator(".bears")).to_have_count(0)
    one.leave()

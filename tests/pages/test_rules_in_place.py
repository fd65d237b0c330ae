"""Rules at the table: an ID opens its text in place; what is dark says why, and by which rule."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.server import Running

from .conftest import Person
from .test_board import BODIES, until
from .test_every_command import Sat
from .whole import at_the_table

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
SIZES = [(1440, 900), (390, 844)]


@pytest.fixture(scope="module")
def declaring(server: Running) -> tuple[Sat, str]:
    """A battle of four at a declaration."""
    sat = Sat(server.url, {"ruleset": "naval-battles", **BODIES["naval-battles"]})
    return sat, until(sat, "declare", 10)[0]


def sit(person: People, declaring: tuple[Sat, str], size: tuple[int, int]) -> Person:
    sat, seat = declaring
    one = person(viewport={"width": size[0], "height": size[1]})
    at_the_table(one, sat.game, seat, sat.tokens[seat])
    one.commands.first.wait_for()
    return one


@pytest.mark.parametrize("size", SIZES)
def test_a_rule_is_opened_where_one_sits_and_closed_again(
    person: People, declaring: tuple[Sat, str], size: tuple[int, int]
) -> None:
    one = sit(person, declaring, size)
    link = one.page.locator(".ask .note .rule")
    rule = link.inner_text()
    told = httpx.get(f"{one.url}/v1/rulesets/naval-battles/rules/{rule}", timeout=60).json()
    link.press("Enter")
    box = one.page.get_by_role("dialog", name=f"{rule}: {told['title']}")
    expect(box).to_contain_text(told["text"])
    expect(box).to_be_focused()
    place = box.bounding_box()
    assert place is not None
    assert place["x"] >= 0 <= place["y"]
    assert place["x"] + place["width"] <= size[0]
    assert one.serious() == []
    one.page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(link).to_be_focused()
    one.leave()


def test_dark_cards_say_what_the_service_would_refuse_them_for(
    person: People, declaring: tuple[Sat, str]
) -> None:
    one, (sat, seat) = sit(person, declaring, SIZES[0]), declaring
    token = {"Authorization": f"Bearer {sat.tokens[seat]}"}
    mine = sat.client.get(f"/v1/games/{sat.game}/pieces", headers=token).json()["items"]
    refused = {p["id"]: p["refused"] for p in mine if p["place"] == "hands" and "refused" in p}
    assert refused, "every card is of use"
    about = {each: told for each, told in refused.items() if told["code"] == "card.wrong-step"}
    assert about, "no card is for another step"
    for each, told in about.items():
        card = one.page.locator(f".handcards .card[data-key='card:{each}']").first
        expect(card.locator(".why .rule")).to_have_text(told["hint"])
        card.locator(".why .rule").click()
        box = one.page.get_by_role("dialog", name=re.compile(f"^{told['rule']}: "))
        expect(box).to_be_visible()
        expect(one.page.locator(".card.picked")).to_have_count(0)
        one.page.keyboard.press("Escape")
    for each in refused.keys() - about.keys():
        card = one.page.locator(f".handcards .card.idle[data-key='card:{each}']").first
        assert card.locator(".why").inner_text()
    assert one.serious() == []
    one.leave()

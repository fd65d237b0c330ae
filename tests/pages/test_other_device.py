"""A seat goes to a telephone and back: a link takes its token, and a key passes on to another."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from tests.support.pennant import GAME
from tests.support.server import Running

from .conftest import Person
from .test_agent import MOMENT, joined, press
from .test_signed import CLICKS, game_of, keys_of

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
WIDE = 390
PHONE: dict[str, Any] = {
    "viewport": {"width": WIDE, "height": 844}, "has_touch": True, "is_mobile": True,
}  # fmt: skip
WORDS = 8
SEAT, TOKEN = 6, 7
"""Places of the parts of the link for the other device."""


def asked(page: Page) -> list[str]:
    """Every address that the page asks for from now on."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    return found


def away(one: Person) -> Locator:
    """What the table says of another device, opened."""
    box = one.menu().locator("details.away")
    if box.get_attribute("open") is None:
        box.locator("summary").click()
    return box


def link_of(one: Person) -> str:
    return away(one).get_by_label("Link for the other device").input_value()


def words(page: Page) -> list[str]:
    shown = page.get_by_role("list", name="Words of the key").locator("li")
    expect(shown).to_have_count(WORDS)
    return shown.all_inner_texts()


def passed(old: Person, new: Person, link: str) -> list[str]:
    """The seat goes from one to the other by that link; the words that both showed."""
    new.page.goto(link)
    back = new.page.get_by_label("Link back to the other device").input_value()
    shown = words(new.page)
    old.page.goto(back)
    assert words(old.page) == shown
    old.page.get_by_role("button", name="Yes, the same words").click()
    new.turn.wait_for()
    return shown


def judged(url: str, game: str) -> Verdict:
    data = httpx.get(f"{url}/v1/games/{game}/evidence", timeout=60).content
    return verify(data, {"pennant": GAME})


def touch(each: Person) -> None:
    """On a telephone an answer is tapped, then the button that gives the order."""
    if each.commands.count():
        with suppress(TimeoutError):
            each.commands.first.tap(timeout=MOMENT)
            each.page.locator("button.go:not([disabled])").first.tap(timeout=MOMENT)


def played(*people: tuple[Person, Callable[[Person], None]]) -> None:
    first, _ = people[0]
    for _ in range(CLICKS):
        if first.is_over():
            break
        for each, act in people:
            act(each)
        first.page.wait_for_timeout(50)
    assert first.is_over()


def test_a_telephone_takes_the_seat_over_and_plays_it(person: People, server: Running) -> None:
    one, two, phone = person(), person(), person(**PHONE)
    game = joined(one, two, "On the way", turns=6)
    first = keys_of(server.url, game)[0]
    link = link_of(one)
    heard = asked(phone.page)
    phone.page.goto(link)
    back = phone.page.get_by_label("Link back to the other device")
    back.wait_for()
    shown = words(phone.page)
    assert phone.serious() == []
    assert phone.page.url == f"{server.url}/#/pair/{game}/p1", "the token is no part of it any more"
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= WIDE
    box = away(one)
    box.get_by_label("Link of the other device").fill(f"Here it is: {back.input_value()} ")
    box.get_by_role("button", name="Go on").click()
    assert words(one.page) == shown
    assert one.serious() == []
    one.page.get_by_role("button", name="Yes, the same words").click()
    told_so = one.page.locator(".keyless .elsewhere")
    expect(told_so).to_contain_text("p1 is played on another device")
    phone.turn.wait_for()
    assert keys_of(server.url, game)[0] not in (first, ("", ""))
    expect(phone.page.locator(".ordergrade")).to_have_attribute("data-grade", "O1p")
    before = game_of(server.url, game)["version"]
    touch(phone)
    expect(phone.page.locator(f".ask[data-version='{before}']")).to_have_count(0)
    played((phone, touch), (two, press))
    told = judged(server.url, game)
    assert (told.word, told.orders) == ("UPHELD", "O1p"), told.text()
    assert "p1 signs its orders by another key, as it has signed by the old one" in told.text()
    token = link.split("/")[TOKEN]
    assert token.startswith("dl_seat_")
    assert [each for each in heard if token in each.partition("#")[0]] == []


def test_it_comes_back_the_same_way_and_goes_again(person: People, server: Running) -> None:
    """Each time by a key that the seat never had."""
    one, two = person(), person()
    game = one.create("pennant", "There and back", "I play it", "I play it", turns=6)
    seen = [keys_of(server.url, game)[0][0]]
    said = [passed(one, two, link_of(one))]
    seen.append(keys_of(server.url, game)[0][0])
    for old, new in ((two, one), (one, two)):
        new.page.goto(f"{server.url}/#/game/{game}")
        new.page.get_by_role("link", name="Play p1 here again").click()
        new.page.get_by_label("Link back to the other device").wait_for()
        said.append(passed(old, new, new.page.url))
        seen.append(keys_of(server.url, game)[0][0])
    assert len(set(seen)) == len(seen)
    assert len({tuple(each) for each in said}) == len(said)
    version = game_of(server.url, game)["version"]
    two.commands.first.click()
    expect(two.page.locator(f".ask[data-version='{version}']")).to_have_count(0)


def test_other_words_are_declined_and_the_seat_stays(person: People, server: Running) -> None:
    """Somebody else who saw the link can be the other device: the words tell."""
    one, thief, phone = person(), person(), person()
    game = one.create("pennant", "Seen", "I play it", "I play it", turns=6)
    link, before = link_of(one), keys_of(server.url, game)
    for each in (thief, phone):
        each.page.goto(link)
    assert words(thief.page) != words(phone.page)
    one.page.goto(thief.page.get_by_label("Link back to the other device").input_value())
    assert words(one.page) != words(phone.page)
    one.page.get_by_role("link", name="No: keep it here").click()
    one.turn.wait_for()
    assert keys_of(server.url, game) == before
    expect(one.page.locator(".keyless .problem")).to_have_count(0)


def test_a_seat_without_a_key_needs_the_link_alone(person: People, server: Running) -> None:
    one, phone = person(), person(**PHONE)
    one.go()
    one.page.get_by_role("button", name="Play a first battle now").click()
    one.page.wait_for_url("**/#/game/*")
    game = one.page.url.rpartition("/")[2]
    link = link_of(one)
    phone.page.goto(link)
    phone.page.get_by_role("link", name="To the table").click()
    phone.turn.wait_for()
    kept = phone.page.evaluate("JSON.parse(localStorage.getItem('decklog.games'))")[game]
    assert kept["seats"] == {link.split("/")[SEAT]: link.split("/")[TOKEN]}


def test_every_byte_has_a_word_of_its_own(person: People) -> None:
    one = person()
    one.go()
    found = one.page.evaluate("import('/pages/pairwords.js').then(({ WORDS }) => WORDS)")
    assert len(set(found)) == len(found) == 256
    assert all(word.isalpha() and word == word.lower() for word in found)

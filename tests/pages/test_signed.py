"""A page signs the orders of its seats by a key that never leaves its browser (grade O1p)."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from tests.support.pennant import GAME
from tests.support.server import ROOT, Running

from .conftest import Person
from .test_agent import joined, press

pytestmark = pytest.mark.slow("pages")

People = Callable[..., Person]
CLICKS = 200

KEPT = """async () => {
  const base = await new Promise((come, fail) => {
    const asked = indexedDB.open("decklog");
    asked.onsuccess = () => come(asked.result);
    asked.onerror = () => fail(asked.error);
  });
  const asked = base.transaction("keys").objectStore("keys");
  const all = (what) => new Promise((come) => {
    const request = asked[what]();
    request.onsuccess = () => come(request.result);
  });
  const [names, pairs] = await Promise.all([all("getAllKeys"), all("getAll")]);
  base.close();
  const read = await Promise.all(pairs.map(({ privateKey }) =>
    crypto.subtle.exportKey("pkcs8", privateKey).then(() => "read", ({ name }) => name)));
  return { names, read };
}"""
"""The keys that the browser keeps, and what comes of reading their secret halves."""

CLEARED = """() => new Promise((come, fail) => {
  const asked = indexedDB.deleteDatabase("decklog");
  asked.onsuccess = () => come(true);
  asked.onerror = () => fail(new Error("not cleared"));
})"""

WITHOUT = """
const { generateKey } = SubtleCrypto.prototype;
SubtleCrypto.prototype.generateKey = function (how, ...more) {
  if (how === "Ed25519") throw new DOMException("as an older browser", "NotSupportedError");
  return generateKey.call(this, how, ...more);
};
"""
"""A browser whose WebCrypto has no Ed25519."""

PLAIN = "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });"
"""A page over plain HTTP from another machine has no WebCrypto at all."""


FLEET = {
    "units": [{"base": "", "card": "uss-iowa"}, {"card": "uss-fletcher", "base": ""}],
    "type": "crimson-tide.submit-fleet",
}
LOCKED = """async (game) => (await (await fetch(`/v1/games/${game}`)).json()).seats[0].last > 0"""


def game_of(url: str, game: str) -> Any:
    return httpx.get(f"{url}/v1/games/{game}", timeout=60).json()


def keys_of(url: str, game: str) -> list[tuple[str, str]]:
    return [(each["orderKey"], each["keeper"]) for each in game_of(url, game)["seats"]]


def played(*people: Person) -> None:
    """By clicks, to the end."""
    for _ in range(CLICKS):
        if people[0].is_over():
            break
        for each in people:
            press(each)
        people[0].page.wait_for_timeout(50)
    assert people[0].is_over()


def judged(url: str, game: str) -> Verdict:
    return verify(
        httpx.get(f"{url}/v1/games/{game}/evidence", timeout=60).content, {"pennant": GAME}
    )


def orders(page: Page, game: str) -> list[tuple[str, bool]]:
    """The page's requests from now on that write in the game, and whether they are signed."""
    found: list[tuple[str, bool]] = []

    def note(asked: Any) -> None:
        if asked.method == "POST" and f"/v1/games/{game}/" in asked.url:
            signed = "decklog-signature" in asked.headers
            found.append((asked.url.rpartition(f"{game}/")[2], signed))

    page.on("request", note)
    return found


def test_two_pages_play_a_game_whose_orders_are_signed(person: People, server: Running) -> None:
    """Dice of grade A2 as well: links are given between the orders, and after each lock."""
    one, two = person(), person()
    game = joined(one, two, "Signed", turns=6)
    assert [(len(key), keeper) for key, keeper in keys_of(server.url, game)] == [(64, "page")] * 2
    lamp = one.page.locator(".ordergrade")
    expect(lamp).to_have_attribute("data-grade", "O1p")
    expect(lamp).to_contain_text("p1 and p2 O1p, signed by the service's page, with a key")
    kept = one.page.evaluate(KEPT)
    assert keys_of(server.url, game)[0][0] in kept["names"]
    assert set(kept["read"]) == {"InvalidAccessError"}, (
        "nobody can read it, the page itself included"
    )
    two.page.reload()  # its key is kept
    two.turn.wait_for()
    played(one, two)
    told = judged(server.url, game)
    assert (told.word, told.orders) == ("UPHELD", "O1p"), told.text()
    by = next(each.by for each in told.vouched if each.what == "orders")
    assert by.endswith(" orders are signed: p1 (O1p), p2 (O1p)")


def test_a_signed_order_is_one_request(person: People, server: Running) -> None:
    """What it is bound to is in the page already."""
    one = person()
    game = one.create("pennant", "Requests", "I play it", "I play it", turns=6)
    sent = orders(one.page, game)
    sits = "p1"
    for _ in range(3):
        told = game_of(server.url, game)
        seat = told["toMove"][0]["seat"]
        if seat != sits:
            one.sit(seat)
            sits = seat
        one.commands.first.click()
        expect(one.page.locator(f".ask[data-version='{told['version']}']")).to_have_count(0)
    assert sent == [("commands", True)] * 3


def test_the_first_battle_is_not_signed_so_that_a_step_can_be_taken_back(
    person: People, server: Running
) -> None:
    one = person()
    one.go()
    one.page.get_by_role("button", name="Play a first battle now").click()
    one.page.wait_for_url("**/#/game/*")
    game = one.page.url.rpartition("/")[2]
    expect(one.page.locator(".ordergrade")).to_have_attribute("data-grade", "O0")
    assert {public for public, _ in keys_of(server.url, game)} == {""}


def test_an_order_by_hand_is_signed_in_the_form_that_the_service_shows(
    person: People, server: Running
) -> None:
    """Its fields stand in another order, and one that is usual is named all the same."""
    one = person()
    game = one.create("crimson-tide", "By hand", "I play it", "a bot plays it")
    sent = orders(one.page, game)
    one.page.locator("details textarea").first.wait_for(state="attached")
    one.menu()
    one.page.locator("details:has(textarea) > summary").first.click()
    one.page.locator("textarea").first.fill(json.dumps(FLEET))
    one.page.get_by_role("button", name="Send").first.click()
    one.page.wait_for_function(LOCKED, arg=game)
    assert sent == [("commands/check", False), ("commands", True)]


def test_a_key_that_is_gone_is_told_with_what_to_do(person: People, server: Running) -> None:
    one = person()
    game = one.create("pennant", "Cleared", "I play it", "I play it", turns=6)
    ((lost, _), _) = keys_of(server.url, game)
    one.go("lobby")
    assert one.page.evaluate(CLEARED)
    one.go(f"game/{game}")
    alert = one.page.locator(".keyless .problem")
    expect(alert).to_contain_text("The key of p1 is not in this browser")
    sent = orders(one.page, game)
    one.commands.first.click()
    assert sent == [], "nothing is sent that would be refused"
    expect(alert.locator("summary")).to_be_focused()
    alert.locator("summary").click()
    asked = alert.locator("pre").inner_text()
    words = shlex.split(asked)
    assert words[:5] == ["decklog", "admin", "key", game, "p1"]
    assert one.serious() == []
    one.page.reload()
    expect(alert.locator("pre")).to_have_text(asked)  # it is the same key
    command = [sys.executable, "-m", "service.cli", *words[1:]]
    done = subprocess.run(
        [*command, "--database", str(server.database)], cwd=ROOT, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    expect(alert).to_have_count(0)
    assert keys_of(server.url, game)[0][0] not in ("", lost)
    version = game_of(server.url, game)["version"]
    one.commands.first.click()
    expect(one.page.locator(f".ask[data-version='{version}']")).to_have_count(0)
    assert sent == [("commands", True)]
    grade = one.page.locator(".ordergrade")
    expect(grade).to_have_attribute("data-grade", "O0")  # the organiser's word
    said = "That the key of p1 is another, or none, is the organiser's word alone."
    expect(grade).to_contain_text(said)
    other = person()  # who has made no key of that game, and asks as anybody may
    other.go(f"game/{game}")
    expect(other.page.locator(".ordergrade")).to_contain_text(said)


def test_a_way_out_is_signed_and_then_no_key_is_asked_for(person: People, server: Running) -> None:
    one = person()
    game = one.create("naval-battles", "Over", "I play it", "I play it")
    sent = orders(one.page, game)
    one.give_up()
    expect(one.turn).to_contain_text("The game is over")
    assert sent == [("commands", True)]
    one.go("lobby")
    assert one.page.evaluate(CLEARED)
    one.go(f"game/{game}")
    expect(one.turn).to_contain_text("The game is over")
    expect(one.page.locator(".keyless .problem")).to_have_count(1)  # it is there
    expect(one.page.locator(".keyless .problem")).to_be_hidden()


PRIVATE = """
IDBFactory.prototype.open = () => {
  throw new DOMException("as a private window", "InvalidStateError");
};
"""
"""A browser that makes keys and keeps none."""

LACKS = {"an older browser": WITHOUT, "plain HTTP": PLAIN, "a private window": PRIVATE}


@pytest.mark.parametrize("how", [*LACKS, "by choice"])
def test_without_a_key_it_is_as_before_and_the_page_says_so(
    person: People, server: Running, how: str
) -> None:
    one = person()
    if how in LACKS:
        one.context.add_init_script(LACKS[how])
    one.go("lobby")
    form = one.page.locator("form")
    form.locator("input[name=ruleset][value=pennant]").check()
    expect(form).to_have_attribute("data-ruleset", "pennant")
    sign = form.get_by_label("Sign my orders")
    if how == "by choice":
        expect(form.locator(".sum")).to_contain_text("Your orders are signed, grade O1p.")
        sign.uncheck()
    else:
        expect(sign).to_have_count(0)
    expect(form.locator(".sum")).to_contain_text("Your orders are not signed, grade O0.")
    form.get_by_role("button", name="Create").click()
    one.turn.wait_for()
    game = one.page.url.rpartition("/")[2]
    assert [keeper for _, keeper in keys_of(server.url, game)] == ["", ""]
    grade = one.page.locator(".ordergrade")
    expect(grade).to_have_attribute("data-grade", "O0")
    expect(grade).to_contain_text("p1 O0, not signed: whose they are")
    version = game_of(server.url, game)["version"]
    one.commands.first.click()
    expect(one.page.locator(f".ask[data-version='{version}']")).to_have_count(0)

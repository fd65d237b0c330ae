"""Who sits where, by what the service knows: oneself, bots of the house, seats without a name."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import TimeoutError, expect

from tests.support.chromium import shoot
from tests.support.server import Running

from .test_table import CLICKS, MOMENT, People

pytestmark = pytest.mark.slow("pages")

NAMING = """async ([text, bots]) => {
  const { namingBots } = await import("/pages/seatnames.js");
  const seats = ["p1", "p2", "p3"].map((seat) => ({ seat, held: "kept", bot: bots.includes(seat) ? "gunner" : "" }));
  return namingBots({ seats }, text);
}"""  # noqa: E501


def test_table_lobby_desk_and_verdict_say_that_the_house_plays(
    person: People, server: Running, tmp_path: Path
) -> None:
    one, late = person(), person()
    game = one.create("pennant", "A quiet sea", "I play it", "an easy bot plays it", turns=3)
    versus = one.page.locator(".versus .seat")
    expect(versus).to_have_text(["1You", "2House bot"])
    expect(one.page.locator(".versus")).to_contain_text("answers at once")
    expect(versus.nth(1)).to_have_attribute("title", re.compile('bot "gunner".*plays easily'))
    one.commands.first.click()
    expect(one.turn).to_contain_text("Your move")
    line = one.page.locator(".log li").get_by_text(re.compile(r"House bot \(p2\) (fires|lets|pas)"))
    # "Your move" was said of the first question, too: a click may still meet what that offered.
    for _ in range(CLICKS):
        if line.count():
            break
        with suppress(TimeoutError):
            one.commands.first.click(timeout=MOMENT)
    line.first.wait_for()
    assert one.serious() == []
    shoot(one.page, "names-table")
    late.go(f"game/{game}")
    expect(late.page.locator(".versus .seat")).to_have_text(["1p1", "2House bot"])

    for _ in range(CLICKS):
        if one.is_over():
            break
        with suppress(TimeoutError):
            one.commands.first.click(timeout=MOMENT)
    told = httpx.get(f"{server.url}/v1/games/{game}").json()["result"]["winners"]
    who = " and ".join("House bot (p2)" if seat == "p2" else seat for seat in told) or "nobody"
    expect(one.turn).to_contain_text(f"{who} won")
    one.go("lobby")
    row = one.page.locator(".game").filter(has_text="A quiet sea")
    expect(row).to_contain_text("p1 you, p2 house bot, easy")
    expect(row.locator(".players .seat")).to_have_text(["1You", "2House bot"])
    shoot(one.page, "names-lobby")
    one.go(f"replay/{game}")
    expect(one.page.locator(".legend .seat")).to_have_text(["1You", "2House bot"])
    expect(one.page.locator("h1")).to_contain_text(re.compile(r"You \d+, House bot \d+"))
    expect(one.page.locator(".log")).to_contain_text("House bot (p2)")

    path = tmp_path / "named.decklog"
    path.write_bytes(httpx.get(f"{server.url}/v1/games/{game}/evidence", timeout=60).content)
    one.go("evidence")
    one.page.set_input_files("#file", path)
    verdict = one.page.get_by_label("Verdict")
    expect(verdict).to_contain_text("played by the bot gunner of the service (easy)")
    expect(verdict).not_to_contain_text("Seat p1")


def test_the_fleets_of_a_hand_bear_the_same_names(person: People) -> None:
    """Round the table and, on a phone, on the tabs: "3 House bot"."""
    one = person()
    one.create("naval-battles", "Hands", "I play it", "a bot plays it", "I play it")
    heads = one.page.locator(".tableau > header > .seat")
    expect(heads).to_have_text(["2House bot", "3p3"])
    expect(one.page.locator(".hands .tabs .seat")).to_have_text(["2House bot", "3p3"])


def test_a_seat_that_waits_says_so_and_one_that_is_taken_has_no_name(person: People) -> None:
    one, two = person(), person()
    one.create("pennant", "Waits", "I play it", "by invitation")
    expect(one.page.locator(".versus .seat")).to_have_text(["1You", "2p2, invited"])
    two.page.goto(str(one.page.locator("p.wide a").get_attribute("href")))
    two.page.get_by_role("button", name="Take seat p2").click()
    expect(two.page.locator(".versus .seat")).to_have_text(["1p1", "2You"])
    expect(one.page.locator(".versus .seat")).to_have_text(["1You", "2p2"])


def test_a_sentence_names_the_bots_and_nobody_else(person: People) -> None:
    one = person()
    one.go()
    for said, named in {
        "p2 fires at p1": "House bot (p2) fires at p1",
        "p2’s Akagi (p2-4) sinks": "House bot’s (p2) Akagi (p2-4) sinks",
        "First Player is p3, not p22": "First Player is House bot (p3), not p22",
    }.items():
        assert one.page.evaluate(NAMING, [said, ["p2", "p3"]]) == named
    assert one.page.evaluate(NAMING, ["p2 fires", []]) == "p2 fires"

"""What is told for people: words and columns, never JSON."""

from __future__ import annotations

from pathlib import Path

from service.cli.worded import plain, worded
from tests.service.cli.conftest import Done, Run
from tests.service.cli.play import Table
from tests.support.server import Running

ODDS = {
    "ruleset": "war-at-sea",
    "dice": 5,
    "eachDie": -1,
    "of": "36",
    "rolls": [{"count": 0, "ways": "27"}, {"count": 1, "ways": "9"}],
    "outcomes": [{"outcome": "no-effect", "exact": "3/4", "perMille": 750}],
    "lost": {"exact": "1/4", "perMille": 250},
    "expectedHullPoints": {"exact": "1/2", "perMille": 500},
    "defense": {"antiair": {"dice": 2}},
}


def test_odds_are_shares_with_bars() -> None:
    lines = list(worded(ODDS))
    assert lines[0] == "  dice 5, each die -1"
    assert [line.split() for line in lines[1:]] == [
        ["rolls"],
        ["0", "75.0%", "#" * 22],
        ["1", "25.0%", "#" * 7],
        ["outcomes"],
        ["no", "effect", "75.0%", "#" * 22],
        ["lost", "25.0%", "#" * 7],
        ["expected", "hull", "points", "0.50"],
        ["defense"],
        ["antiair"],
        ["dice", "2"],
    ]


def test_a_value_in_words() -> None:
    given = [None, "", [], True, False, 3, "surface-attack", "USS Atlanta (CL 51)", ["a-b", 2]]
    assert [plain(each) for each in given] == [
        "nothing", "nothing", "nothing", "yes", "no", "3", "surface attack",
        "USS Atlanta (CL 51)", "a b 2",
    ]  # fmt: skip


def spoken(done: Done) -> list[str]:
    """Its lines: there are some, and none has a brace or a quoted name of JSON in it."""
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines
    assert [line for line in lines if "{" in line or '":' in line] == []
    return lines


def test_odds_and_reasons_are_told_without_json(run: Run, server: Running, finished: Table) -> None:
    rolls = finished.http.get(f"/v1/games/{finished.id}/rolls").json()["items"]
    events = finished.http.get(f"/v1/games/{finished.id}/events?limit=200").json()["items"]
    at = next(e["seq"] for e in events if e["type"] == "pennant.fire-declared") - 1
    fire = '{"type":"pennant.fire","aim":"hull"}'
    asked = ("odds", finished.id, fire, "--url", server.url, "--at", at, "--as", "truth")
    assert len(spoken(run(*asked))) > 1
    reasons = run("why", finished.id, "--url", server.url, "--roll", rolls[0]["id"])
    assert [line for line in spoken(reasons) if "%" in line]


def test_luck_has_its_figures_below_each_other(run: Run, bundle: Path) -> None:
    lines = [line for line in run("luck", bundle).out.splitlines() if " expected " in line]
    assert len({line.index(" expected ") for line in lines}) == 1 < len(lines)


def test_a_difference_has_its_events_in_a_column_of_their_own(run: Run, bundle: Path) -> None:
    document = run("diff", bundle, "--from", 3, "--json").json
    told = [each for each in document["changes"] if each["events"]]
    lines = run("diff", bundle, "--from", 3).out.splitlines()
    places = [line.index("  [") for line in lines if line.endswith("]") and "  [" in line]
    assert len(places) == len(told) > 1
    assert len({line.rindex("[") for line in lines if line.endswith("]")}) == 1

"""Two versions of a game compared over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from projections.differences import Change, apply
from tests.service.http.table import Match, Table, code


@pytest.fixture
def over(table: Table) -> Match:
    match = table.create(options={"turns": 4}, seed="moments")
    table.play_out(match)
    return match


def applied(plain: Any, found: dict[str, Any]) -> Any:
    """The answer's changes made by somebody who knows nothing but RFC 6901."""
    made = []
    for each in found["changes"]:
        within, path = plain, list[str | int]()
        for part in each["path"].split("/")[1:]:
            step: str | int = int(part) if isinstance(within, list) else part
            path.append(step)
            exists = isinstance(within, dict) or (isinstance(step, int) and step < len(within))
            within = within[step] if exists and each["kind"] != "added" else within
            if each["kind"] == "added" and len(path) < each["path"].count("/"):
                within = within[step]
        made.append(Change(tuple(path), each["kind"], each.get("before"), each.get("after")))
    return apply(plain, made)


def test_any_two_versions_differ_by_what_the_answer_says(table: Table, over: Match) -> None:
    last = table.version(over)
    for viewer in ("p1", "truth"):
        states = {
            version: table.get(f"{over.path}/view?at={version}&as={viewer}").json()["state"]
            for version in range(2, last + 1)
        }
        for one in (2, 4, last):
            for two in (3, last, 2):
                path = f"{over.path}/diff?from={one}&to={two}&as={viewer}"
                found = table.get(path).json()
                assert (found["from"], found["to"], found["viewer"]) == (one, two, viewer)
                assert applied(states[one], found) == states[two]
                known = {event["seq"] for event in found["events"]}
                assert all(set(change["events"]) <= known for change in found["changes"])
                assert (one == two) == (found["changes"] == [])


def test_a_change_names_its_events_rules_and_figures(table: Table) -> None:
    match = table.create()
    table.choose_colours(match)
    found = table.get(f"{match.path}/diff?from=2&to=5").json()
    colours = next(change for change in found["changes"] if change["path"] == "/colours/0")
    assert (colours["kind"], colours["after"], colours["rules"]) == ("added", "bold", ["PEN-2"])
    assert "before" not in colours
    assert [event["type"] for event in found["events"]][-1] == "pennant.revealed"
    done = table.command(match, "p1", {"type": "pennant.fire", "aim": "hull"}).json()
    after = table.get(f"{match.path}/diff?from=5&to={done['version']}").json()
    texts = [change["text"] for change in after["changes"]]
    assert "Left from 4 to 3." in texts


def test_a_difference_tells_no_more_than_the_views_do(table: Table) -> None:
    match = table.create()
    table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    path = f"{match.path}/diff?from=2"
    for token in ("", match.tokens["p2"]):
        assert "bold" not in table.get(path, token).text
    assert "bold" in table.get(path, match.tokens["p1"]).text
    assert code(table.get(f"{path}&as=p1", match.tokens["p2"])) == "viewer.not-entitled"


def test_strangers_are_not_compared(table: Table, over: Match) -> None:
    other = table.create()
    assert code(table.get(f"{over.path}/diff?with={other.id}")) == "diff.unrelated"
    assert code(table.get(f"{over.path}/diff?with={'0' * 32}")) == "game.not-found"
    assert table.get(f"{over.path}/diff?with={over.id}").status_code == 200
    assert code(table.get(f"{over.path}/diff?to=999")) == "version.unknown"
    assert code(table.get(f"{over.path}/diff?with=x")) == "query.invalid"

"""Why something is so, over HTTP: of Pennant in detail, of others on a recorded battle."""

from __future__ import annotations

from typing import Any

import pytest

from service.cli.why import explained
from service.http.paging import write_cursor
from tests.service.http.table import Match, Table, code


@pytest.fixture
def fired(table: Table) -> tuple[Match, dict[str, Any]]:
    """p1 is bold and has fired at the hull; the roll."""
    match = table.create(seed="why")
    table.choose_colours(match)
    done = table.command(match, "p1", {"type": "pennant.fire", "aim": "hull"})
    assert done.status_code == 200
    roll: dict[str, Any] = table.get(f"{match.path}/rolls").json()["items"][0]
    return match, roll


def test_a_roll_is_explained_back_to_its_declaration(
    table: Table, fired: tuple[Match, dict[str, Any]]
) -> None:
    match, roll = fired
    why = table.get(f"{match.path}/why?roll={roll['id']}").json()
    types = [event["type"] for event in why["command"]]
    assert types == ["pennant.fire-declared", "decklog.batch-rolled", "pennant.fire-resolved"]
    assert why["event"]["seq"] == roll["event"]
    assert [rolled["id"] for rolled in why["rolls"]] == [roll["id"]]
    assert [tally["total"] for tally in why["tallies"].values()] == [3]
    assert why["prospects"] == {"ruleset": "pennant", "kind": "hull", "best": "3"}
    assert [rule["id"] for rule in why["rules"]] == ["PEN-4"]
    assert "two dice" in why["rules"][0]["text"]


def test_a_roll_has_the_odds_that_it_had(table: Table, fired: tuple[Match, dict[str, Any]]) -> None:
    _, roll = fired
    odds = roll["odds"]
    assert odds["of"] == str(6**3)
    assert [(s["score"], s["ways"]) for s in odds["scores"]] == [
        (0, "125"),
        (1, "75"),
        (2, "15"),
        (3, "1"),
    ]
    assert odds["expected"] == {"numerator": "1", "denominator": "2"}
    assert [(o["outcome"], o["ways"]) for o in odds["outcomes"]] == [("hit", "91")]
    assert roll["score"] == sum(face == 6 for face in roll["faces"][0])
    assert roll["outcome"] == ("hit" if roll["score"] else "")


def test_a_value_is_explained_by_every_event_that_changed_it(
    table: Table, fired: tuple[Match, dict[str, Any]]
) -> None:
    match, roll = fired
    why = table.get(f"{match.path}/why?path=/left").json()
    assert why["value"] == 3
    assert [(c["before"], c["after"]) for c in why["changes"]] == [(None, 4), (4, 3)]
    assert why["changes"][-1]["event"]["seq"] == why["event"]["seq"] == roll["event"]
    before = table.get(f"{match.path}/why?path=/left&at={roll['seq']}").json()
    assert before["value"] == 4
    assert table.get(f"{match.path}/why?path=/awaited&at=2").json()["value"] is None, "it stands"


def test_of_many_changes_of_a_value_the_newest_are_told_and_where_those_before_are(
    table: Table, fired: tuple[Match, dict[str, Any]]
) -> None:
    match, _ = fired
    why = f"{match.path}/why?path=/choices"
    whole = table.get(why).json()
    assert whole["earlier"] is None
    assert len(whole["changes"]) == 4
    for limit in (1, 2, 3, 4):
        seen: list[Any] = []
        at = whole["version"]
        while at:
            page = table.get(f"{why}&limit={limit}&at={at}").json()
            assert 1 <= len(page["changes"]) <= limit
            assert page["value"] == page["changes"][-1]["after"]
            seen = page["changes"] + seen
            at = page["earlier"]
        assert seen == whole["changes"]


def test_the_terminal_says_how_to_see_the_changes_before(
    table: Table, fired: tuple[Match, dict[str, Any]]
) -> None:
    match, _ = fired
    why = f"{match.path}/why?path=/choices"
    whole, newest = table.get(why).json(), table.get(f"{why}&limit=2").json()
    (line,) = (line for line in explained(newest) if "--at" in line)
    assert line.startswith("  The newest 2 changes;")
    at = line.rpartition("--at ")[2]
    assert table.get(f"{why}&at={at}").json()["changes"] == whole["changes"][:2]
    assert not [line for line in explained(whole) if "--at" in line]


def test_the_log_is_searched_by_unit_rule_and_type(
    table: Table, fired: tuple[Match, dict[str, Any]]
) -> None:
    match, roll = fired

    def found(query: str) -> list[tuple[int, list[str]]]:
        items = table.get(f"{match.path}/mentions?{query}").json()["items"]
        return [(item["event"]["seq"], item["roles"]) for item in items]

    assert [seq for seq, _ in found("rule=PEN-4")] == [roll["seq"] - 1, roll["event"]]
    assert [roles for _, roles in found("unit=p1&type=fire-resolved")] == [["seat"]]
    assert [seq for seq, _ in found("unit=p1&role=owner")] == [roll["seq"] - 1]
    assert found("rule=PEN-6") == []
    first = table.get(f"{match.path}/mentions?limit=2").json()
    more = table.get(f"{match.path}/mentions?limit=2&cursor={first['next']}").json()
    assert [i["event"]["seq"] for i in (*first["items"], *more["items"])] == [1, 2, 3, 4]


def test_questions_that_cannot_be_answered_say_so(
    table: Table, fired: tuple[Match, dict[str, Any]]
) -> None:
    path = f"{fired[0].path}/why"
    for query in ("", "?event=1&path=/left", "?path=left", "?event=0", "?path=/~9"):
        assert code(table.get(path + query)) == "query.invalid"
    assert code(table.get(f"{path}?event=999")) == "version.unknown"
    assert code(table.get(f"{path}?roll=none")) == "resource.not-found"
    assert code(table.get(f"{path}?event=1&as=truth")) == "viewer.not-entitled"


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/nope", "What stands at the top: "),
        ("/", "What stands at the top: "),
        ("/left/x", "Nothing stands in /left."),
        ("/colours/7", "What stands in /colours: 0 to 1."),
    ],
)
def test_a_place_where_nothing_ever_stood_is_refused_and_those_there_are_named(
    table: Table, fired: tuple[Match, dict[str, Any]], path: str, hint: str
) -> None:
    """It was 200 with nothing in it: a mistyped pointer looked like an answer."""
    refused = table.get(f"{fired[0].path}/why?path={path}")
    assert (refused.status_code, code(refused)) == (404, "resource.not-found")
    assert refused.json()["hint"].startswith(hint)
    assert refused.json()["errors"][0]["pointer"] == "#path"
    if path == "/nope":
        assert "left" in refused.json()["hint"]


def test_a_place_in_a_list_that_is_gone_is_found_where_it_was(
    table: Table, fired: tuple[Match, dict[str, Any]]
) -> None:
    """No event had put anything there, it said: the number was taken for a name."""
    match, roll = fired
    asked = f"{match.path}/why?path=/awaited/pools/0/sides"
    assert [c["after"] for c in table.get(f"{asked}&at={roll['seq']}").json()["changes"]] == [6]
    gone = table.get(asked).json()
    assert gone["value"] is None
    assert [(c["before"], c["after"]) for c in gone["changes"]] == [(None, 6), (6, None)]
    assert gone["changes"][-1]["event"]["seq"] == roll["event"]
    assert code(table.get(f"{match.path}/why?path=/awaited/pools/7/sides")) == "resource.not-found"


def test_a_value_before_the_opening(table: Table) -> None:
    match = table.create()
    assert code(table.get(f"{match.path}/why?path=/left&at=1")) == "version.unknown"


def test_questions_to_the_log_that_make_no_sense(
    table: Table, fired: tuple[Match, dict[str, Any]]
) -> None:
    """A cursor beyond the newest event was taken for a damaged game, and logged as one."""
    path = f"{fired[0].path}/mentions"
    version = table.version(fired[0])
    for query in ("role=target", f"cursor={write_cursor(str(version + 1))}", "cursor=OTk5OTk5"):
        refused = table.get(f"{path}?{query}")
        assert (refused.status_code, code(refused)) == (422, "query.invalid"), query
    assert table.get(f"{path}?cursor={write_cursor(str(version))}").json()["items"] == []


def test_what_is_hidden_is_not_explained(table: Table) -> None:
    match = table.create()
    table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    for question in ("why?event=3", "why?path=/choices", "mentions?unit=bold", "mentions"):
        path = f"{match.path}/{question}"
        assert "bold" in table.get(path, match.tokens["p1"]).text
        assert "bold" not in table.get(path, match.tokens["p2"]).text
        assert "bold" not in table.get(path).text


def test_a_refusal_names_the_nearest_command(table: Table) -> None:
    match = table.create()
    table.choose_colours(match)
    for path in ("commands", "commands/check"):
        refused = table.post(
            f"{match.path}/{path}", {"type": "pennant.choose", "colour": "bold"},
            match.tokens["p1"], version=table.version(match),
        )  # fmt: skip
        assert (refused.status_code, code(refused)) == (409, "turn.wrong-step"), refused.text
        body = refused.json()
        assert body["rule"] == "PEN-3"
        taken = table.post(f"{match.path}/commands/check", body["nearest"], match.tokens["p1"])
        assert taken.status_code == 200
    late = table.post(f"{match.path}/commands/check", {"type": "pennant.pass"}, match.tokens["p2"])
    assert late.status_code == 409
    assert "nearest" not in late.json(), "p2 can do nothing now"

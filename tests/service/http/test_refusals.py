"""What HTTP refuses, each clearly, and nothing is lost by it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.http.paging import write_cursor
from service.problems import KINDS
from tests.service.http.table import Match, Table, code

FIRE = {"type": "pennant.fire", "aim": "hull"}
CHOOSE = {"type": "pennant.choose", "colour": "bold"}
KEY = "0f343b0931126a20f133d67c2b018a3b"


@pytest.fixture
def match(table: Table) -> Match:
    return table.create()


def raw(table: Table, match: Match, body: bytes, **headers: str) -> Any:
    """A command whose body goes as it is."""
    fields = {
        "Content-Type": "application/json", "Idempotency-Key": KEY, "If-Match": '"1"',
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }  # fmt: skip
    path = f"{match.path}/commands"
    return table.ask("POST", path, match.tokens["p1"], fields, content=body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"type":"pennant.pass"} {}',
        b"\xff\xfe",
        b'{"type":"pennant.pass","type":"pennant.pass"}',
        b'{"type":NaN}',
        b'{"type":"\\ud800\\',
        b"[" * 100_000,
        b'{"type":' + b"[" * 40 + b"]" * 40 + b"}",
    ],
)
def test_a_body_that_is_not_readable_json(table: Table, match: Match, body: bytes) -> None:
    before = table.version(match)
    assert code(raw(table, match, body)) == "body.malformed"
    assert table.version(match) == before


@pytest.mark.parametrize(
    ("body", "pointer", "why"),
    [
        ({"type": "pennant.choose"}, "/colour", "missing-field"),
        ({"colour": "bold"}, "/type", "missing-field"),
        ({"type": "pennant.choose", "colour": 5}, "/colour", "wrong-type"),
        ({"type": "pennant.choose", "colour": "red"}, "/colour", "unknown-value"),
        ({"type": "pennant.choose", "colour": None}, "/colour", "wrong-type"),
        ({"type": "pennant.choose", "colour": "bold", "x/y~": 1}, "/x~1y~0", "unknown-field"),
        ([], "", "wrong-type"),
        ("pass", "", "wrong-type"),
        ({"type": "pennant.choose", "colour": 1.5}, "/colour", "wrong-type"),
        ({"type": "pennant.choose", "colour": 2**53}, "/colour", "out-of-range"),
        ({"type": "pennant.choose", "colour": "x" * 5000}, "/colour", "too-long"),
        ({"type": "pennant.choose", "colour": [0] * 2001}, "/colour", "too-long"),
    ],
)
def test_a_body_that_does_not_fit_names_the_field(
    table: Table, match: Match, body: Any, pointer: str, why: str
) -> None:
    refused = raw(table, match, json.dumps(body).encode())
    assert code(refused) == "body.invalid"
    (error,) = refused.json()["errors"]
    assert (error["pointer"], error["code"]) == (pointer, why)


def test_an_unknown_command_type_is_named_with_those_there_are(table: Table, match: Match) -> None:
    refused = table.command(match, "p1", {"type": "surrender"})
    assert code(refused) == "command.unknown-type"
    assert "pennant.choose, pennant.fire, pennant.pass" in refused.json()["detail"]


def test_numbers_are_not_taken_for_text_nor_text_for_numbers(table: Table) -> None:
    for turns in ("4", 4.0, 4.5, True):
        refused = table.post("/v1/games", {"ruleset": "pennant", "options": {"turns": turns}})
        assert refused.status_code == 422, turns


def test_unknown_ids(table: Table, match: Match) -> None:
    token = match.tokens["p1"]
    for game in ("0" * 32, "no-such-game", "%00", "../v1"):
        for rest in ("", "/view", "/commands", "/events", "/rolls", "/evidence"):
            assert table.get(f"/v1/games/{game}{rest}", token).status_code == 404
    for game in ("0" * 32, "nobody"):
        refused = table.post(f"/v1/games/{game}/commands", CHOOSE, token, version=1)
        assert code(refused) == "game.not-found"
    for path in ("", "/units", "/rules", "/abilities", "/scenarios", "/maps"):
        assert code(table.get(f"/v1/rulesets/chess{path}")) == "resource.not-found"
    assert code(table.get("/v1/rulesets/pennant/units/nemo")) == "resource.not-found"
    assert code(table.post("/v1/games", {"ruleset": "chess"})) == "ruleset.unknown"


def test_a_command_without_a_token(table: Table, match: Match) -> None:
    refused = table.post(f"{match.path}/commands", CHOOSE, version=1)
    assert (refused.status_code, code(refused)) == (401, "token.missing")
    assert refused.headers["www-authenticate"] == "Bearer"


def test_tokens_that_are_none(table: Table, match: Match) -> None:
    good = match.tokens["p1"]
    last = "0" if good[-1] != "0" else "1"
    for token in ("", "x", good[:-1], good[:-1] + last, good.replace("dl_seat", "dl_auditor")):
        for header in (f"Bearer {token}", f"Basic {token}", token or "Bearer"):
            refused = table.get(match.path, Authorization=header)
            assert code(refused) == "token.invalid", header


def test_the_token_of_another_game(table: Table, match: Match) -> None:
    other = table.create()
    refused = table.post(f"{match.path}/commands", CHOOSE, other.tokens["p1"], version=1)
    assert (refused.status_code, code(refused)) == (403, "token.wrong-game")
    seen = table.get(f"{match.path}/view", other.tokens["p1"]).json()
    assert seen["viewer"] == "public"


def test_an_organiser_does_not_act_for_a_seat(table: Table, match: Match) -> None:
    refused = table.post(f"{match.path}/commands", CHOOSE, match.organiser, version=1)
    assert (refused.status_code, code(refused)) == (403, "token.not-a-seat")


def test_the_other_seats_token_plays_out_of_turn(table: Table, match: Match) -> None:
    table.choose_colours(match)
    before = table.version(match)
    refused = table.command(match, "p2", FIRE)
    assert (refused.status_code, code(refused)) == (409, "turn.not-yours")
    assert refused.json()["rule"] == "PEN-3"
    told = refused.json()
    assert told["hint"] == "It is for p1 to turn."
    title = table.get("/v1/rulesets/pennant/rules/PEN-3").json()["title"]
    assert told["detail"] == f'Turn: not yours. Rule PEN-3, "{title}".'
    assert table.version(match) == before


def test_a_command_of_another_phase(table: Table, match: Match) -> None:
    refused = table.command(match, "p1", FIRE)
    assert (refused.status_code, code(refused)) == (409, "turn.wrong-step")


def test_an_illegal_command_points_at_the_field(table: Table, match: Match) -> None:
    table.command(match, "p1", CHOOSE)
    refused = table.command(match, "p1", CHOOSE)
    assert (refused.status_code, code(refused)) == (422, "choose.again")
    assert refused.json()["errors"][0]["pointer"] == "/colour"


def test_a_command_after_the_end(table: Table, match: Match) -> None:
    table.play_out(match)
    refused = table.command(match, "p1", FIRE)
    assert (refused.status_code, code(refused)) == (409, "game.over")


def test_a_stale_version_names_the_present_one_and_changes_nothing(
    table: Table, match: Match
) -> None:
    table.choose_colours(match)
    now = table.version(match)
    table.command(match, "p1", FIRE)
    later = table.version(match)
    refused = table.command(match, "p2", FIRE, now)
    assert (refused.status_code, code(refused)) == (412, "version.stale")
    assert refused.json()["version"] == later
    assert refused.headers["etag"] == f'"{later}"'
    assert table.version(match) == later


def test_versions_that_never_were_are_stale_too(table: Table, match: Match) -> None:
    now = table.version(match)
    refused = raw(table, match, json.dumps(CHOOSE).encode(), If_Match='"999999"')
    assert code(refused) == "version.lost", "the store may have lost what came up to it"
    for tag in ('"v1"', '""', '"0"', f'"0{now}"'):
        refused = raw(table, match, json.dumps(CHOOSE).encode(), If_Match=tag)
        assert code(refused) == "version.stale", tag


@pytest.mark.parametrize("tag", ["1", "*", 'W/"1"', '"1", "2"', '"1'])
def test_an_if_match_that_is_no_strong_tag(table: Table, match: Match, tag: str) -> None:
    refused = raw(table, match, json.dumps(CHOOSE).encode(), If_Match=tag)
    assert (refused.status_code, code(refused)) == (400, "precondition.malformed")


def test_missing_headers(table: Table, match: Match) -> None:
    path, token = f"{match.path}/commands", match.tokens["p1"]
    bare = table.ask("POST", path, token, {"If-Match": '"1"'}, json=CHOOSE)
    assert (bare.status_code, code(bare)) == (400, "idempotency.key-missing")
    bare = table.ask("POST", path, token, {"Idempotency-Key": KEY}, json=CHOOSE)
    assert (bare.status_code, code(bare)) == (428, "precondition.required")
    bare = table.ask("POST", "/v1/games", json={"ruleset": "pennant"})
    assert code(bare) == "idempotency.key-missing"
    for key in (
        "short",
        "with blanks in the text",
        "\u00fcnicode-is-not-ascii".encode(),
        "x" * 256,
    ):
        bare = table.ask("POST", path, token, {"Idempotency-Key": key}, json=CHOOSE)  # type: ignore[dict-item]
        assert code(bare) == "idempotency.key-malformed"


def test_a_repeated_key_gives_the_first_answer_again(table: Table, match: Match) -> None:
    version = table.version(match)
    answers = [table.command(match, "p1", CHOOSE, version, key=KEY) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert [a.headers.get("idempotency-replayed") for a in answers] == [None, "true", "true"]
    assert table.version(match) == answers[0].json()["version"]


def test_creating_a_game_twice_with_one_key_makes_one_game(table: Table) -> None:
    one, two = table.create(key=KEY), table.create(key=KEY)
    assert one.created.content == two.created.content
    assert two.created.headers["idempotency-replayed"] == "true"
    assert len(table.get("/v1/games").json()["items"]) == 1


def test_two_strangers_with_one_key_do_not_get_each_others_tokens(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = [{"seat": "p1", "hold": "keep"}, {"seat": "p2", "hold": "open"}]
    one = table.create(key=KEY, seats=seats)
    first = table.post(f"{one.path}/seats", {"seat": "p2"}, key=KEY)
    assert first.status_code == 201
    monkeypatch.setattr("service.http.envelope.address_key", lambda host: "203.0.113.7")
    assert table.create(key=KEY, seats=seats).id != one.id
    assert code(table.post(f"{one.path}/seats", {"seat": "p2"}, key=KEY)) == "seat.taken"


def test_an_invitation_is_answered_again_wherever_the_request_is_repeated(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = table.create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "invite"}])
    invitation = match.created.json()["invitations"][0]["token"]
    wish = {"seat": "p2", "invitation": invitation}
    first = table.post(f"{match.path}/seats", wish, key=KEY)
    monkeypatch.setattr("service.http.envelope.address_key", lambda host: "203.0.113.7")
    again = table.post(f"{match.path}/seats", wish, key=KEY)
    assert (again.status_code, again.content) == (201, first.content)


def test_a_reused_key(table: Table, match: Match) -> None:
    table.command(match, "p1", CHOOSE, key=KEY)
    refused = table.command(match, "p1", {"type": "pennant.choose", "colour": "steady"}, key=KEY)
    assert (refused.status_code, code(refused)) == (422, "idempotency.key-reused")
    table.create(key=KEY + "-game")
    refused = table.post("/v1/games", {"ruleset": "pennant", "name": "other"}, key=KEY + "-game")
    assert code(refused) == "idempotency.key-reused"


def test_a_refused_request_does_not_use_up_its_key(table: Table, match: Match) -> None:
    assert table.command(match, "p1", FIRE, key=KEY).status_code == 409
    assert table.command(match, "p1", CHOOSE, key=KEY).status_code == 200


def test_a_body_over_the_limit(table: Table, match: Match) -> None:
    body = json.dumps({**CHOOSE, "x": ["y" * 4000] * 70}).encode()
    refused = raw(table, match, body)
    assert (refused.status_code, code(refused)) == (413, "body.too-large")
    length = str(2**40)
    refused = raw(table, match, b"{}", Content_Length=length)
    assert code(refused) == "body.too-large"


@pytest.mark.parametrize(
    "headers",
    [
        {"Content_Type": "text/plain"},
        {"Content_Type": ""},
        {"Content_Type": "application/xml"},
        {"Content_Type": "application/json; charset=latin-1"},
        {"Content_Encoding": "gzip"},
    ],
)
def test_a_body_that_is_not_json_by_its_type(
    table: Table, match: Match, headers: dict[str, str]
) -> None:
    refused = raw(table, match, json.dumps(CHOOSE).encode(), **headers)
    assert (refused.status_code, code(refused)) == (415, "content.unsupported")


def test_a_form_that_nobody_can_give(table: Table, match: Match) -> None:
    for path in (match.path, f"{match.path}/events", "/v1/rulesets"):
        refused = table.get(path, Accept="image/png")
        assert (refused.status_code, code(refused)) == (406, "accept.not-acceptable")
    assert table.get(match.path, Accept="text/html, application/*;q=0.1").status_code == 200


def test_addresses_and_methods_that_do_not_exist(table: Table, match: Match) -> None:
    assert code(table.get("/v2/games")) == "route.not-found"
    for method, path, allow in (
        ("PUT", "/v1/games", "GET, HEAD, POST, OPTIONS"),
        ("PATCH", match.path, "GET, HEAD, OPTIONS"),
        ("GET", "/v1/token", "DELETE, OPTIONS"),
    ):
        refused = table.ask(method, path)
        assert (refused.status_code, code(refused)) == (405, "method.not-allowed")
        assert refused.headers["allow"] == allow


def test_queries_that_are_wrong(table: Table, match: Match) -> None:
    for query in ("limit=0", "limit=201", "limit=x", "limit=1&limit=2", "page=1", "limit=-1"):
        refused = table.get(f"/v1/games?{query}")
        assert (refused.status_code, code(refused)) == (422, "query.invalid"), query
        name = query.partition("=")[0]
        assert refused.json()["errors"][0]["pointer"] == f"#{name}"
    for cursor in ("x", "%00", "é", "bm90LWEtbnVtYmVy", "LTE"):
        refused = table.get(f"/v1/rulesets/pennant/rules?cursor={cursor}")
        assert code(refused) == "query.invalid", cursor
    for game in ("nope", "0" * 32):
        refused = table.get(f"/v1/games?cursor={write_cursor(game)}")
        assert code(refused) == "query.invalid", "the lobby never showed such a game"


def test_versions_beyond_the_newest(table: Table, match: Match) -> None:
    beyond = table.version(match) + 1
    for rest in (f"view?at={beyond}", f"events?after={beyond}"):
        refused = table.get(f"{match.path}/{rest}")
        assert (refused.status_code, code(refused)) == (404, "version.unknown")
        assert refused.json()["version"] == beyond - 1


def test_a_dry_run_says_what_the_command_would_meet_and_changes_nothing(
    table: Table, match: Match
) -> None:
    path, token = f"{match.path}/commands/check", match.tokens["p1"]
    assert code(table.ask("POST", path, token, json=FIRE)) == "turn.wrong-step"
    table.choose_colours(match)
    before = table.get(f"{match.path}/view", token)
    passed = table.ask("POST", path, token, json=FIRE).json()
    assert passed["legal"] is True
    assert passed["item"]["odds"]["hit"]["of"] == 216
    assert table.get(f"{match.path}/view", token).content == before.content
    assert code(table.ask("POST", path, json=FIRE)) == "token.missing"
    assert code(table.ask("POST", path, match.tokens["p2"], json=FIRE)) == "turn.not-yours"


def test_every_problem_has_a_page_for_programs_and_people(table: Table) -> None:
    listed = table.get("/problems").json()
    assert [kind["code"] for kind in listed["items"]] == [kind.code for kind in KINDS]
    codes = [*(kind.code for kind in KINDS), *listed["rules"]["pennant"]]
    assert "choose.again" in codes
    for name in codes:
        page = table.get(f"/problems/{name}")
        assert page.json()["code"] == name
        assert table.get(f"/problems/{name}", Accept="text/html").status_code == 200
    assert table.get("/problems", Accept="text/html").text.count("<tr>") > len(KINDS)


def test_of_several_wrong_parameters_the_first_one_is_named(table: Table) -> None:
    names = [f"p{number}" for number in range(12)]
    refused = table.get("/v1/games?" + "&".join(f"{name}=1" for name in names))
    assert refused.json()["errors"][0]["pointer"] == "#p0"


def test_numbers_with_zeros_before_them_are_numbers(table: Table, match: Match) -> None:
    """Litestar would not take them; the link to the next page has them as they were sent."""
    path = f"{match.path}/events?limit=0001&after=00"
    page = table.get(path)
    assert [event["seq"] for event in page.json()["items"]] == [1]
    assert "limit=0001&cursor=" in page.headers["link"]
    whole = table.get(f"{match.path}/view?at=-0")
    assert code(whole) == "query.invalid"
    assert table.get(f"{match.path}/view?at=%30%32").json()["version"] == 2

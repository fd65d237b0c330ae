"""A whole game over HTTP, and what can be read of it."""

from __future__ import annotations

from service.http.reply import named_version
from tests.service.http.table import Table


def test_a_game_is_created_and_played_to_its_end_by_posting_what_is_offered(table: Table) -> None:
    match = table.create(seed="first light")
    assert match.created.headers["location"] == match.path
    assert set(match.tokens) == {"p1", "p2"}

    game = table.play_out(match)

    assert game["result"] is not None
    assert game["version"] == named_version(table.get(match.path).headers["etag"])
    assert table.options(match, "p1")["items"] == []


def test_every_answer_to_a_command_shows_its_events_and_the_new_version(table: Table) -> None:
    match = table.create()
    table.choose_colours(match)
    before = table.version(match)

    done = table.command(match, "p1", {"type": "pennant.fire", "aim": "hull"}).json()

    seqs = [event["seq"] for event in done["events"]]
    assert seqs == list(range(before + 1, done["version"] + 1))
    assert {event["causedBy"] for event in done["events"]} == {done["command"]}
    assert [event["type"] for event in done["events"]][:2] == [
        "pennant.fire-declared",
        "decklog.batch-rolled",
    ]


def test_offers_carry_words_and_odds_where_dice_would_roll(table: Table) -> None:
    match = table.create()
    table.choose_colours(match)
    fire, _, passing = table.options(match, "p1")["items"]
    assert fire["text"] == "Fire at the hull."
    assert fire["target"] == "hull"
    assert fire["odds"]["hit"] == {"of": 216, "in": 91}
    assert "odds" not in passing


def test_an_onlooker_is_offered_nothing_and_sees_no_secret(table: Table) -> None:
    match = table.create()
    table.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})

    offered = table.get(f"{match.path}/commands").json()
    seen = table.get(f"{match.path}/view").json()
    own = table.get(f"{match.path}/view", match.tokens["p1"]).json()

    assert (offered["seat"], offered["items"]) == ("", [])
    assert [p["seat"] for p in offered["toMove"]] == ["p2"]
    assert seen["viewer"] == "public"
    assert seen["state"]["choices"][0] == {"sight": "hidden", "count": 1}
    assert own["state"]["choices"][0] == {"sight": "known", "items": ["bold"]}


def test_a_view_at_any_version_is_shown_with_that_version_as_its_tag(table: Table) -> None:
    match = table.create()
    table.play_out(match)
    for version in range(1, table.version(match) + 1):
        shown = table.get(f"{match.path}/view?at={version}")
        if version == 1:
            assert shown.json()["code"] == "version.unknown", "nothing is set up yet"
            continue
        assert shown.json()["version"] == version
        assert named_version(shown.headers["etag"]) == version


def test_a_view_at_a_version_stays_as_it_was_when_that_was_the_newest(table: Table) -> None:
    match = table.create()
    shown = {}
    while (game := table.get(match.path).json())["status"] != "finished":
        shown[game["version"]] = table.get(f"{match.path}/view").content
        seat = game["toMove"][0]["seat"]
        offer = table.options(match, seat)
        table.command(match, seat, offer["items"][0]["command"], offer["version"])
    assert game["nextBatch"] > 2, "dice were rolled meanwhile"
    for version, bytes_ in shown.items():
        assert table.get(f"{match.path}/view?at={version}").content == bytes_


def test_offers_come_in_pages_and_a_cursor_of_an_older_version_is_gone(table: Table) -> None:
    match = table.create()
    first = table.get(f"{match.path}/commands?limit=1", match.tokens["p1"])
    cursor = first.json()["next"]
    assert first.headers["link"] == f'<{match.path}/commands?limit=1&cursor={cursor}>; rel="next"'

    second = table.get(f"{match.path}/commands?limit=1&cursor={cursor}", match.tokens["p1"])
    offered = [item["command"] for page in (first, second) for item in page.json()["items"]]
    assert offered == [{"type": "pennant.choose", "colour": c} for c in ("bold", "steady")]
    parts = [item["parts"] for page in (first, second) for item in page.json()["items"]]
    assert parts == [[{"role": "side", "key": c, "text": c}] for c in ("bold", "steady")]
    assert second.json()["next"] is None

    table.command(match, "p2", {"type": "pennant.choose", "colour": "bold"})
    gone = table.get(f"{match.path}/commands?limit=1&cursor={cursor}", match.tokens["p1"])
    assert (gone.status_code, gone.json()["code"]) == (409, "cursor.stale")


def test_the_lobby_lists_games_by_status_page_by_page(table: Table) -> None:
    ids = [table.create(name=f"game {n}").id for n in range(3)]
    page = table.get("/v1/games?limit=2").json()
    rest = table.get(f"/v1/games?limit=2&cursor={page['next']}").json()
    assert [game["id"] for game in (*page["items"], *rest["items"])] == ids[::-1]
    assert table.get("/v1/games?status=finished").json()["items"] == []
    assert len(table.get("/v1/games?ruleset=pennant&status=playing").json()["items"]) == 3


def test_the_dice_ledger_shows_each_roll_with_its_proof(table: Table) -> None:
    match = table.create()
    table.choose_colours(match)
    table.command(match, "p1", {"type": "pennant.fire", "aim": "hull"})

    (roll,) = table.get(f"{match.path}/rolls").json()["items"]

    assert roll["id"] == "fire/1"
    assert table.get(f"{match.path}/rolls/fire%2F1").json() == roll
    assert table.get(f"{match.path}/rolls/none").json()["code"] == "resource.not-found"


def test_a_seat_is_taken_by_its_invitation_and_an_open_one_by_anybody(table: Table) -> None:
    seats = [{"seat": "p1", "hold": "invite"}, {"seat": "p2", "hold": "open"}]
    match = table.create(seats=seats)
    assert match.tokens == {}
    invitation = match.created.json()["invitations"][0]["token"]

    path = f"{match.path}/seats"
    refused = table.post(path, {"seat": "p1"})
    taken = table.post(path, {"seat": "p1", "invitation": invitation})
    opened = table.post(path, {"seat": "p2"})
    again = table.post(path, {"seat": "p2"})

    assert refused.json()["code"] == "seat.invitation-needed"
    assert (taken.status_code, opened.status_code) == (201, 201)
    assert again.json()["code"] == "seat.taken"
    match.tokens = {"p1": taken.json()["token"], "p2": opened.json()["token"]}
    table.choose_colours(match)


def test_a_revoked_token_is_refused_at_once(table: Table) -> None:
    match = table.create()
    gone = table.ask("DELETE", "/v1/token", match.tokens["p2"])
    assert gone.status_code == 204
    after = table.get(match.path, match.tokens["p2"])
    assert (after.status_code, after.json()["code"]) == (401, "token.invalid")
    assert table.get(match.path, match.tokens["p1"]).status_code == 200


def test_the_evidence_of_a_game_is_one_file_with_a_strong_tag(table: Table) -> None:
    match = table.create()
    table.play_out(match)
    bundle = table.get(f"{match.path}/evidence")
    assert bundle.headers["content-type"] == "application/zip"
    assert bundle.content.startswith(b"PK")
    assert f"{match.id}.decklog" in bundle.headers["content-disposition"]
    tag = bundle.headers["etag"]
    assert table.get(f"{match.path}/evidence", If_None_Match=tag).status_code == 304

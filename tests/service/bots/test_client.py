"""The client against the whole service in this process, with Pennant as its ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.bots import ApiError, DecklogClient, Move, RandomLegal, play, seated
from service.bots.bot import Json
from service.settings import Settings
from tests.support.pennant import GAME


@pytest.fixture
def client(tmp_path: Path) -> Iterator[DecklogClient]:
    settings = Settings(
        database=tmp_path / "decklog.sqlite", rate_limit=0, chain_length=256, log_level="WARNING"
    )
    with TestClient(create_app(settings, {"pennant": GAME})) as http:
        yield DecklogClient(str(http.base_url), http=http)


class Game:
    """A game of Pennant with a client for each seat."""

    def __init__(self, client: DecklogClient, **new: object) -> None:
        created = client.create_game(ruleset="pennant", **new)
        self.id: str = created["game"]["id"]
        self.seats = seated(created, client)
        self.created = created


def test_a_game_is_created_and_played_to_its_end(client: DecklogClient) -> None:
    game = Game(client, name="first")
    outcome = play(game.seats, game.id, {"p1": RandomLegal(1), "p2": RandomLegal(2)})
    summary = client.summary(game.id)
    assert summary["status"] == "finished"
    assert outcome.result == summary["result"] is not None
    assert outcome.version == summary["version"]
    assert outcome.commands > 2


def test_playing_stops_at_the_limit(client: DecklogClient) -> None:
    game = Game(client)
    outcome = play(game.seats, game.id, {"p1": RandomLegal(), "p2": RandomLegal()}, limit=2)
    assert (outcome.result, outcome.commands) == (None, 2)


def test_who_is_told_hears_of_every_command(client: DecklogClient) -> None:
    game = Game(client)
    heard: list[Move] = []
    outcome = play(
        game.seats, game.id, {"p1": RandomLegal(3), "p2": RandomLegal(4)}, told=heard.append
    )
    assert len(heard) == outcome.commands
    versions = [move.done["version"] for move in heard]
    assert versions == sorted(set(versions))
    assert {move.seat for move in heard} == {"p1", "p2"}


def test_a_stale_command_is_refused_and_changes_nothing(client: DecklogClient) -> None:
    game = Game(client)
    p1 = game.seats["p1"]
    listed = p1.commands(game.id)
    p1.post(game.id, listed["items"][0]["command"], listed["version"])
    before = client.summary(game.id)["version"]
    with pytest.raises(ApiError) as refused:
        p1.post(game.id, listed["items"][0]["command"], listed["version"])
    assert (refused.value.status, refused.value.code) == (412, "version.stale")
    assert client.summary(game.id)["version"] == before


def test_act_lists_again_when_another_was_quicker(client: DecklogClient) -> None:
    game = Game(client)
    for seat in game.seats.values():
        seat.act(game.id, lambda listed: listed["items"][0]["command"])
    p1, lists = game.seats["p1"], 0

    def choose(listed: Json) -> Json:
        nonlocal lists
        lists += 1
        if lists == 1:  # another client of the same seat is quicker, and then the other seat acts
            for seat in game.seats.values():
                seat.act(game.id, lambda again: again["items"][0]["command"])
        command: Json = listed["items"][-1]["command"]
        return command

    done = p1.act(game.id, choose)
    assert done is not None
    assert lists == 2
    assert done["version"] == client.summary(game.id)["version"]


def test_act_may_do_nothing(client: DecklogClient) -> None:
    game = Game(client)
    before = client.summary(game.id)["version"]
    assert game.seats["p1"].act(game.id, lambda listed: None) is None
    assert client.summary(game.id)["version"] == before


def test_events_from_any_version_to_the_end(client: DecklogClient) -> None:
    game = Game(client)
    outcome = play(game.seats, game.id, {"p1": RandomLegal(1), "p2": RandomLegal(2)})
    every = list(client.events(game.id))
    assert [event["seq"] for event in every] == list(range(1, outcome.version + 1))
    for after in (0, 1, outcome.version - 1, outcome.version):
        assert list(client.events(game.id, after, follow=True)) == every[after:]


def test_a_seat_and_an_onlooker_see_their_own_views(client: DecklogClient) -> None:
    game = Game(client)
    game.seats["p1"].act(game.id, lambda listed: listed["items"][0]["command"])
    own, public = game.seats["p1"].view(game.id), client.view(game.id)
    assert (own["viewer"], public["viewer"]) == ("p1", "public")
    assert own["state"] != public["state"]
    assert client.view(game.id, at=own["version"])["state"] == public["state"]


def test_an_open_seat_is_taken(client: DecklogClient) -> None:
    game = Game(client, seats=[{"seat": "p1"}, {"seat": "p2", "hold": "open"}])
    assert set(game.seats) == {"p1"}
    token = client.take_seat(game.id, "p2")["token"]
    assert client.as_holder(token).commands(game.id)["seat"] == "p2"


def test_a_dry_run_changes_nothing(client: DecklogClient) -> None:
    game = Game(client)
    p1 = game.seats["p1"]
    command = p1.commands(game.id)["items"][0]["command"]
    assert p1.check(game.id, command)["legal"] is True
    assert p1.commands(game.id)["version"] == client.summary(game.id)["version"]


def test_evidence_is_the_same_bytes_twice(client: DecklogClient) -> None:
    game = Game(client)
    play(game.seats, game.id, {"p1": RandomLegal(1), "p2": RandomLegal(2)})
    first = client.evidence(game.id)
    assert first[:2] == b"PK"
    assert client.evidence(game.id) == first


def test_games_are_found_in_the_lobby(client: DecklogClient) -> None:
    made = {Game(client).id for _ in range(3)}
    assert {each["id"] for each in client.games(limit=2)} == made


def test_a_refusal_is_an_error_with_its_code(client: DecklogClient) -> None:
    with pytest.raises(ApiError) as refused:
        client.summary("0" * 32)
    assert (refused.value.status, refused.value.code) == (404, "game.not-found")
    with pytest.raises(ApiError) as unread:
        list(client.events("0" * 32))
    assert unread.value.code == "game.not-found"


# --- what no server should do, and some do -----------------------------------------------------


def fake(answers: list[httpx.Response | Exception], seen: list[httpx.Request]) -> DecklogClient:
    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    http = httpx.Client(base_url="http://decklog.test", transport=httpx.MockTransport(handle))
    return DecklogClient("http://decklog.test", "secret", http=http)


def test_a_broken_connection_is_tried_again_with_the_same_key() -> None:
    seen: list[httpx.Request] = []
    client = fake([httpx.ReadError("gone"), httpx.Response(200, json={"version": 8})], seen)
    assert client.post("g", {"type": "pennant.pass"}, 7) == {"version": 8}
    assert len({request.headers["Idempotency-Key"] for request in seen}) == 1
    assert [request.headers["If-Match"] for request in seen] == ['"7"', '"7"']
    assert [request.headers["Authorization"] for request in seen] == ["Bearer secret"] * 2


def test_each_command_has_a_key_of_its_own() -> None:
    seen: list[httpx.Request] = []
    client = fake([httpx.Response(200, json={})] * 2, seen)
    client.post("g", {"type": "pennant.pass"}, 7)
    client.post("g", {"type": "pennant.pass"}, 7)
    assert len({request.headers["Idempotency-Key"] for request in seen}) == 2


def test_an_answer_that_is_no_problem_document_is_still_an_error() -> None:
    client = fake([httpx.Response(502, text="<html>bad gateway</html>")], [])
    with pytest.raises(ApiError) as refused:
        client.service()
    assert (refused.value.status, refused.value.code) == (502, "")


def test_a_list_that_changes_between_its_pages_is_read_again() -> None:
    page = {"version": 3, "items": [{"command": {"type": "a"}}], "next": "c", "toMove": []}
    last = {"version": 4, "items": [{"command": {"type": "b"}}], "next": None, "toMove": []}
    stale = httpx.Response(409, json={"code": "cursor.stale", "title": "stale"})
    seen: list[httpx.Request] = []
    client = fake([httpx.Response(200, json=page), stale, httpx.Response(200, json=last)], seen)
    assert client.commands("g")["items"] == last["items"]
    assert len(seen) == 3

"""A game that nobody joined cannot be won: it ends without a result, and the record says so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from domain.kernel.finder import games as installed
from service.app import create_app
from service.clock import FixedClock
from service.evidence.joined import goes_to_nobody
from service.evidence.verify import verify
from service.settings import Settings
from tests.service.http.table import Match, Table, code
from tests.support.contract import Contract

GAMES = installed()
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ENDED = "decklog.game-abandoned"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A service with every installed ruleset."""
    folder: Path = tmp_path_factory.mktemp("abandoned")
    settings = Settings(database=folder / "a.sqlite", key="07" * 32, chain_length=64)
    app = create_app(settings, GAMES, FixedClock(NOON))
    app.state.http.limits.requests._clock = lambda: 0.0
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))


def made(house: Table, ruleset: str, *holds: str) -> Match:
    seats = [{"seat": f"p{n}", "hold": hold} for n, hold in enumerate(holds, 1)]
    return house.create(ruleset=ruleset, seats=seats)


def resign(house: Table, match: Match, seat: str) -> httpx.Response:
    ruleset = house.get(match.path).json()["rules"]["ruleset"]
    return house.command(match, seat, {"type": f"{ruleset}.resign"})


def types(house: Table, match: Match) -> list[str]:
    return [e["type"] for e in house.get(f"{match.path}/events?limit=200").json()["items"]]


@pytest.mark.parametrize("hold", ["open", "invite"])
@pytest.mark.parametrize("ruleset", sorted(GAMES))
def test_who_gives_up_alone_loses_to_nobody(house: Table, ruleset: str, hold: str) -> None:
    match = made(house, ruleset, "keep", hold)
    before = types(house, match)
    done = resign(house, match, "p1")
    assert done.status_code == 200, done.text
    closing = [ENDED, "decklog.master-opened"]
    assert [event["type"] for event in done.json()["events"]] == closing
    assert types(house, match) == [*before, *closing], "nothing of what the order would have led to"
    game = house.get(match.path).json()
    assert (game["status"], game["abandoned"], game["result"]) == ("finished", True, None)
    assert (game["toMove"], game["due"]) == ([], {})
    listed = house.options(match, "p1")
    assert (listed["items"], listed["concessions"], listed["toMove"]) == ([], [], [])


@pytest.mark.parametrize("ruleset", sorted(GAMES))
def test_the_verdict_of_such_a_game(house: Table, ruleset: str) -> None:
    match = made(house, ruleset, "keep", "open")
    assert resign(house, match, "p1").status_code == 200
    for token in (match.tokens["p1"], match.organiser, ""):
        verdict = verify(house.get(f"{match.path}/evidence", token).content, GAMES)
        assert (verdict.word, verdict.scope, verdict.result) == ("UPHELD", "complete", None)
        assert any("Nobody joined" in note for note in verdict.notes)


def test_what_comes_later_is_refused(house: Table) -> None:
    match = made(house, "naval-battles", "keep", "open")
    assert resign(house, match, "p1").status_code == 200
    assert code(house.post(f"{match.path}/seats", {"seat": "p2"})) == "game.over"
    assert code(resign(house, match, "p1")) == "game.over"
    body = {"type": "naval-battles.choose-nation", "nation": "japan"}
    check = house.post(f"{match.path}/commands/check", body, match.tokens["p1"])
    assert code(check) == "game.over"


def test_it_is_in_no_list_of_results(house: Table) -> None:
    match = made(house, "naval-battles", "keep", "open")
    assert resign(house, match, "p1").status_code == 200
    found = house.get("/v1/results?limit=200").json()["items"]
    assert match.id not in {each["game"] for each in found}
    lobby = house.get("/v1/games?status=finished&limit=200").json()["items"]
    assert next(each for each in lobby if each["id"] == match.id)["abandoned"]


def test_a_game_that_somebody_joined_or_that_one_keeps_alone_is_won(house: Table) -> None:
    alone = made(house, "naval-battles", "keep", "keep")
    joined = made(house, "naval-battles", "keep", "open")
    assert house.post(f"{joined.path}/seats", {"seat": "p2"}).status_code == 201
    for match in (alone, joined):
        assert resign(house, match, "p1").status_code == 200
        game = house.get(match.path).json()
        assert (game["abandoned"], game["result"]["winners"]) == (False, ["p2"])


def test_who_leaves_last_does_not_lose_to_an_empty_seat(house: Table) -> None:
    """Of three, two play; both leave one after the other."""
    match = made(house, "naval-battles", "keep", "open", "open")
    taken = house.post(f"{match.path}/seats", {"seat": "p2"})
    match.tokens["p2"] = taken.json()["token"]
    assert resign(house, match, "p1").status_code == 200
    assert house.get(match.path).json()["status"] == "open"
    assert resign(house, match, "p2").status_code == 200
    game = house.get(match.path).json()
    assert (game["abandoned"], game["result"]) == (True, None)
    verdict = verify(house.get(f"{match.path}/evidence").content, GAMES)
    assert verdict.word == "UPHELD", verdict.text()


@pytest.mark.parametrize(
    ("waiting", "taken", "winners", "nobody"),
    [
        ((), (), ("p2",), False),
        (("p2",), (), ("p2",), True),
        (("p2",), (), ("p1",), True),
        (("p2",), (), (), True),
        (("p2",), ("p2",), ("p2",), False),
        (("p2", "p3"), ("p2",), ("p3",), True),
        (("p2", "p3"), ("p2",), ("p2", "p3"), False),
        (("p2", "p3"), ("p2",), (), False),
    ],
)
def test_when_an_end_goes_to_nobody(waiting: Any, taken: Any, winners: Any, nobody: bool) -> None:
    assert goes_to_nobody(waiting, taken, winners) is nobody

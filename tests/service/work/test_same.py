"""What a process makes is, byte for byte, what is made in line."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any, get_args

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.settings import Settings
from service.work.nursery import Nursery
from service.work.tasks import Judge, Kinds
from tests.support.later import later
from tests.support.pennant import GAME

KEY = {"Idempotency-Key": "0123456789abcdef0123456789abcdef"}
SEED = {"seed": "00112233445566778899aabbccddeeff"}


def played(client: Any, orders: int = 12) -> tuple[str, str]:
    """A game that has gone on for a while: where it is, and a token of its first seat."""
    made = client.post("/v1/games", json={"ruleset": "pennant"}, headers=KEY).json()
    where, tokens = (
        f"/v1/games/{made['game']['id']}",
        {t["seat"]: t["token"] for t in made["tokens"]},
    )
    for number in range(orders):
        game = client.get(where).json()
        if not game["toMove"]:
            break
        seat = game["toMove"][0]["seat"]
        mine = {"Authorization": f"Bearer {tokens[seat]}"}
        offer = client.get(f"{where}/commands", headers=mine).json()["items"][0]["command"]
        sent = {**mine, "If-Match": f'"{game["version"]}"', "Idempotency-Key": f"{number:032x}"}
        assert client.post(f"{where}/commands", json=offer, headers=sent).status_code == 200
    return where, tokens["p1"]


def asked(client: Any, where: str, token: str) -> dict[str, tuple[int, bytes]]:
    """Everything that tasks answer, and some of what they refuse."""
    mine = {"Authorization": f"Bearer {token}"}
    latest = client.get(where).json()["version"]
    found = {
        path: client.get(f"{where}{path}", headers=mine)
        for path in (
            "/why?event=3", "/why?path=/seats", "/why?path=/nowhere", "/why?roll=none",
            f"/why?path=/turn&at={latest}", "/mentions?role=moved",
            "/mentions?type=decklog.created",
            "/diff?from=1&to=9", "/diff?from=9&to=1", "/board.svg", "/board.svg?at=5",
            "/board.svg?at=1", "/luck", "/evidence",
            "/film", "/film?after=4&limit=3&pictures=true",
        )
    }  # fmt: skip
    offer = client.get(f"{where}/commands", headers=mine).json()["items"]
    game = where.rpartition("/")[2]
    for name, body in {
        "a roll": {"roll": {"pools": [{"count": 3, "worth": [0, 1, 2], "again": [3]}]}},
        "dice without end": {"roll": {"pools": [{"count": 3, "worth": [0, 1], "again": [1]}]}},
        "a command": {"game": game, "command": offer[0]["command"] if offer else {}},
        "fire": {"game": game, "command": {"type": "pennant.fire", "aim": "hull"}},
    }.items():
        found[name] = client.post("/v1/odds", json=body, headers=mine)
    return {name: (answer.status_code, answer.content) for name, answer in found.items()}


def test_answers_are_the_same_bytes(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "same.sqlite", rate_limit=0, chain_length=64)
    games = {"pennant": GAME}
    with TestClient(create_app(settings, games)) as client:
        where, token = played(client)
        inline = asked(client, where, token)
    nursery = Nursery.forked(games)
    assert nursery is not None
    with TestClient(create_app(settings, games, nursery=nursery)) as client:
        pooled = asked(client, where, token)
        assert client.app.state.http.desk.office._works._places[0].child is not None
    nursery.close()
    assert pooled == inline
    assert {status for status, _ in inline.values()} >= {200, 404, 422}


@pytest.mark.parametrize("harm", ["", "DELETE FROM shown"])
def test_a_game_of_an_older_engine_is_the_same_in_a_process_that_never_had_its_tree(
    tmp_path: Path, harm: str
) -> None:
    """Odds, reasons, pictures, exports and forks: the process asks the store for the archives."""
    nursery = Nursery.forked({"pennant": GAME})
    assert nursery is not None
    settings = Settings(database=tmp_path / "older.sqlite", rate_limit=0, chain_length=64)
    edits = {'version="1.0.0"': 'version="0.9.0"', "turns left:": "turns of old:"}
    older = later(tmp_path / "tree", f"before_{bool(harm)}", edits, "")
    with TestClient(create_app(settings, {"pennant": older})) as client:
        where, token = played(client, 4)
        then = asked(client, where, token)
        goes_on(client, fork(client, where, token))
        if harm:
            client.app.state.http.desk.store.recorder.put((), [(harm, ())])
    with TestClient(create_app(settings, {"pennant": GAME})) as client:
        inline = asked(client, where, token)
    with TestClient(create_app(settings, {"pennant": GAME}, nursery=nursery)) as client:
        pooled = asked(client, where, token)
        made = fork(client, where, token)
        if harm:  # what a seat does not see, nobody can make up
            assert (made.status_code, made.json()["code"]) == (503, "engine.missing")
        else:
            assert goes_on(client, made)["rules"]["version"] == "0.9.0"
        assert client.app.state.http.desk.office._works._places[0].child is not None
    nursery.close()
    assert pooled == inline
    same = [name for name, answer in inline.items() if answer == then[name]]
    if harm:
        assert {"/evidence", "a roll"} <= set(same)
        assert "/board.svg" not in same
    else:
        assert inline == then


def fork(client: Any, where: str, token: str) -> Any:
    """A what-if of the position now."""
    sent = {"Authorization": f"Bearer {token}", "Idempotency-Key": uuid.uuid4().hex}
    return client.post(f"{where}/forks", json={"seed": "what if"}, headers=sent)


def goes_on(client: Any, made: Any) -> dict[str, Any]:
    """The game of the answer, in which its maker takes the first offer."""
    told = made.json()
    game: dict[str, Any] = told["game"]
    path, seat = f"/v1/games/{game['id']}", game["toMove"][0]["seat"]
    holder = next(each["token"] for each in told["tokens"] if each["seat"] == seat)
    mine = {"Authorization": f"Bearer {holder}"}
    offer = client.get(f"{path}/commands", headers=mine).json()
    fields = {"If-Match": f'"{offer["version"]}"', "Idempotency-Key": uuid.uuid4().hex}
    first = offer["items"][0]["command"]
    done = client.post(f"{path}/commands", json=first, headers={**mine, **fields})
    assert done.status_code == 200, done.text
    return game


def test_every_kind_of_task_says_what_it_may_cost() -> None:
    kinds = get_args(Kinds)
    assert len(kinds) == 15
    assert all(0 < kind.budget <= 20 for kind in kinds if kind is not Judge)
    assert Judge.budget == 300, "the service asks for it by itself, one game after the other"

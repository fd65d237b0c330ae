"""Orders without a list to choose from are built in the terminal, part after part."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from service.bots import DecklogClient
from service.cli.built import Unfit, asked, question, read
from service.cli.play import KEYS, Sitting
from tests.support.server import Running, running

WAY = {"type": "array", "maxItems": 3, "items": {"type": "integer", "minimum": -60, "maximum": 60}}
MOVE = {
    "schema": {
        "properties": {
            "type": {"const": "crimson-tide.move"},
            "unit": {"const": "p1-1"},
            "path": WAY,
            "astern": {"enum": [False, True]},
            "evade": {"enum": [False]},
            "stop": {"type": "boolean"},
        }
    }
}


def test_each_open_part_is_asked_and_the_rest_is_known() -> None:
    answers, put = iter(["0 15 -7.5", "no", ""]), list[str]()

    def ask(said: str) -> str:
        put.append(said)
        return next(answers)

    command = asked(MOVE, 1000, ask)
    assert command == {
        "type": "crimson-tide.move", "unit": "p1-1", "path": [0, 30, -15], "astern": False,
        "evade": False, "stop": False,
    }  # fmt: skip
    assert put == ["path, up to 3 of: numbers, -30 to 30", "astern: no, yes", "stop? y or n"]


def test_lengths_are_klicks_where_there_are_any() -> None:
    x = {"type": "integer", "minimum": 0, "maximum": 30_000}
    assert question("x", x, 1000) == "x, 0 to 30"
    assert read("x", x, "2.4", 1000) == 2400
    at = {"type": "array", "prefixItems": [x, x], "minItems": 2, "maxItems": 2}
    assert read("at", at, "2.5, 3", 1000) == [2500, 3000]
    assert asked({"schema": {"properties": {"x": x}}}, 0, lambda _: "7") == {"x": 7}


@pytest.mark.parametrize(
    ("name", "schema", "typed"),
    [
        ("path", WAY, "ahead"),
        ("astern", {"enum": [False, True]}, "perhaps"),
        ("card", {"enum": ["uss-a", "uss-b"]}, "uss"),
        ("stop", {"type": "boolean"}, "maybe"),
        ("units", {"type": "array", "items": {"type": "object"}}, "x"),
        ("x", {"type": "integer", "minimum": 0, "maximum": 9}, "inf"),
    ],
)
def test_what_is_no_such_part_is_said(name: str, schema: dict[str, Any], typed: str) -> None:
    with pytest.raises(Unfit, match=name):
        read(name, schema, typed, 2)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("built")) as started:
        yield started


class Waits(Exception):
    """Others are asked: the player has done what he wanted."""


def others_turn() -> None:
    raise Waits


def placing_of(offer: dict[str, Any]) -> dict[str, Any] | None:
    return next((each for each in offer["templates"] if each["type"].endswith(".place")), None)


def at_placing(http: httpx.Client) -> tuple[str, str, dict[str, Any]]:
    """A game in which a unit is to be placed: its id, the token of who is asked, what it may do."""
    key = {"Idempotency-Key": uuid.uuid4().hex}
    made = http.post("/v1/games", json={"ruleset": "crimson-tide", "seed": "a"}, headers=key).json()
    path = f"/v1/games/{made['game']['id']}"
    tokens = {each["seat"]: each["token"] for each in made["tokens"]}
    for _ in range(20):
        token = tokens[http.get(path).json()["toMove"][0]["seat"]]
        bearer = {"Authorization": f"Bearer {token}"}
        offer: dict[str, Any] = http.get(f"{path}/commands", headers=bearer).json()
        if placing_of(offer):
            return made["game"]["id"], token, offer
        fields = {"If-Match": f'"{offer["version"]}"', "Idempotency-Key": uuid.uuid4().hex}
        command = offer["items"][0]["command"]
        http.post(f"{path}/commands", json=command, headers=bearer | fields).raise_for_status()
    raise AssertionError("nobody is to place anything")


def test_a_unit_of_crimson_tide_is_placed_by_hand(three: Running) -> None:
    """The place of the first offer is typed: a card that there is not, and then that."""
    with httpx.Client(base_url=three.url, timeout=60) as http:
        game, token, offer = at_placing(http)
        klick = http.get(f"/v1/games/{game}/view").json()["state"]["options"]["klick"]
    placing = placing_of(offer)
    assert placing
    like = next(i["command"] for i in offer["items"] if i["command"]["type"] == placing["type"])
    number = 1 + offer["templates"].index(placing)
    typed = {"card": like["card"], "x": like["x"] / klick, "y": like["y"] / klick}
    typed["heading"] = like["heading"] / 2
    right = [str(typed[name]) for name in placing["schema"]["properties"] if name in typed]
    answers = iter([f"b{number}", "no such card", f"b{number}", *right])
    pages: list[str] = []
    with DecklogClient(three.url, token) as client:
        with suppress(Waits):
            Sitting(client, game, lambda: next(answers), pages.append, others_turn).play()
        units = client.view(game)["state"]["units"].values()
    (placed,) = (unit for unit in units if unit["pose"])
    assert placed["card"] == like["card"]
    assert placed["pose"] == {name: like[name] for name in ("x", "y", "heading")}
    assert any("card: one of " in page for page in pages if KEYS in page)

"""The page of a ruleset says all that it asks and all that it takes, whatever is played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

import domain
from domain.kernel.finder import games
from service.bots import DecklogClient
from service.engines.sample import kernel, tried
from service.http.game_guides import SAMPLE, markdown, questions, tag_of
from service.openapi.document import document_for
from tests.support.server import Running, running

INSTALLED = games()
COMMANDS = 120
BUILT = {
    "crimson-tide": ("crimson-tide.submit-fleet", "crimson-tide.place", "crimson-tide.move"),
    "naval-battles": (
        "naval-battles.commit-fleet", "naval-battles.arrange", "naval-battles.discard"
    ),
    "war-at-sea": ("war-at-sea.submit-fleet",),
}  # fmt: skip
"""Commands that a template says how to build, which have an example."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("games")
    with running(folder, rate_limit=100_000, log_level="WARNING") as server:
        yield server


def page_of(name: str) -> str:
    document = msgspec.json.decode(document_for(INSTALLED, name))
    return markdown(INSTALLED[name], document)


def asked_and_posted(server: Running, name: str) -> Iterator[tuple[str, str, bool]]:
    """The questions of a game that is played at random: key, type of an offer, whether built."""
    chance = Random(name)
    with DecklogClient(server.url) as client:
        made = client.create_game(ruleset=name)
        game = made["game"]["id"]
        seats = {each["seat"]: client.as_holder(each["token"]) for each in made["tokens"]}
        for _ in range(COMMANDS):
            asked = client.summary(game)["toMove"]
            if not asked:
                return
            seat, key = asked[0]["seat"], asked[0]["question"]
            listed = seats[seat].commands(game)
            for each in listed["items"]:
                yield key, each["command"]["type"], False
            for each in listed["templates"]:
                yield key, each["type"], True
            item: Any = chance.choice(listed["items"])
            seats[seat].post(game, item["command"], listed["version"])


@pytest.mark.parametrize("name", INSTALLED)
def test_what_is_asked_in_play_is_on_the_page(name: str, server: Running) -> None:
    text = page_of(name)
    parts = {part.split("`", 1)[0]: part for part in text.split("\n### `")[1:]}
    seen = set(asked_and_posted(server, name))
    assert len({key for key, _, _ in seen}) >= 3
    for key, type_, built in seen:
        if type_ != f"{name}.pass":
            assert f"`{type_}`" in parts[key], key
        else:
            assert "the seat may pass" in parts[key], key
        assert not built or "built by a template" in parts[key], (key, type_)


EXAMPLE = re.compile(r"```json\n(.+)\n```")


@pytest.mark.parametrize("name", INSTALLED)
def test_each_example_is_accepted_where_it_stands_in_the_sample_game(name: str) -> None:
    game, shown = INSTALLED[name], set(EXAMPLE.findall(page_of(name)))
    assert len(shown) > len(BUILT[name])
    for type_ in BUILT[name]:
        assert any(f'"type": "{type_}"' in each for each in shown), type_
    file = Path(domain.__file__).parent / "games" / name.replace("-", "_") / SAMPLE
    lines = list(map(json.loads, file.read_text("utf-8").splitlines()))
    accepted = list(tried(game, kernel(), lines))  # it raises where the rules refuse a line
    assert [each["events"] for each in accepted] == [each["events"] for each in lines]
    assert shown <= {json.dumps(each["command"]) for each in accepted if "command" in each}


@pytest.mark.parametrize("name", INSTALLED)
def test_every_phase_question_command_and_field_is_on_the_page(name: str) -> None:
    text, game = page_of(name), INSTALLED[name]
    for phase in game.phases:
        assert re.search(rf"^\d+\. `{phase}`$", text, re.MULTILINE)
    rules = {rule.id for rule in game.catalogue.rules()}
    for key, asked in questions(game).items():
        assert f"### `{key}`" in text
        assert {each.rule for each in asked} <= rules
    for command in game.commands:
        part = text.split(f"### `{tag_of(command)}`\n\n")[1].split("\n### ")[0]
        for field in msgspec.structs.fields(command):
            assert f"| `{field.encode_name}` |" in part
        assert len(part.split("\n")[0]) > 10, "a command without words"
    assert "refused" in text
    assert "a value" not in text


def test_the_page_is_served_and_the_home_leads_to_it(server: Running) -> None:
    home = httpx.get(f"{server.url}/docs").text
    for name, game in INSTALLED.items():
        assert f'href="/docs/{name}"' in home
        served = httpx.get(f"{server.url}/docs/{name}")
        assert served.status_code == 200
        assert f"<h1>{game.title}</h1>" in served.text
        for key in questions(game):
            assert f"<code>{key}</code>" in unescape(served.text)

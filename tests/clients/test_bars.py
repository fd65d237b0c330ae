"""Bars B3, B4 and B10 of the contract, with the real rulesets."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar.testing import TestClient

from domain.kernel.codec import Codec, full
from domain.kernel.finder import games
from service.app import create_app
from service.http.reply import named_version
from service.http.wire import ENCODER
from service.settings import Settings
from tests.support.contract import Contract
from tests.support.server import Running, running
from tests.support.stranger import SHORT, Stranger

NDJSON = {"Accept": "application/x-ndjson"}
SSE = {"Accept": "text/event-stream"}
OPENING = 60
"""Commands of the longer games that are played here: enough for every phase of a turn."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    folder = tmp_path_factory.mktemp("bars")
    settings = Settings(
        database=folder / "bars.sqlite", rate_limit=0, chain_length=512, log_level="ERROR"
    )
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("bars-live")
    with running(folder, chain_length=512, stream_limit=100, log_level="ERROR") as server:
        yield server


def lines(client: httpx.Client, path: str, token: str, after: int = 0) -> list[str]:
    """The viewer's events after a version, as they are sent."""
    headers = {**NDJSON, **({"Authorization": f"Bearer {token}"} if token else {})}
    answer = client.get(f"{path}/events?follow=false&after={after}", headers=headers)
    return [line for line in answer.text.splitlines() if line]


@pytest.mark.parametrize("ruleset", SHORT)
def test_b3_every_cut_resumes_without_loss_or_doubling(
    client: TestClient[Any], ruleset: str
) -> None:
    game = Stranger(client, ruleset, 7)
    game.play(OPENING)
    for token in ("", game.tokens["p1"]):
        whole = lines(client, game.path, token)
        assert [json.loads(line)["seq"] for line in whole] == list(range(1, len(whole) + 1))
        me = {"Authorization": f"Bearer {token}"} if token else {}
        for cut in range(len(whole) + 1):
            page = client.get(f"{game.path}/events?limit=2&after={cut}", headers=me).json()
            assert page["items"] == [json.loads(line) for line in whole[cut : cut + 2]]
        for cut in random.Random(1).sample(range(len(whole)), 8):
            assert lines(client, game.path, token, cut) == whole[cut:]


def test_b3_a_reader_that_is_cut_off_again_and_again_sees_a_running_game_whole(
    server: Running,
) -> None:
    cuts = random.Random(3)
    seen: list[str] = []
    with httpx.Client(base_url=server.url, timeout=60) as client:
        game = Stranger(client, "crimson-tide", 3)

        def read() -> None:
            """Read a few events, hang up, resume after the last one that was seen."""
            with httpx.Client(base_url=server.url, timeout=60) as reader:
                while not seen or '"decklog.master-opened"' not in seen[-1]:
                    wanted = len(seen) + cuts.randint(1, 9)
                    headers = {**SSE, "Last-Event-ID": str(len(seen))}
                    with reader.stream("GET", f"{game.path}/events", headers=headers) as stream:
                        for line in stream.iter_lines():
                            if line.startswith("data: "):
                                seen.append(line.removeprefix("data: "))
                            if len(seen) == wanted:
                                break

        reader = threading.Thread(target=read)
        reader.start()
        game.play()
        reader.join(60)
        assert not reader.is_alive()
        assert seen == lines(client, game.path, "")


@pytest.mark.parametrize("seed", range(4))
def test_b4_a_bot_that_posts_what_is_offered_is_never_refused(
    client: TestClient[Any], seed: int
) -> None:
    """The short tier: whole short games; ``tests.campaigns.http_games`` plays as many as asked."""
    contract = Contract.of(client.get("/openapi.json").content)
    game = Stranger(client, "crimson-tide", 100 + seed, contract.check if seed == 0 else str)
    assert game.play()["status"] == "finished"


@pytest.mark.parametrize("ruleset", SHORT)
def test_b10_folding_the_events_gives_the_view_at_every_version(
    client: TestClient[Any], ruleset: str
) -> None:
    rules = games()[ruleset]
    codec: Codec[Any] = Codec(rules)
    game = Stranger(client, ruleset, 11)
    game.play(OPENING)
    for token in ("", *game.tokens.values()):
        me = {"Authorization": f"Bearer {token}"} if token else {}
        state: Any = None
        for line in lines(client, game.path, token):
            event = json.loads(line)
            if not event["type"].startswith("decklog."):
                data = msgspec.json.encode(event["data"])
                state = rules.evolve(
                    state, codec.decode(event["type"], event["schemaVersion"], data)
                )
            if state is None:
                continue
            view = client.get(f"{game.path}/view?at={event['seq']}", headers=me)
            assert named_version(view.headers["etag"]) == event["seq"]
            assert view.json()["version"] == event["seq"]
            assert view.json()["state"] == json.loads(ENCODER.encode(full(state)))

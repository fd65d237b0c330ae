"""The log over HTTP: its files as they are, and nothing else of the folder."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.log.checkpoint import open_checkpoint
from service.log.note import read_key
from service.log.proof import decoded
from service.log.tiles import entries_of, nodes_from, tiles_of, unbundled
from service.log.tree import root
from service.settings import Settings
from tests.support.pennant import GAME

NEW = {"ruleset": "pennant", "options": {"turns": 4}}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Any]]:
    settings = Settings(
        database=tmp_path / "decklog.sqlite", chain_length=256, log_level="WARNING",
        log_dir=str(tmp_path / "log"), log_name="example.org/log",
    )  # fmt: skip
    with TestClient(create_app(settings, {"pennant": GAME})) as client:
        yield client


def signed(client: TestClient[Any]) -> httpx.Response:
    """A game is made, and the checkpoint that covers it."""
    made = client.post("/v1/games", json=NEW, headers={"Idempotency-Key": "k" * 32})
    assert made.status_code == 201
    end = time.monotonic() + 20
    while (found := client.get("/log/checkpoint")).status_code != 200:
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


def test_a_stranger_reads_the_whole_log(client: TestClient[Any]) -> None:
    found = signed(client)
    key = client.app.state.http.desk.public_log.key
    _, checkpoint = open_checkpoint(found.text, key)
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    assert found.headers["cache-control"] == "no-cache"
    assert found.headers["access-control-allow-origin"] == "*"

    def fetch(path: str) -> bytes:
        tile = client.get(f"/log/{path}")
        assert tile.status_code == 200
        assert tile.headers["cache-control"].endswith("immutable")
        return tile.content

    assert root(checkpoint.size, nodes_from(fetch, checkpoint.size)) == checkpoint.root
    (leaves,) = entries_of(0, checkpoint.size)
    assert len(unbundled(leaves, fetch(leaves.path))) == checkpoint.size
    assert client.get("/log/key").text == f"{key}\n"
    head = client.head("/log/checkpoint")
    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) == len(found.content)


@pytest.mark.parametrize(
    "path",
    [
        "", ".lock", "head", "checkpoint.new", "tile/0/000", "tile/0/001", "tile/%2e%2e/checkpoint",
        "%2e%2e/decklog.sqlite", "../decklog.sqlite", "tile/entries/000.p/255", "cosigned",
    ],
)  # fmt: skip
def test_nothing_else_is_given(client: TestClient[Any], path: str) -> None:
    signed(client)
    found = client.get(f"/log/{path}")
    assert found.status_code == 404
    assert found.json()["code"] == "route.not-found"


def test_it_takes_nothing(client: TestClient[Any]) -> None:
    signed(client)
    assert client.post("/log/checkpoint", content=b"x").status_code == 404


def test_what_is_counted_names_no_path(client: TestClient[Any]) -> None:
    signed(client)
    (tile, *_) = tiles_of(0, 1)
    client.get(f"/log/{tile.path}")
    told = client.get("/metrics").text
    assert 'route="/log/{path}"' in told
    assert "tile/" not in told
    assert "decklog_log_waiting_seconds" in told


def test_the_service_names_its_key_and_its_newest_checkpoint(client: TestClient[Any]) -> None:
    """So that whoever asks it anything can keep a head, and compare it later."""
    told = client.get("/v1").json()
    key = read_key(told["logKey"])
    assert (key.name, told["checkpoint"]) == ("example.org/log", None)
    began = time.time()
    _, first = open_checkpoint(signed(client).text, key)
    answer = client.get("/v1")
    named = answer.json()["checkpoint"]
    assert (named["size"], decoded(named["root"])) == (first.size, first.root)
    at = datetime.fromisoformat(named["publishedAt"]).timestamp()
    assert began - 1 < at <= time.time()
    tag = answer.headers["etag"]
    assert client.get("/v1", headers={"If-None-Match": tag}).status_code == 304
    made = client.post("/v1/games", json=NEW, headers={"Idempotency-Key": "l" * 32})
    assert made.status_code == 201
    end = time.monotonic() + 20
    while (later := client.get("/v1", headers={"If-None-Match": tag})).status_code == 304:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert later.json()["checkpoint"]["size"] > first.size


@pytest.mark.parametrize("damaged", [b"", b"example.org/log\n", b"\xff"])
def test_a_checkpoint_that_cannot_be_read_is_not_told_as_none(
    client: TestClient[Any], tmp_path: Path, damaged: bytes
) -> None:
    signed(client)
    (tmp_path / "log" / "checkpoint").write_bytes(damaged)
    answer = client.get("/v1")
    assert (answer.status_code, answer.json()["code"]) == (503, "store.unavailable")


def test_without_a_folder_there_is_no_log(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "decklog.sqlite", log_level="WARNING")
    with TestClient(create_app(settings, {"pennant": GAME})) as client:
        assert client.get("/log/checkpoint").status_code == 404
        named = client.get("/v1").json()
        assert (named["logKey"], named["checkpoint"]) == ("", None)
        told = client.get("/metrics").text
        assert "\ndecklog_log_waiting_seconds " not in told

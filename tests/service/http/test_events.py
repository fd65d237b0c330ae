"""The same events as a page, as lines and as a stream; resumed anywhere, none lost or doubled."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.settings import Settings
from tests.service.http.table import Match, Table, code
from tests.support.contract import Contract
from tests.support.pennant import GAME
from tests.support.server import Running, running

NDJSON = {"Accept": "application/x-ndjson"}
SSE = {"Accept": "text/event-stream"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("server")
    with running(folder, "pennant", stream_ping="0.3", chain_length=256) as server:
        yield server


@pytest.fixture
def live(server: Running) -> Iterator[Table]:
    """A table at a real server, for what an in-process client cannot do."""
    with httpx.Client(base_url=server.url, timeout=20) as client:
        yield Table.at(client)


def frames(text: str) -> list[dict[str, str]]:
    """Server-sent events, field by field; comments and the retry line are left out."""
    found = []
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        fields = dict(line.split(": ", 1) for line in lines)
        if "data" in fields:
            found.append(fields)
    return found


def test_page_lines_and_stream_are_byte_for_byte_the_same(live: Table) -> None:
    match = live.create()
    live.play_out(match)
    for token in ("", match.tokens["p1"], match.tokens["p2"]):
        path = f"{match.path}/events"
        page = live.get(path, token).content
        lines = live.ask("GET", path, token, NDJSON).text.splitlines()
        sent = frames(live.ask("GET", path, token, SSE).text)

        assert page == b'{"items":[' + ",".join(lines).encode() + b'],"next":null}'
        assert [frame["data"] for frame in sent] == lines
        events = [json.loads(line) for line in lines]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert [frame["id"] for frame in sent] == [str(event["seq"]) for event in events]
        assert [frame["event"] for frame in sent] == [event["type"] for event in events]


def test_every_cut_point_resumes_without_loss_or_doubling(live: Table) -> None:
    match = live.create()
    live.play_out(match)
    path = f"{match.path}/events"
    whole = live.ask("GET", path, "", NDJSON).text.splitlines()
    for cut in range(len(whole)):
        assert live.ask("GET", f"{path}?after={cut}", "", NDJSON).text.splitlines() == whole[cut:]
        resumed = live.ask("GET", f"{path}?after=0", "", {**SSE, "Last-Event-ID": str(cut)})
        assert [frame["data"] for frame in frames(resumed.text)] == whole[cut:]


def test_pages_follow_their_cursor_to_the_end(live: Table) -> None:
    match = live.create()
    live.play_out(match)
    path, seqs, turned = f"{match.path}/events?limit=3", [], 0
    while path:
        page = live.get(path)
        seqs += [event["seq"] for event in page.json()["items"]]
        link = page.links.get("next")
        assert (link is None) == (page.json()["next"] is None)
        path, turned = link["url"] if link else "", turned + 1
    assert seqs == list(range(1, live.version(match) + 1))
    assert turned > 2


def test_past_the_last_event_of_a_finished_game_there_is_no_content(live: Table) -> None:
    match = live.create()
    live.play_out(match)
    last = live.version(match)
    path = f"{match.path}/events?after={last}"
    assert live.ask("GET", path, "", SSE).status_code == 204
    assert live.ask("GET", path, "", NDJSON).status_code == 204
    assert live.get(path).json() == {"items": [], "next": None}
    resumed = live.ask("GET", f"{match.path}/events", "", {**SSE, "Last-Event-ID": str(last)})
    assert resumed.status_code == 204


def test_a_stream_shows_events_as_they_happen_and_closes_after_the_last(live: Table) -> None:
    match = live.create()
    seen: list[str] = []
    ready = threading.Event()

    def listen() -> None:
        path = f"{match.path}/events"
        with live.client.stream("GET", path, headers=SSE, timeout=20) as stream:
            for line in stream.iter_lines():
                seen.append(line)
                ready.set()

    listener = threading.Thread(target=listen)
    listener.start()
    assert ready.wait(10)
    live.play_out(match)
    listener.join(10)

    assert not listener.is_alive()
    assert seen[0] == "retry: 2000"
    whole = live.ask("GET", f"{match.path}/events", "", NDJSON).text.splitlines()
    assert [line.removeprefix("data: ") for line in seen if line.startswith("data: ")] == whole


def test_a_revoked_token_ends_its_streams(live: Table) -> None:
    match = live.create()
    token = match.tokens["p1"]
    fields = {**SSE, "Authorization": f"Bearer {token}"}
    path = f"{match.path}/events?after={live.version(match)}"
    with live.client.stream("GET", path, headers=fields, timeout=20) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "retry: 2000"
        assert live.ask("DELETE", "/v1/token", token).status_code == 204
        done = live.command(match, "p2", {"type": "pennant.choose", "colour": "bold"})
        assert done.status_code == 200
        assert not [line for line in lines if line.startswith("data: ")]


def test_a_silent_stream_gives_signs_of_life(live: Table) -> None:
    match = live.create()
    version = live.version(match)
    path = f"{match.path}/events?after={version}"
    with live.client.stream("GET", path, headers=SSE) as stream:
        comments = [line for line, _ in zip(_comments(stream), range(2), strict=False)]
    assert comments == [": still here", ": still here"]
    with live.client.stream("GET", path, headers=NDJSON) as stream:
        assert next(stream.iter_raw(), b"") == b"\n"


def _comments(stream: httpx.Response) -> Iterator[str]:
    return (line for line in stream.iter_lines() if line.startswith(":"))


def test_lines_without_following_end_at_the_present(live: Table) -> None:
    match = live.create()
    live.choose_colours(match)
    lines = live.ask("GET", f"{match.path}/events?follow=false", "", NDJSON).text.splitlines()
    assert len(lines) == live.version(match)


def test_a_seat_sees_its_own_secret_and_the_other_its_shape(live: Table) -> None:
    match = live.create()
    live.command(match, "p1", {"type": "pennant.choose", "colour": "bold"})
    own, other, public = (
        live.get(f"{match.path}/events", token).json()["items"]
        for token in (match.tokens["p1"], match.tokens["p2"], "")
    )
    assert own[-1]["data"]["choice"] == {"sight": "known", "items": ["bold"]}
    assert other == public
    assert [(e["seq"], e["type"]) for e in own] == [(e["seq"], e["type"]) for e in other]
    assert "bold" not in json.dumps(other)


def test_more_streams_than_a_caller_may_have(live: Table, server: Running) -> None:
    match = live.create()
    token = match.tokens["p1"]
    limit = live.get("/v1").json()["limits"]["streams"]
    with httpx.Client(base_url=server.url, timeout=20) as client:
        opened = []
        for _ in range(limit):
            request = client.build_request(
                "GET", f"{match.path}/events", headers=SSE | {"Authorization": f"Bearer {token}"}
            )
            opened.append(client.send(request, stream=True))
        refused = live.ask("GET", f"{match.path}/events", token, SSE)
        assert (refused.status_code, refused.json()["code"]) == (429, "streams.too-many")
        assert int(refused.headers["retry-after"]) > 0
        assert live.get(f"{match.path}/events", token).status_code == 200
        for stream in opened:
            stream.close()


@contextmanager
def seated(folder: Path) -> Iterator[tuple[Running, httpx.Client]]:
    """A server of its own and a client of it."""
    with (
        running(folder, "pennant", chain_length=256) as server,
        httpx.Client(base_url=server.url, timeout=20) as client,
    ):
        yield server, client


def test_a_stop_ends_the_streams_and_a_restart_resumes_them(tmp_path: Path) -> None:
    with seated(tmp_path) as (server, client):
        table = Table.at(client)
        match: Match = table.create()
        table.choose_colours(match)
        before = table.version(match)
        with client.stream("GET", f"{match.path}/events", headers=NDJSON) as stream:
            lines = stream.iter_lines()
            seen = [next(lines) for _ in range(before)]
            assert server.stop() == 0
            assert [line for line in lines if line] == []
    with seated(tmp_path) as (_, client):
        path = f"{match.path}/events?after={len(seen)}&follow=false"
        assert client.get(path, headers=NDJSON).text == ""
        whole = client.get(f"{match.path}/events?follow=false", headers=NDJSON)
        assert whole.text.splitlines() == seen


def test_a_stream_that_is_refused_takes_no_place(settings: Settings) -> None:
    """Bug: the viewer was looked at after the place was taken, which nobody gave back."""
    few = msgspec.structs.replace(settings, stream_limit=1)
    app = create_app(few, {"pennant": GAME})
    with TestClient(app) as client:
        table = Table(client, Contract.of(app.state.http.describe()))
        match = table.create()
        for _ in range(3):
            path = f"{match.path}/events?follow=false&as=p2"
            assert code(table.ask("GET", path, match.tokens["p1"], NDJSON)) == "viewer.not-entitled"
        found = table.ask("GET", f"{match.path}/events?follow=false", match.tokens["p1"], NDJSON)
        assert found.status_code == 200, found.text

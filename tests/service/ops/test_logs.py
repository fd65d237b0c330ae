"""The log names what happened and never whose token it was."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from domain.kernel.finder import games as installed
from service.app import create_app
from service.http.refusals import LOG
from service.ops import logs
from service.settings import Settings
from service.views.reader import Reader
from tests.service.ops.play import Played, bearer, create, key, play
from tests.support.pennant import GAME
from tests.support.server import Running, running

KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdeffedcba9876543210"
TOKEN = "dl_seat_0123456789abcdef_" + "s" * 43 + "_00000000"
FORMS: dict[str, str] = {
    "time": r"[-+:T0-9]+",
    "level": "DEBUG|INFO|WARNING|ERROR",
    "logger": r"decklog\.access",
    "message": "answered",
    "request_id": r"[A-Za-z0-9-]{8,64}",
    "method": "GET|POST|DELETE|OPTIONS|HEAD|PUT|PATCH|OTHER",
    "route": r"unmatched|(/[a-z0-9.-]*|/\{[a-z]+(:path)?\})+",
    "status": r"[1-5][0-9][0-9]",
    "duration_ms": r"[0-9]+\.[0-9]+",
    "game": r"([0-9a-f]{32})?",
    "seat_kind": "seat|organiser|auditor|spectator|invitation|onlooker",
    "code": r"([a-z-]+\.[a-z-]+)?",
}
"""Everything that the line of a request may hold: a card or a token has no place in it."""


def stray(client: httpx.Client, game: Played) -> int:
    """Requests that go wrong in many ways, with secrets where they do not belong; how many."""
    token = next(iter(game.tokens.values()))
    path, mine = game.path, bearer(token)
    wrong = {**bearer(token[:-4] + "zzzz"), **key()}
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", path, {"headers": bearer(token[:-1])}),
        ("GET", path, {"headers": {"Authorization": f"Basic {token}"}}),
        ("GET", f"/v1/{token}", {}),
        ("GET", f"{path}?token={token}", {}),
        ("GET", f"{path}/view?at={token}", {"headers": mine}),
        ("GET", f"/v1/games/{token}", {}),
        ("GET", f"{path}/rolls/{token}", {}),
        ("DELETE", path, {"headers": mine}),
        ("PURGE", path, {"headers": mine}),
        ("POST", f"{path}/commands", {"headers": wrong, "json": {"type": token}}),
        ("POST", f"{path}/commands", {"headers": {**mine, **key()}, "content": token}),
        ("POST", f"{path}/seats", {"headers": key(), "json": {"invitation": token, "seat": "p1"}}),
        ("POST", "/v1/games", {"headers": {**mine, **key()}, "json": {"ruleset": token}}),
        ("GET", "/v1", {"headers": {"X-Request-Id": token, "Accept": token}}),
        ("GET", f"{path}/events", {"headers": {**mine, "Last-Event-ID": token}}),
    ]
    for method, where, fields in asked:
        answer = client.request(method, where, **fields)
        assert answer.headers["x-request-id"] != token
    return len(asked)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[Played]]:
    """All lines of a server at DEBUG after games of every ruleset, and those games."""
    folder = tmp_path_factory.mktemp("logs")
    known: dict[str, Any] = {"key": KEY, "log": "json", "log_level": "DEBUG", "chain_length": 256}
    played: list[Played] = []
    with running(folder, "both", **known) as server:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            for ruleset in (*installed(), "pennant", "soundings"):
                played.append(create(client, ruleset))
                play(client, played[-1], 6)
                stray(client, played[-1])
        _settled(server)
        assert server.stop() == 0
    return server.lines, played


def _settled(server: Running) -> None:
    """Until the last answer is in the log."""
    id_ = "the-last-request"
    httpx.get(server.url + "/v1", headers={"X-Request-Id": id_})
    until = time.monotonic() + 10
    while not any(id_ in line for line in list(server.lines)):
        assert time.monotonic() < until, server.lines[-3:]
        time.sleep(0.02)


def test_no_token_and_no_secret_is_in_any_line(told: tuple[list[str], list[Played]]) -> None:
    lines, played = told
    text = "\n".join(lines)
    secrets = [KEY, *(t for game in played for t in (*game.tokens.values(), game.organiser))]
    assert len(secrets) > 2 * len(installed())
    for secret in secrets:
        # Of a token also what is secret in it: 43 letters before the check sum.
        parts = {secret, secret[:-9], secret[-52:-9]}
        assert [part for part in parts if part in text] == []
    assert "dl_" not in text.replace("dl_***", "")


def test_every_request_is_one_line_of_known_facts(told: tuple[list[str], list[Played]]) -> None:
    lines, played = told
    found = [json.loads(line) for line in lines if line.startswith("{")]
    requests = [each for each in found if each["logger"] == "decklog.access"]
    assert len(requests) > 20 * len(played)
    for each in requests:
        assert set(each) == set(FORMS), each
        for name, value in each.items():
            assert re.fullmatch(FORMS[name], str(value)), (name, value)
    kinds = {(each["game"], each["seat_kind"]) for each in requests}
    assert {(game.id, kind) for game in played for kind in ("seat", "onlooker")} <= kinds
    assert {each["status"] for each in requests} >= {200, 201, 401, 404, 405, 422}
    assert {"token.invalid", "route.not-found"} <= {each["code"] for each in requests}
    ids = [each["request_id"] for each in requests]
    assert len(set(ids)) == len(ids)


def test_probes_are_for_debug(
    table_client: TestClient[Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="decklog.access"):
        for path in ("/healthz", "/readyz", "/metrics", "/v1"):
            table_client.get(path)
    found = [vars(record) for record in caplog.records]
    levels = {each["route"]: each["levelname"] for each in found if "route" in each}
    probes = dict.fromkeys(("/healthz", "/readyz", "/metrics"), "DEBUG")
    assert levels == {**probes, "/v1": "INFO"}


@pytest.fixture
def table_client(tmp_path: Path) -> Iterator[TestClient[Any]]:
    settings = Settings(database=tmp_path / "log.sqlite", rate_limit=0, chain_length=64, log="json")
    with TestClient(create_app(settings, {"pennant": GAME})) as client:
        yield client


def test_a_fault_leaves_its_trace_under_the_id_that_the_answer_shows(
    table_client: TestClient[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError(f"the insides of {TOKEN}")

    written = io.StringIO()
    (console,) = (h for h in logging.getLogger().handlers if h.name == "console")
    assert isinstance(console, logging.StreamHandler)
    monkeypatch.setattr(console, "stream", written)
    monkeypatch.setattr(Reader, "lobby", broken)
    answer = table_client.get("/v1/games", headers={"X-Request-Id": "my-own-id-1"})
    assert answer.status_code == 500
    assert answer.headers["x-request-id"] == "my-own-id-1"
    assert "insides" not in answer.text
    assert "Traceback" not in answer.text
    console.flush()
    fault, request = map(json.loads, written.getvalue().splitlines())
    assert fault["request_id"] == request["request_id"] == "my-own-id-1"
    assert fault["level"] == "ERROR"
    assert "RuntimeError: the insides of dl_***" in fault["exc_info"]
    assert "in broken" in fault["exc_info"]
    assert (request["status"], request["code"]) == (500, "internal.error")


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_slips_into_a_message_is_masked(form: Any, tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "x.sqlite", key=KEY, log=form)
    try:
        raise ValueError(f"no such token: {TOKEN}")
    except ValueError as error:
        record = LOG.makeRecord(
            LOG.name, logging.ERROR, "f", 1,
            "with %s at postgresql://decklog:hunter2@db/x by Bearer abcdefghijk",
            (KEY,), (type(error), error, error.__traceback__),
        )  # fmt: skip
    record.request_id = "abcdefgh"
    line = logs.formatter(settings).format(record)
    assert ("\n" in line) == (form == "text")
    assert {"ValueError", "Traceback", "abcdefgh"} <= set(re.findall(r"\w+", line))
    for secret in (TOKEN, TOKEN[20:40], KEY, "hunter2", "abcdefghijk"):
        assert secret not in line


def test_the_engine_logs_under_the_id_of_the_request(
    table_client: TestClient[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def spy(*_: object, **__: object) -> None:
        seen.append(logs.REQUEST_ID.get())
        raise RuntimeError("on the engine's thread")

    monkeypatch.setattr("service.play.writer.open_game", spy)
    asked = {**key(), "X-Request-Id": "from-the-caller"}
    answer = table_client.post("/v1/games", json={"ruleset": "pennant"}, headers=asked)
    assert answer.status_code == 500
    assert seen == ["from-the-caller"]


class Paper(io.StringIO):
    """Remembers each write by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, text: str) -> int:
        self.writes.append(text)
        return super().write(text)


@pytest.fixture
def paper() -> Iterator[tuple[Paper, logging.Logger]]:
    """A logger whose lines come on paper."""
    written, logger = Paper(), logging.getLogger("tests.paper")
    handler = logs.TurnLines(written)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    yield written, logger
    logger.removeHandler(handler)
    handler.close()


def test_lines_of_one_turn_of_the_loop_go_out_together(
    paper: tuple[Paper, logging.Logger],
) -> None:
    written, logger = paper

    async def run() -> None:
        for number in range(3):
            logger.info("line %d", number)
        assert written.writes == []
        await asyncio.sleep(0)
        assert written.writes == ["line 0\nline 1\nline 2\n"]
        logger.info("later")
        await asyncio.sleep(0)
        assert written.writes[1:] == ["later\n"]

    asyncio.run(run())


def test_warnings_and_what_other_threads_say_go_out_at_once_and_in_order(
    paper: tuple[Paper, logging.Logger],
) -> None:
    written, logger = paper

    async def run() -> None:
        logger.info("first")
        logger.warning("second")
        assert written.writes == ["first\nsecond\n"]
        logger.info("third")
        await asyncio.to_thread(logger.info, "fourth")
        assert written.getvalue() == "first\nsecond\nthird\nfourth\n"

    asyncio.run(run())
    logger.info("fifth")
    assert written.writes[-1] == "fifth\n"


def test_no_line_is_lost_with_its_loop(paper: tuple[Paper, logging.Logger]) -> None:
    written, logger = paper

    async def run(line: str) -> None:
        asyncio.get_running_loop().call_soon(logger.info, line)

    for line in ("one", "two"):
        loop = asyncio.new_event_loop()
        loop.run_until_complete(run(line))
        loop.close()
    logger.handlers[0].flush()
    assert written.getvalue() == "one\ntwo\n"


def test_a_farewell_after_the_stream_was_closed_goes_to_standard_error_or_nowhere(
    paper: tuple[Paper, logging.Logger], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library's, at the end of a process: the stream of the start was somebody else's."""
    (written, logger), last = paper, Paper()
    monkeypatch.setattr("sys.stderr", last)
    written.close()
    logger.info("one line")
    assert last.writes == ["one line\n"]
    last.close()
    logger.info("nobody hears it")
    assert last.writes == ["one line\n"]


def test_the_time_of_a_line_is_as_the_library_has_it() -> None:
    """Though its second is written out once for all lines that share it."""
    lines, usual = logs.PlainLines(()), logging.Formatter("%(asctime)s")
    for at in (1_700_000_000.0, 1_700_000_000.0709, 1_700_000_000.9999, 1_700_000_001.5, 0.25):
        record = logging.makeLogRecord({"msg": "it", "created": at, "msecs": at % 1 * 1000})
        assert lines.format(record).startswith(usual.format(record) + " ")

"""A PostgreSQL that stands still keeps its connections open: who asks waits a moment, no longer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.errors import StoreUnavailable
from service.store.offices import LEASE, RENEW, Offices
from service.store.postgres import PostgresRecorder
from tests.service.ops.play import create, key
from tests.support import postgres
from tests.support.postgres import PostgresServer
from tests.support.server import running

PATIENCE = 1
MOST = 2.5
"""Seconds: the patience, and how long a busy machine may take to notice."""


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with postgres.server() as own:
        yield own


@pytest.fixture
def recorder(server: PostgresServer) -> Iterator[PostgresRecorder]:
    made = PostgresRecorder(server.address, PATIENCE)
    made.prepare()
    yield made
    made.close()


def seconds(work: Callable[[], object]) -> float:
    """How long it takes to fail."""
    begun = time.monotonic()
    with pytest.raises(StoreUnavailable):
        work()
    return time.monotonic() - begun


QUESTIONS: dict[str, Callable[[PostgresRecorder], object]] = {
    "a query": lambda r: r.query("SELECT 1"),
    "a commit": lambda r: r.put([], [("DELETE FROM lost WHERE game = ?", ("x",))]),
    "an exchange": lambda r: r.exchange([("DELETE FROM lost WHERE game = ?", ("x",))], []),
    "the end of the log": lambda r: r.settled(),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_fails_in_time_and_works_again(
    name: str, server: PostgresServer, recorder: PostgresRecorder
) -> None:
    recorder.query("SELECT 1")
    with server.hanging():
        assert PATIENCE / 2 < seconds(lambda: QUESTIONS[name](recorder)) < MOST
    assert again(lambda: recorder.query("SELECT 1")) == [(1,)]


def test_many_who_ask_at_once_wait_no_longer(
    server: PostgresServer, recorder: PostgresRecorder
) -> None:
    with server.hanging(), ThreadPoolExecutor(12) as pool:
        asked = [pool.submit(seconds, lambda: recorder.query("SELECT 1")) for _ in range(12)]
        assert max(each.result() for each in asked) < MOST


def test_who_asks_behind_others_waits_no_longer_than_they(
    server: PostgresServer, recorder: PostgresRecorder
) -> None:
    """Threads are few: a request that waits for one has waited for the store."""
    begun = time.monotonic()
    with server.hanging(), ThreadPoolExecutor(1) as pool:
        asked = [pool.submit(seconds, lambda: recorder.query("SELECT 1")) for _ in range(3)]
        assert [each.result() > 0 for each in asked] == [True] * 3
        assert time.monotonic() - begun < MOST
    assert again(lambda: recorder.query("SELECT 1")) == [(1,)]


def test_a_store_that_answers_slowly_is_not_a_silent_one(
    server: PostgresServer, recorder: PostgresRecorder
) -> None:
    """After a silence the first word gives everybody the whole time again."""
    with server.hanging():
        seconds(lambda: recorder.query("SELECT 1"))
    again(lambda: recorder.query("SELECT 1"))
    assert recorder.query("SELECT 1 FROM pg_sleep(0.8)") == [(1,)]


def test_a_refusal_of_the_server_ends_a_silence(
    server: PostgresServer, recorder: PostgresRecorder
) -> None:
    silence = recorder._silence
    begun = silence.until()
    time.sleep(PATIENCE / 4)
    assert silence.until() == begun, "one silence for all"
    with pytest.raises(StoreUnavailable):
        recorder.query("SELECT nothing")
    assert silence.until() > begun


def test_who_holds_an_office_is_not_known_for_long(
    server: PostgresServer, recorder: PostgresRecorder
) -> None:
    assert recorder.lead("an office")
    time.sleep(RENEW)
    with server.hanging():
        begun = time.monotonic()
        assert not recorder.lead("an office")
        assert time.monotonic() - begun < MOST


def test_a_request_fails_in_time(server: PostgresServer, tmp_path: Path) -> None:
    told = {"store": server.address, "key": postgres.KEY, "store_busy_seconds": PATIENCE}
    with (
        running(tmp_path, "pennant", chain_length=64, **told) as service,
        httpx.Client(base_url=service.url, timeout=60) as client,
    ):
        game = create(client, "pennant")
        with server.hanging():
            new, none = {"ruleset": "pennant"}, None
            everything = (("GET", "/v1/games", none), ("POST", "/v1/games", new))
            for method, path, body in (*everything, ("GET", game.path, none)):
                begun = time.monotonic()
                answer = client.request(method, path, json=body, headers=key())
                assert (answer.status_code, answer.json()["code"]) == (503, "store.unavailable")
                assert time.monotonic() - begun < MOST
        assert again(lambda: client.get(game.path).raise_for_status()).status_code == 200


def again(work: Callable[[], Any]) -> Any:
    """What comes of it, as soon as it works."""
    until = time.monotonic() + 20
    while True:
        try:
            return work()
        except (StoreUnavailable, httpx.HTTPError):
            assert time.monotonic() < until
            time.sleep(0.1)


# Offices


class Table:
    """The row of an office as a database keeps it, and a time that is moved by hand."""

    def __init__(self) -> None:
        self.row: tuple[str, int] | None = None
        self.now = 100.0

    def ask(self, sql: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        if sql.startswith("SELECT"):
            return [self.row] if self.row else []
        if sql.startswith("INSERT"):
            if self.row is not None:
                return []
            self.row = (parameters[1], 0)
            return [(0,)]
        if sql.startswith("UPDATE"):
            if self.row != parameters[2:]:
                return []
            self.row = (parameters[0], parameters[3] + 1)
            return [(self.row[1],)]
        self.row = None if self.row and self.row[0] == parameters[0] else self.row
        return []

    def office(self) -> Offices:
        return Offices(self.ask, lambda: self.now)


def test_an_office_has_one_holder_who_says_that_it_lives() -> None:
    table = Table()
    one, two = table.office(), table.office()
    for _ in range(20):
        assert one.lead("x")
        assert not two.lead("x")
        table.now += LEASE / 2


def test_an_office_is_taken_over_from_who_is_silent_and_not_before() -> None:
    table = Table()
    one, two, three = table.office(), table.office(), table.office()
    assert one.lead("x")
    assert not two.lead("x")
    table.now += LEASE
    assert not two.lead("x"), "it may live just so long"
    table.now += 0.1
    assert two.lead("x")
    assert not one.lead("x"), "it was silent for longer than it is sure"
    assert not three.lead("x")


def test_an_office_that_is_left_is_free_at_once() -> None:
    table = Table()
    one, two = table.office(), table.office()
    assert one.lead("x")
    assert not two.lead("x")
    one.leave()
    assert two.lead("x")

"""Two workers with a Redis between them: news is soon there, quotas are common, and without it
everything goes on."""

from __future__ import annotations

import contextlib
import statistics
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import httpx
import msgspec
import pytest

from service.desk import HINTED_SECONDS, WATCH_SECONDS
from tests.service.http.table import Match, Table
from tests.support import postgres, redis
from tests.support.redis import RedisServer
from tests.support.server import Running, running

NDJSON = {"Accept": "application/x-ndjson"}
QUOTA = 240
COMMANDS = 20


@dataclass
class Pair:
    """Two workers, and the Redis between them."""

    servers: tuple[Running, Running]
    redis: RedisServer
    one: Table
    two: Table


@pytest.fixture(scope="module")
def workers(postgresql: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    tmp_path = tmp_path_factory.mktemp("pair")
    with redis.running(tmp_path) as between:
        told: dict[str, Any] = {
            "chain_length": 64,
            "store": postgres.place(postgresql, str(tmp_path)),
            "key": postgres.KEY,
            "redis": between.address,
            "rate_limit": QUOTA,
        }
        with (
            running(tmp_path, "pennant", **told) as first,
            running(tmp_path, "pennant", **told) as second,
            httpx.Client(base_url=first.url, timeout=20) as one,
            httpx.Client(base_url=second.url, timeout=20) as two,
        ):
            yield Pair((first, second), between, Table.at(one), Table.at(two))


LINES = 4
"""Of two workers: each asks by one line and listens by another."""


@pytest.fixture
def pair(workers: Pair) -> Pair:
    """Both have found Redis, which a test before may have harmed."""
    until = time.monotonic() + 20
    with workers.redis.client() as client:
        while len(client.client_list()) <= LINES:
            assert time.monotonic() < until, "a worker does not come back to Redis"
            for table in (workers.one, workers.two):  # who asks nothing does not look for it
                table.get("/v1")
            time.sleep(0.05)
    return workers


class Listener(threading.Thread):
    """Follows a game at a worker, and notes when each event came."""

    def __init__(self, url: str, match: Match) -> None:
        super().__init__(daemon=True)
        self.came: dict[int, float] = {}
        self._url = f"{url}{match.path}/events"

    def run(self) -> None:
        with (
            contextlib.suppress(httpx.TransportError),
            httpx.stream("GET", self._url, headers=NDJSON, timeout=30) as stream,
        ):
            for line in stream.iter_lines():
                if line:
                    self.came[msgspec.json.decode(line)["seq"]] = time.monotonic()

    def has(self, seq: int) -> bool:
        """Whether the event comes, soon."""
        until = time.monotonic() + 10
        while seq not in self.came and time.monotonic() < until:
            time.sleep(0.01)
        return seq in self.came


def delays(table: Table, match: Match, listener: Listener, many: int) -> list[float]:
    """Seconds from the answer at one worker to the event at the other, command by command."""
    found = []
    for _ in range(many):
        game = table.get(match.path).json()
        seat = game["toMove"][0]["seat"]
        done = table.command(match, seat, {"type": "pennant.pass"}, game["version"])
        answered = time.monotonic()
        version = done.json()["version"]
        assert listener.has(version), "the event never came"
        found.append(listener.came[version] - answered)
    return found


def test_news_comes_through_redis_and_without_it_by_asking(pair: Pair) -> None:
    match = pair.one.create(options={"turns": 1_000})
    pair.one.choose_colours(match)
    listener = Listener(pair.servers[1].url, match)
    listener.start()
    assert listener.has(pair.one.version(match))
    hinted = statistics.median(delays(pair.one, match, listener, COMMANDS))
    pair.redis.kill()
    time.sleep(HINTED_SECONDS)
    asked = statistics.median(delays(pair.one, match, listener, COMMANDS // 2))
    print(f"behind the answer: {hinted * 1000:.1f} ms with Redis, {asked * 1000:.1f} ms without")
    assert hinted < HINTED_SECONDS / 4, "sooner than by asking the store"
    assert asked < WATCH_SECONDS + 1
    pair.redis.start()
    assert sorted(listener.came) == list(range(1, max(listener.came) + 1))


def test_the_quota_is_common_to_both_workers(pair: Pair) -> None:
    match = pair.one.create()
    token = match.tokens["p1"]
    began = time.monotonic()
    tables = cycle((pair.one, pair.two))
    answers = [next(tables).get(match.path, token) for _ in range(QUOTA + 60)]
    refilled = (time.monotonic() - began) * QUOTA / 60
    admitted = sum(answer.status_code == 200 for answer in answers)
    assert QUOTA <= admitted <= QUOTA * 1.01 + refilled
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.headers["ratelimit-policy"] == f'"requests";q={QUOTA};w=60'
    assert int(refused.headers["retry-after"]) >= 1
    for table in (pair.one, pair.two):
        assert table.get(match.path, match.tokens["p2"]).status_code == 200


def test_a_redis_that_says_nothing_holds_nobody_up(pair: Pair) -> None:
    match = pair.one.create()
    pair.redis.pause()
    waits = []
    for table in (pair.one, pair.two) * 10:
        began = time.monotonic()
        assert table.get(match.path, match.tokens["p1"]).status_code == 200
        waits.append(time.monotonic() - began)
    assert statistics.median(waits) < 0.2, "one request of each worker waits, the others do not"
    pair.redis.go_on()

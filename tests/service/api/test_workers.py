"""Two worker processes on one PostgreSQL: either may be asked, either may die."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tests.service.api.table import Match, Table, code
from tests.support import postgres
from tests.support.contract import Contract
from tests.support.server import Running, running

NDJSON = {"Accept": "application/x-ndjson"}
PLAYERS = 6
ENOUGH = 40
"""Commands that are acknowledged before one worker is killed, and after."""


@dataclass
class Pair:
    """Two workers, and a table at each."""

    servers: tuple[Running, Running]
    tables: tuple[Table, Table]


@pytest.fixture
def pair(postgresql: str, tmp_path: Path) -> Iterator[Pair]:
    shared = {"store": postgres.place(postgresql, str(tmp_path)), "key": postgres.KEY}
    told: dict[str, Any] = {"chain_length": 64, **shared}
    with (
        running(tmp_path, "pennant", **told) as one,
        running(tmp_path, "pennant", **told) as two,
        httpx.Client(base_url=one.url, timeout=20) as first,
        httpx.Client(base_url=two.url, timeout=20) as second,
    ):
        contract = Contract(first.get("/openapi.json").json())
        tables = (Table(first, contract), Table(second, contract))  # type: ignore[arg-type]
        yield Pair((one, two), tables)


def lines(url: str, match: Match, after: int, found: list[bytes]) -> None:
    """Follows the game until it ends or the worker does; what came, line by line."""
    path = f"{url}{match.path}/events?after={after}"
    try:
        with httpx.stream("GET", path, headers=NDJSON, timeout=30) as stream:
            found.extend(line.encode() for line in stream.iter_lines() if line)
    except httpx.HTTPError:
        return


def test_what_is_done_at_one_worker_is_seen_at_the_other(pair: Pair) -> None:
    one, two = pair.tables
    match = one.create()
    seen: list[bytes] = []
    listener = threading.Thread(target=lines, args=(pair.servers[1].url, match, 0, seen))
    listener.start()
    one.choose_colours(match)
    assert two.get(match.path).content == one.get(match.path).content
    assert two.options(match, "p1") == one.options(match, "p1")
    done = two.command(match, "p1", {"type": "pass"})
    assert done.status_code == 200
    stale = one.command(match, "p1", {"type": "pass"}, done.json()["version"] - 1)
    assert (code(stale), stale.json()["version"]) == ("version.stale", done.json()["version"])
    one.play_out(match)
    listener.join(20)
    assert not listener.is_alive()
    whole = two.ask("GET", f"{match.path}/events", "", NDJSON).content.splitlines()
    assert seen == whole
    assert two.get(f"{match.path}/evidence").content == one.get(f"{match.path}/evidence").content


def test_a_token_that_one_worker_revoked_is_soon_refused_by_the_other(pair: Pair) -> None:
    one, two = pair.tables
    match = one.create()
    token = match.tokens["p1"]
    assert two.get(match.path, token).status_code == 200
    assert one.ask("DELETE", "/v1/token", token).status_code == 204
    until = time.monotonic() + 10
    while two.get(match.path, token).status_code == 200:
        assert time.monotonic() < until
        time.sleep(0.1)
    assert code(two.get(match.path, token)) == "token.invalid"


def test_of_two_commands_at_two_workers_one_wins(pair: Pair) -> None:
    one, _ = pair.tables
    match = one.create()
    one.choose_colours(match)
    for _ in range(12):
        game = one.get(match.path).json()
        if game["status"] == "finished":
            match = one.create()
            one.choose_colours(match)
            continue
        seat, before = game["toMove"][0]["seat"], game["version"]

        def give(table: Table, match: Match = match, seat: str = seat, at: int = before) -> Any:
            return table.command(match, seat, {"type": "pass"}, at)

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(give, pair.tables))
        assert sorted(answer.status_code for answer in answers) == [200, 412], [
            answer.text for answer in answers
        ]


def test_one_key_at_two_workers_has_one_effect(pair: Pair) -> None:
    for _ in range(6):
        key = str(uuid.uuid4())
        with ThreadPoolExecutor(2) as pool:
            made = list(pool.map(lambda table: table.create(key=key), pair.tables))  # noqa: B023
        assert made[0].id == made[1].id
        assert made[0].tokens == made[1].tokens


@dataclass
class Log:
    """What players were told: by command id, the game and the version after it."""

    acknowledged: dict[str, tuple[str, int]] = field(default_factory=dict)
    keys: list[tuple[Match, str, dict[str, str], bytes]] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def reaches(self, many: int) -> bool:
        """Whether so many commands are acknowledged within a minute, without a fault."""
        until = time.monotonic() + 60
        while len(self.acknowledged) < many and not self.faults and time.monotonic() < until:
            time.sleep(0.05)
        return len(self.acknowledged) >= many


def ask(urls: list[str], method: str, path: str, **fields: Any) -> httpx.Response:
    """At the first worker; at the next one, with the same key, where that one does not answer."""
    for url in urls:
        try:
            return httpx.request(method, url + path, timeout=20, **fields)
        except httpx.TransportError:
            continue
    raise AssertionError("no worker answers")


def player(urls: list[str], log: Log) -> None:
    """Plays games until it is told to stop, each request at another worker than the one before."""
    number = 0
    match: Match | None = None
    while not log.stop.is_set():
        number += 1
        order = urls[number % 2 :] + urls[: number % 2]
        key = {"Idempotency-Key": str(uuid.uuid4())}
        if match is None:
            body = {"ruleset": "pennant", "options": {"turns": 30}}
            made = ask(order, "POST", "/v1/games", json=body, headers=key).json()
            tokens = {one["seat"]: one["token"] for one in made["tokens"]}
            match = Match(made["game"]["id"], tokens, "", httpx.Response(201))
            log.matches.append(match)
        game = ask(order, "GET", match.path).json()
        if game["status"] == "finished":
            match = None
            continue
        token = {"Authorization": f"Bearer {match.tokens[game['toMove'][0]['seat']]}"}
        offer = ask(order, "GET", f"{match.path}/commands", headers=token).json()
        body = offer["items"][0]["command"]
        fields = {**token, **key, "If-Match": f'"{offer["version"]}"'}
        done = ask(order, "POST", f"{match.path}/commands", json=body, headers=fields)
        if done.status_code != 200:
            log.faults.append(done.text)
            return
        told = done.json()
        log.acknowledged[told["command"]] = (match.id, told["version"])
        log.keys.append((match, done.text, fields, msgspec.json.encode(body)))


def test_a_worker_is_killed_under_load(pair: Pair) -> None:
    one, two = pair.servers
    log = Log()
    followed = pair.tables[1].create()
    seen: list[bytes] = []
    listener = threading.Thread(target=lines, args=(one.url, followed, 0, seen))
    listener.start()
    pair.tables[1].choose_colours(followed)
    players = [
        threading.Thread(target=player, args=([one.url, two.url], log)) for _ in range(PLAYERS)
    ]
    for each in players:
        each.start()
    assert log.reaches(ENOUGH)
    one.kill()
    at_the_kill = len(log.acknowledged)
    listener.join(20)
    assert log.reaches(at_the_kill + ENOUGH)
    log.stop.set()
    for each in players:
        each.join(60)
    assert log.faults == []
    check_once(pair.tables[1], log)
    check_repeated(two.url, log)
    pair.tables[1].play_out(followed)
    lines(two.url, followed, len(seen), seen)
    whole = pair.tables[1].ask("GET", f"{followed.path}/events", "", NDJSON).content.splitlines()
    assert seen == whole, "the stream goes on at the other worker without a gap"
    assert two.stop() == 0


def check_once(table: Table, log: Log) -> None:
    """Every acknowledged command is in its game's record once: in one run of events."""
    found: dict[str, tuple[str, int]] = {}
    for match in log.matches:
        text = table.ask("GET", f"{match.path}/events?follow=false", "", NDJSON).text
        events = [msgspec.json.decode(line) for line in text.splitlines()]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        before = ""
        for event in events:
            cause = event["causedBy"]
            assert not cause or cause == before or cause not in found, "done twice"
            found[cause] = (match.id, event["seq"])
            before = cause
    assert {id: found[id] for id in log.acknowledged} == log.acknowledged


def check_repeated(url: str, log: Log) -> None:
    """The answer under a key is the same from whichever worker is left."""
    for match, text, fields, body in log.keys[:: max(1, len(log.keys) // 40)]:
        headers = {**fields, "Content-Type": "application/json"}
        again = httpx.post(f"{url}{match.path}/commands", content=body, headers=headers, timeout=20)
        assert again.text == text
        assert again.headers["idempotency-replayed"] == "true"

"""Two worker processes on one PostgreSQL: either may be asked; tests/campaigns: or may die."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.service.http.table import Match, Table, code
from tests.support import postgres
from tests.support.server import Running, running

NDJSON = {"Accept": "application/x-ndjson"}


@dataclass
class Pair:
    """Two workers, and a table at each."""

    servers: tuple[Running, Running]
    tables: tuple[Table, Table]


@pytest.fixture(scope="module")
def pair(postgresql: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    tmp_path = tmp_path_factory.mktemp("pair")
    shared = {"store": postgres.place(postgresql, str(tmp_path)), "key": postgres.KEY}
    told: dict[str, Any] = {"chain_length": 64, **shared}
    with (
        running(tmp_path, "pennant", **told) as one,
        running(tmp_path, "pennant", **told) as two,
        httpx.Client(base_url=one.url, timeout=20) as first,
        httpx.Client(base_url=two.url, timeout=20) as second,
    ):
        yield Pair((one, two), (Table.at(first), Table.at(second)))


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
    done = two.command(match, "p1", {"type": "pennant.pass"})
    assert done.status_code == 200
    stale = one.command(match, "p1", {"type": "pennant.pass"}, done.json()["version"] - 1)
    assert (code(stale), stale.json()["version"]) == ("version.stale", done.json()["version"])
    one.play_out(match)
    listener.join(20)
    assert not listener.is_alive()
    whole = two.ask("GET", f"{match.path}/events", "", NDJSON).content.splitlines()
    assert seen == whole
    assert two.get(f"{match.path}/evidence").content == one.get(f"{match.path}/evidence").content


def own(url: str, tokens: str, cursor: str, most: int, found: list[tuple[str, str]]) -> None:
    """All games of these tokens in one stream, until so many events came; 0: all are over."""
    headers = {"Accept": "text/event-stream", "Decklog-Tokens": tokens, "Last-Event-ID": cursor}
    headers = {name: value for name, value in headers.items() if value}
    with httpx.stream("GET", f"{url}/v1/events", headers=headers, timeout=30) as stream:
        place = ""
        for line in stream.iter_lines():
            name, _, value = line.partition(": ")
            if name == "id":
                place = value
            elif name == "data" and place:
                found.append((place, value))
                place = ""
            if most and len(found) == most:
                return


def test_one_stream_of_all_games_is_cut_at_one_worker_and_resumed_at_the_other(pair: Pair) -> None:
    """Each game is played at another worker than the one that is listened to at its end."""
    (one, two), (first, second) = pair.tables, pair.servers
    matches = [one.create(), two.create()]
    tokens = " ".join(match.tokens["p1"] for match in matches)
    before: list[tuple[str, str]] = []
    listener = threading.Thread(target=own, args=(first.url, tokens, "", 9, before))
    listener.start()
    for table, match in zip((two, one), matches, strict=True):
        table.choose_colours(match)
    listener.join(20)
    assert len(before) == 9, "what the other worker did is told, too"
    after: list[tuple[str, str]] = []
    listener = threading.Thread(target=own, args=(second.url, tokens, before[-1][0], 0, after))
    listener.start()
    for table, match in zip((one, two), matches, strict=True):
        table.play_out(match)
    listener.join(20)
    assert not listener.is_alive(), "it ends with the last of its games"
    heard = [json.loads(data) for _, data in before + after]
    for match in matches:
        page = one.get(f"{match.path}/events?limit=200", match.tokens["p1"]).json()["items"]
        assert [each["event"] for each in heard if each["game"] == match.id] == page


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
            return table.command(match, seat, {"type": "pennant.pass"}, at)

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


def test_a_text_that_postgresql_cannot_hold_is_no_fault_of_the_store(pair: Pair) -> None:
    """Anybody could have it counted as failing, by asking for games of the ruleset NUL."""
    one = pair.tables[0]
    match = one.create(name="a\0b")
    assert one.get(match.path).json()["name"] == "a\0b"
    for path in ("/v1/games?ruleset=%00", "/v1/results?ruleset=a%00", "/v1/dice?ruleset=%00"):
        refused = one.get(path)
        assert (refused.status_code, code(refused)) == (422, "query.invalid"), path
        assert refused.json()["errors"][0]["pointer"] == "#ruleset"
    hooks, customs = f"{match.path}/webhooks", "/v1/rulesets/pennant/customs"
    for path in (
        "/v1/games/%00", "/v1/engines/%00", f"{customs}/scenario/%00", f"{customs}/%00/x",
        f"{hooks}/%00", f"{hooks}/%00/deliveries", f"{match.path}/rolls/%00",
    ):  # fmt: skip
        assert one.get(path, match.tokens["p1"]).status_code == 404, path
    assert not [
        line for server in pair.servers for line in server.lines if "the store failed" in line
    ]

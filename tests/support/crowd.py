"""Players and readers who go on whatever happens, and what they were told.

Each player plays game after game of Pennant, each request at the next worker. Where a worker does
not answer, or says that it cannot now, the request is repeated with the same key at the next one.
Each game has a reader that follows its events and goes on after the last one it got, at the next
worker, when its stream ends.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import httpx
import msgspec

NDJSON = {"Accept": "application/x-ndjson"}
PATIENCE = 60.0
"""Seconds within which an answer comes, harm or no harm."""

THINK_SECONDS = 0.1
"""Between two commands of a player: it is not the load that is tried here."""

AGAIN = (408, 429, 503, 507)
"""What is not the last word on a request."""


@dataclass
class Game:
    """One game, its seats' tokens, and what its reader got, line by line."""

    path: str
    tokens: dict[str, str]
    seen: list[bytes] = field(default_factory=list)
    finished: bool = False


@dataclass
class Told:
    """An acknowledged command: how to give it again, and what was said."""

    game: Game
    version: int
    headers: dict[str, str]
    body: bytes
    text: str


Json = dict[str, Any]
PENNANT: Json = {"ruleset": "pennant", "options": {"turns": 30}}


def the_first(offers: list[Json]) -> Json:
    """What a player chooses who does not care."""
    return offers[0]


class Crowd:
    """``twice``: every request that writes is sent twice at the same moment.

    wishes  for the games that they play, by turns
    choose  what a player does of what is offered
    think   seconds between two commands of a player
    """

    def __init__(
        self,
        urls: list[str],
        players: int,
        *,
        twice: bool = False,
        wishes: Sequence[Json] = (PENNANT,),
        choose: Callable[[list[Json]], Json] = the_first,
        think: float = THINK_SECONDS,
    ) -> None:
        self.urls = urls
        self.think = think
        self._wishes = cycle(wishes)
        self._choose = choose
        self.twice = twice
        self.acknowledged: dict[str, Told] = {}
        self.games: list[Game] = []
        self.troubles: Counter[str] = Counter()
        self.faults: list[str] = []
        self._over = threading.Event()
        self._client = httpx.Client(timeout=10, limits=httpx.Limits(max_connections=200))
        self._pool = ThreadPoolExecutor(2 * players)
        self._threads = [
            threading.Thread(target=self._guarded, args=(self._play, number))
            for number in range(players)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """Everybody finishes what he is at."""
        self._over.set()
        for thread in list(self._threads):
            thread.join(PATIENCE + 10)
            assert not thread.is_alive(), "somebody waits for ever"
        self._pool.shutdown()

    def close(self) -> None:
        self._client.close()

    def reach(self, many: int) -> None:
        """Returns when so many commands more are acknowledged than there were."""
        many += len(self.acknowledged)
        until = time.monotonic() + PATIENCE
        while len(self.acknowledged) < many:
            assert not self.faults, self.faults
            assert time.monotonic() < until, f"play has stopped: {self.troubles}"
            time.sleep(0.02)

    def ask(self, urls: Iterator[str], method: str, path: str, **fields: Any) -> httpx.Response:
        """The last word on a request, from whichever worker has it."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self._client.request(method, next(urls) + path, **fields)
            except httpx.TransportError as error:
                self.troubles[type(error).__name__] += 1
            else:
                busy = answer.status_code == 409 and "idempotency.key-busy" in answer.text
                if not busy and answer.status_code not in AGAIN:
                    return answer
                self.troubles[str(answer.json()["code"])] += 1
            assert time.monotonic() < until, f"{method} {path} is not answered: {self.troubles}"
            time.sleep(0.05)

    def _write(self, urls: Iterator[str], path: str, body: bytes, **headers: str) -> httpx.Response:
        sent = {"headers": {**headers, "Content-Type": "application/json"}, "content": body}
        if not self.twice:
            return self.ask(urls, "POST", path, **sent)
        at = cycle([next(urls), *self.urls])
        jobs = [self._pool.submit(self.ask, way, "POST", path, **sent) for way in (urls, at)]
        first, second = (job.result() for job in jobs)
        if (first.status_code, first.content) != (second.status_code, second.content):
            self.faults.append(f"two answers under one key: {first.text} and {second.text}")
        return first

    def _guarded(self, work: Any, *given: Any) -> None:
        try:
            work(*given)
        except Exception as error:
            self.faults.append(repr(error))

    def _play(self, number: int) -> None:
        urls = cycle(self.urls[number % len(self.urls) :] + self.urls[: number % len(self.urls)])
        while not self._over.is_set():
            game = self.begin(urls)
            while not self._over.is_set() and self.step(urls, game):
                time.sleep(self.think)

    def begin(self, urls: Iterator[str], wish: Json | None = None) -> Game:
        """A new game, and somebody who follows it."""
        body = msgspec.json.encode(next(self._wishes) if wish is None else wish)
        made = self._write(urls, "/v1/games", body, **_key()).json()
        tokens = {one["seat"]: one["token"] for one in made["tokens"]}
        game = Game(f"/v1/games/{made['game']['id']}", tokens)
        self.games.append(game)
        reader = threading.Thread(target=self._guarded, args=(self._read, game))
        self._threads.append(reader)
        reader.start()
        return game

    def step(self, urls: Iterator[str], game: Game) -> bool:
        """One command; false when the game is over."""
        shown = self.ask(urls, "GET", game.path).json()
        if shown["status"] == "finished":
            return False
        bearer = _bearer(game.tokens[shown["toMove"][0]["seat"]])
        offer = self.ask(urls, "GET", f"{game.path}/commands", headers=bearer).json()
        assert offer["items"], f"nothing is offered to the seat that is to move: {shown}"
        body = msgspec.json.encode(self._choose(offer["items"])["command"])
        headers = {**bearer, **_key(), "If-Match": f'"{offer["version"]}"'}
        done = self._write(urls, f"{game.path}/commands", body, **headers)
        if done.status_code != 200:
            raise AssertionError(f"an offer was refused: {done.text}")
        told = done.json()
        self.acknowledged[told["command"]] = Told(game, told["version"], headers, body, done.text)
        return True

    def _read(self, game: Game) -> None:
        """Follow the game to its end, or until the crowd goes home."""
        urls = cycle(self.urls)
        while not self._over.is_set() and not game.finished:
            where = f"{next(urls)}{game.path}/events?after={len(game.seen)}"
            try:
                with self._client.stream("GET", where, headers=NDJSON) as stream:
                    game.finished = stream.status_code == 204
                    if stream.status_code == 200:
                        self._take(game, stream.iter_lines())
                    elif not game.finished:
                        self.troubles[f"stream {stream.status_code}"] += 1
                        time.sleep(0.05)
            except httpx.TransportError as error:
                self.troubles[f"stream {type(error).__name__}"] += 1
                time.sleep(0.05)

    def _take(self, game: Game, lines: Iterator[str]) -> None:
        for line in lines:
            if line:
                game.seen.append(line.encode())
            if self._over.is_set():
                return


def _key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4())}


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


SAMPLE, NEWEST = 20, 12
"""Commands that are given again at each check: some of all, and those that were told last."""


def check(crowd: Crowd) -> dict[str, int]:
    """Every acknowledged command is stored exactly once, every stream has neither gap nor repeat,
    and a key gives the first answer again; how much of each was looked at. While they play on."""
    assert not crowd.faults, crowd.faults
    acknowledged, games = dict(crowd.acknowledged), list(crowd.games)
    seen = {game.path: list(game.seen) for game in games}
    urls = cycle(crowd.urls)
    found: dict[str, tuple[str, int]] = {}
    events = 0
    for game in games:
        text = crowd.ask(urls, "GET", f"{game.path}/events?follow=false", headers=NDJSON).content
        whole = text.splitlines()
        events += len(whole)
        assert seen[game.path] == whole[: len(seen[game.path])], "a stream has a gap or a repeat"
        _note_causes(game.path, whole, found)
    for id_, told in acknowledged.items():
        assert found.get(id_) == (told.game.path, told.version), "acknowledged and not stored so"
    every = list(acknowledged.values())
    for told in (*every[:-NEWEST][:: max(1, len(every) // SAMPLE)], *every[-NEWEST:]):
        where = f"{told.game.path}/commands"
        answer = crowd.ask(urls, "POST", where, headers=told.headers | _JSON, content=told.body)
        assert (answer.text, answer.headers["idempotency-replayed"]) == (told.text, "true")
    return {"commands": len(acknowledged), "games": len(games), "events": events}


_JSON = {"Content-Type": "application/json"}


def check_resumed(crowd: Crowd) -> None:
    """When play is over: what each reader has yet to get follows on what it got, to the last, and
    no command is stored of which nobody was told: it would be another one that was done twice."""
    urls = cycle(crowd.urls)
    found: dict[str, tuple[str, int]] = {}
    for game in crowd.games:
        where = f"{game.path}/events?follow=false&after="
        rest = crowd.ask(urls, "GET", f"{where}{len(game.seen)}", headers=NDJSON).content
        whole = crowd.ask(urls, "GET", f"{where}0", headers=NDJSON).content
        assert [*game.seen, *rest.splitlines()] == whole.splitlines()
        _note_causes(game.path, whole.splitlines(), found)
    untold = {id_: found[id_] for id_ in found if id_.startswith("c_")}.keys() - crowd.acknowledged
    assert not untold, f"done, and nobody was told of it: {sorted(untold)}"


def _note_causes(path: str, lines: list[bytes], found: dict[str, tuple[str, int]]) -> None:
    """The last event of each command; each command is one run of events in one game.

    The answer to the last one reaches the event that opens the dice.
    """
    events = [msgspec.json.decode(line) for line in lines]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    before = ""
    for event in events:
        opened = event["type"] == "decklog.master-opened"
        cause = before if opened else event["causedBy"]
        assert not cause or cause == before or cause not in found, "done twice"
        found[cause] = (path, event["seq"])
        before = cause

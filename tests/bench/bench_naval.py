"""Naval Battles: random play by number of seats, what redaction costs, and six players who watch.

    python -m tests.bench.bench_naval [GAMES] [RUNS] [ORDERS]

Random play and redaction are on the bare engine, per second of processor time: the same games
(seeds 0, 1, ...) in each run, to their end. A redaction is one event for one seat; its reference is
the encoding of an event, which every answer costs besides.
Over HTTP six seats play ORDERS orders of a random game, each listed and then posted, one after the
other; first nobody watches (the reference), then each seat has its stream of events open. An order
has arrived when the last of the six streams has shown its last event.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules.decide import EDITION
from domain.kernel.codec import Codec
from domain.kernel.setup import Setup
from service.bots import DecklogClient, RandomLegal, seated, steps
from tests.bench.bench_play import REFERENCE, TURNS, measure, play
from tests.bench.load import quantile
from tests.bench.report import Report
from tests.support import pennant
from tests.support.server import running

SEATS = tuple(f"p{number}" for number in range(1, 7))
ENCODING = "encoding of an event (reference)"
UNWATCHED = "nobody watches (reference)"
WATCHED = "six streams open"
PATIENCE = 60.0
"""Seconds that an event may take to all streams."""


def setup(seats: int) -> Setup:
    return Setup(GAME.ruleset, EDITION, "standard", SEATS[:seats])


def engine(games: int, runs: int) -> None:
    """Steps and folded events a second, by seats."""
    about = f"seeds 0 to {games - 1}, processor time"
    played = Report("random play, bare engine", "steps/s", about)
    folded = Report("bare fold of the same events", "events/s", about)
    tables: dict[str, tuple[Any, Setup]] = {REFERENCE: (pennant.GAME, pennant.setup(TURNS))}
    tables |= {f"Naval Battles, {n} seats": (GAME, setup(n)) for n in GAME.seat_counts}
    for game, wish in tables.values():
        play(game, wish, 0)
    for _ in range(runs):
        for name, (game, wish) in tables.items():
            measure(game, wish, range(games), name, played, folded)
    for report in (played, folded):
        report.show(reference=REFERENCE)
        print()


def redaction(games: int, runs: int) -> None:
    """Redactions a second: every event for every seat."""
    about = f"seeds 0 to {games - 1}, every event for every seat, processor time"
    report = Report("redaction", "a second", about)
    codec = Codec(GAME)
    made = {n: [e for seed in range(games) for e in play(GAME, setup(n), seed)[1]] for n in (2, 6)}
    for _ in range(runs):
        begin = time.process_time()
        for event in made[2]:
            codec.encode(event)
        report.add(ENCODING, len(made[2]) / (time.process_time() - begin))
        for seats, events in made.items():
            begin = time.process_time()
            for event in events:
                for seat in SEATS[:seats]:
                    GAME.redact(event, seat)
            took = time.process_time() - begin
            report.add(f"{seats} seats", len(events) * seats / took)
    report.show(reference=ENCODING)
    print()


# --- over HTTP -----------------------------------------------------------------------------------


class Watcher:
    """A seat's stream of events: when each version arrived."""

    def __init__(self, url: str, game: str, token: str) -> None:
        self._url, self._game, self._token = url, game, token
        self.arrived: dict[int, float] = {}
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        """Until the server stops."""
        with DecklogClient(self._url, self._token) as client, suppress(httpx.HTTPError):
            for event in client.events(self._game, follow=True):
                with self._news:
                    self.arrived[event["seq"]] = time.perf_counter()
                    self._news.notify_all()

    def has(self, version: int) -> float:
        """When it arrived; raises TimeoutError when it does not."""
        with self._news:
            if not self._news.wait_for(lambda: version in self.arrived, PATIENCE):
                raise TimeoutError(f"version {version} did not arrive")
            return self.arrived[version]


@contextmanager
def table(url: str, seed: str) -> Iterator[tuple[str, dict[str, DecklogClient]]]:
    """A new game of six seats."""
    with DecklogClient(url) as client:
        seats = [{"seat": seat} for seat in SEATS]
        made = client.create_game(ruleset=GAME.ruleset, seats=seats, seed=seed)
        yield made["game"]["id"], seated(made, client)


def round_of(url: str, seed: str, orders: int, watched: bool) -> tuple[float, list[float]]:
    """Orders a second, and for each the seconds until all had seen it."""
    with table(url, seed) as (game, clients):
        bots = {seat: RandomLegal(f"{seed} {seat}") for seat in clients}
        watchers = [Watcher(url, game, c.token) for c in clients.values()] if watched else []
        waits = []
        begin = sent = time.perf_counter()
        for number, move in enumerate(steps(clients, game, bots), 1):
            seen = [watcher.has(move.done["version"]) for watcher in watchers]
            waits.append(max(seen, default=time.perf_counter()) - sent)
            sent = time.perf_counter()
            if number == orders:
                break
        return number / (sent - begin), waits


def six_players(runs: int, orders: int) -> None:
    """The same games with and without streams, by turns."""
    about = f"{orders} orders of six seats, listed and posted one after the other"
    rate = Report("a game of six over HTTP", "orders/s", about)
    late = Report("until the last of six streams has shown an order", "µs", about)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        server = stack.enter_context(running(Path(name)))
        for number in range(runs):
            for kind, watched in ((UNWATCHED, False), (WATCHED, True)):
                found, waits = round_of(server.url, f"six {number}", orders, watched)
                rate.add(kind, found)
                half = "half of them, from list to answer (reference)"
                late.add("half of them" if watched else half, quantile(waits, 0.5) * 1e6)
                if watched:
                    late.add("95 of 100", quantile(waits, 0.95) * 1e6)
    rate.show(reference=UNWATCHED)
    print()
    late.show(reference="half of them, from list to answer (reference)")


def main(games: int = 5, runs: int = 3, orders: int = 150) -> None:
    engine(games, runs)
    redaction(games, runs)
    six_players(runs, orders)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

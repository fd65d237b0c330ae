"""Travelling in games of 300, 3,000 and 10,000 events: any moment, and news of them (in µs).

    python -m tests.bench.bench_travel [LOOKS] [ROUNDS] [ROLLS] [EVENTS ...]

Random linked battles of six in Naval Battles, whose admirals seldom attack so that they last,
played until there are EVENTS events; standard error tells how long that took. In each round LOOKS
random versions are asked for over HTTP as view, picture and difference (to another random version);
cold, a quarter as many, each after a look at other games, of which one only is kept. Then LOOKS
commands, and when their events were at another seat's stream. Reference: the warm view of the
first, shortest game. Last, the exact odds of the largest of the first ROLLS recorded rolls of each
game (0: of all); reference: the first of them.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from domain.games.naval_battles import GAME
from domain.kernel.shown.bot import Json
from service.bots import DecklogClient, RandomLegal, steps
from service.desk import Desk, open_desk
from service.models import NewGame, SeatWish
from service.settings import Settings
from tests.bench.bench_naval import SEATS, Watcher
from tests.bench.bench_view import COLD_SHARE, add
from tests.bench.load import Load, quantile, request
from tests.bench.report import Report
from tests.campaigns.odds import rolls
from tests.service.desk.kit import fresh_key, order
from tests.support.server import running
from tests.support.suites import suites

LENGTHS = (300, 3_000, 10_000)
MOST_GAMES = 5
"""Games that are begun until one is long enough."""

CALM = 10
"""Of so many orders one at most begins an attack, where others are legal: a battle of random
attacks is over after 5,000 to 8,000 events, such a one after 13,000 to 20,000."""

ATTACKS = ("DeclareAttack", "AirRaid", "LandRaid")
FIRST = 20
"""No picture of versions before the ships are on the table."""


class Journey(NamedTuple):
    """A game that is long enough, and its seats' tokens."""

    events: int
    game: str
    tokens: dict[str, str]

    def versions(self, many: int, seed: int) -> list[int]:
        chooser = random.Random(seed)
        return [chooser.randint(FIRST, self.events) for _ in range(many)]


async def play(desk: Desk, events: int) -> Journey:
    """Random legal orders, few of them attacks, until there are so many events."""
    for number in range(MOST_GAMES):
        chooser = random.Random(number)
        wish = NewGame(
            "naval-battles",
            scenario="linked",
            seed=f"bench-travel-{events}-{number}",
            seats=[SeatWish(seat) for seat in SEATS],
        )
        made = await desk.writer.create_game(wish, key=fresh_key(), caller="bench")
        game, version = made.game.id, made.game.version
        while (summary := await desk.reader.summary(game)).result is None:
            if version >= events:
                return Journey(events, game, {one.seat: one.token for one in made.tokens})
            seat = summary.to_move[0].seat
            view = await desk.reader.view(game, seat)
            command = chosen(GAME.legal(view.state, seat).commands, chooser)
            version = (await order(desk, game, seat, command, expected=version)).version
        print(f"a game is over after {version:,} of {events:,} events", file=sys.stderr)
    raise ValueError(f"no random game has {events} events")


def chosen(legal: Sequence[Any], chooser: random.Random) -> Any:
    """A random order; nine times of ten none that begins an attack."""
    calm = [each for each in legal if type(each).__name__ not in ATTACKS]
    return chooser.choice(calm if calm and chooser.randrange(CALM) else legal)


async def played(database: Path, lengths: Sequence[int]) -> list[Journey]:
    settings = Settings(database=database, chain_length=16_384)
    async with open_desk(settings, {"naval-battles": GAME}) as desk:
        journeys = []
        for events in lengths:
            begun = perf_counter()
            journeys.append(await play(desk, events))
            print(f"{events:,} events in {perf_counter() - begun:.0f} s", file=sys.stderr)
        return journeys


def asked(journey: Journey, what: str, version: int, other: int) -> bytes:
    """One request of the first seat."""
    places = {
        "view": f"view?at={version}",
        "picture": f"board.svg?at={version}",
        "diff": f"diff?from={min(version, other)}&to={max(version, other)}",
    }
    path = f"/v1/games/{journey.game}/{places[what]}"
    return request("GET", path, Authorization=f"Bearer {journey.tokens['p1']}")


def travel(
    report: Report, folder: Path, journeys: Sequence[Journey], looks: int, rounds: int, cold: bool
) -> None:
    """Every kind of look at every game."""
    many = looks // COLD_SHARE + 1 if cold else looks
    word = "cold" if cold else "warm"
    with running(folder, cached_games=1 if cold else 1_000) as server, Load() as load:
        parts = urlsplit(server.url)
        address = (str(parts.hostname), int(parts.port or 0))
        for number in range(-1 if not cold else 0, rounds):
            for place, journey in enumerate(journeys):
                between = asked(journeys[place - 1], "view", FIRST, FIRST)
                others = journey.versions(many, number + rounds + 1)
                pairs = list(zip(journey.versions(many, number), others, strict=True))
                for what in ("view", "picture", "diff"):
                    wanted: list[bytes] = []
                    for version, other in pairs:
                        wanted += [between] if cold else []
                        wanted.append(asked(journey, what, version, other))
                    load.feed(server.url, address, [wanted])
                    waits = load.run(server.url, limits=[len(wanted)]).waits
                    if number >= 0:
                        name = f"{journey.events:,} events, {word}: the {what}"
                        add(report, name, waits[1::2] if cold else waits)


def news(report: Report, folder: Path, journeys: Sequence[Journey], orders: int) -> None:
    """From sending a command to its event in another seat's stream."""
    with running(folder) as server, DecklogClient(server.url) as client:
        for journey in journeys:
            clients = {seat: client.as_holder(token) for seat, token in journey.tokens.items()}
            watchers = {
                seat: Watcher(server.url, journey.game, journey.tokens[seat])
                for seat in ("p1", "p2")
            }
            version = client.summary(journey.game)["version"]
            for watcher in watchers.values():
                watcher.has(version)
            timed = {seat: Timed(each) for seat, each in clients.items()}
            waits = []
            for move in islice(
                steps(timed, journey.game, dict.fromkeys(clients, RandomLegal(1))), orders
            ):
                other = watchers["p2" if move.seat == "p1" else "p1"]
                waits.append(other.has(move.done["version"]) - timed[move.seat].sent)
            add(report, f"{journey.events:,} events: a command at another seat", waits)


class Timed(DecklogClient):
    """A client that remembers when it sent its last command."""

    def __init__(self, plain: DecklogClient) -> None:
        super().__init__(plain.base_url, plain.token, http=plain._http)
        self.sent = 0.0

    def post(self, game: str, command: Json, version: int) -> Json:
        self.sent = perf_counter()
        return super().post(game, command, version)


def odds(rounds: int, most: int) -> Report:
    """The exact odds of the largest roll of each game, from the state in which it is awaited."""
    report = Report("exact odds of the largest roll", "µs", "of the recorded games")
    for name, suite in suites().items():
        found = list(islice(rolls(suite), most or None))
        if not found:
            continue
        roll = max(found, key=lambda each: each.dice)
        for _ in range(max(rounds, 1)):
            waits = []
            for _ in range(5):
                begin = perf_counter()
                chances = roll.game.chances(roll.state)
                assert chances is not None
                chances.ways(roll.awaited.pools)
                waits.append(perf_counter() - begin)
            report.add(f"{name}, {roll.dice} dice", quantile(waits, 0.5) * 1e6)
    return report


def main(looks: int = 100, rounds: int = 3, most: int = 0, *events: int) -> None:
    lengths = events or LENGTHS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journeys = asyncio.run(played(folder / "decklog.sqlite", lengths))
        report = Report("travelling, over HTTP", "µs", "random versions of linked Naval Battles")
        for cold in (False, True):
            travel(report, folder, journeys, looks, rounds, cold)
        news(report, folder, journeys, looks)
    report.show(reference=f"{lengths[0]:,} events, warm: the view: p50")
    print()
    reckoned = odds(rounds, most)
    reckoned.show(reference=reckoned.first())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

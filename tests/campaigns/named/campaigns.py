"""The campaigns that were asked for, by name, and their whole sizes."""

from __future__ import annotations

from . import asking, bundles, games, http, images, kills, soak, timing
from .pieces import Campaign, Piece, measured

CAMPAIGNS = {
    "games-war-at-sea": Campaign("games", 100_000, games.of("war_at_sea")),
    "games-naval-battles": Campaign("games", 100_000, games.of("naval_battles")),
    "games-crimson-tide": Campaign("games", 20_000, games.of("crimson_tide")),
    "http": Campaign("games over HTTP", 10_000, http.piece),
    "kills-sqlite": Campaign("kills of the service on SQLite", 500, kills.of("sqlite")),
    "kills-postgresql": Campaign("kills of PostgreSQL", 200, kills.of("postgresql")),
    "kills-worker": Campaign("kills of one of two workers", 200, kills.of("worker")),
    "kills-redis": Campaign("kills of Redis", 200, kills.of("redis")),
    "crash-images": Campaign("crash images", 2_000, images.piece, needs="strace"),
    "damaged-bundles": Campaign("damaged bundles", 100_000, bundles.damaged),
    "fuzzed-bundles": Campaign("fuzzed bundles", 1_000_000, bundles.fuzzed),
    "signed-bundles": Campaign("changes of signed bundles", 10_000, bundles.signed),
    "fuzzed-requests": Campaign("fuzzed requests", 50_000, asking.fuzzed),
    "repeats": Campaign(
        "rulesets, each keyed request repeated after every later one", 4, asking.repeated
    ),
    "soak": Campaign("minutes", 60, soak.piece, soak.judge),
    "timing": Campaign("requests in each of two worlds", 20_000, timing.piece, timing.judge),
}


def do(name: str, number: int) -> Piece:
    """One piece, in whichever process: what a command line has in itself, another cannot find."""
    return measured(CAMPAIGNS[name], number)

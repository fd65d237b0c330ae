"""Games of War at Sea written down as requests, so that clients need not look before they post.

The seed of the dice is named, so the same orders on a new game of the same seed lead to the same
versions, as long as rules and chain length are the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import httpx
import msgspec

from domain.games.war_at_sea import GAME
from service.desk import Desk
from service.models import NewGame
from tests.bench.load import request
from tests.service.desk.kit import fresh_key, order

GAMES = {"war-at-sea": GAME}
_KEYS = count()


@dataclass(frozen=True)
class Order:
    """A command as it goes over the wire, and the version that it was decided on."""

    seat: str
    body: bytes
    version: int


@dataclass(frozen=True)
class Script:
    """A recorded game.

    game, tokens  its id on the desk that recorded it, and the seats' tokens there
    rules         digest of the rules: other rules, other dice
    version       after the last order
    """

    seed: str
    game: str
    tokens: dict[str, str]
    rules: str
    orders: tuple[Order, ...]
    version: int


async def record(desk: Desk, seed: str, most: int = 1_000_000) -> Script:
    """Random legal orders, chosen by ``seed`` too, until the end or ``most`` of them."""
    chooser = random.Random(seed)
    made = await desk.writer.create_game(
        NewGame("war-at-sea", seed=seed), key=fresh_key(), caller="bench"
    )
    game, version, orders = made.game.id, made.game.version, list[Order]()
    while len(orders) < most:
        summary = await desk.reader.summary(game)
        if summary.result is not None:
            break
        seat = summary.to_move[0].seat
        view = await desk.reader.view(game, seat)
        command = chooser.choice(GAME.legal(view.state, seat).commands)
        orders.append(Order(seat, msgspec.json.encode(command), version))
        version = (await order(desk, game, seat, command, expected=version)).version
    tokens = {one.seat: one.token for one in made.tokens}
    return Script(seed, game, tokens, made.game.rules.digest, tuple(orders), version)


def requests(url: str, script: Script) -> list[bytes]:
    """A new game on the server at ``url``, and the script as requests to it.

    Raises ValueError when the server's rules are not those that the script was recorded by.
    """
    wish = {"ruleset": "war-at-sea", "seed": script.seed}
    key = {"Idempotency-Key": f"bench-new-game-{next(_KEYS):032}"}
    answer = httpx.post(f"{url}/v1/games", json=wish, headers=key, timeout=60).raise_for_status()
    made = answer.json()
    if made["game"]["rules"]["digest"] != script.rules:
        raise ValueError("The rules were edited while this ran: start it again.")
    return list(_orders(made, script))


def _orders(made: dict[str, Any], script: Script) -> Iterator[bytes]:
    path = f"/v1/games/{made['game']['id']}/commands"
    bearer = {seat["seat"]: f"Bearer {seat['token']}" for seat in made["tokens"]}
    for one in script.orders:
        yield request(
            "POST",
            path,
            one.body,
            Authorization=bearer[one.seat],
            If_Match=f'"{one.version}"',
            Idempotency_Key=f"bench-order-{next(_KEYS):032}",
        )

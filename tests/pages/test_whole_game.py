"""Two browsers bring a real game to its end: bots play most of it, people the last moves."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
from playwright.sync_api import expect

from domain.games.naval_battles import GAME
from service.desk import Desk
from service.evidence.verify import verify
from service.models import NewGame
from service.settings import Settings
from tests.service.desk.kit import fresh_key, order
from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person

People = Callable[..., Person]

RULESET = "naval-battles"
GAMES = {RULESET: GAME}
SEED = "two browsers to the end"
LAST = 12
"""Moves that are clicked."""

SHOWN = 200
"""Offers that the page shows at once."""


class Move(NamedTuple):
    """What a bot did: at which version, and which of the offers it took."""

    seat: str
    version: int
    place: int
    body: bytes


async def rehearsal(folder: Path) -> list[Move]:
    """A whole game of random legal moves. The seed is named, so its dice and cards come again."""
    chooser, moves = random.Random(SEED), list[Move]()
    desk = Desk(Settings(database=folder / "rehearsal.sqlite"), GAMES)
    await desk.start()
    made = await desk.create_game(NewGame(RULESET, seed=SEED), key=fresh_key(), caller="test")
    game = made.game.id
    while (summary := await desk.summary(game)).result is None:
        seat = summary.to_move[0].seat
        offered = GAME.legal((await desk.view(game, seat)).state, seat).commands
        place = chooser.randrange(min(len(offered), SHOWN))
        moves.append(Move(seat, summary.version, place, msgspec.json.encode(offered[place])))
        await order(desk, game, seat, offered[place], expected=summary.version)
    await desk.stop()
    return moves


def played_by_bots(client: httpx.Client, game: str, tokens: Any, moves: list[Move]) -> None:
    for number, move in enumerate(moves):
        client.post(
            f"/v1/games/{game}/commands",
            content=move.body,
            headers={
                "Content-Type": "application/json",
                "Authorization": f"Bearer {tokens[move.seat]}",
                "If-Match": f'"{move.version}"',
                "Idempotency-Key": f"whole-game-{number:06}",
            },
        ).raise_for_status()


def at_the_table(one: Person, game: str, seat: str, token: str) -> None:
    """With a seat's token in the browser, as if it had been taken there."""
    one.go()
    kept = json.dumps({game: {"name": "Whole", "seats": {seat: token}, "invitations": {}}})
    one.page.evaluate("kept => localStorage.setItem('decklog.games', kept)", kept)
    one.go(f"game/{game}")
    one.turn.wait_for()


def test_a_naval_battle_is_played_to_its_end_by_its_rules(
    person: People, server: Running, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(1) as other, httpx.Client(base_url=server.url, timeout=60) as client:
        moves = other.submit(lambda: asyncio.run(rehearsal(tmp_path))).result()
        wish = {"ruleset": RULESET, "seed": SEED}
        key = {"Idempotency-Key": "a-whole-game-for-the-pages"}
        made = client.post("/v1/games", json=wish, headers=key).raise_for_status().json()
        game, tokens = made["game"]["id"], {t["seat"]: t["token"] for t in made["tokens"]}
        played_by_bots(client, game, tokens, moves[:-LAST])
        people = {"p1": person(), "p2": person(viewport={"width": 420, "height": 850})}
        for seat, one in people.items():
            at_the_table(one, game, seat, tokens[seat])
        for move in moves[-LAST:]:
            page = people[move.seat].page
            expect(page.get_by_label("What you may do")).to_have_attribute(
                "data-version", str(move.version)
            )
            people[move.seat].commands.nth(move.place).click()
        for one in people.values():
            expect(one.turn).to_contain_text("The game is over")
        summary = client.get(f"/v1/games/{game}").json()
        assert summary["status"] == "finished"
        winners = " and ".join(summary["result"]["winners"]) or "nobody"
        assert f"{winners} won" in people["p1"].turn.inner_text()
        told = verify(client.get(f"/v1/games/{game}/evidence").content, GAMES)
    assert told.code == 0
    shoot(people["p1"].page, "table-naval-battles-over")
    assert people["p1"].serious() == []

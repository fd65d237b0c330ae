"""Whole games of the real rules in browsers: bots play most of it, people click the last moves."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
from playwright.sync_api import Page, expect

from domain.kernel.finder import games
from service.bots import Signer
from service.desk import open_desk
from service.evidence.verify import verify
from service.models import NewGame
from service.settings import Settings
from tests.service.desk.kit import fresh_key, order
from tests.support.chromium import shoot

from .conftest import Person
from .reach import Item, by_clicks

LAST = 12
"""Moves that are clicked."""

SIGNERS = {"p1": Signer(b"1" * 32), "p2": Signer(b"2" * 32)}
"""Whose orders are signed: by the bots first, then by the pages, which get the same keys."""

KEPT = """async (secret) => {
  const named = (name) => document.querySelector("script[src]").src.replace(/[^/]+$/, name);
  const [{ SeatKey }, { keepKey }] = await Promise.all(["keys.js", "seatkeys.js"].map((name) => import(named(name))));
  await keepKey(await SeatKey.from(Uint8Array.from(secret), "page"));
}"""  # noqa: E501


class Wish(NamedTuple):
    """The game that is played; its seed is named, so that its dice and cards come again."""

    ruleset: str
    seed: str = "two browsers to the end"
    options: Mapping[str, Any] = {}

    @property
    def body(self) -> dict[str, Any]:
        seats = [
            {"seat": seat, "orderKey": signer.registered | {"keeper": "page"}}
            for seat, signer in SIGNERS.items()
        ]
        named = {"ruleset": self.ruleset, "seed": self.seed, "options": dict(self.options)}
        return {**named, "seats": seats}


class Move(NamedTuple):
    """What a bot did: at which version, and which of the offers it took."""

    seat: str
    version: int
    body: bytes


async def rehearsal(folder: Path, wish: Wish) -> list[Move]:
    """A whole game of random legal moves."""
    chooser, moves, rules = random.Random(wish.seed), list[Move](), games()[wish.ruleset]
    settings = Settings(database=folder / "rehearsal.sqlite")
    async with open_desk(settings, {wish.ruleset: rules}) as desk:
        new = NewGame(wish.ruleset, seed=wish.seed, options=dict(wish.options))
        made = await desk.writer.create_game(new, key=fresh_key(), caller="test")
        game = made.game.id
        while (summary := await desk.reader.summary(game)).result is None:
            seat = summary.to_move[0].seat
            state = (await desk.reader.view(game, seat)).state
            taken = chooser.choice(rules.legal(state, seat).commands)
            moves.append(Move(seat, summary.version, msgspec.json.encode(taken)))
            await order(desk, game, seat, taken, expected=summary.version)
        return moves


def played_by_bots(client: httpx.Client, game: str, tokens: Any, moves: list[Move]) -> None:
    for number, move in enumerate(moves):
        summary = client.get(f"/v1/games/{game}").json()
        signed = SIGNERS[move.seat].sign(summary, move.seat, json.loads(move.body))
        client.post(
            f"/v1/games/{game}/commands",
            content=move.body,
            headers={
                "Content-Type": "application/json",
                "Decklog-Signature": signed,
                "Authorization": f"Bearer {tokens[move.seat]}",
                "If-Match": f'"{move.version}"',
                "Idempotency-Key": f"whole-game-{number:032}",
            },
        ).raise_for_status()


def item_of(client: httpx.Client, game: str, token: str, move: Move) -> Item:
    """The offer that the bot took."""
    path, cursor = f"/v1/games/{game}/commands", ""
    while True:
        query: dict[str, str] = {"limit": "200"} | ({"cursor": cursor} if cursor else {})
        headers = {"Authorization": f"Bearer {token}"}
        offer = client.get(path, params=query, headers=headers).json()
        for item in offer["items"]:
            if item["command"] == json.loads(move.body):
                return dict(item)
        cursor = offer["next"]


def give(page: Page, item: Item) -> None:
    """Click it; where the page asks once more, it is meant."""
    version = page.get_by_label("What you may do").get_attribute("data-version")
    by_clicks(page, item)
    asked = page.locator("button.sure").or_(page.locator(f".ask:not([data-version='{version}'])"))
    asked.or_(page.locator("p.turn:not(.sr)")).first.wait_for()
    if page.locator("button.sure").count():
        page.locator("button.sure").click()


def at_the_table(one: Person, game: str, seat: str, token: str) -> None:
    """With a seat's token in the browser, as if it had been taken there."""
    one.go("lobby")
    kept = json.dumps({game: {"name": "Whole", "seats": {seat: token}, "invitations": {}}})
    one.page.evaluate("kept => localStorage.setItem('decklog.games', kept)", kept)
    one.go(f"game/{game}")
    one.turn.wait_for()


def rehearsed(wish: Wish) -> list[Move]:
    """The rehearsal, in a thread of its own: a browser's keeps asyncio to itself."""
    with ThreadPoolExecutor(1) as other, tempfile.TemporaryDirectory() as folder:
        return other.submit(lambda: asyncio.run(rehearsal(Path(folder), wish))).result()


def played_to_the_end(wish: Wish, url: str, one: Person, two: Person) -> None:
    """A game that two people end at their pages; what the pages, the game and its evidence say.

    Screenshots of the table before the last moves and of its end are left.
    """
    moves = rehearsed(wish)
    with httpx.Client(base_url=url, timeout=60) as client:
        key = {"Idempotency-Key": f"{wish.ruleset:->32}"}
        made = client.post("/v1/games", json=wish.body, headers=key).raise_for_status().json()
        game, tokens = made["game"]["id"], {t["seat"]: t["token"] for t in made["tokens"]}
        played_by_bots(client, game, tokens, moves[:-LAST])
        people = {"p1": one, "p2": two}
        for seat, who in people.items():
            who.go("lobby")
            who.page.evaluate(KEPT, list(SIGNERS[seat].seed))
            at_the_table(who, game, seat, tokens[seat])
        for move in moves[-LAST:]:
            expect(people[move.seat].page.get_by_label("What you may do")).to_have_attribute(
                "data-version", str(move.version)
            )
            give(people[move.seat].page, item_of(client, game, tokens[move.seat], move))
        for who in people.values():
            expect(who.turn).to_contain_text("The game is over")
        summary = client.get(f"/v1/games/{game}").json()
        assert summary["status"] == "finished"
        winners = " and ".join(summary["result"]["winners"]) or "nobody"
        assert f"{winners} won" in one.turn.inner_text()
        expect(one.page.locator(".boardbox")).to_be_visible()
        told = verify(client.get(f"/v1/games/{game}/evidence").content, games())
    assert (told.code, told.orders) == (0, "O1p"), told.text()
    shoot(one.page, f"table-{wish.ruleset}-over")
    shoot(two.page, f"table-{wish.ruleset}-over-narrow")
    assert one.serious() == []

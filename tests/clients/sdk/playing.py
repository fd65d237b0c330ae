"""Plays a game with the installed decklog-client, and reads along: a program of its own.

python playing.py waiting|awaiting URL WISH: says "moved" once in the middle, and how it ended.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import threading
from typing import Any

from decklog_client import AsyncClient, Client, Heads  # type: ignore[import-not-found]

HALF = 15
"""Turns after which the middle is told."""
PATIENCE = 170.0
CHANCE = random.Random(5)


def choose(items: list[Any]) -> Any:
    stays = [each for each in items if not each["command"]["type"].endswith(".resign")]
    return CHANCE.choice(stays or items)["command"]


def told(events: list[Any], views: list[Any], **more: Any) -> None:
    numbers = [each["seq"] for each in events]
    print(json.dumps({"numbers": numbers, "views": views[-1:], "seen": len(views), **more}))


def middle(turns: int) -> None:
    if turns == HALF:
        print("moved", flush=True)


def waiting(url: str, wish: dict[str, Any]) -> None:
    """Two threads beside the one that plays: one follows the events, one the view of a seat."""
    events: list[Any] = []
    views: list[Any] = []
    heads = Heads(service=url)
    with Client(url, heads=heads, patience=PATIENCE) as api:
        table = api.new_table(**wish)
        seat = next(iter(table.seats.values()))

        def follow() -> None:
            events.extend(news.data for news in api.follow(table.game))

        def watch() -> None:
            views.extend(seat.watch(table.game))

        readers = [threading.Thread(target=each) for each in (follow, watch)]
        for each in readers:
            each.start()
        for turns, turn in enumerate(table.turns()):
            middle(turns)
            turn.give(choose(turn.items()))
        for each in readers:
            each.join()
        told(
            events,
            views,
            game=table.game,
            view=seat.view(table.game),
            head=heads.newest(table.game),
            result=table.summary()["result"],
        )


async def awaiting(url: str, wish: dict[str, Any]) -> None:
    async with AsyncClient(url, heads=Heads(service=url), patience=PATIENCE) as api:
        table = await api.new_table(**wish)
        seat = next(iter(table.seats.values()))

        async def follow() -> list[Any]:
            return [news.data async for news in api.follow(table.game)]

        async def watch() -> list[Any]:
            return [view async for view in seat.watch(table.game)]

        readers = [asyncio.create_task(follow()), asyncio.create_task(watch())]
        turns = 0
        async for turn in table.turns():
            middle(turns)
            turns += 1
            await turn.give(choose(await turn.items()))
        events, views = [await each for each in readers]
        told(
            events,
            views,
            game=table.game,
            view=await seat.view(table.game),
            head=api.calls.heads.newest(table.game),
            result=(await table.summary())["result"],
        )


if __name__ == "__main__":
    how, url, wish = sys.argv[1:]
    if how == "waiting":
        waiting(url, json.loads(wish))
    else:
        asyncio.run(awaiting(url, json.loads(wish)))

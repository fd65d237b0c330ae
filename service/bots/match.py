"""A game between bots, through the API alone: list, choose, post, until nobody is asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from typing import Any, NamedTuple

from .agent import Agent
from .bot import Bot, Item, Json, Position
from .client import STALE, ApiError, DecklogClient
from .outcome import Outcome


class Move(NamedTuple):
    """One command that was accepted: who gave it, the item, and the service's answer."""

    seat: str
    item: Item
    done: Json


def seated(created: Json, client: DecklogClient) -> dict[str, DecklogClient]:
    """A client for each seat that the creator of a game kept."""
    return {each["seat"]: client.as_holder(each["token"]) for each in created["tokens"]}


def steps(
    clients: Mapping[str, DecklogClient],
    game: str,
    bots: Mapping[str, Bot],
    *,
    patient: bool = False,
    agents: Collection[Agent] = (),
) -> Iterator[Move]:
    """Play on, one accepted command at a time, as long as a seat of ``clients`` is asked.

    patient  wait for the other seats' commands too, until the game is over
    agents   of the seats here, which give the links of their dice before each command
    """
    seat = next(iter(clients))
    units = clients[seat].units(clients[seat].summary(game)["rules"]["ruleset"])
    while True:
        client = clients[seat]
        if agents and _waits_for_links(client, game, agents):
            continue
        listed = client.commands(game)
        asked = {question["seat"]: question for question in listed["toMove"]}
        if seat in asked:
            item = bots[seat].choose(_position(client, game, seat, asked[seat], listed, units))
            done = _post(client, game, item, listed["version"])
            if done is not None:
                yield Move(seat, item, done)
        elif any(other in clients for other in asked):
            seat = next(other for other in asked if other in clients)
        elif not (patient and _moved_on(client, game, listed["version"])):
            return


def _waits_for_links(client: DecklogClient, game: str, agents: Collection[Agent]) -> bool:
    """Give the links that are wanted; whether an order was locked all the same, and others' links
    or a beacon were waited for."""
    for agent in agents:
        agent.look()
    now = client.summary(game)
    return bool(now["locked"]) and _moved_on(client, game, now["version"])


def _moved_on(client: DecklogClient, game: str, version: int) -> bool:
    """Wait for the next event after ``version``; false when the game is over."""
    with closing(client.events(game, version, follow=True)) as events:
        return next(events, None) is not None


def _position(
    client: DecklogClient, game: str, seat: str, asked: Json, listed: Json, units: Json
) -> Position:
    def look() -> Json:
        state: Json = client.view(game, listed["version"])["state"]
        return state

    question, subject = asked["question"], asked["subject"]
    return Position(seat, question, listed["items"], look, units, subject=subject)


def _post(client: DecklogClient, game: str, item: Item, version: int) -> Json | None:
    """The answer, or None when another seat was quicker and the list is stale."""
    try:
        return client.post(game, item["command"], version)
    except ApiError as error:
        if error.status != STALE:
            raise
        return None


def play(
    clients: Mapping[str, DecklogClient],
    game: str,
    bots: Mapping[str, Bot],
    *,
    limit: int = 20_000,
    told: Callable[[Move], Any] = lambda move: None,
    agents: Collection[Agent] = (),
) -> Outcome:
    """Play a game to its end, or for ``limit`` commands; ``told`` hears of every move."""
    commands = 0
    for move in steps(clients, game, bots, agents=agents):
        commands += 1
        told(move)
        if commands >= limit:
            break
    summary = next(iter(clients.values())).summary(game)
    return Outcome(summary["result"], summary["scores"], summary["version"], commands)

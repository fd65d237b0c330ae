"""``decklog agent``: give a seat's dice links, so that its own secret is in every die."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .console import emit, say
from .mistakes import Mistake
from .tools import address_option, json_option

if TYPE_CHECKING:
    from service.bots.client import DecklogClient

FIELDS = {"game", "seat", "token", "secret"}


@click.command("agent", short_help="Give a seat's dice links while it plays.")
@click.argument("game", metavar="GAME")
@address_option
@click.option("--seat", required=True, help="The seat that it is the agent of.")
@click.option(
    "--file", "kept", type=click.Path(dir_okay=False, path_type=Path), required=True,
    metavar="FILE",
    help="Holds the seat's token and its secret, for its owner's eyes alone (mode 0600).",
)  # fmt: skip
@click.option("--invitation", default="", metavar="TOKEN", help="By which the seat is taken.")
@click.option("--take", is_flag=True, help="Take the seat first, and write FILE; then end.")
@json_option
def command(
    game: str, address: str, seat: str, kept: Path, invitation: str, take: bool, as_json: bool
) -> int:
    """Give the dice links of SEAT in GAME until the game is over.

    With --take the seat is taken with a dice chain of its own, whose secret, and the seat's token,
    are in FILE: play with the token, and let the agent run. Of grade A1 it gives links ahead; of
    grades A2 and A3 each when the order that needs it is locked. While it does not run, the seat is
    absent from the dice, which the record and the verdict say.
    """
    import httpx

    from service.bots.client import ApiError, DecklogClient
    from service.bots.heads import OtherRecord

    try:
        with DecklogClient(address) as client:
            if take:
                return _take(client, game, seat, kept, invitation, as_json=as_json)
            return _run(client, game, seat, kept, as_json=as_json)
    except (ApiError, OtherRecord) as error:
        raise Mistake(f"{error}.", "", "agent.refused") from None
    except httpx.HTTPError as error:
        raise Mistake(f"{address} does not answer: {error}.", "", "service.silent") from None


def _take(
    client: DecklogClient, game: str, seat: str, kept: Path, invitation: str, *, as_json: bool
) -> int:
    from service.bots.agent import Chain, place_of

    secret, summary = secrets.token_bytes(32), client.summary(game)
    if seat not in [each["seat"] for each in summary["seats"]]:
        raise Mistake(f"The game has no seat {seat}.", "", "seat.unknown")
    chain = Chain(secret, summary, place_of(summary, seat))
    try:
        # First the secret: a seat whose secret is lost is absent for ever.
        opened = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise Mistake(f"{kept} cannot be made: {error.strerror}.", "", "file.unwritable") from None
    with os.fdopen(opened, "w", encoding="utf-8") as file:
        told: dict[str, Any] = {"game": game, "seat": seat, "token": "", "secret": secret.hex()}
        file.write(json.dumps(told))
        file.flush()
        told["token"] = client.take_seat(game, seat, invitation, tip=chain.tip.hex())["token"]
        file.seek(0)
        file.write(json.dumps(told))
    emit({"game": game, "seat": seat, "tip": chain.tip.hex()}) if as_json else say(
        f"{seat} is taken; its token and secret are in {kept}."
    )
    return 0


def _run(client: DecklogClient, game: str, seat: str, kept: Path, *, as_json: bool) -> int:
    from service.bots.agent import Agent

    told = _read(kept)
    if (told["game"], told["seat"]) != (game, seat):
        raise Mistake(f"{kept} is of {told['seat']} in game {told['game']}.", "", "file.other")
    agent = Agent(client.as_holder(told["token"]), game, seat, bytes.fromhex(told["secret"]))
    for after in agent.run():
        batch = max(each["linksUpto"] for each in after["seats"] if each["seat"] == seat)
        emit({"upto": batch}) if as_json else say(f"links are given up to batch {batch}")
    return 0


def _read(kept: Path) -> dict[str, str]:
    try:
        found = json.loads(kept.read_text("utf-8"))
        if set(found) == FIELDS and len(bytes.fromhex(found["secret"])) == 32:
            return dict(found)
    except (OSError, ValueError, TypeError) as error:
        raise Mistake(f"{kept} cannot be read: {error}.", "", "file.unreadable") from None
    raise Mistake(f"{kept} was not written by decklog agent --take.", "", "file.unreadable")

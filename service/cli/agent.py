"""``decklog agent``: give a seat's dice links, so that its own secret is in every die."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from .console import emit, say
from .mistakes import Mistake
from .seatfile import SeatFile, begin_seat, read_seat, signer_for, write_seat
from .tools import address_option, json_option

if TYPE_CHECKING:
    from service.bots.client import DecklogClient
    from service.bots.signer import Signer


class _Wish(NamedTuple):
    """How a seat is taken: whether it signs its orders; how that is told."""

    signed: bool
    as_json: bool


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
@click.option("--signed", is_flag=True, help="Its orders are signed by a key of its own, in FILE.")
@click.option("--new-key", is_flag=True, help="Make another key, for the organiser to rule on.")
@click.option("--pass-on", is_flag=True, help="Make another key, and pass the seat's on to it now.")
@json_option
def command(
    game: str,
    address: str,
    seat: str,
    kept: Path,
    invitation: str,
    take: bool,
    signed: bool,
    new_key: bool,
    pass_on: bool,
    as_json: bool,
) -> int:
    """Give the dice links of SEAT in GAME until the game is over.

    With --take the seat is taken with a dice chain of its own, whose secret, and the seat's token,
    are in FILE: play with the token, and let the agent run. Of grade A1 it gives links ahead; of
    grades A2 and A3 each when the order that needs it is locked. While it does not run, the seat is
    absent from the dice, which the record and the verdict say.

    With --take --signed the seat has a key as well, and nobody gives orders for it without: play
    with decklog play --file FILE (grade O1 of the orders). --pass-on puts another one into FILE, to
    which the one that the game has passes on: from then on that is good for nothing. --new-key puts
    another one into FILE and prints the command with which the organiser rules the same.
    """
    import httpx

    from service.bots.client import ApiError, DecklogClient
    from service.bots.heads import OtherRecord

    wish = _Wish(signed, as_json)
    try:
        with DecklogClient(address) as client:
            if new_key or pass_on:
                own = _own(game, seat, kept)
                passing = _another_key(client, own, kept)
                return (_passed_on if pass_on else _to_rule)(client, own, passing, wish)
            if take:
                return _take(client, game, seat, kept, invitation, wish)
            return _run(client, game, seat, kept, as_json=as_json)
    except (ApiError, OtherRecord) as error:
        raise Mistake(f"{error}.", "", "agent.refused") from None
    except httpx.HTTPError as error:
        raise Mistake(f"{address} does not answer: {error}.", "", "service.silent") from None


def _take(
    client: DecklogClient, game: str, seat: str, kept: Path, invitation: str, wish: _Wish
) -> int:
    from service.bots.agent import Chain, place_of

    secret, summary = secrets.token_bytes(32), client.summary(game)
    if seat not in [each["seat"] for each in summary["seats"]]:
        raise Mistake(f"The game has no seat {seat}.", "", "seat.unknown")
    chain = Chain(secret, summary, place_of(summary, seat))
    keys = [secrets.token_hex(32)] if wish.signed else []
    told = SeatFile(game, seat, "", secret.hex(), keys)
    # First the secrets: a seat whose secret is lost is absent for ever, without its key it is mute.
    begin_seat(kept, told)
    signer = next(iter(told.signers()), None)
    tip = "" if summary["grade"] == "A0" else chain.tip.hex()
    taken = client.take_seat(game, seat, invitation, signer, tip)
    write_seat(kept, msgspec.structs.replace(told, token=taken["token"]))
    said: dict[str, Any] = {"game": game, "seat": seat, "tip": tip}
    if signer is not None:
        said["public"] = signer.registered["public"]
    emit(said) if wish.as_json else say(f"{seat} is taken; its token and secrets are in {kept}.")
    return 0


class _Passing(NamedTuple):
    """Another key of a seat, in its file; the one that the game has has signed it."""

    key: Signer
    signature: str


def _another_key(client: DecklogClient, told: SeatFile, kept: Path) -> _Passing:
    """It is in the file before anybody hears of it."""
    if not told.keys:
        hint = "A seat has a key from when it is taken on (--take --signed), or never."
        raise Mistake(f"{kept} has no key.", hint, "file.other")
    # Not the newest of the file: that may be one which has not taken its place yet.
    old = signer_for(kept, told, client.summary(told.game))
    if old is None:
        raise Mistake(f"{told.seat} has no key in the game, to pass on.", "", "file.other")
    after = msgspec.structs.replace(told, keys=[*told.keys, secrets.token_hex(32)])
    new = after.signers()[0]
    write_seat(kept, after)
    return _Passing(new, old.pass_on(told.game, told.seat, new))


def _to_rule(_: DecklogClient, told: SeatFile, passing: _Passing, wish: _Wish) -> int:
    """What the organiser needs to rule on it."""
    said = {"public": passing.key.registered["public"], "signature": passing.signature}
    line = " ".join(f"--{name} {value}" for name, value in said.items())
    emit(said) if wish.as_json else say(f"decklog admin key {told.game} {told.seat} {line}")
    return 0


def _passed_on(client: DecklogClient, told: SeatFile, passing: _Passing, wish: _Wish) -> int:
    """The seat says so itself: nobody has to rule on it."""
    holder = client.as_holder(told.token)
    holder.pass_on(told.game, passing.key.registered, passing.signature)
    said = {"game": told.game, "seat": told.seat, "public": passing.key.registered["public"]}
    emit(said) if wish.as_json else say(f"{told.seat} signs its orders by {said['public']} now.")
    return 0


def _run(client: DecklogClient, game: str, seat: str, kept: Path, *, as_json: bool) -> int:
    from service.bots.agent import Agent

    told = _own(game, seat, kept)
    agent = Agent(client.as_holder(told.token), game, seat, bytes.fromhex(told.secret))
    for after in agent.run():
        batch = max(each["linksUpto"] for each in after["seats"] if each["seat"] == seat)
        emit({"upto": batch}) if as_json else say(f"links are given up to batch {batch}")
    return 0


def _own(game: str, seat: str, kept: Path) -> SeatFile:
    """Raises Mistake where the file is of another seat."""
    told = read_seat(kept)
    if (told.game, told.seat) != (game, seat):
        raise Mistake(f"{kept} is of {told.seat} in game {told.game}.", "", "file.other")
    return told

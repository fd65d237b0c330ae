"""``decklog fork``: a what-if game from any version of another."""

from __future__ import annotations

import secrets
from typing import Any

import click
import msgspec

from domain.kernel.chance import Faces
from domain.kernel.codec import full
from domain.kernel.values import CHANCE

from .console import emit, say
from .filed import FileDesk, file_desk
from .files import is_file, moment
from .mistakes import Mistake
from .remote import Remote, game_path
from .tools import Tools, json_option, service_options, viewer_option


@click.command("fork", short_help="Make a what-if game from any version of another.")
@click.argument("game", metavar="GAME|FILE")
@click.option(
    "--at", type=click.IntRange(1), metavar="N", help="From this version; else the newest."
)
@viewer_option()
@click.option(
    "--seed", default="", metavar="TEXT", help="Of the fork's dice and of what is hidden."
)
@click.option(
    "--faces",
    default="",
    metavar='"6 6 1"',
    help="Faces for the dice that are awaited there; pools are parted by +.",
)
@click.option("--name", default="", help="A name for the fork.")
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools,
    game: str,
    at: int | None,
    viewer: str,
    seed: str,
    faces: str,
    name: str,
    url: str,
    token: str,
    as_json: bool,
) -> int:
    """Make a game of your own that goes on from a version of GAME, and tell its id and tokens.

    The tokens are told once. Only with one of them can anybody see the fork.

    Of an evidence FILE nothing is kept: what the fork begins with is told, with what the --faces
    would have led to, by the rules that the file names.

    \b
      decklog fork FILE --at 62 --faces "6 6 1"     what if these had fallen
    """
    game, at = moment(game, at)
    if is_file(game):
        desk = file_desk(tools, game, viewer)
        told = _supposed(desk, at, seed or secrets.token_hex(8), _faces(faces) if faces else [])
        if as_json:
            emit(told)
        else:
            _tell(told)
        return 0
    body: dict[str, Any] = {
        field: value
        for field, value in (("at", at), ("viewer", viewer), ("seed", seed), ("name", name))
        if value
    }
    if faces:
        body["faces"] = _faces(faces)
    with Remote(url, token) as remote:
        made = remote.post(game_path(game, "/forks"), body)
    if as_json:
        emit(made)
        return 0
    fork = made["game"]
    say(f"game {fork['id']}, from version {fork['fork']['version']} of {fork['fork']['game']}")
    say(f"seed {fork['fork']['seed']}, as {fork['fork']['viewer']} sees it")
    for seat in made["tokens"]:
        say(f"token of {seat['seat']}: {seat['token']}")
    return 0


def _supposed(desk: FileDesk, at: int | None, seed: str, faces: list[list[int]]) -> dict[str, Any]:
    """The position that a fork of a file begins with, and what the faces led to. Raises Mistake."""
    from service.evidence.changed import in_force
    from service.work.tasks import Begin, Beginning, Position

    version = desk.version(at)
    game = in_force(desk.game, version)

    def begun(fallen: list[list[int]]) -> Beginning:
        origin = Position(desk.id, desk.viewer, version)
        thrown = tuple(map(tuple, fallen))
        task = Begin(game.ruleset, origin, desk.latest, seed, thrown)
        return msgspec.json.decode(desk.made(task), type=Beginning)

    made = begun(faces).fork
    before = msgspec.convert(begun([]).fork.state, game.state)
    dice = Faces(made.label, made.faces)
    events = game.decide(before, CHANCE, dice) if faces else ()
    state = game.fold(events, before)
    return {
        "game": desk.id,
        "version": version,
        "viewer": desk.viewer,
        "seed": seed,
        "events": list(game.sentences(before, events)),
        "toMove": msgspec.to_builtins(game.pending(state)),
        "board": game.board(state),
        "state": full(state),
    }


def _tell(told: dict[str, Any]) -> None:
    where = f"version {told['version']} of game {told['game']}"
    say(f"What if, from {where}, as {told['viewer']} sees it; seed {told['seed']}")
    for text in told["events"]:
        say(f"  {text}")
    say()
    say(told["board"])


def _faces(text: str) -> list[list[int]]:
    try:
        return [[int(face) for face in pool.split()] for pool in text.split("+")]
    except ValueError:
        raise Mistake("Faces are numbers.", 'Write "6 6 1", or "6 6 + 2 3".', "usage") from None

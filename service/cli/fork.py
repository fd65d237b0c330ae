"""``decklog fork``: a what-if game from any version of another."""

from __future__ import annotations

from typing import Any

import click

from .console import emit, say
from .mistakes import Mistake
from .remote import Remote, game_path
from .tools import json_option, service_options, viewer_option


@click.command("fork", short_help="Make a what-if game from any version of another.")
@click.argument("game", metavar="GAME")
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
def command(
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
    """
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


def _faces(text: str) -> list[list[int]]:
    try:
        return [[int(face) for face in pool.split()] for pool in text.split("+")]
    except ValueError:
        raise Mistake("Faces are numbers.", 'Write "6 6 1", or "6 6 + 2 3".', "usage") from None

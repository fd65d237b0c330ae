"""``decklog export``: a game's evidence as a file."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import click

from .console import emit, progress, say
from .mistakes import Mistake
from .remote import Remote, game_path
from .tools import json_option, service_options


@click.command("export", short_help="Export the evidence of a game as a file.")
@click.argument("game", metavar="GAME")
@click.option(
    "-o",
    "--output",
    default="",
    metavar="FILE",
    help="Where to write it; GAME.decklog by default, - for standard output.",
)
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@service_options
@json_option
def command(game: str, output: str, force: bool, url: str, token: str, as_json: bool) -> int:
    """Export the evidence of a game: one file that anybody can verify offline.

    The file of a finished game opens everything. While a game runs it holds what the caller may
    know, and verifies as partial.
    """
    target = output or f"{game}.decklog"
    if target != "-" and Path(target).exists() and not force:
        raise Mistake(f"{target} exists.", "--force replaces it, -o names another.", "file.exists")
    with Remote(url, token) as remote, progress("exporting") as report:
        data = remote.download(game_path(game, "/evidence"), report)
    if target == "-":
        sys.stdout.buffer.write(data)
        return 0
    write_whole(Path(target), data)
    digest = hashlib.sha256(data).hexdigest()
    if as_json:
        emit({"file": target, "bytes": len(data), "sha256": digest, "game": game})
    else:
        say(f"{target}: {len(data):,} bytes, SHA-256 {digest}")
        say(f"Judge it with: decklog verify {target}")
    return 0


def write_whole(path: Path, data: bytes) -> None:
    """The file appears whole or not at all. Raises Mistake."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        reason = (error.strerror or str(error)).lower()
        raise Mistake(
            f"{path} cannot be written: {reason}.", "Name another file with -o.", "file.unwritable"
        ) from None

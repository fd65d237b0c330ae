"""``decklog export``: a game's evidence as a file."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .console import emit, progress, say
from .engines import places
from .mistakes import Mistake
from .remote import Remote, game_path
from .tools import Tools, json_option, service_options

if TYPE_CHECKING:
    from service.evidence.shelf import Place


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
@click.option("--with-engine", is_flag=True, help="Put the engines of its rules into the file.")
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools,
    game: str,
    output: str,
    force: bool,
    with_engine: bool,
    url: str,
    token: str,
    as_json: bool,
) -> int:
    """Export the evidence of a game: one file that anybody can verify offline.

    The file of a finished game opens everything. While a game runs it holds what the caller may
    know, and verifies as partial.
    """
    target = output or f"{game}.decklog"
    if target != "-" and Path(target).exists() and not force:
        raise Mistake(f"{target} exists.", "--force replaces it, -o names another.", "file.exists")
    with Remote(url, token) as remote, progress("exporting") as report:
        data = remote.download(game_path(game, "/evidence"), report)
    if with_engine:
        data = _with_engine(tools, data)
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


def _with_engine(tools: Tools, data: bytes) -> bytes:
    """The file with the engines that it names: those installed, or at hand. Raises Mistake."""
    from service.evidence.bundle import EVENTS, BundleError, engines_named, with_engines
    from service.evidence.casefile import unpack

    manifest, files = unpack(data)
    named = engines_named(manifest, files[EVENTS])
    if named is None:
        hint = "Rules from before there were archives have none that a file could hold."
        raise Mistake("The engine does not go into the file.", hint, "engine")
    with places(()) as at_hand:
        archives = [_engine(tools, manifest.rules.ruleset, each, at_hand) for each in named]
    try:
        return with_engines(data, archives)
    except BundleError as error:
        told = f"The engines do not go into the file: {error}."
        raise Mistake(
            told, "decklog engine list --all names what is known here.", "engine"
        ) from None


def _engine(tools: Tools, ruleset: str, digest: str, at_hand: Sequence[Place]) -> bytes:
    """The archive of that digest. Raises Mistake."""
    from service.evidence.digest import rules_archive, rules_digest
    from service.evidence.records import ENGINE, RulesUsed
    from service.evidence.shelf import search

    installed = tools.games.get(ruleset)
    if installed is not None and rules_digest(installed).hex() == digest:
        return rules_archive(installed)
    found = search(RulesUsed(ruleset, "", digest, ENGINE), at_hand, ()).found
    if found is None:
        hint = "It is looked for among the installed rules, what this build carries, and the cache."
        raise Mistake(f"The engine {digest} is not at hand.", hint, "engine")
    return found.archive


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

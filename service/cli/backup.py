"""``decklog backup``: the proof that copies are good, and the ways back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .console import emit, progress, say
from .demo import players
from .given import given, settings_options
from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.backups.drill import Drilled
    from service.bots.demo import Plan
    from service.settings import Settings

FAILED = 1


@click.group("backup", short_help="Prove that copies of the store are good.")
def command() -> None:
    """Work on the copies that deploy/backup.py makes of a store.

    With --json each answers for programs.
    """


@command.command("drill")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@settings_options
@click.option(
    "--scratch",
    default="",
    metavar="ADDRESS",
    help="An empty database, for a dump, or @FILE that names it; it is emptied again.",
)
@click.option(
    "--room",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder with room for a copy, as large as the store; that of the system by default.",
)
@click.option("--game", "ruleset", metavar="NAME", help="Ruleset of the game that is played.")
@json_option
@click.pass_obj
def drill_(
    tools: Tools,
    folder: Path | None,
    config: Path | None,
    database: Path | None,
    scratch: str,
    room: Path | None,
    ruleset: str | None,
    as_json: bool,
) -> int:
    """Restore the newest copy of FOLDER into a scratch place, and play on it.

    A service is started on it, a game is played to its end over HTTP, and its evidence is judged;
    besides that of a game of the copy that is over. The result is left in drill.json beside the
    copies, which /metrics tells of. FOLDER is DECKLOG_BACKUPS by default; the key that of the
    service. The exit code is 1 where anything went wrong.
    """
    from service.backups.drill import Drill, drill

    settings = given(config, database=database)
    folder = folder or (Path(settings.backups) if settings.backups else None)
    if folder is None or not folder.is_dir():
        hint = "Name the folder of the copies, or set DECKLOG_BACKUPS."
        raise Mistake("There is no folder of copies.", hint, "usage")
    plan = _plan(tools, ruleset)
    with progress("drilling") as report:
        report(0, 0)
        asked = Drill(folder, _key(settings), scratch, room, plan, tools.games)
        found = drill(asked)
    if as_json:
        emit(found)
    else:
        _say_drilled(found)
    return 0 if found.succeeded else FAILED


def _say_drilled(found: Drilled) -> None:
    if found.copy:
        say(f"{found.copy}, made {found.made}, {found.bytes:,} bytes")
    for name, seconds in found.seconds.items():
        say(f"  {name:<8}{seconds:>9.2f} s")
    if found.found:
        say(f"Game {found.found} of the copy: its evidence is upheld.")
    if found.played:
        say(f"Game {found.played} was played on it: {found.events} events, upheld.")
    say("The drill has passed." if found.succeeded else f"The drill has failed: {found.why}")


def _plan(tools: Tools, ruleset: str | None) -> Plan:
    from service.bots.demo import Plan

    game = tools.game(ruleset or next(iter(tools.games)))
    return Plan("drill", game, game.editions[-1], players(game, "", None))


def _key(settings: Settings) -> str:
    """The key of the store that was copied. Raises Mistake."""
    from service.store.box import key_path

    if settings.key:
        return settings.key
    try:
        return key_path(settings.database).read_text("ascii").strip()
    except OSError:
        hint = "Set DECKLOG_KEY_FILE, or name the store that was copied with --database."
        raise Mistake("There is no key that opens the copies.", hint, "store.wrong-key") from None

"""``decklog backup``: the proof that copies are good, and the ways back."""

from __future__ import annotations

import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .console import emit, progress, say
from .demo import players
from .given import given, needed, settings_options
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

    Every game of it is read as by `decklog store check`. A service is started on it, a game is
    played to its end over HTTP, and its evidence is judged; besides that of a game of the copy that
    is over. The result is left in drill.json beside the copies, which /metrics tells of. FOLDER is
    DECKLOG_BACKUPS by default; the key that of the service. The exit code is 1 where anything went
    wrong.
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
        asked = Drill(folder, _key(settings), settings.archive, scratch, room, plan, tools.games)
        found = drill(asked)
    if as_json:
        emit(found)
    else:
        _say_drilled(found)
    return 0 if found.succeeded else FAILED


@command.command("follow")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@settings_options
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 60),
    default=2.0,
    show_default=True,
    help="Time between two looks: about so much is lost with the store's disk.",
)
def follow_(folder: Path, config: Path | None, database: Path | None, seconds: float) -> int:
    """Keep a copy of the SQLite file in FOLDER, on another disk, until it is stopped.

    It begins with a whole copy, and takes over what is committed while the service runs. Each
    FOLDER/shadow-... is a file with its log; backup.py restores it. Its word is left in
    DECKLOG_BACKUPS, or in FOLDER. Started anew it begins anew, and keeps the copy of before until
    the new one is whole.
    """
    from service.backups.copies import Failed
    from service.backups.shadow import Shadow, follow

    settings = given(config, database=database)
    if settings.store:
        hint = "Archive PostgreSQL's own log: see deploy/DRILLS.md."
        raise Mistake("This follows an SQLite file.", hint, "usage")
    needed(settings)
    told = Path(settings.backups) if settings.backups else folder
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        follow(Shadow(settings.database, folder, told), seconds, stop.wait)
    except (Failed, OSError, sqlite3.Error) as error:
        click.echo(f"decklog: the copy cannot go on: {error}", err=True)
        return FAILED
    return 0


@command.command("keys")
@click.argument("private", type=click.Path(dir_okay=False, path_type=Path))
def keys_(private: Path) -> int:
    """Make the pair of keys for sealed copies: the private one into a file, the public one shown.

    Not on the server: it holds the public key alone. Whoever has the private one and the key of the
    store reads everything in the copies.
    """
    from service.backups.sealing import make_pair

    with _failing("No keys were made"):
        say(make_pair(private))
    return 0


@command.command("seal")
@click.argument("copy", type=click.Path(exists=True, path_type=Path))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--for", "public", required=True, metavar="KEY", help="Public key, or @FILE.")
@click.option("--keep", type=click.IntRange(0), default=0, metavar="N", help="0: keep all.")
def seal_(copy: Path, folder: Path, public: str, keep: int) -> int:
    """Seal a COPY, or the newest of a folder, into FOLDER for a key that is not on the server.

    With --keep the oldest sealed ones beyond N go.
    """
    from service.backups.copies import check, newest, prune, told_in
    from service.backups.sealing import END, seal

    with _failing("The copy was not sealed"):
        file = newest(copy) if copy.is_dir() else copy
        check(file)
        say(str(seal(file, folder, told_in(public))))
        if keep:
            prune(folder, file.suffix + END, keep)
    return 0


@command.command("open")
@click.argument("sealed", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--with",
    "private",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The private key.",
)
def open_(sealed: Path, folder: Path, private: Path) -> int:
    """Open a SEALED copy into FOLDER with the private key; backup.py restores it from there."""
    from service.backups.copies import with_sum
    from service.backups.sealing import END, unseal

    with _failing("The copy was not opened"):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = folder / sealed.name.removesuffix(END)
        unseal(sealed, target, private)
        with_sum(target)
        say(str(target))
    return 0


@contextmanager
def _failing(what: str) -> Iterator[None]:
    """Says why it could not be done. Raises Mistake."""
    from service.backups.copies import Failed

    try:
        yield
    except (Failed, OSError) as error:
        raise Mistake(f"{what}: {error}.", "See decklog backup --help.", "backup") from None


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

"""``decklog audit``: what the whole log of a service comes to, counted again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .console import emit, progress, say
from .files import read_bytes, read_secret, write_page
from .keytexts import verify_key
from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.evidence.signing import VerifyKey
    from service.log.audit import Complete, Counted, Held
    from service.log.auditpage import KeysTold
    from service.log.monitor import Finding

FOUND = 1


@click.command("audit", short_help="Count a service's whole log again, with its games' files.")
@click.argument("address", metavar="LOG")
@click.argument("files", metavar="[FILE|FOLDER]...", nargs=-1)
@click.option("--log", "vkey", required=True, metavar="VKEY", help="Key of the log.")
@click.option("--root", default="", metavar="VKEY", help="Root key of the service.")
@click.option(
    "--keys", default="", metavar="LIST", help="The service's newest list of keys, beside FILES."
)
@click.option(
    "--series", is_flag=True, help="FILES are to be all games of the series that they name alone."
)
@click.option(
    "--player", default="", metavar="FILE",
    help="The secret of a player, in hex: FILES are to be all of his games alone.",
)  # fmt: skip
@click.option("--page", default="", metavar="FILE", help="Page to write: one HTML file with all.")
@json_option
@click.pass_obj
def command(
    tools: Tools, address: str, files: tuple[str, ...], vkey: str, root: str, keys: str,
    series: bool, player: str, page: str, as_json: bool,
) -> int:  # fmt: skip
    """Read the whole LOG of a service (http://HOST/log, or a folder), and tell what it comes to.

    The leaves alone tell how many games there are, how long each is, and whether a number of one is
    missing or stands twice. Evidence FILES (or FOLDERS of them) tell how games ended, on what grade
    of dice, who was absent, and how often each face fell, with exact odds; a game of the log that
    is in none of them is left out, which is a finding; with --series only one of a series that the
    files name, since the log counts the games of each, and with --player only one of a player who
    has opened his secret. A file counts where the log has each of its
    events; its dice are rolled again, its orders are not decided again. With --root it tells how
    old the newest list of keys is, and what was taken back. The dice of a file that opens less
    than all are counted as far as it opens them.

    \b
    The exit code:
      0  nothing is out of order, as far as the log and these files tell
      1  something is: a break in the numbers, a file of another record, a game left out, loaded
         dice, a key that does not count
    """
    from service.log import auditpage
    from service.log.note import NoteWrong, read_key

    try:
        key = read_key(vkey)
    except NoteWrong as error:
        raise Mistake(f"--log: {error}.", "", "log.key") from None
    if series and player:
        raise Mistake("--series and --player ask two questions.", "Ask one at a time.", "usage")
    paths, secret = list(_paths(files)), _secret(player)
    held, unread = _read(tools, paths)
    if series and not any(each.told.series for each in held):
        raise Mistake("--series: no file is of a series.", "Name its games' files.", "log.series")
    told, more = _keys(root, keys, key, held)
    counted = _counted(address, key, held)
    audit = auditpage.audit_of(
        key.name,
        counted,
        len(paths),
        told,
        _build(),
        [*unread, *more],
        _scope(series, player),
        secret,
    )
    if page:
        write_page(page, auditpage.page(audit))
    if as_json:
        emit(audit)
    else:
        say(auditpage.text(audit))
    return FOUND if audit.alarm else 0


def _scope(series: bool, player: str) -> Complete:
    if player:
        return ""
    return "series" if series else "log"


def _secret(file: str) -> bytes:
    """Of a player who has opened it; b"" for nobody. Raises Mistake."""
    if not file:
        return b""
    wrong = Mistake(f"{file} holds no secret.", "It is 64 digits in hex.", "log.secret")
    return read_secret(file, wrong)


def _keys(
    root: str, keys: str, log: VerifyKey, held: Sequence[Held]
) -> tuple[KeysTold | None, list[Finding]]:
    """The newest list of keys that the root has signed: of those in the files, and ``keys``."""
    from service.clock import SYSTEM
    from service.log.auditpage import keys_told
    from service.log.keywatch import newest_list

    root_key = verify_key(root, "--root")
    if root_key is None and keys:
        hint = "Whoever vouches for the root key vouches for the others."
        raise Mistake("--keys needs the root key of the service.", hint, "usage")
    if root_key is None:
        return None, []
    lists = [(each.told.file, each.keys) for each in held if each.keys]
    found, wrong = newest_list(root_key, [*lists, *([(keys, read_bytes(keys))] if keys else [])])
    if found is None:
        return None, wrong
    told, more = keys_told(found, log, SYSTEM.now())
    return told, [*wrong, *more]


def _paths(files: Sequence[str]) -> Iterator[str]:
    """The files, and those in the folders, each once."""
    seen = set[Path]()
    for each in files:
        path = Path(each)
        for found in sorted(path.glob("*.decklog")) if path.is_dir() else [path]:
            if found.resolve() not in seen:
                seen.add(found.resolve())
                yield each if found is path else str(found)


def _read(tools: Tools, paths: Sequence[str]) -> tuple[list[Held], list[Finding]]:
    from service.evidence.digest import are_installed
    from service.evidence.records import RulesUsed
    from service.evidence.shelf import CARRIED, search
    from service.log.audit import read_file
    from service.log.monitor import Finding

    known: dict[str, bool] = {}

    def vouches(used: RulesUsed) -> bool:
        if used.digest not in known:
            game = tools.games.get(used.ruleset)
            here = game is not None and are_installed(game, used)
            known[used.digest] = here or search(used, (CARRIED,), ()).found is not None
        return known[used.digest]

    held, unread = list["Held"](), list["Finding"]()
    with progress("reading the files") as report:
        for done, path in enumerate(paths):
            report(done, len(paths))
            try:
                held.append(read_file(path, read_bytes(path), vouches))
            except ValueError as error:
                unread.append(Finding("alarm", f"{path}: {error}"))
    return held, unread


def _counted(address: str, key: VerifyKey, held: Sequence[Held]) -> Counted:
    from service.log.audit import count
    from service.log.leaf import LeafWrong
    from service.log.note import NoteWrong
    from service.log.remote import RemoteLog, Unreachable
    from service.log.tiles import TileWrong

    with closing(RemoteLog(address)) as log, progress("reading the log") as report:
        try:
            return count(key, log.fetch, held, report)
        except (NoteWrong, LeafWrong, TileWrong, Unreachable) as error:
            raise Mistake(f"{address} cannot be counted: {error}.", _HINT, "log") from None
        except KeyError as error:
            raise Mistake(f"{address} does not give {error}.", _HINT, "log") from None


_HINT = "LOG is the address or the folder below which checkpoint and tile lie."


def _build() -> tuple[str, int]:
    from service.build import service_version
    from service.engines.carry import table

    return service_version(), len(table())

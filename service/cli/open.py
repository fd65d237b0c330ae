"""``decklog open``: evidence files in the pages of a service, without one."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from domain.kernel.values import PUBLIC

from .console import progress
from .filed import FileDesk, file_desk
from .mistakes import Mistake
from .serve import JsonGreeting
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.evidence.chain import Seals
    from service.settings import Settings

HERE = "127.0.0.1"
"""Where it listens, and nowhere else: whoever reaches it sees all that the files open."""


@click.command("open", short_help="Look at evidence files in the pages, without a service.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port; 0, a free one, by default."
)
@json_option
@click.pass_obj
def command(tools: Tools, files: tuple[str, ...], port: int, as_json: bool) -> int:
    """Show evidence FILES in the pages of a service: the list of games, replay, boards, reasons,
    mentions, odds, luck and dice; on this machine alone, until Ctrl-C. The file of a game that is
    still in play is shown as everybody may see it.

    Each game is asked by the rules that it names. Nothing is written and no game goes on; what-if
    games can be made and played, and are gone at the end.
    """
    from service.filed.opening import Shut
    from service.serve import run
    from service.settings import Settings

    with tempfile.TemporaryDirectory(prefix="decklog-") as folder:
        settings = Settings(
            database=Path(folder) / "files.sqlite", host=HERE, port=port, rate_limit=0,
            creation_limit=1_000_000, log_level="WARNING",
        )  # fmt: skip
        games = _filled(tools, settings, files)
        click.echo(f"{len(games)} games out of {len(files)} files", err=True)
        say = JsonGreeting().line if as_json else click.echo
        shut = Shut(frozenset(games))
        return run(settings, tools.games, say=say, shut=shut, filed=_not_opened(games))


def _not_opened(games: Mapping[str, FileDesk]) -> dict[str, Seals]:
    """The seals of the games that are still in play, as far as their files open them."""
    found = ((id, desk.filed.game(id)) for id, desk in games.items() if not desk.case.master)
    return {id: row.seals for id, row in found if row is not None}


def _filled(tools: Tools, settings: Settings, files: Sequence[str]) -> dict[str, FileDesk]:
    """The store of the files; its games by id. Raises Mistake where there is none."""
    from service.clock import SYSTEM
    from service.errors import ServiceError
    from service.filed.opening import put_in
    from service.store.store import Store

    store, games = Store(settings), dict[str, FileDesk]()
    store.open(SYSTEM.now())
    try:
        with progress("opening") as report:
            for done, path in enumerate(files):
                report(done, len(files))
                try:
                    desk = _desk(tools, path)
                    if desk.id not in games:
                        put_in(store, desk.filed, desk.id, Path(path).name)
                        games[desk.id] = desk
                except Mistake as error:
                    click.echo(f"decklog: {path} is not shown: {error}", err=True)
                except ServiceError as error:
                    click.echo(f"decklog: {path} is not shown: {error.hint}", err=True)
    finally:
        store.close()
    if not games:
        hint = "decklog verify FILE says what is wrong with one."
        raise Mistake("None of these files can be shown.", hint, "evidence.closed")
    return games


def _desk(tools: Tools, path: str) -> FileDesk:
    """Of a file that does not open everything, as much as everybody may see. Raises Mistake."""
    desk = file_desk(tools, path)
    if desk.case.master:
        return desk
    click.echo(f"decklog: {path} is of a game in play: shown as everybody may see it", err=True)
    return file_desk(tools, path, PUBLIC)

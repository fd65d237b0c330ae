"""``decklog serve``: run the service."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.ops.checking import Standing
    from service.settings import Settings
    from service.store.engines import Frozen, InPlay


@click.command("serve")
@click.option("--host", help="Address to listen on; 127.0.0.1 unless DECKLOG_HOST says otherwise.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 8000 by default, 0: a free one.")
@click.option(
    "--database",
    type=click.Path(dir_okay=False, path_type=Path),
    help="SQLite file; decklog.sqlite in the current folder by default. Made if there is none.",
)
@click.option("--public-url", metavar="URL", help="Address under which clients see the service.")
@click.option(
    "--log-level", type=click.Choice(["DEBUG", "INFO", "WARNING", "ERROR"], case_sensitive=False)
)
@click.option("--check", is_flag=True, help="Only say whether it would start, and with what.")
@json_option
@click.pass_obj
def command(
    tools: Tools,
    host: str | None,
    port: int | None,
    database: Path | None,
    public_url: str | None,
    log_level: str | None,
    check: bool,
    as_json: bool,
) -> int:
    """Run the service until Ctrl-C.

    Says its address, that of its documentation, and a curl line that works; with --json as one JSON
    line. Every setting is also an environment variable: DECKLOG_PORT, DECKLOG_DATABASE, ...
    Unsafe settings are refused; --check names them, what the store says, and by which rules its
    games are played (an upgrade concerns none: each game ends by its own), without serving.
    """
    from service.serve import run
    from service.settings import from_environment

    level = log_level.upper() if log_level else None
    try:
        settings = from_environment(
            host=host, port=port, database=database, public_url=public_url, log_level=level
        )
    except (ValueError, msgspec.ValidationError) as error:
        raise Mistake(
            f"A setting is wrong: {error}.", "Check the options and DECKLOG_* variables.", "usage"
        ) from None
    if check:
        return _check(settings, tools, as_json)
    say = _JsonGreeting().line if as_json else _line
    return run(settings, tools.games, say=say)


def _check(settings: Settings, tools: Tools, as_json: bool) -> int:
    """What is set, and every reason not to start: 0, or 2 when there is one.

    Games in play are counted by their rules; those that stand still because their engine is nowhere
    are named, and are no such reason.
    """
    from service.evidence.digest import digests_of
    from service.ops.checking import Standing, faults, shown, standing

    found = faults(settings, os.environ)
    digests = [digest for game in tools.games.values() for digest in digests_of(game)]
    games = Standing([], []) if found else standing(settings, digests)
    if as_json:
        told = {
            "starts": not found, "faults": found, "frozen": games.frozen, "inPlay": games.in_play,
            "settings": shown(settings),
        }  # fmt: skip
        click.echo(msgspec.json.encode(told))
        return 2 if found else 0
    for name, value in shown(settings).items():
        click.echo(f"{name:<20}{value}".rstrip())
    for fault in found:
        click.echo(fault, err=True)
    for line in _games(games):
        click.echo(line, err=True)
    click.echo("would not start" if found else "would start")
    return 2 if found else 0


def _games(games: Standing) -> Iterator[str]:
    """How the games in play stand to the rules: an upgrade changes no game's."""
    for each in games.in_play:
        by = "the installed rules" if each.installed else "rules that are not installed"
        many = f"{each.games} game{'' if each.games == 1 else 's'}"
        yield f"in play: {many} by {by} ({_rules(each)})"
    if games.in_play:
        yield "an upgrade concerns none of them: each game ends by the rules that it names"
    for still in games.frozen:
        yield f"game {still.game} is frozen: its rules ({_rules(still)}) are not here"


def _rules(named: Frozen | InPlay) -> str:
    return f"{named.ruleset} {named.version}, engine {named.digest}"


def _line(text: str) -> None:
    click.echo(text)


class _JsonGreeting:
    """Gathers the greeting's lines; the address is the last word of the first one."""

    def __init__(self) -> None:
        self._url = ""

    def line(self, text: str) -> None:
        if self._url:
            return
        self._url = text.rsplit(maxsplit=1)[-1]
        told = {
            "url": self._url,
            "docs": f"{self._url}/docs",
            "rulesets": f"{self._url}/v1/rulesets",
        }
        click.echo(msgspec.json.encode(told))

"""``decklog config``: every setting, and whether the service would start with them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .console import emit, say
from .given import gathered, settings_options
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.ops.checking import Checked
    from service.settings import Gathered
    from service.store.engines import Frozen, InPlay


@click.group(
    "config",
    invoke_without_command=True,
    short_help="Show every setting; check whether the service would start.",
)
@settings_options
@json_option
@click.pass_context
def command(
    ctx: click.Context, config: Path | None, database: Path | None, as_json: bool
) -> int | None:
    """Every setting: its value, where that came from, its range, and what it is for.

    Values come from options, else from the environment, else from a TOML file (--config), else they
    are the default. Secrets are not shown. `check` says whether the service would start with them.
    """
    if ctx.invoked_subcommand is not None:
        return None
    told = gathered(config, database=database)
    if as_json:
        emit(_rows(told))
    else:
        for row in _rows(told):
            limits = f"; {row['range']}" if row["range"] else ""
            say(f"{row['variable']} = {row['value']}  ({row['from']}{limits})")
            say(f"    {row['help']}.")
    for each in told.wrong:
        click.echo(each, err=True)
    return 2 if told.wrong else 0


@command.command("check")
@settings_options
@json_option
@click.pass_obj
def check(tools: Tools, config: Path | None, database: Path | None, as_json: bool) -> int:
    """Look at everything that a start needs, and change nothing.

    Every wrong setting at once, by its variable; the store and a migration of it; key, disk, clock,
    standby, pooler, Redis, room; whether what was answered survives a crash, and the loss of the
    server; whether there is a wall for rules that came in a file. The exit code is 2 where the
    service would not start.
    """
    return checked(gathered(config, database=database), tools, as_json=as_json)


def checked(told: Gathered, tools: Tools, *, as_json: bool) -> int:
    """Say what a check finds: 0, or 2 where the service would not start."""
    from service.evidence.digest import digests_of
    from service.ops.checking import check, shown

    digests = [digest for game in tools.games.values() for digest in digests_of(game)]
    found = check(told, os.environ, digests)
    if as_json:
        emit(
            {
                "starts": not found.faults,
                "faults": found.faults,
                "findings": found.findings,
                "frozen": found.frozen,
                "inPlay": found.in_play,
                "settings": shown(told.settings),
            }
        )
        return 2 if found.faults else 0
    for each in found.findings:
        if each.verdict == "fault":
            click.echo(each.text, err=True)
        else:
            say(f"{each.part:<11}{each.verdict:<9}{each.text}")
    for line in _games(found):
        click.echo(line, err=True)
    say("would not start" if found.faults else "would start")
    return 2 if found.faults else 0


def _games(found: Checked) -> Iterator[str]:
    """How the games in play stand to the rules: an upgrade changes no game's."""
    for each in found.in_play:
        by = "the installed rules" if each.installed else "rules that are not installed"
        many = f"{each.games} game{'' if each.games == 1 else 's'}"
        yield f"in play: {many} by {by} ({_rules(each)})"
    if found.in_play:
        yield "an upgrade concerns none of them: each game ends by the rules that it names"
    for still in found.frozen:
        yield f"game {still.game} is frozen: its rules ({_rules(still)}) are not here"


def _rules(named: Frozen | InPlay) -> str:
    return f"{named.ruleset} {named.version}, engine {named.digest}"


def _rows(told: Gathered) -> list[dict[str, object]]:
    from service.ops.checking import shown_value
    from service.settings import Settings, about, variable

    default = Settings()
    return [
        {
            "name": name,
            "variable": variable(name),
            "value": shown_value(name, getattr(told.settings, name)),
            "from": told.sources.get(name, "default"),
            "default": shown_value(name, getattr(default, name)),
            "range": each.range,
            "live": each.live,
            "help": each.help,
        }
        for name, each in about().items()
    ]

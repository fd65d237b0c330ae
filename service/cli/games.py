"""``decklog games``: the games of a running service."""

from __future__ import annotations

from typing import Any

import click

from .console import emit, progress, say, table
from .remote import PAGE, Remote
from .tools import json_option, service_options


@click.command("games")
@click.option("--ruleset", metavar="NAME", default="", help="Only games of this ruleset.")
@click.option(
    "--status",
    type=click.Choice(["open", "playing", "finished"]),
    help="Only games in this status.",
)
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="The most games to list."
)
@service_options
@json_option
def command(
    ruleset: str, status: str | None, limit: int, url: str, token: str, as_json: bool
) -> int:
    """List the games of a service, newest first."""
    with Remote(url, token) as remote:
        found = _games(remote, ruleset, status, limit)
    if as_json:
        emit(found)
    elif not found:
        say("There are no such games.")
    else:
        table(
            ("game", "name", "rules", "status", "version", "to move", "score"),
            [_row(game) for game in found],
        )
    return 0


def _games(remote: Remote, ruleset: str, status: str | None, limit: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = ""
    with progress("reading the games") as report:
        while len(found) < limit:
            wanted = min(PAGE, limit - len(found))
            page = remote.get(
                "/v1/games", ruleset=ruleset, status=status, limit=wanted, cursor=cursor
            )
            found += page["items"]
            report(len(found), 0)
            cursor = page.get("next") or ""
            if not cursor:
                break
    return found


def _row(game: dict[str, Any]) -> tuple[str, ...]:
    rules = game["rules"]
    return (
        game["id"],
        game["name"],
        f"{rules['ruleset']} {rules['edition']}",
        game["status"],
        str(game["version"]),
        to_move(game),
        outcome(game),
    )


def to_move(game: dict[str, Any]) -> str:
    """Who is asked what."""
    return ", ".join(f"{asked['seat']} ({asked['question']})" for asked in game["toMove"])


def outcome(game: dict[str, Any]) -> str:
    """What each side has scored, and who has won."""
    sides = ((" and ".join(side["seats"]), side["score"]) for side in game["sides"])
    scores = ", ".join(f"{side} {points}" for side, points in sides)
    result = game.get("result")
    if not result:
        return scores
    won = ", ".join(result["winners"])
    return f"{scores}; {won + ' won' if won else 'a draw'}"

"""``decklog luck``: what the dice brought against what they were expected to."""

from __future__ import annotations

from typing import Any

import click

from projections.luck import calibration

from .console import emit, progress, say
from .lines import bar, ratio
from .record import is_file, read_bytes
from .remote import Remote, game_path
from .tools import Tools, json_option, service_options


@click.command("luck", short_help="Show who was lucky, and whether the dice look fair.")
@click.argument("targets", metavar="GAME|FILE...", nargs=-1, required=True)
@click.option("--as", "viewer", default="", metavar="VIEWER", help="Through whose eyes.")
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools, targets: tuple[str, ...], viewer: str, url: str, token: str, as_json: bool
) -> int:
    """Actual against expected: by seat, phase and weapon of a GAME.

    With evidence FILES, as many as you like: whether all their dice together look fair. Fair dice
    are called loaded once in a million reports.
    """
    if all(is_file(target) for target in targets):
        found = _calibrated(tools, targets)
    else:
        with Remote(url, token) as remote:
            games = [remote.get(game_path(t, "/luck"), **{"as": viewer}) for t in targets]
        found = {"games": games}
    if as_json:
        emit(found)
        return 0
    for game in found.get("games", ()):
        _tell(game)
    for trial in found.get("trials", ()):
        say(_trial(trial))
    return 0


def _tell(game: dict[str, Any]) -> None:
    say(f"Luck in game {game['game']} at version {game['version']}, as {game['viewer']} sees it")
    groups = [*game["seats"], *game["phases"], *game["weapons"]]
    most = max([1, *(each["actual"] for each in groups)])
    for each in groups:
        who = " ".join(part for part in (each["seat"], each["name"]) if part)
        say(
            f"  {who:<28} {each['actual']:>5} of {ratio(each['expected']):>7} expected  "
            f"{bar(each['actual'], most):<30} better than {each['perMille'] / 10:.1f}%"
        )
    for trial in game["trials"]:
        say(f"  {_trial(trial)}")


def _trial(trial: dict[str, Any]) -> str:
    cells = f": {' '.join(map(str, trial['cells']))}" if len(trial["cells"]) <= 20 else ""
    return (
        f"{trial['what']}, {trial['count']} of them{cells}; fair dice look as odd "
        f"{trial['millionths']} times in a million: {trial['verdict']}"
    )


def _calibrated(tools: Tools, paths: tuple[str, ...]) -> dict[str, Any]:
    """The faces of all the files' dice together. Raises Mistake."""
    from service.evidence.records import BatchRolled

    from .record import from_bytes

    thrown: list[tuple[int, tuple[int, ...]]] = []
    with progress("reading the files") as report:
        for done, path in enumerate(paths):
            report(done, len(paths))
            case, _ = from_bytes(tools, read_bytes(path), path)
            for record in case.records.values():
                if isinstance(record, BatchRolled):
                    for roll in record.rolls:
                        pools = zip(roll.pools, roll.faces, strict=False)
                        thrown += [(pool.sides, faces) for pool, faces in pools]
    trials = [
        {
            "what": trial.what,
            "count": trial.many,
            "cells": trial.cells,
            "millionths": trial.millionths,
            "verdict": trial.verdict,
        }
        for trial in calibration(thrown)
    ]
    return {"files": len(paths), "trials": trials}

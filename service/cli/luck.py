"""``decklog luck``: what the dice brought against what they were expected to."""

from __future__ import annotations

from typing import Any

import click

from projections.luck import calibration

from .console import emit, progress, say
from .filed import file_desk
from .files import is_file, read_bytes
from .lines import bar, ratio
from .mistakes import Mistake
from .remote import Remote, game_path
from .tools import Tools, json_option, service_options, viewer_option


@click.command("luck", short_help="Show who was lucky, and whether the dice look fair.")
@click.argument("targets", metavar="GAME|FILE...", nargs=-1, required=True)
@viewer_option()
@click.option("--each", is_flag=True, help="With several FILES: the luck of each game, too.")
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools,
    targets: tuple[str, ...],
    viewer: str,
    each: bool,
    url: str,
    token: str,
    as_json: bool,
) -> int:
    """Actual against expected: by seat, phase and weapon of a GAME.

    With evidence FILES, as many as you like: whether all their dice together look fair. The dice of
    a game that is in several files are counted once. Fair dice are called loaded once in a million
    reports. Of a single FILE it is the luck of its game, as of a GAME; --each tells that of each of
    several.
    """
    if all(is_file(target) for target in targets):
        found = _of_files(tools, targets, viewer, each=each)
    else:
        with Remote(url, token) as remote:
            named = dict.fromkeys(targets)
            games = [remote.get(game_path(t, "/luck"), **{"as": viewer}) for t in named]
        found = {"games": games}
    if as_json:
        emit(found)
        return 0
    if "files" in found:
        say(_counted(found))
    if len(targets) > 1:  # of one game they stand with its luck
        for trial in found.get("trials", ()):
            say(_trial(trial))
    for game in found["games"]:
        _tell(game)
    return 0


def _of_files(tools: Tools, paths: tuple[str, ...], viewer: str, *, each: bool) -> dict[str, Any]:
    """All their dice together, and the luck of the games that are asked about. Raises Mistake."""
    found = _calibrated(tools, paths)
    asked = paths if each or len(paths) == 1 else ()
    reports = {game["game"]: game for game in (_of_game(tools, path, viewer) for path in asked)}
    return {"games": list(reports.values()), **found}


def _of_game(tools: Tools, path: str, viewer: str) -> dict[str, Any]:
    from service.work.tasks import Luck

    desk = file_desk(tools, path, viewer)
    return dict(desk.ask(Luck(desk.id, desk.viewer, desk.latest)))


def _tell(game: dict[str, Any]) -> None:
    say(f"Luck in game {game['game']} at version {game['version']}, as {game['viewer']} sees it")
    groups = [*game["seats"], *game["phases"], *game["weapons"]]
    most = max([1, *(each["actual"] for each in groups)])
    names = [" ".join(part for part in (each["seat"], each["name"]) if part) for each in groups]
    wide = max((len(name) for name in names), default=0)
    for who, each in zip(names, groups, strict=True):
        say(
            f"  {who:<{wide}} {each['actual']:>5} of {ratio(each['expected']):>7} expected  "
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


Rolled = dict[tuple[str, int, str], tuple[tuple[int, tuple[int, ...]], ...]]
"""Sides and faces of each roll that a file opens, by its game, batch and label."""


def _calibrated(tools: Tools, paths: tuple[str, ...]) -> dict[str, Any]:
    """The faces of all the files' dice together, each roll of a game once. Raises Mistake.

    A copy of a game brings no new dice, nor does a later or an opened export of it more than those
    that were not in the others.
    """
    known: Rolled = {}
    games: set[str] = set()
    with progress("reading the files") as report:
        for done, path in enumerate(paths):
            report(done, len(paths))
            game, rolled = _rolled(tools, path)
            games.add(game)
            _merge(known, rolled, path)
    thrown = [pool for roll in known.values() for pool in roll]
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
    return {
        "files": len(paths),
        "distinctGames": len(games),
        "copies": len(paths) - len(games),
        "trials": trials,
    }


def _rolled(tools: Tools, path: str) -> tuple[str, Rolled]:
    """The game of a file, and the rolls that it opens."""
    from service.evidence.records import BatchRolled

    from .record import from_bytes

    case, record = from_bytes(tools, read_bytes(path), path)
    found: Rolled = {}
    for each in case.records.values():
        if isinstance(each, BatchRolled):
            for roll in each.rolls:
                if roll.faces:
                    pools = zip(roll.pools, roll.faces, strict=True)
                    fallen = tuple((pool.sides, faces) for pool, faces in pools)
                    found[record.id, each.t, roll.label] = fallen
    return record.id, found


def _merge(known: Rolled, more: Rolled, path: str) -> None:
    """Add the rolls that are not known yet. Raises Mistake where a known one fell otherwise."""
    for (game, t, label), fallen in more.items():
        if known.setdefault((game, t, label), fallen) != fallen:
            raise Mistake(
                f"{path} tells other dice of game {game} than a file before it: roll {label!r}.",
                "One of them was changed: decklog verify tells which.",
                "evidence.refuted",
            )


def _counted(found: dict[str, Any]) -> str:
    """What was counted, and that copies were not counted again."""
    text = f"{_many(found['distinctGames'], 'game')} in {_many(found['files'], 'file')}"
    if not found["copies"]:
        return text
    return f"{text}: the dice of a game that is in several files are counted once"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"

"""``decklog show``: the board of a game at any version."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from domain.kernel.codec import full

from .console import emit, progress, say
from .files import is_file, moment
from .games import outcome, to_move
from .mistakes import Mistake
from .pictures import fetched, save
from .record import from_file
from .remote import Remote, game_path
from .tools import Tools, json_option, service_options, viewer_option


@click.command("show")
@click.argument("target", metavar="GAME|FILE")
@click.option("--at", type=click.IntRange(1), metavar="N", help="At this version; else the newest.")
@viewer_option("FILE only: as a seat, public or truth saw it.")
@click.option(
    "--svg",
    "picture",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write the board as a picture.",
)
@click.option("--unit", default="", metavar="ID", help="Point this unit out in the picture.")
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools,
    target: str,
    at: int | None,
    viewer: str,
    picture: str | None,
    unit: str,
    url: str,
    token: str,
    as_json: bool,
) -> int:
    """Show the board of a game at any version.

    GAME is the id of a game on a running service, FILE an evidence file: then no service is needed.
    FILE@N is its version N.
    What a seat may not see is not shown; --token says whose eyes to use.
    """
    target, at = moment(target, at)
    if picture is not None:
        if as_json:
            raise Mistake("--svg and --json exclude each other.", "Give one of them.", "usage")
        return save(picture, _picture(tools, target, at, viewer, unit, url, token))
    if is_file(target):
        shown = _of_file(tools, target, at, viewer)
    else:
        refuse_viewer(viewer)
        with Remote(url, token) as remote:
            shown = _of_service(tools, remote, target, at, need_board=not as_json)
    if as_json:
        emit(shown)
    else:
        say(shown["title"])
        say(shown["board"])
    return 0


def _picture(
    tools: Tools, target: str, at: int | None, viewer: str, unit: str, url: str, token: str
) -> bytes:
    """The board as a picture: drawn here from a file, by the service from a game."""
    if is_file(target):
        with progress(f"reading {target}") as report:
            record = from_file(tools, target, viewer, report)
        return record.picture(record.latest if at is None else at, unit).encode()
    refuse_viewer(viewer)
    with Remote(url, token) as remote:
        return fetched(remote, target, at, unit)


def refuse_viewer(viewer: str) -> None:
    """A service decides by the token whose view it gives. Raises Mistake."""
    if viewer:
        raise Mistake(
            "--as is for evidence files.", "With a service, --token says who asks.", "usage"
        )


def _of_file(tools: Tools, path: str, at: int | None, viewer: str) -> dict[str, Any]:
    with progress(f"reading {path}") as report:
        record = from_file(tools, path, viewer, report)
    version = record.checked(record.latest if at is None else at)
    title = f"{record.game.title}, game {record.id}, version {version} of {record.latest}"
    return {
        "game": record.id,
        "ruleset": record.game.ruleset,
        "version": version,
        "latest": record.latest,
        "viewer": record.viewer,
        "title": f"{title}, as {record.viewer} sees it",
        "board": record.board(version),
        "state": full(record.state(version)),
    }


def _of_service(
    tools: Tools, remote: Remote, id: str, at: int | None, *, need_board: bool
) -> dict[str, Any]:
    summary = remote.get(game_path(id))
    view = remote.get(game_path(id, "/view"), at=at)
    there = _there(tools, summary, view)
    return {
        "game": summary["id"],
        "ruleset": view["ruleset"],
        "version": view["version"],
        "latest": summary["version"],
        "viewer": view["viewer"],
        "title": _title(there, view, summary["version"]),
        "board": _board(tools, view, need_board),
        "state": view["state"],
    }


def _there(tools: Tools, summary: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
    """The summary as it was at the view's version: who was to move, scores, result.

    Where the ruleset is not installed nothing of the kind can be said of an older version.
    """
    if view["version"] == summary["version"]:
        return summary
    if view["ruleset"] not in tools.games or view["state"] is None:
        return {**summary, "status": "", "toMove": [], "scores": {}, "sides": [], "result": None}
    game, state = tools.game(view["ruleset"]), _state(tools, view)
    result = game.result(state)
    return {
        **summary,
        "status": "finished" if result else summary["status"].replace("finished", "playing"),
        "toMove": [] if result else msgspec.to_builtins(game.pending(state)),
        "scores": game.scores(state),
        "sides": [
            side | {"score": game.score_of(state, tuple(side["seats"]))}
            for side in summary["sides"]
        ],
        "result": msgspec.to_builtins(result),
    }


def _board(tools: Tools, view: dict[str, Any], needed: bool) -> str:
    """Drawn here, by the installed ruleset; a program that wants the state can do without."""
    if view["state"] is None or (not needed and view["ruleset"] not in tools.games):
        return ""
    return tools.game(view["ruleset"]).board(_state(tools, view))


def _state(tools: Tools, view: dict[str, Any]) -> Any:
    """The state as the installed ruleset's own type. Raises Mistake."""
    try:
        return msgspec.convert(view["state"], tools.game(view["ruleset"]).state)
    except msgspec.ValidationError as error:
        raise Mistake(
            f"The state cannot be read by the ruleset that is installed here: {error}.",
            "Use the version of Decklog that the service runs, or --json.",
            "state.unknown",
        ) from None


def _title(summary: dict[str, Any], view: dict[str, Any], latest: int) -> str:
    """``summary`` is that of the view's version; ``latest`` is the game's newest."""
    rules = summary["rules"]
    name = summary["name"] or summary["id"]
    first = f"{name}: {rules['ruleset']} {rules['edition']}"
    second = f"version {view['version']} of {latest} as {view['viewer']} sees it"
    parts = [first, second]
    if summary["status"]:
        parts.append(summary["status"])
    if summary["toMove"]:
        parts.append(f"to move: {to_move(summary)}")
    if summary["scores"]:
        parts.append(outcome(summary))
    return "; ".join(parts)

"""``decklog odds``: exact odds of a command in a game, or of dice of one's own."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from .console import emit, say
from .filed import file_desk
from .files import is_file, moment
from .lines import bar
from .mistakes import Mistake
from .remote import Remote
from .tools import Tools, json_option, service_options, viewer_option
from .worded import worded


@click.command("odds", short_help="Reckon the odds of a command, or of a roll.")
@click.argument("game", metavar="[GAME|FILE]", default="")
@click.argument("order", metavar="[COMMAND]", default="")
@click.option("--at", type=click.IntRange(1), metavar="N", help="At this version; else the newest.")
@viewer_option()
@click.option(
    "--dice",
    multiple=True,
    metavar="COUNTxWORTH[!]",
    help="Dice of your own: 5x0,0,0,1,1,2 are five dice whose faces are worth so much; with ! the "
    "highest face is thrown again. May be repeated.",
)
@click.option("--outcome", multiple=True, metavar="NAME:LEAST", help="A result from a score on.")
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools,
    game: str,
    order: str,
    at: int | None,
    viewer: str,
    dice: tuple[str, ...],
    outcome: tuple[str, ...],
    url: str,
    token: str,
    as_json: bool,
) -> int:
    """Exact odds, without throwing a die: of a COMMAND (JSON, as the service lists it) in a GAME or
    an evidence FILE, or of dice that you describe, which needs a service.

    \b
      decklog odds GAME '{"type":"pennant.fire",...}' --at 120
      decklog odds --dice 6x0,0,0,1,1,2 --outcome hit:4 --outcome destroyed:8
    """
    if bool(dice) == bool(game):
        raise Mistake("Give a GAME and a COMMAND, or --dice.", "See decklog odds --help.", "usage")
    game, at = moment(game, at)
    if game and is_file(game):
        found = _of_file(tools, game, _given(order), at, viewer)
    else:
        body = _roll(dice, outcome) if dice else _command(game, order, at, viewer)
        with Remote(url, token) as remote:
            found = remote.post("/v1/odds", body)
    if as_json:
        emit(found)
    elif found["roll"]:
        _tell(found["roll"])
    else:
        say(found["text"])
        for line in worded(found["odds"]):
            say(line)
    return 0


def _given(order: str) -> dict[str, Any]:
    """The command that was typed. Raises Mistake."""
    try:
        return msgspec.json.decode(order, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise Mistake(f"The command is no JSON object: {error}.", "Quote it.", "usage") from None


def _of_file(
    tools: Tools, path: str, given: dict[str, Any], at: int | None, viewer: str
) -> dict[str, Any]:
    """As a service answers. Raises Mistake."""
    from projections.odds import told
    from service.work.tasks import OddsOfCommand

    desk = file_desk(tools, path, viewer)
    version, summary = desk.version(at), desk.summary
    over = summary.status == "finished" or summary.fork is not None
    sent = msgspec.Raw(msgspec.json.encode(given))
    task = OddsOfCommand(desk.game.ruleset, desk.id, desk.viewer, version, sent, over)
    rules = msgspec.to_builtins(summary.rules_at(version))
    found = desk.ask(task)
    pointless = found.pop("pointless", "")
    if found["odds"] is not None:
        short = desk.game.short_of(found["odds"], pointless)
        found |= {} if short is None else {"oddsSummary": msgspec.to_builtins(short)}
        found["odds"] = told(desk.game, found["odds"])
    return {"game": desk.id, "version": version, "rules": rules, "roll": None, **found}


def _command(game: str, order: str, at: int | None, viewer: str) -> dict[str, Any]:
    body: dict[str, Any] = {"game": game, "command": _given(order)}
    return body | ({"at": at} if at else {}) | ({"viewer": viewer} if viewer else {})


def _roll(dice: tuple[str, ...], outcome: tuple[str, ...]) -> dict[str, Any]:
    hint = "Write 5x0,0,0,1,1,2 and hit:3."
    try:
        pools = [_pool(each) for each in dice]
        levels = [each.rpartition(":") for each in outcome]
        outcomes = [{"outcome": name, "least": int(least)} for name, _, least in levels]
    except ValueError:
        raise Mistake("These dice cannot be read.", hint, "usage") from None
    return {"roll": {"pools": pools, "outcomes": outcomes}}


def _pool(text: str) -> dict[str, Any]:
    count, _, faces = text.rstrip("!").partition("x")
    worth = [int(each) for each in faces.split(",")]
    again = [len(worth)] if text.endswith("!") else []
    return {"count": int(count), "worth": worth, "again": again}


def _tell(roll: dict[str, Any]) -> None:
    for each in roll["scores"]:
        share = each["perMille"]
        say(f"{each['score']:>4}  {share / 10:5.1f}%  {bar(share, 1000)}")
    for each in roll["outcomes"]:
        say(f"{each['outcome']}: {each['perMille'] / 10:.1f}% ({each['exact']})")
    say(f"on average {roll['expected']['exact']}")

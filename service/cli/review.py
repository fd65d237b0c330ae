"""``decklog review``: the decisions of a game that is over, beside those of the game's bot."""

from __future__ import annotations

from typing import Any

import click

from .console import clean, emit, progress, say
from .filed import file_desk
from .files import is_file
from .mistakes import Mistake
from .remote import Remote, game_path
from .tools import Tools, json_option, service_options

PAGE = 50


@click.command("review", short_help="Review the decisions of a game that is over.")
@click.argument("target", metavar="GAME|FILE")
@click.option("--all", "everything", is_flag=True, help="Tell every decision that cost something.")
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools, target: str, everything: bool, url: str, token: str, as_json: bool
) -> int:
    """The decisions with their odds before the dice, beside what the game's own bot would have
    chosen of what the seat saw then: of a GAME that is over, or of an evidence FILE that opens all.

    Told are the turning points: decisions that gave away a fifth of a chance, and more. A bot
    judges by rules of thumb; whoever saw further is told as well.
    """
    with progress("reviewing the game") as report:
        found = _of_file(tools, target, report) if is_file(target) else _of_game(target, url, token)
    if as_json:
        emit(found)
        return 0
    decisions = found["decisions"]
    told = [each for each in decisions if (each["cost"] if everything else each["turning"])]
    apart = sum(each["advised"] is not None for each in decisions)
    say(f"{len(decisions)} decisions; {found['bot']} would have chosen otherwise in {apart}")
    for each in told:
        say(f"{each['event']:>6}  {each['seat']}  {_told(each['chosen'])}")
        say(f"{'':>6}  {'':<{len(each['seat'])}}  rather: {_told(each['advised'])}")
    if not told:
        say("No decision gave a chance away." if everything else "There is no turning point.")
    return 0


def _of_file(tools: Tools, path: str, report: Any) -> dict[str, Any]:
    """Of the file alone. Raises Mistake."""
    from service.work.tasks import Review

    desk = file_desk(tools, path)
    if not desk.summary.opened:
        raise Mistake(
            "The file does not open all of the game.",
            "Export it again after the end of the game.",
            "viewer.not-entitled",
        )
    found: dict[str, Any] = {}
    after: int | None = 0
    while after is not None:
        page = desk.ask(Review(desk.id, after, PAGE, desk.latest))
        found, after = _joined(found, page), page["next"]
        report(after or desk.latest, desk.latest)
    return found


def _of_game(game: str, url: str, token: str) -> dict[str, Any]:
    """As the service answers, page by page. Raises Mistake."""
    found: dict[str, Any] = {}
    after: int | None = 0
    with Remote(url, token) as remote:
        while after is not None:
            page = remote.get(game_path(game, "/review"), after=after)
            found, after = _joined(found, page), page["next"]
    return found


def _joined(found: dict[str, Any], page: dict[str, Any]) -> dict[str, Any]:
    return page | {"decisions": [*found.get("decisions", ()), *page["decisions"]]}


def _told(order: dict[str, Any]) -> str:
    """An order with what it may do: "fires at Naka  [70.0% to hit, 4.0% to destroy]"."""
    chances = ((order["hit"], "to do something"), (order["lost"], "to destroy"))
    worth = [f"{each / 10:.1f}% {what}" for each, what in chances if each]
    return clean(f"{order['text']}  [{', '.join(worth) or 'no dice'}]")

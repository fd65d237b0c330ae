"""``decklog why``: the reasons of an event, a roll or a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from .console import emit, say
from .filed import FileDesk, file_desk
from .files import is_file, moment
from .lines import events_told, tally_told
from .mistakes import Mistake
from .remote import PAGE, Remote, game_path
from .tools import Tools, json_option, service_options, viewer_option
from .worded import plain, worded

MOST = 200
"""Changes of a value that are told; the newest of more."""


@click.command("why", short_help="Ask why something came about.")
@click.argument("game", metavar="GAME|FILE")
@click.option("--event", type=click.IntRange(1), metavar="SEQ", help="Event to explain.")
@click.option("--roll", default="", metavar="ID", help="Id of the roll to explain.")
@click.option("--path", default="", metavar="POINTER", help="Value of the state to explain.")
@click.option("--at", type=click.IntRange(1), metavar="N", help="At this version; else the newest.")
@click.option("--unit", default="", metavar="ID", help="Instead: the events about this unit.")
@click.option("--role", default="", metavar="ROLE", help="With --unit: as this, such as target.")
@click.option("--rule", default="", metavar="RULE", help="Instead: the events by this rule.")
@viewer_option()
@service_options
@json_option
@click.pass_obj
def command(
    tools: Tools,
    game: str,
    event: int | None,
    roll: str,
    path: str,
    at: int | None,
    unit: str,
    role: str,
    rule: str,
    viewer: str,
    url: str,
    token: str,
    as_json: bool,
) -> int:
    """Explain an event, a roll or a value of GAME, back to its declaration: events, numbers with
    their reasons, dice with the odds that they had, and the rules in words.

    GAME is the id of a game on a running service; an evidence FILE needs none, and is explained by
    the rules that it names, however old they are.

    \b
      decklog why GAME --event 120                   also: decklog why FILE@120
      decklog why GAME --path /units/p1-3/damage
      decklog why GAME --unit p1-3 --role target     who attacked it
      decklog why GAME --rule WAS-ATK-04             where the rule was used
    """
    game, at = moment(game, at)
    if at and not (event or roll or path or unit or rule):
        event = at
    asked: dict[str, Any] = {"event": event, "roll": roll, "path": path, "at": at}
    fitting = {"unit": unit, "role": role, "rule": rule}
    if is_file(game):
        desk = file_desk(tools, game, viewer)
        found = _mentioned(desk, fitting) if unit or rule else reasons_of_file(desk, **asked)
    else:
        with Remote(url, token) as remote:
            if unit or rule:
                found = _every_mention(remote, game, {**fitting, "as": viewer})
            else:
                found = remote.get(game_path(game, "/why"), **asked, **{"as": viewer})
    if as_json:
        emit(found)
    elif unit or rule:
        _mentions(found["items"])
    else:
        for line in explained(found):
            say(line)
    return 0


def reasons_of_file(
    desk: FileDesk, event: int | None, roll: str = "", path: str = "", at: int | None = None
) -> dict[str, Any]:
    """Of an evidence file. Raises Mistake."""
    from service.work.tasks import Why

    if [event is not None, bool(roll), bool(path)].count(True) != 1:
        hint = "Name one event, one roll, or one place of the state."
        raise Mistake("Give exactly one of --event, --roll and --path.", hint, "usage")
    task = Why(
        game=desk.id, viewer=desk.viewer, version=desk.version(at), latest=desk.latest,
        event=event or 0, roll=roll, path=path, limit=MOST,
    )  # fmt: skip
    return dict(desk.ask(task))


def _mentioned(desk: FileDesk, fitting: dict[str, Any]) -> dict[str, Any]:
    """Of an evidence file, as one page."""
    from service.work.tasks import Mentions

    task = Mentions(
        game=desk.id, viewer=desk.viewer, latest=desk.latest, type="", after=0, most=desk.latest,
        **fitting,
    )  # fmt: skip
    return {"items": desk.ask(task), "next": None}


def _every_mention(remote: Remote, game: str, query: dict[str, Any]) -> dict[str, Any]:
    """All pages as one."""
    items: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = remote.get(game_path(game, "/mentions"), **query, limit=PAGE, cursor=cursor)
        items += page["items"]
        cursor = page["next"]
    return {"items": items, "next": None}


def _mentions(items: list[dict[str, Any]]) -> None:
    for item in items:
        for line in events_told([item["event"]]):
            say(line)
        for change in item["changes"]:
            say(f"           {change}")
    if not items:
        say("No event fits.")


def explained(found: dict[str, Any]) -> Iterator[str]:
    """What the service answered, line by line."""
    if found["event"]:
        yield f"{found['event']['seq']}: {found['event']['text'] or found['event']['type']}"
    if not found["event"] and found["value"] is None:
        yield "The value is null, and no event has changed it."
    if found["changes"] or found["value"] is not None:
        yield from _value(found["value"])
        if found["earlier"]:
            count, at = len(found["changes"]), found["earlier"]
            yield f"  The newest {count} changes; those before: --at {at}"
        for change in found["changes"]:
            yield f"  {change['event']['seq']:>5}  {change['text']}"
    yield from _part("Events", events_told(found["command"]))
    if found["declared"]:
        yield from _part("Declared", events_told([found["declared"]]))
    numbers = {**found["tallies"], **found["figures"]}
    yield from _part(
        "Numbers", [line for name, t in numbers.items() for line in tally_told(name, t)]
    )
    yield from chances(found)
    rules = [f"  {rule['id']}  {rule['title']}. {rule['text']}" for rule in found["rules"]]
    yield from _part("Rules", rules)


def chances(found: dict[str, Any]) -> Iterator[str]:
    """Its dice with the odds that they had, and those of the whole attack."""
    yield from _part("Dice", [line for roll in found["rolls"] for line in _roll(roll)])
    if found["prospects"]:
        yield from _part("Odds of the attack", list(worded(found["prospects"])))


def _value(value: Any) -> Iterator[str]:
    if not isinstance(value, dict | list):
        yield f"The value is {plain(value)}."
        return
    yield "The value:"
    yield from worded(value)


def _part(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"{title}:", *lines)


def _roll(roll: dict[str, Any]) -> list[str]:
    faces = " + ".join(" ".join(map(str, pool)) for pool in roll["faces"]) or "hidden"
    lines = [f"  {roll['id']}: {faces}"]
    if roll["odds"]:
        odds = roll["odds"]
        lines.append(f"    scored {roll['score']} {roll['outcome']}".rstrip())
        lines.append(f"    chances, of {odds['of']} ways to fall")
        shares = {key: odds[key] for key in ("scores", "outcomes") if odds[key]}
        lines += worded({"of": odds["of"], **shares}, "    ")
    return lines

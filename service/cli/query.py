"""``decklog query``: at which moments of recorded games something holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from projections.language import Meter, Place, TooMuch, Unclear
from projections.query import NAMES, Found, Query, read

from .console import emit, progress, say, table
from .filed import file_desk
from .mistakes import Mistake
from .tools import Tools, json_option, viewer_option

if TYPE_CHECKING:
    from projections.probes import Probe

HINT = "decklog query --help shows the language; --list the questions that are saved."


class Asked(NamedTuple):
    """What is asked: an expression, or the name of a saved question."""

    query: Query | None
    name: str
    probes: tuple[Probe, ...]


@click.command("query", short_help="Find the moments of recorded games at which something holds.")
@click.argument("words", metavar="FILE... QUESTION", nargs=-1)
@click.option("--list", "listing", is_flag=True, help="Instead: the questions that are saved.")
@click.option(
    "--probes",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="TOML file of saved questions of one's own; they win.",
)
@viewer_option("As a seat, public or truth saw it.")
@json_option
@click.pass_obj
def command(
    tools: Tools,
    words: tuple[str, ...],
    listing: bool,
    probes: Path | None,
    viewer: str,
    as_json: bool,
) -> int:
    """Find the moments of evidence FILES at which something holds, each told as FILE@N.

    \b
    QUESTION is a predicate, or one of these of it:
      first(P)  last(P)  all(P)  count(P)
      when(P)   each moment at which it holds and did not before
    or @NAME, a saved question.

    \b
    A predicate may ask for:
      state    after the event, as a view shows it; before: before it
      event    type, name, seq, at, actor, causedBy, text, rules, roles, data
      rolls    that fell at this event, as the dice ledger has them
      seq, game (ruleset, edition, version)
    with and or not == != < <= > >= in, + - * // %, .name ["name"] [0],
      len(X) begins(X, Y) keys(X) values(X)
      any(X, P) every(X, P) number(X, P) sum(X, V) most(X, V) least(X, V)
    where P and V ask for it, an item of X, and for its key. What stands
    nowhere is null.

    \b
      decklog query FILE 'first(state.units["p1-3"].damage > 0)'
      decklog query games/*.decklog 'count(any(rolls, it.score >= 8))'
      decklog query games/*.decklog @all-sixes
    """
    own = _own(probes) if probes else ()
    if listing:
        return _list(own, as_json=as_json)
    if len(words) < 2:
        raise Mistake("Give evidence FILES, then a QUESTION.", HINT, "usage")
    asked, paths = _asked(words[-1], own), words[:-1]
    answer = _put(tools, paths, asked, viewer)
    if not any("found" in each for each in answer["files"]) and answer["files"]:
        first = answer["files"][0]
        raise Mistake(f"{first['file']}: {first['why']}", HINT, "query.unread")
    if as_json:
        emit(answer)
    else:
        _tell(answer, counting=asked.query is not None and asked.query.kind == "count")
    for path in answer["nowhere"]:
        click.echo(f"decklog: nothing ever stood at {path}", err=True)
    return 0


def _asked(text: str, own: tuple[Probe, ...]) -> Asked:
    """Raises Mistake."""
    if text.startswith("@"):
        return Asked(None, text[1:], own)
    return Asked(_read(text), "", own)


def _read(text: str) -> Query:
    try:
        return read(text)
    except Unclear as error:
        message = f"The question cannot be read, at {error.at + 1}: {error}"
        raise Mistake(message, HINT, "query.unclear") from None


def _own(path: Path) -> tuple[Probe, ...]:
    """Saved questions of one's own. Raises Mistake."""
    from projections.probes import probes_in

    try:
        found = probes_in(path.read_bytes())
    except (msgspec.MsgspecError, OSError, UnicodeDecodeError) as error:
        hint = "A [[probe]] has a name, a text and a query."
        raise Mistake(f"{path} has no saved questions: {error}.", hint, "query.probes") from None
    for each in found:
        _read(each.query)
    return found


def _put(tools: Tools, paths: Sequence[str], asked: Asked, viewer: str) -> dict[str, Any]:
    """The question to each file; one that cannot be asked stops none of the others."""
    places: dict[Place, bool] = {}
    rows: list[dict[str, Any]] = []
    with progress("asking") as report:
        for done, path in enumerate(paths):
            report(done, len(paths))
            meter = Meter()
            try:
                query, found = _of(tools, path, asked, viewer, meter)
            except Mistake as error:
                rows.append({"file": path, "why": error.message})
                continue
            for place in query.places:
                places[place] = places.get(place, False) or place in meter.found
            rows.append({"file": path, "found": found.count, "moments": _moments(path, found)})
    return {
        "files": rows,
        "count": sum(row.get("found", 0) for row in rows),
        "nowhere": [".".join(place) for place, there in places.items() if not there],
    }


def _of(tools: Tools, path: str, asked: Asked, viewer: str, meter: Meter) -> tuple[Query, Found]:
    """Raises Mistake."""
    from projections.probes import fitting
    from service.errors import ServiceError
    from service.filed.questions import put

    desk = file_desk(tools, path, viewer)
    query = asked.query
    if query is None:
        probe = fitting(asked.name, desk.game.ruleset, asked.probes)
        if probe is None:
            told = f"No question {asked.name!r} is saved for {desk.game.ruleset}."
            raise Mistake(told, HINT, "query.unknown")
        query = _read(probe.query)
    try:
        return query, put(desk.filed, desk.id, desk.viewer, query, meter)
    except TooMuch:
        told = "The question asks too much of this game."
        raise Mistake(told, "Ask for less at each moment.", "query.too-much") from None
    except ServiceError as error:
        raise Mistake(error.hint, HINT, error.code) from None


def _moments(path: str, found: Found) -> list[dict[str, Any]]:
    return [{"at": f"{path}@{each.seq}", **msgspec.to_builtins(each)} for each in found.moments]


def _tell(answer: dict[str, Any], *, counting: bool) -> None:
    for row in answer["files"]:
        if "why" in row:
            click.echo(f"decklog: {row['file']} was not asked: {row['why']}", err=True)
        elif counting:
            say(f"{row['file']}  {row['found']}")
        for each in row.get("moments", ()):
            say(f"{each['at']}  {each['text'] or each['type']}")
    asked = sum("found" in row for row in answer["files"])
    games = f"{asked} file{'' if asked == 1 else 's'}"
    say(f"{answer['count']} in {games}" if answer["count"] else f"Nothing of that in {games}.")


def _list(own: tuple[Probe, ...], *, as_json: bool) -> int:
    """The questions that are saved."""
    from projections.probes import saved

    groups = {**({"of one's own": own} if own else {}), **saved()}
    if as_json:
        emit({"names": NAMES, "probes": {name: list(each) for name, each in groups.items()}})
        return 0
    rows = [(name, f"@{p.name}", p.text, p.query) for name, each in groups.items() for p in each]
    table(("for", "name", "asks for", "question"), rows)
    return 0

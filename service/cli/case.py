"""``decklog case``: a moment of an evidence file as a numbered case of the repository."""

from __future__ import annotations

import re
from pathlib import Path

import click
import msgspec

from .console import emit, say
from .filed import file_desk
from .files import moment
from .mistakes import Mistake
from .tools import Tools, json_option

FOLDER = Path("tests") / "cases"
HINT = "FILE@N names a moment; decklog query FILE... finds some."


@click.command("case", short_help="Write a moment of a game as a numbered case.")
@click.argument("target", metavar="FILE@N")
@click.option("--number", default="", metavar="ID", help="Number of the case; else the next free.")
@click.option("--title", default="", metavar="TEXT", help="Title of the case.")
@click.option(
    "--cases",
    type=click.Path(file_okay=False, path_type=Path),
    default=FOLDER,
    show_default=True,
    metavar="FOLDER",
    help="Where cases lie, a folder for each game: the next number comes after theirs.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File of cases to add it to; else it is told.",
)
@json_option
@click.pass_obj
def command(
    tools: Tools,
    target: str,
    number: str,
    title: str,
    cases: Path,
    output: Path | None,
    as_json: bool,
) -> int:
    """Write the order that led to event N of an evidence FILE as a case: the position that it was
    given in, the command, the faces of its dice, and the events that must follow.

    The position is made as small as leads to the same. The rules that are installed must decide
    what the record says; of older ones the position is carried over, as a what-if game is.

    \b
      decklog case FILE@120
      decklog case FILE@120 -o tests/cases/war_at_sea/reported.jsonl
    """
    from service.filed.case import NoCase, of_event

    path, at = moment(target, None)
    if at is None:
        raise Mistake(f"{target!r} names no moment of a file.", HINT, "usage")
    desk = file_desk(tools, path)
    rules = tools.game(desk.game.ruleset)
    free = number or _free(cases, rules.ruleset)
    try:
        found = of_event(desk.filed, desk.id, desk.version(at), rules, free, title)
    except NoCase as error:
        raise Mistake(f"{target} makes no case: {error}.", HINT, "case.none") from None
    line = msgspec.json.encode(found).decode()
    if output is not None:
        _add(output, line)
    if as_json:
        emit(found)
    elif output is None:
        say(line)
    else:
        say(f"{output}: {free}, {len(line):,} characters")
    return 0


def _free(cases: Path, ruleset: str) -> str:
    """The number after all that are taken in the folder; the first where there is none."""
    from service.filed.case import forms

    form = forms().get(ruleset)
    if form is None:
        return ""
    taken = [0]
    for path in (cases / form.folder).glob("*.jsonl"):
        taken += [int(n) for n in re.findall(rf'"{form.number}-(\d+)"', path.read_text("utf-8"))]
    return f"{form.number}-{max(taken) + 1:03}"


def _add(path: Path, line: str) -> None:
    """A line more in a file of cases. Raises Mistake."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    except OSError as error:
        hint = "Name another file with -o."
        raise Mistake(f"{path} cannot be written: {error.strerror}.", hint, "file") from None

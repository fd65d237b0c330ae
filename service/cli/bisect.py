"""``decklog bisect``: the first rules under which recorded games go otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .console import Report, emit, progress, say
from .files import read_bytes
from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.engines.build import Ruleset
    from service.impact.bisect import Found
    from service.impact.compare import Compared, Difference
    from service.impact.history import History
    from service.impact.rules import Engine

DIFFERS = 1


class Case(NamedTuple):
    """What is looked for.

    old    the rules that all others are compared with
    at     the decision that has to differ; 0 for any
    """

    tools: Tools
    ruleset: Ruleset
    games: tuple[History, ...]
    old: Engine
    at: int


@click.command("bisect", short_help="Find the first rules under which games go otherwise.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--at",
    type=click.IntRange(1),
    default=None,
    metavar="N",
    help="Decision that has to differ: its line, or its event's number. Any by default.",
)
@json_option
@click.pass_obj
def command(
    tools: Tools, old: str, new: str, files: tuple[str, ...], at: int | None, as_json: bool
) -> int:
    """Find the first rules under which recorded games of one ruleset go otherwise than under OLD.

    OLD and NEW are commits of the checkout that you stand in, and the commits between them are
    tried along the first parents, as many as halving needs; or versions, and the engines
    that are kept between them are. Otherwise means by more than form (see decklog impact). It is
    taken that what differs once goes on to.

    \b
    The exit code:
      0  nothing differs under NEW
      1  it says where it begins
      2  used wrongly
    """
    from service.impact.bisect import first

    with progress("trying rules") as report:
        case = _case(tools, old, files, at or 0)
        words = _between(case.ruleset, old, new)
        trial = _Trial(case, report)
        found = first(words, trial.differs)
    if as_json:
        emit(_plain(found, trial))
    else:
        say("\n".join(_lines(found, trial, old)))
    return DIFFERS if found.first is not None else 0


def _case(tools: Tools, old: str, files: Sequence[str], at: int) -> Case:
    from service.evidence.digest import ruleset_of
    from service.impact.history import NoHistory, read
    from service.impact.rules import NoRules, find

    try:
        games = tuple(read(file, read_bytes(file)) for file in files)
    except NoHistory as error:
        raise Mistake(f"A file is no game: {error}.", "Name only such files.", "file") from None
    names = sorted({game.setup.ruleset for game in games})
    if len(names) > 1:
        hint = "Name those of one ruleset."
        raise Mistake(f"The files are of {' and '.join(names)}.", hint, "usage")
    ruleset = ruleset_of(tools.game(names[0]))
    try:
        return Case(tools, ruleset, games, find(old, ruleset), at)
    except NoRules as error:
        hint = "A commit needs the checkout that it is in."
        raise Mistake(f"{error}.", hint, "engine") from None


def _between(ruleset: Ruleset, old: str, new: str) -> list[str]:
    """The rules after OLD up to NEW, as words: versions that are kept, else commits."""
    from service.engines.history import NoHistory, commits

    kept = _versions(ruleset)
    if old in kept and new in kept:
        return kept[kept.index(old) + 1 : kept.index(new) + 1]
    try:
        return commits(Path(), old, new, ["domain/kernel", ruleset.home.replace(".", "/")])
    except NoHistory as error:
        hint = "Name two commits of this checkout, or two versions that are kept."
        raise Mistake(f"There is no way from {old} to {new}: {error}.", hint, "engine") from None


def _versions(ruleset: Ruleset) -> list[str]:
    """Versions whose engines are kept, from the oldest on; the installed one is the last."""
    from service.engines import carry

    kept = [each.version for each in carry.table() if each.ruleset == ruleset.name]
    return [*sorted(dict.fromkeys(kept), key=_number), ruleset.version]


def _number(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]


class _Trial:
    """Tries rules, and keeps the first difference of each."""

    def __init__(self, case: Case, report: Report) -> None:
        self._case = case
        self._report = report
        self.seen: dict[str, tuple[str, Difference | None]] = {}

    def differs(self, word: str) -> bool | None:
        """Whether a game goes otherwise; None for rules that cannot be had or do not load."""
        from service.impact.rules import NoRules, find

        self._report(len(self.seen), 0)
        try:
            engine = find(word, self._case.ruleset)
        except NoRules:
            return None
        difference = next(filter(None, map(self._first(engine), self._case.games)), None)
        self.seen[word] = (engine.name, difference)
        return difference is not None

    def _first(self, engine: Engine) -> Any:
        from service.impact.compare import FORM

        def of(history: History) -> Difference | None:
            compared = self._compared(engine, history)
            if "not of the old rules" in compared.stopped:
                hint = "Begin with rules that decide it as it is recorded."
                raise Mistake(f"{history.file}, {compared.stopped}.", hint, "engine")
            at = self._case.at
            found = (each for each in compared.differences if each.kind != FORM)
            return next((each for each in found if at in (0, each.at)), None)

        return of

    def _compared(self, engine: Engine, history: History) -> Compared:
        from service.impact.compare import compare
        from service.impact.impact import Sentences
        from service.impact.rules import asked

        says = Sentences(self._case.tools.game(history.setup.ruleset))
        with asked(self._case.old, history) as one, asked(engine, history) as other:
            return compare(history, one, other, says)


def _plain(found: Found[str], trial: _Trial) -> dict[str, Any]:
    name, difference = trial.seen[found.first] if found.first else ("", None)
    return {
        "first": found.first, "engine": name, "before": found.before, "tried": found.tried,
        "between": list(found.between), "difference": difference,
    }  # fmt: skip


def _lines(found: Found[str], trial: _Trial, old: str) -> list[str]:
    from service.impact.told import difference_lines

    if found.first is None:
        return [f"nothing differs from {old}; {found.tried} tried"]
    name, difference = trial.seen[found.first]
    assert difference is not None
    lines = [
        f"{found.first}  {name}",
        f"as before: {found.before or old}; {found.tried} tried",
    ]
    if found.between:
        lines.append(f"not to be tried, and between the two: {', '.join(found.between)}")
    return [*lines, *difference_lines(difference)]

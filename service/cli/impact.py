"""``decklog impact``: recorded games decided again by other rules, or with another option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from .console import Report, emit, progress, say
from .engines import places
from .files import read_bytes, write_page
from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.evidence.asked import Answers
    from service.impact.compare import Compared
    from service.impact.history import History
    from service.impact.impact import Impact, Stop
    from service.impact.rules import Engine

DIFFERS = 1
STOPPED = 3


class Option(NamedTuple):
    """An option with another value than the games have."""

    name: str
    value: Any


class Rules(NamedTuple):
    """Which rules are compared: how each is found for a ruleset, and the option that is other."""

    old: str
    new: str
    option: Option | None
    find: Callable[[str, str], Engine]


@click.command("impact", short_help="Decide recorded games again by other rules.")
@click.argument("words", metavar="OLD NEW FILE...", nargs=-1, required=True)
@click.option(
    "--option",
    default="",
    metavar="NAME=VALUE",
    help="Other value of an option, under one engine: name that alone, then the files.",
)
@click.option("--page", default="", metavar="FILE", help="Page to write: one HTML file with all.")
@click.option(
    "--show", type=click.IntRange(0), default=5, show_default=True, help="Differences to tell."
)
@click.option(
    "--engines",
    multiple=True,
    metavar="PLACE",
    help="Where else engines may be: a folder, or the address of a service. May be repeated.",
)
@json_option
@click.pass_obj
def command(
    tools: Tools,
    words: tuple[str, ...],
    option: str,
    page: str,
    show: int,
    engines: tuple[str, ...],
    as_json: bool,
) -> int:
    """Decide every order and every die of recorded games again by other rules, and compare.

    OLD and NEW are engines: a file of an archive, "installed", a version of the rules, a digest or
    the first twelve characters of one, or a commit of the checkout that you stand in. A FILE is
    evidence that opens all that happened, or a recorded game (.jsonl) as in tests/games. The OLD
    rules decide the game as it was; the NEW ones are asked at each of its positions, so one
    difference makes no others. Events are compared by value.

    \b
      form      the same values, written otherwise
      figures   other events, and the same state after them
      outcome   another state
      refused   NEW does not take the order
      dice      NEW asks for other dice
      unread    NEW does not read the events, or the command
      crashed   NEW broke down

    With --option: decklog impact ENGINE FILE... --option NAME=VALUE

    \b
    The exit code:
      0  nothing differs but form
      1  something does
      2  used wrongly
      3  nothing does that was compared, and a FILE was not to its end
    """
    from service.impact import told

    with places(engines) as where, progress("deciding again") as report:
        rules, files = _named(tools, words, option, where)
        found = _compared(tools, rules, files, report)
    if page:
        write_page(page, told.page(found))
    if as_json:
        emit(found)
    else:
        say(told.text(found, show))
    if found.matters:
        return DIFFERS
    return STOPPED if found.stopped else 0


def _named(
    tools: Tools, words: Sequence[str], option: str, where: Sequence[Any]
) -> tuple[Rules, Sequence[str]]:
    """The rules and the files that the words mean. Raises Mistake."""
    engines = 1 if option else 2
    if len(words) <= engines:
        hint = "decklog impact OLD NEW FILE..., or ENGINE FILE... --option NAME=VALUE."
        raise Mistake("There are too few words.", hint, "usage")

    @cache
    def find(word: str, ruleset: str) -> Engine:
        return _engine(tools, word, ruleset, where)

    rules = Rules(words[0], words[engines - 1], _option(option), find)
    return rules, words[engines:]


def _option(text: str) -> Option | None:
    """A value is JSON where it can be read so, and a word otherwise. Raises Mistake."""
    if not text:
        return None
    name, is_, value = text.partition("=")
    if not name or not is_:
        hint = "Write it as islandSector2007=as-2009."
        raise Mistake(f"{text!r} is no option with a value.", hint, "usage")
    try:
        return Option(name, msgspec.json.decode(value))
    except msgspec.DecodeError:
        return Option(name, value)


def _engine(tools: Tools, word: str, ruleset: str, where: Sequence[Any]) -> Engine:
    from service.evidence.digest import ruleset_of
    from service.impact.rules import NoRules, find

    try:
        return find(word, ruleset_of(tools.game(ruleset)), where)
    except NoRules as error:
        hint = "decklog engine list --all names what is known here; a commit needs its checkout."
        raise Mistake(f"{error}.", hint, "engine") from None


def _compared(tools: Tools, rules: Rules, files: Sequence[str], report: Report) -> Impact:
    from service.impact.history import NoHistory, read
    from service.impact.impact import Stop, impact

    games: list[Compared] = []
    unread: list[Stop] = []
    names: dict[str, tuple[str, str]] = {}
    for done, file in enumerate(files):
        report(done, len(files))
        try:
            history = read(file, read_bytes(file))
        except NoHistory as error:
            unread.append(Stop(file=file, why=str(error)))
            continue
        compared, *both = _game(tools, rules, history)
        games.append(compared)
        names[history.setup.ruleset] = (both[0].name, both[1].name)
    old, new = (
        (", ".join(each) for each in zip(*names.values(), strict=True)) if names else ("", "")
    )
    option = "" if rules.option is None else f"{rules.option.name}={rules.option.value}"
    return impact((old, new), games, unread, option)


def _game(tools: Tools, rules: Rules, history: History) -> tuple[Compared, Engine, Engine]:
    from service.impact.compare import Stopped, compare
    from service.impact.impact import Sentences
    from service.impact.rules import NoRules, asked

    ruleset = history.setup.ruleset
    old, new = rules.find(rules.old, ruleset), rules.find(rules.new, ruleset)
    changed = None
    if rules.option is not None:
        options = {**history.setup.options, rules.option.name: rules.option.value}
        changed = msgspec.structs.replace(history.setup, options=options)
    try:
        with ExitStack() as stack:

            def over(digest: str) -> Answers:
                try:
                    return stack.enter_context(asked(rules.find(digest, ruleset), history))
                except (Mistake, NoRules) as error:
                    raise Stopped(
                        f"it went over to rules that are not known here: {error}"
                    ) from None

            one, other = (stack.enter_context(asked(each, history)) for each in (old, new))
            says = Sentences(tools.game(ruleset))
            return compare(history, one, other, says, changed=changed, over=over), old, new
    except NoRules as error:
        hint = "A digest or a commit that is known here needs no wall."
        raise Mistake(f"{error}.", hint, "engine") from None

"""``decklog rules``: search the rulebooks by ID or by word."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import click
import msgspec

from domain.kernel.rules import HOMES
from domain.kernel.shown.rulebook import RuleText

from .console import emit, say, table
from .mistakes import Mistake
from .tools import AnyGame, Tools, json_option, ruleset_option

WIDTH = 88


@click.command("rules", short_help="Search the rules by ID or by word.")
@click.argument("words", nargs=-1)
@ruleset_option
@click.option("--area", default="", metavar="AREA", help="Only this area: SEA, ATK, RUL, ...")
@click.option(
    "--status",
    type=click.Choice(["done", "deferred", "information"]),
    help="Only rules that are played, not played yet, or have nothing to play.",
)
@click.option("--edition", default="", metavar="NAME", help="Only rules that hold in this edition.")
@click.option("--next", "area_of", default="", metavar="AREA", help="The next free ID: CT-CRIT.")
@click.option("--full", is_flag=True, help="The whole text of each rule, however many there are.")
@json_option
@click.pass_obj
def command(
    tools: Tools,
    words: tuple[str, ...],
    ruleset: str,
    area: str,
    status: str | None,
    edition: str,
    area_of: str,
    full: bool,
    as_json: bool,
) -> int:
    """Search the rules, in our words, by ID or by word.

    An ID shows that rule in full, with the rulings that touch it; the beginning of an ID lists what
    begins with it; words list the rules that have all of them. --next is for who writes a rule or
    a ruling: the ID that its area has free. Needs no running service.

    \b
      decklog rules WAS-ATK-03
      decklog rules was-los
      decklog rules torpedo submarine --edition 2009
      decklog rules --next CT-CRIT
    """
    if area_of:
        return _next(tools, area_of.upper().rstrip("-"), as_json)
    found = [
        (game, text)
        for game in tools.chosen(ruleset)
        for text in _search(game.catalogue.rules(), words)
        if _fits(text, area, status, edition)
    ]
    if as_json:
        emit([{"ruleset": game.ruleset, **msgspec.to_builtins(text)} for game, text in found])
    elif not found:
        raise Mistake(
            f"No rule has {' '.join(words) or 'this'}.",
            "Fewer or other words find more; without words every rule is listed.",
            "rule.not-found",
        )
    elif full or len(found) == 1:
        say("\n\n".join(_in_full(game, text) for game, text in found))
    else:
        table(("id", "status", "title"), [(t.id, t.status, t.title) for _, t in found])
    return 0


def _next(tools: Tools, area: str, as_json: bool) -> int:
    """Say which ID of an area, of whichever game, comes after all that are taken."""
    books = (text.id for game in tools.chosen("") for text in game.catalogue.rules())
    taken: dict[str, str] = {}
    for begin, _, number in (each.rpartition("-") for each in (*books, *HOMES)):
        if number.isdecimal():
            taken[begin] = max(taken.get(begin, "0"), number, key=int)
    if area not in taken:
        raise Mistake(
            f"No rule is called {area}-...",
            f"A new area begins with {area}-01; there are {', '.join(sorted(taken))}.",
            "rule.not-found",
        )
    free = f"{area}-{int(taken[area]) + 1:0{len(taken[area])}}"
    emit({"id": free}) if as_json else say(free)
    return 0


def _search(rules: Iterable[RuleText], words: tuple[str, ...]) -> list[RuleText]:
    """By exact ID, else by the beginning of the ID, else by all the words."""
    book = list(rules)
    if len(words) == 1:
        wanted = words[0].upper()
        exact = [text for text in book if text.id.upper() == wanted]
        if exact:
            return exact
        begun = [text for text in book if text.id.upper().startswith(wanted)]
        if begun:
            return begun
    lowered = [word.lower() for word in words]
    return [text for text in book if all(word in _haystack(text) for word in lowered)]


def _haystack(text: RuleText) -> str:
    return f"{text.id} {text.title} {text.text}".lower()


def _fits(text: RuleText, area: str, status: str | None, edition: str) -> bool:
    return (
        (not area or text.area.lower() == area.lower())
        and (status is None or text.status == status)
        and (not edition or edition in text.editions)
    )


def _in_full(game: AnyGame, text: RuleText) -> str:
    rows = [
        f"{text.id}  {text.title}",
        textwrap.fill(text.text, WIDTH, initial_indent="  ", subsequent_indent="  "),
        f"  {text.kind}, {text.status}; {game.title}, {_editions(text)}",
        f"  source: {text.source}",
    ]
    if text.test:
        note = f"shown by: {text.test}"
        rows.append(textwrap.fill(note, WIDTH, initial_indent="  ", subsequent_indent="  "))
    if text.rulings:
        rows.append(f"  rulings: {', '.join(text.rulings)}")
    return "\n".join(rows)


def _editions(text: RuleText) -> str:
    return f"edition{'s' if len(text.editions) > 1 else ''} {', '.join(text.editions)}"

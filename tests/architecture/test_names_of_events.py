"""Nobody outside a game names its events: whoever reads them reads roles, or the game's own values.

A name that is written out elsewhere goes on being read after the event has been named anew, and
then finds nothing, without a word.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from domain.kernel.finder import games
from domain.kernel.shown.roles import PARTS
from tests.architecture.tree import parsed, python, text, tracked

NAMES = {type_.NAME: game.ruleset for game in games().values() for type_ in game.events}
RULESETS = frozenset(NAMES.values())
READERS = ("projections", "service")
PAGES = tuple(
    name for name in tracked() if name.split("/")[0] in READERS and name.endswith((".js", ".html"))
)
KERNEL = [name for name in python("domain") if name.startswith("domain/kernel/")]
_QUOTED = re.compile(r"""(["'`])([^"'`\s]+)\1""")
_ASKED_FOR_A_PART = frozenset(
    ["startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "find"]
)
_PART_IN_A_PAGE = re.compile(
    r"""\.(?:startsWith|endsWith|includes|indexOf)\((["'`])([^"'`\s]+)\1"""
)


def named(literal: str) -> bool:
    """Whether a literal is the name of an event of a game: alone, or after the ruleset's."""
    ruleset, dot, name = literal.rpartition(".")
    return name in NAMES and (not dot or not ruleset or ruleset in RULESETS)


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


REFEREE = "service/referees/"
"""A game's own reader: it judges the record word by word, and its tests fail on a name it lacks."""
MEANT = {("domain/kernel/shown/drawing.py", "hull-")}
"""Beginnings of something else: names of shapes in a picture."""


def part(literal: str, *, dashed: bool = True) -> bool:
    """Whether it begins or ends the name of an event at a dash: "-removed", "unit-".

    dashed  whether the dash has to be there; a text that something ends with needs none
    """
    words = literal.strip("-")
    if not words or (dashed and words == literal):
        return False
    heads = any(name.startswith(f"{words}-") for name in NAMES) and not literal.startswith("-")
    tails = any(name.endswith(f"-{words}") for name in NAMES) and not literal.endswith("-")
    return heads or tails


def parts_asked_for(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts that something begins or ends with, or that stand in an event's type."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=asked), args=[*given]) if (
                asked in _ASKED_FOR_A_PART
            ):
                yield from (each for argument in given for each in literals(argument))
            case ast.Compare(left=ast.Constant() as left, comparators=[ast.Attribute(attr="type")]):
                yield from literals(left)


def names_in(tree: ast.AST) -> list[str]:
    """Names of events in a module, whole or in part, each with its line."""
    whole = {each for each in literals(tree) if named(each[1]) or part(each[1])}
    asked = {each for each in parts_asked_for(tree) if part(each[1], dashed=False)}
    return [f"{line}: {word}" for line, word in sorted(whole | asked)]


def names_on(page: str) -> list[str]:
    """The same in a page or a script, which is not parsed."""
    whole = [each[2] for each in _QUOTED.finditer(page) if named(each[2]) or part(each[2])]
    asked = [each[2] for each in _PART_IN_A_PAGE.finditer(page) if part(each[2], dashed=False)]
    return sorted({*whole, *asked})


@pytest.mark.parametrize(
    "name", [each for each in (*python(*READERS), *KERNEL) if not each.startswith(REFEREE)]
)
def test_no_module_names_an_event_of_a_game(name: str) -> None:
    found = [
        each for each in names_in(parsed(name)) if (name, each.partition(": ")[2]) not in MEANT
    ]
    assert not found, f"{name} names events of a game, which may be named anew; read roles: {found}"


@pytest.mark.parametrize("name", PAGES)
def test_no_page_names_an_event_of_a_game(name: str) -> None:
    found = names_on(text(name))
    assert not found, f"{name} names events of a game, which may be named anew; read roles: {found}"


@pytest.mark.parametrize("word", ["unit-removed", "war-at-sea.unit-removed", ".turn-began"])
def test_a_name_would_be_found(word: str) -> None:
    assert named(word)
    assert names_in(ast.parse(f"LOST = {{{word!r}: 'unit'}}"))
    assert names_on(f'x.endsWith("{word}")')


@pytest.mark.parametrize(
    "source",
    [
        "entry.type.endswith('-removed')",
        "entry.type.endswith(('-moved', '-removed'))",
        "entry.type.endswith('removed')",
        "entry.type.startswith('unit-')",
        "LOST = '-removed'",
        "'removed' in entry.type",
        "name.removesuffix('-removed')",
    ],
)
def test_a_part_of_a_name_would_be_found(source: str) -> None:
    assert names_in(ast.parse(source))


@pytest.mark.parametrize("source", ["'seat' in entry.type", "word = 'removed'", "x = '-'"])
def test_what_is_no_part_of_a_name_passes(source: str) -> None:
    assert names_in(ast.parse(source)) == []


@pytest.mark.parametrize("word", ["-removed", "removed"])
def test_a_part_of_a_name_would_be_found_on_a_page(word: str) -> None:
    assert names_on(f'event.type.endsWith("{word}")')


def test_no_role_is_called_as_an_event() -> None:
    assert [part for part in PARTS if named(part)] == []

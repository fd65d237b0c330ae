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
from domain.kernel.roles import PARTS
from tests.architecture.tree import parsed, python, text, tracked

NAMES = {type_.NAME: game.ruleset for game in games().values() for type_ in game.events}
RULESETS = frozenset(NAMES.values())
READERS = ("projections", "service")
PAGES = tuple(
    name for name in tracked() if name.split("/")[0] in READERS and name.endswith((".js", ".html"))
)
KERNEL = [name for name in python("domain") if name.startswith("domain/kernel/")]
_QUOTED = re.compile(r"""(["'`])([^"'`\s]+)\1""")


def named(literal: str) -> bool:
    """Whether a literal is the name of an event of a game: alone, or after the ruleset's."""
    ruleset, dot, name = literal.rpartition(".")
    return name in NAMES and (not dot or not ruleset or ruleset in RULESETS)


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


@pytest.mark.parametrize("name", [*python(*READERS), *KERNEL])
def test_no_module_names_an_event_of_a_game(name: str) -> None:
    found = [f"{line}: {word}" for line, word in literals(parsed(name)) if named(word)]
    assert found == []


@pytest.mark.parametrize("name", PAGES)
def test_no_page_names_an_event_of_a_game(name: str) -> None:
    found = [quoted[2] for quoted in _QUOTED.finditer(text(name)) if named(quoted[2])]
    assert found == []


@pytest.mark.parametrize("word", ["unit-removed", "war-at-sea.unit-removed", ".turn-began"])
def test_a_name_would_be_found(word: str) -> None:
    assert named(word)
    assert [each for _, each in literals(ast.parse(f"LOST = {{{word!r}: 'unit'}}")) if named(each)]
    assert [q[2] for q in _QUOTED.finditer(f'x.endsWith("{word}")') if named(q[2])]


def test_no_role_is_called_as_an_event() -> None:
    assert [part for part in PARTS if named(part)] == []

"""War at Sea says what it means: editions differ in one record."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from domain.games.war_at_sea.rules.editions import EDITIONS
from domain.games.war_at_sea.rules.families.vocabulary import families
from tests.architecture.tree import parsed, python

GAME = [name for name in python("domain") if name.startswith("domain/games/war_at_sea/")]
DIFFERENCES = "editions.py"


def _compared(tree: ast.AST) -> Iterator[int]:
    """Lines that compare something with the name of an edition."""
    for node in ast.walk(tree):
        parts: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            parts = [node]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        for part in parts:
            for each in ast.walk(part):
                if isinstance(each, ast.Constant) and each.value in EDITIONS:
                    yield each.lineno


def test_a_comparison_with_an_edition_is_seen() -> None:
    found = (
        'if a == "2007" or b in ("2009", c):\n    pass\nmatch a:\n    case "2009":\n        pass'
    )
    assert list(_compared(ast.parse(found))) == [1, 1, 4]
    assert list(_compared(ast.parse('x = option("RUL-25", "2007")'))) == []


def test_no_rule_compares_an_edition() -> None:
    found = [
        f"{name}:{line}"
        for name in GAME
        if not name.endswith(f"/{DIFFERENCES}")
        for line in _compared(parsed(name))
    ]
    assert not found, "ask the edition's Rulebook (editions.py)"


# --- abilities ------------------------------------------------------------------------------------

OTHERWISE = {
    "combat-air-patrol": "the key of a question, which clients see",
    "escort": "a side of a convoy, and the label of a penalty",
    "mines": "a field of the state, and what mines are called in the picture",
    "sub-hunter": "the key of a question, which clients see",
}
"""Families whose names in the game's Python mean something else; the list may only shrink."""

VOCABULARY = "domain/games/war_at_sea/rules/families/"


def _named(name: str) -> set[str]:
    """Families of which a module of the game writes the name out."""
    nodes = ast.walk(parsed(name))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {each for each in texts if isinstance(each, str)} & set(families())


def test_no_rule_names_a_family_of_abilities() -> None:
    """What a family does stands in its file, in words that the rules ask for."""
    found = {family for name in GAME if not name.startswith(VOCABULARY) for family in _named(name)}
    assert found == set(OTHERWISE)
    assert len(found) < len(families()) / 10


# --- IDs ------------------------------------------------------------------------------------------

CHARTS = "rules/charts.py"
"""It asks which charts a map has, by the map's name: nothing about seats."""
_PARTS = frozenset(["partition", "rpartition", "split", "rsplit"])


def _parsed_ids(tree: ast.AST) -> Iterator[int]:
    """Lines that take an ID apart at its dash, or ask what it begins with."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        first, name = node.args[0], node.func.attr
        if name in _PARTS and isinstance(first, ast.Constant) and first.value == "-":
            yield node.lineno
        if name == "startswith" and isinstance(first, ast.JoinedStr):
            last = first.values[-1]
            if isinstance(last, ast.Constant) and str(last.value).endswith("-"):
                yield node.lineno


def test_an_id_that_is_taken_apart_is_seen() -> None:
    found = 'a.partition("-")\nb.rsplit("-", 1)\nc.startswith(f"{seat}-")\nd.split(",")'
    assert list(_parsed_ids(ast.parse(found))) == [1, 2, 3]


def test_whose_something_is_stands_in_a_field() -> None:
    found = [
        f"{name}:{line}"
        for name in GAME
        if not name.endswith(CHARTS)
        for line in _parsed_ids(parsed(name))
    ]
    assert not found, "a unit's ID is a name: ask Unit.seat, or a field that says whose it is"

"""No table of the domain is asked with a phrase as its default: what lacks has to be seen."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.tree import against, parsed, python

MEANT = {
    "domain/kernel/game.py": "self.roles.get(type(event), nothing)",
}
"""Functions that may stand in. The roles of an event that lacks them are named by check_complete,
and a service that follows the log of a game in use must not stop at it."""


def phrases(tree: ast.Module) -> Iterator[str]:
    """Each ``table.get(key, phrase)``, and each that falls back on the key itself."""
    called = frozenset(_functions(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="get"), args=[key, default]):
                if _is_phrase(default, called) or ast.dump(default) == ast.dump(key):
                    yield f"{node.lineno}: {ast.unparse(node)}"


def _functions(tree: ast.Module) -> Iterator[str]:
    """What a module can call by name: functions of its own, and what it imports in small letters.

    A module that is imported is called so as well: a table that falls back on a module is no less
    wrong.
    """
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found = (alias.asname or alias.name for alias in names)
                yield from (name for name in found if name == name.lower())


def _is_phrase(default: ast.expr, called: frozenset[str]) -> bool:
    """Words, made or written; or a function, whatever it is called: an entry that nobody wrote."""
    match default:
        case ast.Constant(value=str(text)):
            return bool(text.strip())
        case ast.JoinedStr() | ast.Lambda():
            return True
        case ast.Call(func=ast.Attribute(attr="replace" | "title" | "lower")):
            return True
        case ast.Call(func=ast.Attribute(value=inner)) | ast.Attribute(value=inner):
            return _is_phrase(inner, called)
        case ast.Name(id=name):
            return name in called or "anything" in name or "default" in name.lower()
    return False


def test_no_phrase_stands_in_for_an_entry() -> None:
    found = against(python("domain"), _unmeant)
    assert not found, f"what lacks in a table has to be seen, not stood in for: {found}"


def _unmeant(name: str) -> list[str]:
    return [each for each in phrases(parsed(name)) if each.partition(": ")[2] != MEANT.get(name)]


@pytest.mark.parametrize("name", MEANT)
def test_what_is_meant_is_still_there(name: str) -> None:
    assert any(each.endswith(MEANT[name]) for each in phrases(parsed(name))), name


@pytest.mark.parametrize(
    "source",
    [
        "CRITICALS.get(number, 'nothing')",
        "_PASS.get(key, 'Pass')",
        "_JUDGES.get(question, _anything)",
        "PHASES.get(phase, phase.replace('-', ' ').title())",
        "GUNS.get(weapon, weapon)",
        "RULES.get(outcome, f'{a}')",
        "def _nothing(flow): return False\n_TEND.get(key, _nothing)",
        "from .rules import drawing\n_TEND.get(key, drawing.deal)",
        "from .rules.drawing import deal\n_TEND.get(key, deal)",
        "_TEND.get(key, lambda flow: False)",
    ],
)
def test_a_phrase_is_seen(source: str) -> None:
    assert list(phrases(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    ["found.get(total, 0)", "rows.get(unit, ())", "at.get(n, '')", "moves.get(unit, held)"],
)
def test_what_is_no_phrase_passes(source: str) -> None:
    assert not list(phrases(ast.parse(source)))

"""What the functions of a game cite and read, from its source."""

from __future__ import annotations

import ast
from functools import cache
from typing import NamedTuple

from tests.support.rules import GAMES


class Function(NamedTuple):
    """A function of a game.

    marks  the rules whose home it is
    uses   every name and attribute in it
    says   every string in it, its marks among them
    calls  name of what is called, and the strings that are handed over, for each call in it
    """

    module: str
    name: str
    marks: frozenset[str]
    uses: frozenset[str]
    says: frozenset[str]
    calls: tuple[tuple[str, frozenset[str]], ...]


@cache
def functions(game: str) -> tuple[Function, ...]:
    """Every function of a game's folder, methods and inner ones too."""
    return tuple(
        _read(path.name, node)
        for path in sorted((GAMES / game).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    )


def _read(module: str, node: ast.FunctionDef) -> Function:
    marks = (each for part in node.decorator_list for each in _strings(part))
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    called = (
        (each.func.id, frozenset(text for part in _handed(each) for text in _strings(part)))
        for each in calls
        if isinstance(each.func, ast.Name)
    )
    names = (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
    attributes = (each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute))
    return Function(
        module,
        node.name,
        frozenset(marks),
        frozenset((*names, *attributes)),
        frozenset(_strings(node)),
        tuple(called),
    )


def _handed(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(each.value for each in call.keywords)]


def _strings(node: ast.AST) -> list[str]:
    found = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return [each for each in found if isinstance(each, str)]


def near(game: str, function: Function) -> list[Function]:
    """A function, what calls it and what it calls."""
    return [
        each
        for each in functions(game)
        if each is function or function.name in each.uses or each.name in function.uses
    ]

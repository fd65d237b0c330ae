"""Conditions under which a critical has its effect: found in the rules, exchanged one by one.

A function of ``rules/`` that names a row of the critical table has its effect in it; what is asked
in the same breath (the other parts of its ``if``, and every ``if`` within that) are the conditions:
a range, a weapon, the light, an option; so is what is asked of these around it, or before it by a
way out. Each is made always true, never true and, where it has a bound or a list, one wider and one
narrower; what equals a figure reaches beyond it.
"""

from __future__ import annotations

import ast
import copy
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from domain.games.crimson_tide.rules.criticals import TABLE, Critical

from .ablation import forget

RULES = "domain.games.crimson_tide.rules"
CIRCUMSTANCE = re.compile(
    r"dark|night|day|weapon|range|band|klick|turn\b|carrier|aircraft|submarine"
)
"""What is a condition also where it is asked around; the rest asks whether there is anything."""


class Change(NamedTuple):
    """A condition exchanged. ``told`` says where, what and how."""

    row: Critical
    function: Any
    tree: ast.FunctionDef
    told: str


def changes(functions: Sequence[Any] = ()) -> Iterator[Change]:
    """Every exchange of every condition of every row's effect."""
    for row in TABLE.values():
        for function, name in namers(row, functions):
            yield from _changes(function, row, name)


def namers(row: Critical, functions: Sequence[Any] = ()) -> Iterator[tuple[FunctionType, str]]:
    """The functions that name a row, of all rules or of some, each with the name in it."""
    for function in functions or functions_of_rules():
        if _names(function, row):
            yield function, _name(function, row)


def functions_of_rules() -> Iterator[FunctionType]:
    for place, module in sorted(sys.modules.items()):
        if place.startswith(f"{RULES}."):
            yield from _own(module)


def _own(module: ModuleType) -> Iterator[FunctionType]:
    """Those that keep what they found are functions, too."""
    for value in map(unwrapped, vars(module).values()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield value


def unwrapped(value: Any) -> Any:
    """The function itself of one that keeps what it found."""
    return value.__wrapped__ if hasattr(value, "cache_parameters") else value


def _name(function: FunctionType, row: Critical) -> str:
    """The name by which a function's module knows a row; empty: it does not."""
    known = (name for name, value in function.__globals__.items() if value is row)
    return next(known, "")


def _names(function: FunctionType, row: Critical) -> bool:
    name = _name(function, row)
    return bool(name) and name in function.__code__.co_names


@cache
def tree_of(function: Any) -> ast.FunctionDef:
    """The definition of a function, from its source."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    return tree


# --- what is asked beside a row -------------------------------------------------------------------


def _has(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def conditions(tree: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """Each condition beside what names the row. What an ``or`` has besides is another cause."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and _has(node.test, name):
            yield from _beside(node.test, name)
            for inner in (each for part in node.body for each in ast.walk(part)):
                if isinstance(inner, ast.If | ast.IfExp):
                    yield from _parts(inner.test)
        elif isinstance(node, ast.Return | ast.Assign) and node.value and _has(node.value, name):
            yield from _beside(node.value, name)
    around = dict.fromkeys(each for each in about(tree, name) if isinstance(each, ast.expr))
    for test in around:
        yield from (part for part in _parts(test) if CIRCUMSTANCE.search(ast.unparse(part)))


def about(tree: ast.FunctionDef, name: str) -> Iterator[ast.stmt | ast.expr]:
    """The statements that name a row, and what is asked around them or by ways out before them."""
    return _walk(tree.body, [], name)


def _walk(body: list[ast.stmt], around: list[ast.expr], name: str) -> Iterator[ast.stmt | ast.expr]:
    before = list(around)
    for part in body:
        if isinstance(part, ast.If) and not _has(part.test, name):
            ways = [*before, part.test]
            yield from _walk(part.body, ways, name)
            yield from _walk(part.orelse, ways, name)
            if isinstance(part.body[-1], ast.Return | ast.Continue) and not _of_a_row(part.test):
                before.append(part.test)
        elif isinstance(part, ast.For | ast.While | ast.With):
            yield from _walk(part.body, before, name)
        elif _has(part, name):
            yield part
            yield from before


def _of_a_row(test: ast.expr) -> bool:
    """Whether it asks for a row of the table: that is another row's condition."""
    return _has(test, "has_critical")


def _beside(test: ast.expr, name: str) -> Iterator[ast.expr]:
    for each in ast.walk(test):
        if isinstance(each, ast.BoolOp) and isinstance(each.op, ast.And) and _has(each, name):
            for part in each.values:
                if not _has(part, name):
                    yield from _parts(part)
        if isinstance(each, ast.IfExp) and not _has(each.test, name):
            yield from _parts(each.test)


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """The single conditions of a test."""
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _parts(part)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _parts(test.operand)
    else:
        yield test


# --- exchanging -----------------------------------------------------------------------------------


def _changes(function: FunctionType, row: Critical, name: str) -> Iterator[Change]:
    tree = tree_of(function)
    for condition in conditions(tree, name):
        place = [*ast.walk(tree)].index(condition)
        for other in _others(condition, function.__globals__):
            if ast.unparse(other) != ast.unparse(condition):
                told = f"{ast.unparse(condition)} -> {ast.unparse(other)}"
                where = f"{function.__module__.removeprefix(f'{RULES}.')}.{function.__name__}"
                yield Change(row, function, exchanged(tree, place, other), f"{where}: {told}")


def _others(condition: ast.expr, known: dict[str, Any]) -> Iterator[ast.expr]:
    yield ast.Constant(True)
    yield ast.Constant(False)
    yield from _beyond(condition, known)
    for place, part in enumerate(ast.walk(condition)):
        bound = _figure(part, known)
        if bound is not None and _compared(condition, part):
            for step in (-1, 1):
                yield exchanged(condition, place, ast.Constant(bound + step))
        if isinstance(part, ast.Tuple) and len(part.elts) > 1:
            for left in range(len(part.elts)):
                rest = [each for n, each in enumerate(part.elts) if n != left]
                yield exchanged(condition, place, ast.Tuple(rest, ast.Load()))


def _beyond(condition: ast.expr, known: dict[str, Any]) -> Iterator[ast.expr]:
    """What equals a figure, as "so much or more" and as "so much or less"."""
    if isinstance(condition, ast.Compare) and [*map(type, condition.ops)] == [ast.Eq]:
        left, (right,) = condition.left, condition.comparators
        if _figure(right, known) is not None:
            yield ast.Compare(left, [ast.GtE()], [right])
            yield ast.Compare(left, [ast.LtE()], [right])


def _figure(part: ast.AST, known: dict[str, Any]) -> int | None:
    """The number that is written here, or that the name of a constant stands for."""
    value = part.value if isinstance(part, ast.Constant) else None
    if isinstance(part, ast.Name):
        value = known.get(part.id)
    return value if type(value) is int else None


def _compared(condition: ast.expr, number: ast.AST) -> bool:
    """Whether a number is one side of a comparison, and not an index or an argument."""
    return any(
        number in (each.left, *each.comparators)
        for each in ast.walk(condition)
        if isinstance(each, ast.Compare)
    )


def exchanged(tree: Any, place: int, other: ast.expr) -> Any:
    """A copy of a tree with another node at a place of its walk."""
    made = copy.deepcopy(tree)
    old = [*ast.walk(made)][place]
    if old is made:
        return other

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return other if node is old else self.generic_visit(node)

    return ast.fix_missing_locations(Exchange().visit(made))


@contextmanager
def made(change: Change) -> Iterator[None]:
    """Until this is left, the function asks the exchanged condition."""
    with written(change.function, change.tree):
        yield


@contextmanager
def written(function: Any, other: ast.FunctionDef) -> Iterator[None]:
    """Until this is left, the function is as its other definition has it."""
    tree = copy.deepcopy(other)
    tree.decorator_list = []
    known = function.__code__
    body = ast.fix_missing_locations(ast.Module([tree], []))
    held: dict[str, Any] = {}
    exec(compile(body, known.co_filename, "exec"), function.__globals__, held)
    built: Callable[..., Any] = held[function.__name__]
    function.__code__ = built.__code__
    forget()
    try:
        yield
    finally:
        function.__code__ = known
        forget()

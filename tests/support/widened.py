"""An option that acts more widely: a condition beside the question for it is left out.

Somebody who forgets that an option speaks of the night, of Destroyers, of the first turn, writes
the same code without that condition. Here each function that asks for an option is written so: of a
condition in which the option is asked for every other part is taken to hold, and each guard before
it that only returns is left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from itertools import islice
from types import CodeType, FunctionType
from typing import NamedTuple

from tests.rules.mutants import compiled_or_none, told
from tests.rules.sources import Definition, definition
from tests.support.memory import every_object

ID = re.compile(r"[A-Z]+(?:-[A-Z]+)?-\d+")


class Wider(NamedTuple):
    """A function that asks for an option, without one of its conditions."""

    what: str
    functions: tuple[FunctionType, ...]
    code: CodeType


@cache
def functions_of(package: str) -> tuple[FunctionType, ...]:
    """Every function of a package that is loaded, closures too."""
    return tuple(
        each
        for each in every_object()
        if isinstance(each, FunctionType) and (each.__module__ or "").startswith(f"{package}.")
    )


def asking(package: str, field: str) -> dict[CodeType, tuple[FunctionType, ...]]:
    """The functions that ask for an option, by their code."""
    found: dict[CodeType, list[FunctionType]] = {}
    for each in functions_of(package):
        if {"options", field} <= set(each.__code__.co_names):
            found.setdefault(each.__code__, []).append(each)
    return {code: tuple(functions) for code, functions in found.items()}


def wider(package: str, field: str) -> Iterator[Wider]:
    """Each function that asks for an option, with one condition fewer."""
    for code, functions in asking(package, field).items():
        try:
            found = definition(code)
        except LookupError:
            continue
        seen = {told(code)}
        for what, changed in without(found, field):
            made = compiled_or_none(code, changed)
            if made is not None and told(made) not in seen:
                seen.add(told(made))
                yield Wider(f"{code.co_qualname}: {what}", functions, made)


def without(found: Definition, field: str) -> Iterator[tuple[str, Definition]]:
    """The function without each condition beside the option, in words and as a tree."""
    names = {field} | {
        target.id
        for node in ast.walk(found)
        if isinstance(node, ast.Assign) and _asks(node.value, {field})
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for number, node in enumerate(ast.walk(found)):
        if isinstance(node, ast.BoolOp) and any(_asks(each, names) for each in node.values):
            for place, part in enumerate(node.values):
                if not _asks(part, names):
                    yield f"without {ast.unparse(part)!r}", _dropped(found, number, place)
    yield from _unguarded(found, names)


def _asks(node: ast.AST, names: set[str]) -> bool:
    """Whether the option is asked for in a piece of code."""
    return any(
        (isinstance(each, ast.Attribute) and each.attr in names)
        or (isinstance(each, ast.Name) and each.id in names)
        for each in ast.walk(node)
    )


def _dropped(found: Definition, number: int, place: int) -> Definition:
    changed = deepcopy(found)
    node = next(islice(ast.walk(changed), number, None))
    assert isinstance(node, ast.BoolOp)
    del node.values[place]
    return changed


def _unguarded(found: Definition, names: set[str]) -> Iterator[tuple[str, Definition]]:
    """Without each guard, which only returns, that stands before the question."""
    places = [n for n, each in enumerate(found.body) if _asks(each, names)]
    for number, each in enumerate(found.body[: places[-1] if places else 0]):
        if isinstance(each, ast.If) and _only_returns(each) and not _asks(each, names):
            changed = deepcopy(found)
            del changed.body[number]
            yield f"without {'if ' + ast.unparse(each.test)!r}", changed


def _only_returns(node: ast.If) -> bool:
    return not node.orelse and all(isinstance(inner, ast.Return) for inner in node.body)


@contextmanager
def made(change: Wider) -> Iterator[None]:
    """Until this is left, the function is the wider one."""
    kept = change.functions[0].__code__
    _put(change, change.code)
    try:
        yield
    finally:
        _put(change, kept)


def _put(change: Wider, code: CodeType) -> None:
    for each in change.functions:
        each.__code__ = code


def cited(change: Wider) -> set[str]:
    """The rules that the function names, as its home or as its reason."""
    found = ast.walk(definition(change.functions[0].__code__))
    strings = {each.value for each in found if isinstance(each, ast.Constant)}
    return {each for each in strings if isinstance(each, str) and ID.fullmatch(each)}

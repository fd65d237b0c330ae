"""Functions as they are written: found by their code, and compiled again after a change."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

Definition = ast.FunctionDef | ast.AsyncFunctionDef
Holder = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

LEFT_OUT = {"ctx", "kind", "type_comment", "type_ignores", "type_params"}
"""Fields of the tree that say nothing, or that only some versions of Python have."""


@cache
def words(code: CodeType) -> str:
    """What the function says, without comments, layout, docstrings: the same after a move."""
    found = copy.deepcopy(definition(code))
    for node in ast.walk(found):
        if isinstance(node, Holder) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return _told(found)


def _told(thing: Any) -> str:
    """A tree as text, the same in every version of Python."""
    if isinstance(thing, list):
        return f"[{','.join(map(_told, thing))}]"
    if not isinstance(thing, ast.AST):
        return repr(thing)
    fields = (
        f"{name}={_told(value)}"
        for name, value in ast.iter_fields(thing)
        if name not in LEFT_OUT and value is not None and value != []
    )
    return f"{type(thing).__name__}({','.join(fields)})"


def definition(code: CodeType) -> Definition:
    """The function that has this code. Raises LookupError when its file does not hold it."""
    return chain(code)[-1]  # type: ignore[return-value]


def chain(code: CodeType) -> tuple[Holder, ...]:
    """The function's definition, and before it those that it stands in."""
    found = _chains(code.co_filename).get((code.co_name, code.co_firstlineno))
    if found is None:
        raise LookupError(f"{code.co_qualname} is not in {code.co_filename}")
    return found


def source(code: CodeType) -> str:
    """The function's lines, decorators included."""
    lines = Path(code.co_filename).read_text("utf-8").splitlines(keepends=True)
    return "".join(lines[code.co_firstlineno - 1 : definition(code).end_lineno])


def compiled(code: CodeType, changed: Definition) -> CodeType:
    """The code of a changed function, as it would be where the function of ``code`` stands.

    Only what the function stands in is compiled with it. Of a class the other members are left
    out; a function around it is compiled whole, for it gives the free variables. Annotations stay
    words, as in every module of the domain: this module's own future statement sees to that.
    """
    holders = chain(code)
    around = [each for each in holders if not isinstance(each, ast.ClassDef)]
    inner: Holder = changed if len(around) == 1 else _put(around[0], around[-1], changed)
    for holder in reversed(holders[: holders.index(around[0])]):
        inner = _emptied(holder, inner)
    tree = ast.fix_missing_locations(ast.Module([inner], []))
    return _within(compile(tree, code.co_filename, "exec"), code)


def replaced(code: CodeType, text: str) -> CodeType:
    """The code of the function when ``text`` stands where its source does."""
    lines = Path(code.co_filename).read_text("utf-8").splitlines(keepends=True)
    lines[code.co_firstlineno - 1 : definition(code).end_lineno] = [text]
    return _within(compile("".join(lines), code.co_filename, "exec", dont_inherit=True), code)


def _within(module: CodeType, code: CodeType) -> CodeType:
    """The code in a compiled module that stands where ``code`` did."""
    wanted = (code.co_qualname, code.co_firstlineno)
    return next(
        each for each in _codes(module) if (each.co_qualname, each.co_firstlineno) == wanted
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)


@cache
def _chains(path: str) -> dict[tuple[str, int], tuple[Holder, ...]]:
    """Every definition of a file by its name and first line, which is that of a decorator."""
    found: dict[tuple[str, int], tuple[Holder, ...]] = {}
    _collect(ast.parse(Path(path).read_text("utf-8")), (), found)
    return found


def _collect(
    node: ast.AST,
    holders: tuple[Holder, ...],
    found: dict[tuple[str, int], tuple[Holder, ...]],
) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Holder):
            inner = (*holders, child)
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            found[child.name, first] = inner
            _collect(child, inner, found)
        else:
            _collect(child, holders, found)


def _emptied(holder: Holder, member: Holder) -> Holder:
    """A class with one member and nothing else."""
    found = copy.copy(holder)
    assert isinstance(found, ast.ClassDef)
    found.bases, found.keywords, found.decorator_list, found.body = [], [], [], [member]
    return found


def _put(around: Holder, found: Holder, changed: Definition) -> Holder:
    """``around`` with one definition in the place of another; what was parsed stays as it was."""
    place = next(number for number, each in enumerate(ast.walk(around)) if each is found)
    whole = copy.deepcopy(around)
    twin = next(each for number, each in enumerate(ast.walk(whole)) if number == place)
    for name, value in ast.iter_fields(changed):
        setattr(twin, name, value)
    return whole

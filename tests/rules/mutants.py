"""Mutants of one function: its source changed in one place, compiled in the module around it.

A mutant is what somebody might write by mistake: a comparison that is off by its edge, a condition
turned round, a number one too large, a branch forgotten. Only code that decides is changed:
docstrings, annotations and the words of hints stay, for no rule hangs on them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from types import CodeType
from typing import Any, NamedTuple

from tests.rules.changes import Change, changes
from tests.rules.sources import Definition, compiled, definition, replaced, source


class Mutant(NamedTuple):
    """A function changed in one place.

    what  line in the file, and what was changed there, for people
    code  the changed function's code, free variables as in the original
    """

    what: str
    code: CodeType


def mutants(code: CodeType) -> Iterator[Mutant]:
    """Every mutant of the function that has this code, those that change most first."""
    found, seen = definition(code), {told(code)}
    for number, change in _changes(found):
        changed = deepcopy(found)
        node: Any = next(islice(ast.walk(changed), number, None))
        before = _shown(node)
        change.make(node)
        made = compiled_or_none(code, changed)
        if made is not None and told(made) not in seen:
            seen.add(told(made))
            yield Mutant(f"{code.co_qualname}: {change.words}: {before}", made)


def compiled_or_none(code: CodeType, changed: Definition) -> CodeType | None:
    """None where nobody could have written it: it is no Python."""
    try:
        return compiled(code, changed)
    except (SyntaxError, ValueError):
        return None


def _changes(found: Definition) -> list[tuple[int, Change]]:
    """What can be changed in a function, each with the number of its node."""
    outside = _outside(found)
    listed = [
        (number, change)
        for number, node in enumerate(ast.walk(found))
        if node is not found and id(node) not in outside
        for change in changes(node, found)
    ]
    return sorted(listed, key=lambda each: (each[1].rank, each[0], each[1].words))


def _shown(node: ast.AST) -> str:
    shown = node.iter if isinstance(node, ast.comprehension) else node
    return ast.unparse(shown).split("\n")[0][:60]


def exchanged(code: CodeType, old: str, new: str) -> Mutant:
    """The mutant in which ``new`` stands where the function's source has ``old``, once.

    Raises LookupError when it does not stand there once.
    """
    text = source(code)
    if text.count(old) != 1:
        raise LookupError(f"{old!r} stands {text.count(old)} times in {code.co_qualname}")
    what = f"{code.co_qualname}: kept: {old.strip()} -> {new.strip()}"
    return Mutant(what, replaced(code, text.replace(old, new)))


def _outside(found: Definition) -> set[int]:
    """What is no code that decides: annotations, decorators, defaults."""
    outside: list[ast.AST] = [*found.decorator_list]
    for each in ast.walk(found):
        if isinstance(each, ast.AnnAssign | ast.arg) and each.annotation:
            outside.append(each.annotation)
        if isinstance(each, Definition) and each.returns:
            outside.append(each.returns)
    outside += [*found.args.defaults, *(default for default in found.args.kw_defaults if default)]
    return {id(inner) for each in outside for inner in ast.walk(each)}


def told(code: CodeType) -> tuple[object, ...]:
    """What makes two codes the same: lines do not count."""
    inner = tuple(
        told(each) if isinstance(each, CodeType) else (type(each), each) for each in code.co_consts
    )
    return (code.co_code, code.co_names, code.co_varnames, inner)

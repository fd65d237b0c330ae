"""Numbers in prose, in digits or as words; and those of the code that names a rule."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

WORDS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
]  # fmt: skip


def said(text: str) -> set[int]:
    """The numbers of a text."""
    found = re.findall(r"\d+|[a-z]+", text.replace(",", "").lower())
    numbers = {int(each) for each in found if each.isdecimal()}
    return numbers | {WORDS.index(each) for each in found if each in WORDS}


@cache
def _tops(folder: Path) -> tuple[ast.stmt, ...]:
    trees = (ast.parse(path.read_text("utf-8")) for path in sorted(folder.glob("*.py")))
    return tuple(each for tree in trees for each in tree.body)


def naming(folder: Path, rule: str) -> list[ast.stmt]:
    """What stands at the top of a module of the folder and has the rule's ID in it."""
    return [each for each in _tops(folder) if rule in _constants(each)]


def written(folder: Path, rule: str) -> set[int]:
    """The numbers in what names the rule, and in what that uses."""
    used = {name for node in naming(folder, rule) for name in _names(node)}
    near = [*naming(folder, rule), *(each for each in _tops(folder) if used & {*_given(each)})]
    return {each for node in near for each in _constants(node) if type(each) is int}


def tuned(folder: Path, rule: str) -> dict[str, tuple[set[int], set[str]]]:
    """Constants of the modules that what names the rule uses: their numbers, and by whom."""
    used = {name for node in naming(folder, rule) for name in _names(node)}
    return {
        name: (numbers, _around(folder, name))
        for node in _tops(folder)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for name in _given(node)
        if name in used
        and name.isupper()
        and _plain(node.value)
        and (numbers := {each for each in _constants(node) if type(each) is int})
    }


def _around(folder: Path, name: str) -> set[str]:
    """All texts in what uses a name, the IDs of rules among them."""
    users = (node for node in _tops(folder) if name in _names(node))
    return {each for node in users for each in _constants(node) if isinstance(each, str)}


def _plain(node: ast.AST | None) -> bool:
    """A number, or a row of numbers."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return all(isinstance(each, ast.Constant) for each in parts)


def _constants(node: ast.AST) -> set[object]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}


def _names(node: ast.AST) -> Iterator[str]:
    yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _given(node: ast.AST) -> Iterator[str]:
    """The names that it gives."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from _names(target)

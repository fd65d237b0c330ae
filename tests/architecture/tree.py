"""The files that are the project's, and the parsed Python among them.

A new file is held to all of it before anybody adds it to git; what git ignores is no file.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = ("decklog", "domain", "projections", "service")


@cache
def tracked() -> tuple[str, ...]:
    """Paths relative to the root, tracked or still to be, without files that are gone."""
    return files_of(ROOT)


def files_of(root: Path) -> tuple[str, ...]:
    """What git tracks below ``root`` and what it would if it were added, as git lists it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=root, capture_output=True, check=True, text=True,
    )  # fmt: skip
    names = sorted({name for name in listed.stdout.split("\0") if name})
    return tuple(name for name in names if (root / name).is_file())


def python(*tops: str) -> tuple[str, ...]:
    """Tracked Python files under the given top folders; all of them when none is given."""
    names = (name for name in tracked() if name.endswith(".py"))
    return tuple(name for name in names if not tops or name.split("/")[0] in tops)


@cache
def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


@cache
def parsed(name: str) -> ast.Module:
    return ast.parse(text(name), name)


def against(
    names: Iterable[str], faults: Callable[[str], Iterable[object]]
) -> dict[str, list[str]]:
    """The files that break a rule, each with what is wrong in it: one test for each rule."""
    told = {name: [str(fault) for fault in faults(name)] for name in names}
    assert told, "a rule about no file is no rule"
    return {name: found for name, found in told.items() if found}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from ``def`` to the end, the docstring not counted."""
    assert function.end_lineno is not None
    length = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        doc = function.body[0]
        assert doc.end_lineno is not None
        length -= doc.end_lineno - doc.lineno + 1
    return length

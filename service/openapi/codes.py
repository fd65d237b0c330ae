"""The codes with which a ruleset refuses, read from its source without running it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from domain.kernel.game import Game


def refusal_codes(game: Game[Any, Any, Any]) -> tuple[str, ...]:
    """Every literal code that the ruleset's package gives to ``Refused``, sorted."""
    found: set[str] = set()
    for path in source_files(game):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and _is_refused(node.func):
                found.update(_codes(node))
    return tuple(sorted(found))


def source_files(game: Game[Any, Any, Any]) -> list[Path]:
    """The Python files of the package (or the one module) that the ruleset lives in."""
    module = sys.modules[game.state.__module__]
    path = Path(str(module.__file__))
    package = module.__package__ or ""
    is_package = package != "" and game.ruleset.replace("-", "_") == package.rpartition(".")[2]
    return sorted(path.parent.rglob("*.py")) if is_package else [path]


def _is_refused(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "Refused"


def _codes(call: ast.Call) -> Iterator[str]:
    """The first argument where it is text, or a choice between texts."""
    given = call.args[:1] or [word.value for word in call.keywords if word.arg == "code"]
    for node in given:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and "." in part.value:
                yield part.value

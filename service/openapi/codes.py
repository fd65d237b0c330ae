"""The codes with which a ruleset refuses, read from its source without running it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from domain.kernel import play, question
from domain.kernel.finder import home_of
from domain.kernel.game import Game

_CODE = re.compile(r"[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*")
_RULE = re.compile(r"[A-Z]+(?:-[A-Z0-9]+)+")
_QUOTED = re.compile(rf"[\"']{_CODE.pattern}[\"']".encode())


def refusal_codes(game: Game[Any, Any, Any]) -> tuple[str, ...]:
    """Every literal code that the ruleset's package refuses with, sorted.

    A code is the first argument of ``Refused``, or of whatever the ruleset passes refusals on with:
    that is known by a call whose first argument is a code and whose second is a rule ID.
    """
    return _read(tuple(source_files(game)))


@cache
def _read(files: tuple[Path, ...]) -> tuple[str, ...]:
    """Once for a package: a program does not change while it runs."""
    return codes_in(text for text in refusing(files) if _QUOTED.search(text))


def refusing(files: Iterable[Path]) -> list[bytes]:
    """What a game's refusals stand in: its files, and the kernel's where that refuses for it."""
    texts = [path.read_bytes() for path in files]
    if any(b"kernel.play import" in text for text in texts):
        texts += [Path(str(module.__file__)).read_bytes() for module in (play, question)]
    return texts


def codes_in(sources: Iterable[bytes]) -> tuple[str, ...]:
    """The codes that these files refuse with. One in which no code stands adds none: parsing is
    what takes the time, so that such files are best left out."""
    calls = [call for source in sources for call in _calls(source)]
    refusing = {"Refused"} | {_name(call) for call in calls if _cites_rule(call)}
    return tuple(sorted({c for call in calls if _name(call) in refusing for c in _codes(call)}))


def rules_cited(game: Game[Any, Any, Any], code: str) -> tuple[str, ...]:
    """IDs of rules that stand beside a code where the ruleset refuses, in order of its source.

    Those that are worked out as it refuses are not read, so that there may be none.
    """
    wanted = f'"{code}"'.encode()
    found: dict[str, None] = {}
    for source in refusing(source_files(game)):
        for call in _calls(source) if wanted in source else ():
            if code in _codes(call):
                found |= dict.fromkeys(str(getattr(each, "value", "")) for each in _ids(call))
    return tuple(found)


def _calls(source: bytes) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))


def _ids(call: ast.Call) -> Iterator[ast.expr]:
    return (each for each in call.args[1:] if _matches(_RULE, each))


def source_files(game: Game[Any, Any, Any]) -> list[Path]:
    """The Python files of the package (or the one module) that the ruleset lives in."""
    module = sys.modules[home_of(game)]
    path = Path(str(module.__file__))
    return sorted(path.parent.rglob("*.py")) if hasattr(module, "__path__") else [path]


def _name(call: ast.Call) -> str:
    """What is called, without the module it is in."""
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _cites_rule(call: ast.Call) -> bool:
    return len(call.args) > 1 and _matches(_CODE, call.args[0]) and _matches(_RULE, call.args[1])


def _matches(pattern: re.Pattern[str], node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    return pattern.fullmatch(node.value) is not None


def _codes(call: ast.Call) -> Iterator[str]:
    """The first argument where it is text, or a choice between texts."""
    given = call.args[:1] or [word.value for word in call.keywords if word.arg == "code"]
    for node in given:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and _matches(_CODE, part):
                yield str(part.value)

"""A step is named by two fields: nowhere is its name one text that somebody takes apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from domain.games.crimson_tide import GAME as CRIMSON_TIDE
from domain.games.naval_battles import GAME as NAVAL_BATTLES
from domain.games.war_at_sea import GAME as WAR_AT_SEA
from domain.kernel.play import Course
from tests.architecture.tree import CODE, against, parsed, python

TAKING = frozenset([
    "partition", "rpartition", "split", "rsplit", "startswith", "endswith", "removeprefix",
    "removesuffix",
])  # fmt: skip


@cache
def _joined() -> frozenset[str]:
    """The text of every step whose phase has parts: what sentences and labels say."""
    games = (CRIMSON_TIDE, NAVAL_BATTLES, WAR_AT_SEA)
    courses = (each for game in games for each in game.courses if isinstance(each, Course))
    return frozenset(str(key) for course in courses for key in course.keys if key.part)


def _is_step(node: ast.expr) -> bool:
    """Whether it is a step's name: itself, or as text."""
    match node:
        case (
            ast.Name(id="step") | ast.Attribute(attr="step") | ast.Call(func=ast.Name(id="StepKey"))
        ):
            return True
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return _is_step(inner)
        case ast.JoinedStr():
            made = (each.value for each in node.values if isinstance(each, ast.FormattedValue))
            return any(map(_is_step, made))
    return False


def _faults(tree: ast.AST) -> Iterator[str]:
    """Where a step's name is looked into as into a text, or named with its phase in one."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=of, attr=way)) if way in TAKING and _is_step(of):
                yield f"line {node.lineno}: {way}"
            case ast.Constant(value=str(text)) if text in _joined():
                yield f"line {node.lineno}: {text}"


def test_a_name_that_is_taken_apart_is_seen() -> None:
    found = (
        'state.step.partition(".")\nstr(event.step).split(".")\nf"{step}".startswith("air")\n'
        'state.step.phase\nstep.type.partition(".")\nplane.footstep.split(".")'
    )
    assert [*_faults(ast.parse(found))] == [
        "line 1: partition", "line 2: split", "line 3: startswith",
    ]  # fmt: skip


def test_a_name_that_is_one_text_is_seen() -> None:
    phase, part = "air-attack", "first"
    one = f"{phase}.{part}"
    assert [*_faults(ast.parse(f'x == "{one}"'))] == [f"line 1: {one}"]
    assert not [*_faults(ast.parse(f'x == ("{phase}", "{part}")'))]


def test_no_name_of_a_step_is_one_text() -> None:
    found = against(python(*CODE, "tests"), lambda name: _faults(parsed(name)))
    assert not found, "domain.kernel.values.StepKey has a field for its phase and one for its part"

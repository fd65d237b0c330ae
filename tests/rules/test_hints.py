"""Every sentence by which a refusal helps stands in a numbered case, which holds it to the table.

Who is refused reads nothing else. What a case holds is the whole sentence, with its figures
(``hint`` of a refusal); here each sentence of the code is looked for among them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.support import cases
from tests.support.suites import TESTS, suites

REFUSALS = ("No", "Refused")
HINT = 2
"""Its place among what a refusal is given."""

UNSHOWN = {
    ("crimson_tide", "Edition: 1."),
    ("crimson_tide", "Ships and submarines move here."),
    ("crimson_tide", "It has had its order this turn."),
    ("naval_battles", "No roll of yours is about to be made."),
    ("war_at_sea", "No such choice is open."),
    ("war_at_sea", "No dice are left for that attack."),
    ("war_at_sea", "... would change nothing about this attack."),
    ("war_at_sea", "... is not playable yet: ... is not implemented."),
    ("war_at_sea", "It is not known for an enemy."),
}
"""Sentences that no case has; each is struck as soon as one has. Some are answers to what another
question refuses before, one is of cards that do not ship."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Hint(NamedTuple):
    """A sentence of the code: where it stands, and what fits it, each figure anything."""

    place: str
    pattern: str
    sentence: str


def played() -> list[str]:
    """The games that have numbered cases."""
    return [name for name in suites() if (cases.FOLDER / name).is_dir()]


def hints(game: str) -> Iterator[Hint]:
    """Every sentence of a refusal that a game's rules write where they refuse."""
    for path in sorted((TESTS.parent / "domain/games" / game / "rules").rglob("*.py")):
        yield from _of(path.name, ast.parse(path.read_text("utf-8")))


def _of(file: str, tree: ast.Module) -> Iterator[Hint]:
    for function in (each for each in ast.walk(tree) if isinstance(each, Function)):
        calls = (each for each in ast.walk(function) if isinstance(each, ast.Call))
        for call in filter(_refuses, calls):
            for said in _sentences(_hint(call), function):
                yield Hint(f"{file}:{call.lineno}", _pattern(said), _plain(said))


def _refuses(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in REFUSALS


def _hint(call: ast.Call) -> ast.expr | None:
    """What a refusal is given as its hint, by place or by name."""
    named = [each.value for each in call.keywords if each.arg == "hint"]
    return call.args[HINT] if len(call.args) > HINT else next(iter(named), None)


def _sentences(given: ast.expr | None, function: Function) -> Iterator[ast.expr]:
    """The words themselves, those of a name that is bound in the function, of either branch."""
    if isinstance(given, ast.IfExp):
        yield from _sentences(given.body, function)
        yield from _sentences(given.orelse, function)
    elif isinstance(given, ast.Name):
        for each in ast.walk(function):
            if isinstance(each, ast.Assign) and ast.dump(each.targets[0]) == _bound(given):
                yield from _sentences(each.value, function)
    elif isinstance(given, ast.JoinedStr) or isinstance(getattr(given, "value", None), str):
        assert given is not None
        yield given


def _bound(name: ast.Name) -> str:
    return ast.dump(ast.Name(name.id, ast.Store()))


def _pattern(said: ast.expr) -> str:
    return "".join(re.escape(text) if text else ".*" for text in _pieces(said))


def _plain(said: ast.expr) -> str:
    return "".join(text or "..." for text in _pieces(said))


def _pieces(said: ast.expr) -> list[str]:
    """The fixed words of a sentence; "" where a value stands."""
    parts = said.values if isinstance(said, ast.JoinedStr) else [said]
    return [str(each.value) if isinstance(each, ast.Constant) else "" for each in parts]


@cache
def shown(game: str) -> frozenset[str]:
    """Every hint that a numbered case expects."""
    return frozenset(_expected(cases.load(game)))


def _expected(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "code" in value and "hint" in value:
            yield value["hint"]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _expected(each)


def unshown(game: str) -> dict[str, str]:
    """The sentences that no case has, and where each stands."""
    listed = list(hints(game))
    return {
        each.sentence: each.place
        for each in listed
        if not any(re.fullmatch(each.pattern, hint) for hint in shown(game))
    }


@pytest.mark.parametrize("game", played())
def test_every_hint_is_shown_by_a_case(game: str) -> None:
    found, listed = unshown(game), {said for name, said in UNSHOWN if name == game}
    more = {said: place for said, place in found.items() if said not in listed}
    assert more == {}, f"a case of tests/cases/{game} that is refused with this hint"
    assert listed <= found.keys(), "shown now: strike it from UNSHOWN"


def test_the_code_of_a_refusal_is_read_in_each_of_its_forms() -> None:
    code = """
def why(card, late):
    if card: return No("a", "R-1", "Take another.")
    hint = f"It costs {card.points}; take less."
    if late: return No("b", "R-2", hint)
    raise Refused("c", "R-3", hint="Later." if late else "Sooner.")
"""
    found = {each.sentence: each.pattern for each in _of("x.py", ast.parse(code))}
    costs = "It costs ...; take less."
    assert found.keys() == {"Take another.", costs, "Later.", "Sooner."}
    assert re.fullmatch(found[costs], "It costs 7; take less.")
    assert not re.fullmatch(found[costs], "It costs 7; take more.")

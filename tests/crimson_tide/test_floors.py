"""Numbers of dice are held up by the rule that may sink them, and halved last; so are ratings.

Dice that are added and lost are counted before halvings (CT-DICE-08), and what loses some is held
up at once: half of less than nothing is nonsense. The rule that a floor cites is the one of what
was taken away, and a numbered case notices a floor that is higher or lower.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from domain.games.crimson_tide.rules import strength
from domain.games.crimson_tide.rules.cards import cards
from tests.crimson_tide.ablation import loaded
from tests.crimson_tide.conditions import exchanged, functions_of_rules, tree_of, written
from tests.crimson_tide.test_conditions import played, told

OF_STRENGTH = [e for e in functions_of_rules() if e.__module__ == strength.__name__]


def calls(node: ast.AST, method: str) -> Iterator[ast.Call]:
    """Where a method is called."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and getattr(each.func, "attr", "") == method:
            yield each


def owner(call: ast.Call) -> ast.expr:
    """What a method is called of."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def halves(node: ast.AST) -> bool:
    """Whether something is halved in a piece of code."""
    return any(
        isinstance(each, ast.Call) and getattr(each.func, "id", "") == "halved"
        for each in ast.walk(node)
    )


# --- what is counted, in which order --------------------------------------------------------------


def late(tree: ast.FunctionDef) -> list[str]:
    """What is counted after a halving: chained to it, or added to what came of it."""
    found = []
    halved_names = set[str]()
    for part in tree.body:
        for call in calls(part, "plus"):
            used = {each.id for each in ast.walk(owner(call)) if isinstance(each, ast.Name)}
            if halves(owner(call)) or used & halved_names:
                found.append(ast.unparse(call))
        if halves(part):
            halved_names |= {
                each.id
                for each in ast.walk(part)
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }
    return found


def unheld(tree: ast.FunctionDef) -> list[str]:
    """What is added before a halving, though it may take away, without a floor."""
    held = [owner(call) for call in calls(tree, "at_least")]
    sums = calls(tree, "plus") if halves(tree) else ()
    return [ast.unparse(each) for each in sums if each not in held]


@pytest.mark.parametrize("function", OF_STRENGTH, ids=lambda each: each.__name__)
def test_dice_are_counted_and_held_up_before_they_are_halved(function: Any) -> None:
    tree = tree_of(function)
    assert late(tree) == [], "CT-DICE-08: extra and lost dice are counted before halving"
    assert unheld(tree) == [], "CT-DICE-09: at_least(0, RULE) of what takes dice away"


# --- the rule of a floor --------------------------------------------------------------------------


def foreign(tree: ast.FunctionDef, known: Mapping[str, Any]) -> list[str]:
    """The rules of floors that are none of what was taken away just before."""
    found = []
    for call in calls(tree, "at_least"):
        taken, (rule,) = owner(call), _strings(call.args[1])
        if isinstance(taken, ast.Call) and taken in [*calls(tree, "plus")]:
            cited = {each for part in taken.args for each in _strings(part)}
            names = (e.id for p in taken.args for e in ast.walk(p) if isinstance(e, ast.Name))
            for each in (known[name] for name in names if name in known):
                cited |= _strings(tree_of(each)) if hasattr(each, "__code__") else set()
            found += [rule] * (rule not in cited)
    return found


def _strings(node: ast.AST) -> set[str]:
    found = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {each for each in found if isinstance(each, str)}


@pytest.mark.parametrize("function", OF_STRENGTH, ids=lambda each: each.__name__)
def test_a_floor_cites_the_rule_of_what_was_taken_away(function: Any) -> None:
    assert foreign(tree_of(function), function.__globals__) == []


# --- its height -----------------------------------------------------------------------------------


class Floor(NamedTuple):
    """A floor of another height, and what that is in words."""

    function: Any
    tree: ast.FunctionDef
    what: str


def floors() -> Iterator[Floor]:
    """Each floor one higher, and one lower where less is something: no dice are no dice."""
    for function in functions_of_rules():
        tree = tree_of(function)
        for call in calls(tree, "at_least"):
            low, (rule,) = call.args[0], _strings(call.args[1])
            assert isinstance(low, ast.Constant)
            assert isinstance(low.value, int)
            for other in (low.value + 1, *([low.value - 1] if low.value else [])):
                what = f"{function.__name__}, {rule}: at least {low.value} -> {other}"
                place = [*ast.walk(tree)].index(low)
                yield Floor(function, exchanged(tree, place, ast.Constant(other)), what)


FLOORS = list(floors())
MOOT = {"dice, CT-NIGHT-11: at least 0 -> 1": "no bomber drops a single torpedo"}
"""What makes no difference with the cards that there are, with why."""


def noticed(floor: Floor) -> str:
    """The case that comes out otherwise; empty: none."""
    known = [(case, played(case["id"])) for case in loaded()]
    with written(floor.function, floor.tree):
        return next((case["id"] for case, before in known if told(case) != before), "")


@pytest.mark.parametrize("floor", FLOORS, ids=lambda each: each.what)
def test_a_case_notices_a_floor_that_is_higher_or_lower(floor: Floor) -> None:
    assert bool(noticed(floor)) is (floor.what not in MOOT), (
        f"{floor.what}: no case of tests/cases/crimson_tide sinks to it, or MOOT has it"
    )


def test_what_is_moot_is_a_floor_and_no_bomber_drops_a_single_torpedo() -> None:
    assert {floor.what for floor in FLOORS} >= MOOT.keys()
    bombers = [card for card in cards().values() if card.is_bomber and card.torpedo]
    assert bombers
    assert all(sum(card.torpedo) > 1 for card in bombers)


# --- what is found --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "finds"),
    [
        ("return halved(tally.plus(*fewer(u)).at_least(0, 'CT-X-01'), reason)", []),
        ("return halved(tally, reason).plus(*fewer(u)).at_least(0, 'CT-X-01')", ["late"]),
        ("half = halved(tally, reason)\n    return half.plus(one).at_least(0, 'CT')", ["late"]),
        ("return halved(tally.plus(*fewer(u)), reason)", ["unheld"]),
        ("return halved(tally.plus(*fewer(u)).at_least(0, 'CT-X-02'), reason)", ["foreign"]),
    ],
)
def test_a_wrong_order_and_a_wrong_floor_are_found(body: str, finds: list[str]) -> None:
    source = textwrap.dedent(f"def dice(tally, u):\n    {body}\n")
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    found = {"late": late(tree), "unheld": unheld(tree)}
    found["foreign"] = foreign(tree, {"fewer": fewer, "one": 1}) if "one" not in body else []
    assert [name for name, each in found.items() if each] == finds


def fewer(unit: Any) -> tuple[int, str]:
    """A loss as somebody new might write it."""
    return -2, "CT-X-01"

"""A number's reason cites a rule that is at home there, or next door.

A reason of a tally, a halving among them, tells players by which rule a number is what it is. Its
rule has to be one of those that the function is the home of, or that a function is which calls it
or is called by it. That finds a slip to a far rule. One between two rules of one function moves
events, and so the decisions that are kept (tests/every_game/test_decisions.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from domain.kernel.rulebook import load_rulebook
from tests.rules.audit import games
from tests.support.citing import Function, functions, near

FAR = {
    ("crimson_tide", "torpedo_least", "CT-WPN-05"),
    ("crimson_tide", "strictest", "CT-DICE-01"),
    ("crimson_tide", "dice", "CT-CARD-05"),
    ("crimson_tide", "dice", "CT-AC-03"),
    ("crimson_tide", "_fewer", "CT-NIGHT-05"),
    ("naval_battles", "guidance", "NB-TORP-05"),
    ("naval_battles", "bonus", "NB-PLAN-01"),
}
"""Reasons whose rule is at home farther off: read by us, and right. May only shrink."""


@cache
def rules(game: str) -> frozenset[str]:
    """The IDs of the game's rulebook."""
    return frozenset(each.id for each in load_rulebook(f"domain.games.{game}"))


def far(game: str, function: Function) -> Iterator[tuple[str, str, str]]:
    """The rules that a function's reasons cite, of which none near is the home."""
    cited = [said for name, said in function.calls if name == "Reason"]
    if not cited:
        return
    known = frozenset[str]().union(*(each.marks for each in near(game, function)))
    for said in cited:
        yield from ((game, function.name, id) for id in said & rules(game) if id not in known)


@pytest.mark.parametrize("game", games())
def test_a_reason_cites_a_rule_of_its_place(game: str) -> None:
    found = {each for function in functions(game) for each in far(game, function)}
    assert found - FAR == set(), "(game, function, rule): another rule, or it wants @rule there"
    assert {each for each in FAR if each[0] == game} <= found, "no longer so: strike it from FAR"


def test_a_rule_from_elsewhere_is_found() -> None:
    function = next(each for each in functions("crimson_tide") if "CT-CRIT-10" in each.says)
    strange = function._replace(calls=(("Reason", frozenset({"CT-EOT-05"})),))
    assert [*far("crimson_tide", strange)] == [("crimson_tide", function.name, "CT-EOT-05")]

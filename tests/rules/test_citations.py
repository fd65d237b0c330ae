"""A number's reason cites a rule that is at home there, or next door, and so does an event.

A reason of a tally, a halving among them, tells players by which rule a number is what it is. Its
rule has to be one of those that the function is the home of, or that a function is which calls it
or is called by it. That finds a slip to a far rule. One between two rules of one function moves
events, and so the decisions that are kept (tests/every_game/test_decisions.py).

A refusal or an event may cite a rule of farther off, for it is often made where several rules meet.
Then a numbered case is refused by that very code and rule, or a case about that very rule has that
event by it: whoever slips has two places to agree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest

from domain.kernel.rules import Refused
from domain.kernel.shown.rulebook import load_rulebook
from tests.rules.audit import games
from tests.support import cases
from tests.support.citing import Function, functions, near
from tests.support.rules import GAMES
from tests.support.suites import Suite, suites

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


def from_afar(game: str, function: Function, what: str) -> Iterator[tuple[frozenset[str], str]]:
    """What a function says in each making of a reason or refusal, with each rule that is cited
    there and of which no function near is the home.

    what  ``Reason`` or ``No``
    """
    cited = [said for name, said in function.calls if name == what]
    if not cited:
        return
    known = frozenset[str]().union(*(each.marks for each in near(game, function)))
    for said in cited:
        yield from ((said, id) for id in said & rules(game) - known)


def far(game: str, function: Function) -> Iterator[tuple[str, str, str]]:
    """The rules that a function's reasons cite, of which none near is the home."""
    yield from ((game, function.name, id) for _, id in from_afar(game, function, "Reason"))


@pytest.mark.parametrize("game", games())
def test_a_reason_cites_a_rule_of_its_place(game: str) -> None:
    found = {each for function in functions(game) for each in far(game, function)}
    assert found - FAR == set(), "(game, function, rule): another rule, or it wants @rule there"
    assert {each for each in FAR if each[0] == game} <= found, "no longer so: strike it from FAR"


def test_a_rule_from_elsewhere_is_found() -> None:
    function = next(each for each in functions("crimson_tide") if "CT-CRIT-10" in each.says)
    strange = function._replace(calls=(("Reason", frozenset({"CT-EOT-05"})),))
    assert [*far("crimson_tide", strange)] == [("crimson_tide", function.name, "CT-EOT-05")]


# --- refusals -------------------------------------------------------------------------------------

UNSHOWN = {("crimson_tide", "why_not_mobile", "CT-MOVE-23")}
"""Refusals by a rule of farther off that no numbered case expects. May only shrink. An order to
what is no vessel is refused before, as one to what has no move to make (``move.not-movable``): that
reason never comes out."""


OF_ANOTHER = {
    ("crimson_tide", "why_not_evade"),
    ("crimson_tide", "_why_not_mission"),
    ("crimson_tide", "why_not_land"),
    ("naval_battles", "why_not_attack"),
    ("naval_battles", "why_not_defend"),
    ("war_at_sea", "why_not_deploy"),
    ("war_at_sea", "why_not_at"),
}
"""Homes that refuse by other rules only: read by us, and right. May only shrink."""


def by_another(game: str) -> Iterator[tuple[str, str]]:
    """Functions that are a rule's home and refuse, and never by a rule of which they are one."""
    for function in functions(game):
        cited = {id for name, said in function.calls if name == "No" for id in said & rules(game)}
        if function.marks and cited and not cited & function.marks:
            yield game, function.name


@pytest.mark.parametrize("game", games())
def test_a_home_refuses_by_its_own_rule(game: str) -> None:
    listed = {each for each in OF_ANOTHER if each[0] == game}
    assert set(by_another(game)) == listed, "another rule, or strike it from OF_ANOTHER"


@cache
def refused(game: str) -> frozenset[tuple[str, str]]:
    """Code and rule of every refusal that a numbered case expects."""
    return frozenset(_refusals(cases.load(game)))


def _refusals(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        if isinstance(value.get("code"), str) and "rule" in value:
            yield value["code"], value["rule"]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _refusals(each)


def unshown(game: str, function: Function) -> Iterator[tuple[str, str, str]]:
    """The rules from farther off that a function refuses by, and no case with it."""
    for said, id in from_afar(game, function, "No"):
        if not any((code, id) in refused(game) for code in said):
            yield game, function.name, id


@pytest.mark.parametrize("game", games())
def test_a_refusal_cites_a_rule_of_its_place_or_a_case_has_it(game: str) -> None:
    found = {each for function in functions(game) for each in unshown(game, function)}
    assert found - UNSHOWN == set(), (
        f"(game, function, rule): another rule, or it wants @rule there, or a case of "
        f"tests/cases/{game} that is refused by this code and rule"
    )
    assert {each for each in UNSHOWN if each[0] == game} <= found, "shown now: strike it off"


def test_a_refusal_by_a_rule_from_elsewhere_is_found() -> None:
    function = next(each for each in functions("crimson_tide") if "attack.wrong-arc" in each.says)
    strange = function._replace(calls=(("No", frozenset({"attack.wrong-arc", "CT-EOT-05"})),))
    assert [*unshown("crimson_tide", strange)] == [("crimson_tide", function.name, "CT-EOT-05")]


# --- events ---------------------------------------------------------------------------------------

UNTOLD = {
    ("crimson_tide", "_collide", "UnitsCollided", "CT-COLL-07"),
    ("crimson_tide", "_collide", "UnitsCollided", "CT-COLL-09"),
    ("crimson_tide", "run_aground", "RanAground", "CT-SA-09"),
    ("crimson_tide", "_begin_turn", "TurnBegan", "CT-SEQ-01"),
    ("naval_battles", "lay_out", "FleetLaidOut", "NB-RUL-13"),
    ("war_at_sea", "begin", "StackKept", "WAS-AIR-14"),
    ("war_at_sea", "choose_edge", "EdgesChosen", "WAS-SETUP-12"),
}
"""Events by a rule of farther off, and no case about the rule has them: read by us, and right. May
only shrink."""

Made = tuple[str, str, str]


def told(tree: ast.AST) -> Iterator[Made]:
    """Function, event and each text in its ``rules``, for each event that a module makes."""
    for function in (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)):
        for call in (each for each in ast.walk(function) if isinstance(each, ast.Call)):
            of = call.func
            if isinstance(of, ast.Attribute) and ast.unparse(of.value) == "ev":
                for keyword in (each for each in call.keywords if each.arg == "rules"):
                    for text in (e for e in ast.walk(keyword) if isinstance(e, ast.Constant)):
                        yield function.name, of.attr, str(text.value)


@cache
def homes(game: str, name: str) -> frozenset[str]:
    """The rules that are at home in functions of a name, or in what calls them or is called."""
    beside = (near(game, each) for each in functions(game) if each.name == name)
    return frozenset[str]().union(*(each.marks for found in beside for each in found))


@cache
def happened(game: str) -> frozenset[tuple[str, str]]:
    """Events, each with a rule by which it happens in a numbered case about that rule."""
    return frozenset(
        (type(event).__name__, rule)
        for case in cases.load(game)
        for event in _events(suites()[game], case)
        for rule in {*event.rules} & {*case["rules"]}
    )


def _events(suite: Suite, case: dict[str, Any]) -> list[Any]:
    with suite.around():
        try:
            table = suite.begin(case)
        except Refused:
            return []
        for entry in case.get("script", ()):
            with suppress(Refused):
                cases.do(suite.game, table, entry)
        return table.events


def untold(game: str, made: Iterable[Made]) -> set[tuple[str, str, str, str]]:
    """The rules from farther off that events cite, and no case about them with the event."""
    return {
        (game, function, event, rule)
        for function, event, rule in made
        if rule in rules(game) - homes(game, function) and (event, rule) not in happened(game)
    }


@pytest.mark.parametrize("game", games())
def test_an_event_cites_a_rule_of_its_place_or_a_case_has_it(game: str) -> None:
    made = [
        each
        for path in sorted((GAMES / game / "rules").rglob("*.py"))
        for each in told(ast.parse(path.read_text("utf-8")))
    ]
    assert len(made) > 30
    found = untold(game, made)
    assert found - UNTOLD == set(), (
        f"(game, function, event, rule): another rule, or it wants @rule there, or a case of "
        f"tests/cases/{game} that lists the rule and in which the event cites it"
    )
    assert {each for each in UNTOLD if each[0] == game} <= found, "told now: strike it off"


def test_an_event_by_a_rule_from_elsewhere_is_found() -> None:
    source = """
def claim(flow):
    flow.emit(ev.ObjectiveClaimed(seat="p1", rules=("WAS-EOT-01", {})))
"""
    right = [*told(ast.parse(source.format("'a text'")))]
    assert right[0] == ("claim", "ObjectiveClaimed", "WAS-EOT-01")
    assert untold("war_at_sea", right) == set()
    slip = told(ast.parse(source.format("'RUL-110'")))
    assert untold("war_at_sea", slip) == {("war_at_sea", "claim", "ObjectiveClaimed", "RUL-110")}

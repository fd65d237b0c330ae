"""Each thing about a critical or an ability is told in one place; everything else reads it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.rules import abilities as told
from domain.games.crimson_tide.rules import criticals, facts
from domain.games.crimson_tide.rules import events as ev
from domain.games.crimson_tide.rules.ability_words import AnyWord, CriticalAs, NoControl
from domain.games.crimson_tide.rules.criticals import CREW, CRIPPLED, SYSTEMS, TABLE, Critical
from domain.games.crimson_tide.shown import names
from domain.games.crimson_tide.shown.scenes.pieces import markers
from domain.games.crimson_tide.shown.words import says
from domain.kernel.shown.rulebook import load_rulebook
from domain.kernel.values import StepKey
from tests.crimson_tide.seas import begun, position

GAME = Path(criticals.__file__).parents[1]
GAME_RULES = load_rulebook("domain.games.crimson_tide")
ROWS = [each for each in vars(criticals).values() if isinstance(each, Critical)]

SHIP = {"id": "p1-1", "card": "hms-hood", "pose": [500_000, 500_000, 0]}
ENEMY = {"id": "p2-1", "card": "ijn-takao", "pose": [900_000, 1_200_000, 360]}


def words_of(file: Path) -> Iterator[str]:
    """The string constants of a module, its docstrings left out."""
    tree = ast.parse(file.read_text("utf-8"))
    prose = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in prose:
            yield each.value


@cache
def said() -> Counter[str]:
    """How often each string stands in the code of the game."""
    return Counter(word for file in sorted(GAME.rglob("*.py")) for word in words_of(file))


def test_the_table_has_every_row_and_every_sum_of_two_dice() -> None:
    assert sorted(TABLE) == list(range(2, 13))
    assert sorted(row.number for row in ROWS) == sorted(TABLE)
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_the_rule_of_repairs_names_the_rows_that_may_be_repaired() -> None:
    title = next(each.title for each in GAME_RULES if each.id == "CT-CRIT-14")
    named = sorted(int(number) for number in re.findall(r"[0-9]+", title))
    assert named == sorted(row.number for row in ROWS if row.repairable)


def test_every_row_that_leaves_a_marker_has_a_letter_or_a_counter_of_its_own() -> None:
    lettered = [row.letter for row in ROWS if row.letter]
    assert len(set(lettered)) == len(lettered)
    assert [row for row in ROWS if row.leaves and not row.letter] == [CRIPPLED]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_name_and_letter_of_a_critical_stand_in_one_place(row: Critical) -> None:
    """Names of one word say other things too: a unit is crippled, a fire is a cause of loss."""
    assert said()[row.letter] == 1 or not row.letter
    assert said()[row.name] == 1 or " " not in row.name


@pytest.mark.rule("CT-CRIT-14", "CT-CRIT-18")
def test_a_changed_row_is_all_that_a_critical_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name, marker, repair and what it means nothing to follow from the row alone."""
    ship = SHIP | {"criticals": [CREW.number]}
    scene = {"units": [ship, ENEMY], "step": StepKey("end-of-turn"), "turn": 1}
    assert begun(scene).state.purpose.kind == "initiative"
    flooding = Critical(CREW.number, "flooding", "Fl", repairable=True, meaningless_for=("land",))
    monkeypatch.setitem(TABLE, CREW.number, flooding)
    battle = begun(scene)
    assert battle.state.purpose is not None
    assert battle.state.purpose.kind == "repair"
    assert criticals.marker_on("land", CREW.number) == 0
    assert criticals.marker_on("ship", CREW.number) == CREW.number
    rolled = ev.RepairRolled(unit="p1-1", critical=CREW.number, face=1, repaired=False)
    assert "flooding" in says(battle.state, rolled)
    assert ("Fl", "flooding") in [
        (sign.letter, sign.text) for _, sign in markers(battle.state, battle.state.units["p1-1"])
    ]


def test_a_result_that_means_nothing_is_named_and_said_to_mean_nothing() -> None:
    assert names.critical_result((2, 2), 0) == "steering breakdown, without meaning for it"
    assert names.critical_result((6, 6), 0) == "a lucky escape"
    assert names.critical_result((1, 2), 2) == "explosion"


@pytest.mark.rule("CT-SA-05", "CT-CRIT-07", "CT-CRIT-19")
def test_what_harms_is_said_in_the_file_of_abilities_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    hood = position({"units": [SHIP | {"criticals": [SYSTEMS.number]}, ENEMY]}).units["p1-1"]
    assert facts.effect(hood, CriticalAs) is not None
    mild = {name: replace(each, negative=False) for name, each in told.abilities().items()}
    monkeypatch.setattr(told, "abilities", lambda: mild)
    told._told.cache_clear()
    try:
        assert facts.effect(hood, CriticalAs) is None
        assert facts.effect(replace(hood, criticals=()), CriticalAs) is not None
    finally:
        told._told.cache_clear()


def test_every_word_is_used_and_every_ability_has_words() -> None:
    used = {type(effect) for each in told.abilities().values() for effect in each.effects}
    assert used == set(get_args(AnyWord))
    assert all(each.effects for each in told.abilities().values())
    assert any(
        isinstance(effect, NoControl) for effect in told.abilities()["no-sea-control"].effects
    )


@pytest.mark.parametrize("family", sorted(told.abilities()))
def test_the_code_never_asks_for_an_ability_by_name(family: str) -> None:
    assert said()[family] == 0


def asking_for_light(source: str) -> list[str]:
    """The functions of a module that read the light of the battle themselves."""
    functions = (each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef))
    return [
        function.name
        for function in functions
        if any(isinstance(e, ast.Attribute) and e.attr == "light" for e in ast.walk(function))
    ]


LIGHT = {("facts.py", "dark"), ("scenarios.py", "terms")}
"""Who reads it: the one that tells what it comes to, and the terms of a battle, where it is set."""


def test_rules_ask_whether_it_is_dark_and_never_for_the_light() -> None:
    """Some turns of a dawn and a dusk are dark, too: who asks for ``night`` forgets them."""
    assert asking_for_light("def f(state): return state.terms.light != 'night'") == ["f"]
    asked = {
        (file.name, name)
        for file in sorted((GAME / "rules").glob("*.py"))
        for name in asking_for_light(file.read_text("utf-8"))
    }
    assert asked == LIGHT, f"ask facts.dark(state) instead: {sorted(asked)}"

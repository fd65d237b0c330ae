"""The texts of critical results say in which direction: more or fewer, from a range on or up to it,
for the unit or for who fires at it; and the figures of their tests are those that come out.

That figure, weapon and range are named in text and code is test_critical_texts.py's; here are the
words that turn a rule into its opposite.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.games.crimson_tide.rules.criticals import CREW, Critical
from domain.games.crimson_tide.rules.facts import has_critical
from domain.kernel.shown.rulebook import load_rulebook
from domain.kernel.tally import Reason
from tests.crimson_tide.conditions import about, namers, tree_of
from tests.crimson_tide.test_critical_texts import BOOK, ROWS, RULES, WEAPONS, plain, texts
from tests.support.figures import WORDS

NUMBER = rf"(\d+|{'|'.join(word for word in WORDS if word)})"
ADDED = re.compile(rf"\b{NUMBER} (?:(?!or\b)\w+ ){{0,3}}?(more|fewer|less)\b")
UP, DOWN = r"or (?:farther|more|later)", r"or (?:nearer|fewer|less|earlier)"
FROM = re.compile(rf"\b{NUMBER} {UP}\b|\bfrom (?:range |turn )?{NUMBER} on\b")
UP_TO = re.compile(rf"\b{NUMBER} {DOWN}\b|\b(?:within|up to) (?:range )?{NUMBER}\b")
BEYOND = re.compile(rf"\b(?:beyond|farther than) (?:range )?{NUMBER}\b")
OTHERS = re.compile(r"\b(?:enemy|enemies|whoever|attackers)\b")
AT_IT = re.compile(r"\b(?:fires?|shoots?|attacks?) (?:at|on) (?:it|the unit|the ship)\b")


def number(said: str) -> int:
    return int(said) if said.isdigit() else WORDS.index(said)


# --- what the code does ---------------------------------------------------------------------------


def code(row: Critical, functions: Any = ()) -> list[tuple[ast.AST, dict[str, Any]]]:
    """The statements that name a row, each with the names that are known there."""
    return [
        (node, function.__globals__)
        for function, name in namers(row, functions)
        for node in about(tree_of(function), name)
    ]


def _value(node: ast.AST, known: dict[str, Any]) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, known)
        return None if value is None else -value
    found = known.get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)
    return found if type(found) is int else None


def signed(nodes: list[tuple[ast.AST, dict[str, Any]]]) -> set[int]:
    """Figures with their signs."""
    found: set[int] = set()
    for node, known in nodes:
        for each in ast.walk(node):
            below = [*ast.iter_child_nodes(each)]
            negative = isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.USub)
            values = [_value(each, known)] if negative else [_value(one, known) for one in below]
            found |= {value for value in values if value is not None}
    return found


def bounds(nodes: list[tuple[ast.AST, dict[str, Any]]]) -> tuple[set[int], set[int]]:
    """The figures from which on something is so, and those up to which."""
    least, most = set[int](), set[int]()
    for node, known in nodes:
        turned = _turned(node)
        for each in ast.walk(node):
            if isinstance(each, ast.Compare) and len(each.ops) == 1:
                for low, bound in _bound(each, known):
                    (least if low != (each in turned) else most).add(
                        bound if each not in turned else bound + (-1 if low else 1)
                    )
    return least, most


def _turned(node: ast.AST) -> list[ast.AST]:
    """What stands under a ``not``."""
    nots = (e for e in ast.walk(node) if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.Not))
    return [inner for each in nots for inner in ast.walk(each)]


def _bound(asked: ast.Compare, known: dict[str, Any]) -> Iterator[tuple[bool, int]]:
    """Whether a comparison says from its figure on, or up to it, and the figure."""
    steps = {ast.GtE: (True, 0), ast.Gt: (True, 1), ast.LtE: (False, 0), ast.Lt: (False, -1)}
    figure = _value(asked.comparators[0], known)
    if type(asked.ops[0]) in steps and figure is not None:
        low, step = steps[type(asked.ops[0])]
        yield low, figure + step


def of_the_target(row: Critical, functions: Any = ()) -> bool:
    """Whether somewhere the target is asked for the marker."""
    return any(
        "target" in ast.unparse(each)
        for node, _ in code(row, functions)
        for each in ast.walk(node)
        if isinstance(each, ast.Call) and ast.unparse(each.func) == "has_critical"
    )


# --- what a text says -----------------------------------------------------------------------------


def turned(row: Critical, text: str, functions: Any = ()) -> list[str]:
    """What a text says and the code does the other way round, or nowhere."""
    text, nodes = plain(row, text), code(row, functions)
    values, (least, most) = signed(nodes), bounds(nodes)
    found = []
    for said, word in ADDED.findall(text):
        wanted = number(said) if word == "more" else -number(said)
        found += [f"{said} {word}"] * (wanted not in values)
    for pattern, known in ((FROM, least), (UP_TO, most)):
        for groups in pattern.findall(text):
            (said,) = (each for each in groups if each)
            found += [f"from {said}" if pattern is FROM else f"up to {said}"] * (
                number(said) not in known
            )
    found += [f"beyond {said}" for said in BEYOND.findall(text) if number(said) + 1 not in least]
    if (AT_IT.search(text) or OTHERS.search(text)) and not of_the_target(row, functions):
        found.append("who fires at it")
    return found


def cited_for(row: Critical, functions: Any = ()) -> Iterator[str]:
    """The rules of reasons that are called as a row is: by them a figure is another one."""
    for function, name in namers(row, functions):
        for each in ast.walk(tree_of(function)):
            if isinstance(each, ast.Call) and ast.unparse(each.func) == "Reason":
                _, rule, label, *_ = each.args
                if ast.unparse(label) == f"{name}.name":
                    yield str(ast.literal_eval(rule))


TEXTS = {
    each.id: f"{each.title}. {each.text}" for each in load_rulebook("domain.games.crimson_tide")
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_reason_that_is_called_as_a_row_cites_a_rule_about_it(row: Critical) -> None:
    """A reader of the figure looks the rule up and has to find the row there."""
    assert [rule for rule in cited_for(row) if row.name.upper() not in TEXTS[rule]] == []


def test_a_reason_by_the_rule_of_another_row_is_found() -> None:
    def fewer(unit: Any) -> Any:
        return Reason(-2, "CT-CRIT-09", CREW.name, unit.id)

    assert [*cited_for(CREW, [fewer])] == ["CT-CRIT-09"]
    assert CREW.name.upper() not in TEXTS["CT-CRIT-09"]
    assert CREW.name.upper() in TEXTS["CT-CRIT-08"]


FARTHER = {("crippled", "CT-CRIT-15", "up to 1"): "settle_crippled: nothing is spare beyond that 1"}
"""What the code says in other words, with where: read there by us."""

TOLD = [(row, id) for row in ROWS for id in texts(row)]


@pytest.mark.parametrize(("row", "id"), TOLD, ids=[f"{id} {row.name}" for row, id in TOLD])
def test_a_text_says_the_direction_that_the_code_has(row: Critical, id: str) -> None:
    listed = [said for name, rule, said in FARTHER if (name, rule) == (row.name, id)]
    assert turned(row, BOOK[id]) == listed, (
        f"{id} in rulebook.toml says so; where {row.name!r} is named in the rules it is the other "
        "way round, or stands in another function: write it in the condition, or beside the figure"
    )


# --- the figures of its test ----------------------------------------------------------------------

EXAMPLE = re.compile(r"\b(\d+) (?:\w+ )?dice\b[^:]*: (\d+)\b")
SENTENCE = re.compile(r"[^.;]+")
AT = re.compile(r"\b(range|turn) (\d+)\b")
SUM = re.compile(r"\b(\d+) ([-+]) (\d+) = (\d+)\b")
EVEN = re.compile(r"\beven turn\b")
TURNS = re.compile(r"\bturns (\d+(?:, \d+)*)")


def outside(text: str, example: str) -> bool:
    """Whether an example says a range, a turn or a weapon for which the text changes nothing."""
    figures = [int(figure) for _, figure in AT.findall(example)]
    low = [number(a or b) for a, b in FROM.findall(text)]
    low += [number(said) + 1 for said in BEYOND.findall(text)]
    high = [number(a or b) for a, b in UP_TO.findall(text)]
    weapons, said = (
        {w for w in WEAPONS if re.search(rf"\b{w}\b", each)} for each in (text, example)
    )
    return (
        any(figure < least for figure in figures for least in low)
        or any(figure > most for figure in figures for most in high)
        or bool(weapons and said and not weapons & said)
    )


def bounded(text: str) -> bool:
    return any(pattern.search(text) for pattern in (FROM, BEYOND, UP_TO))


def _right(text: str, before: int) -> int:
    """What becomes of so many dice: so many more or fewer, or half of them."""
    steps = [(number(said), word) for said, word in ADDED.findall(text)]
    right = before + sum(n if word == "more" else -n for n, word in steps)
    return max(right // 2 if re.search(r"\bhalved\b", text) else right, 0)


def miscounted(text: str, test: str) -> list[str]:
    """Figures in the test of a rule that do not come out of its text, or of themselves."""
    found = []
    for example in SENTENCE.findall(test):
        for before, after in ((int(a), int(b)) for a, b in EXAMPLE.findall(example)):
            if bounded(text) and not AT.search(example):
                found.append(f"{before} dice: at which range, the example does not say")
                continue
            right = before if outside(text, example) else _right(text, before)
            found += [f"{before} dice are {right}, not {after}"] * (after != right)
    for a, sign, b, said in SUM.findall(test):
        right = int(a) + (int(b) if sign == "+" else -int(b))
        found += [f"{a} {sign} {b} is {right}, not {said}"] * (int(said) != right)
    turns = [int(turn) for listed in TURNS.findall(test) for turn in listed.split(", ")]
    return found + [f"turn {turn} is odd" for turn in turns if EVEN.search(text) and turn % 2]


@pytest.mark.parametrize("id", [id for id in RULES if RULES[id].test])
def test_the_figures_of_a_test_come_out_of_the_text(id: str) -> None:
    assert miscounted(RULES[id].text, RULES[id].test) == [], f"{id} in rulebook.toml"


# --- what is found --------------------------------------------------------------------------------


def fewer(unit: Any, shot: Any) -> int:
    """An effect as somebody new might write it."""
    if shot.weapon == "primary" and shot.band >= 3 and has_critical(unit, CREW):
        return -2
    return 0


TEXT = "8 CREW CASUALTY: two primary dice fewer at range 3 or farther."


@pytest.mark.parametrize(
    ("old", "new", "lacks"),
    [
        ("", "", []),
        ("fewer", "more", ["two more"]),
        ("farther", "nearer", ["up to 3"]),
        ("3 or farther", "4 or farther", ["from 4"]),
        ("at range 3 or farther", "beyond range 2", []),
        ("at range 3 or farther", "beyond range 3", ["beyond 3"]),
        ("two", "enemies have two", ["who fires at it"]),
        ("at range", "for all who fire at it at range", ["who fires at it"]),
    ],
)
def test_a_text_that_is_turned_round_is_found(old: str, new: str, lacks: list[str]) -> None:
    assert turned(CREW, TEXT.replace(old, new), [fewer]) == lacks


def test_a_bound_may_be_written_in_other_ways() -> None:
    def under_a_not(unit: Any, reach: int) -> int:
        return -2 if has_critical(unit, CREW) and not reach < 3 else 0

    def beyond_the_one_before(unit: Any, reach: int) -> int:
        return -2 if has_critical(unit, CREW) and reach > 2 else 0

    for each in (under_a_not, beyond_the_one_before):
        assert turned(CREW, TEXT, [each]) == []
        assert turned(CREW, TEXT.replace("farther", "nearer"), [each]) == ["up to 3"]


def test_a_test_with_other_figures_is_found() -> None:
    text = "10 PRIMARY WEAPONS DAMAGE: primary dice halved."
    assert miscounted(text, "11 primary dice: 5.") == []
    assert miscounted(text, "11 primary dice: 6.") == ["11 dice are 5, not 6"]
    assert miscounted(TEXT, "crew casualty, 11 primary dice at range 3: 9.") == []
    assert miscounted(TEXT, "crew casualty, 11 primary dice at range 3: 7.")


@pytest.mark.parametrize(
    ("text", "test", "found"),
    [
        (TEXT, "11 primary dice at range 2: 9.", ["11 dice are 11, not 9"]),
        (TEXT, "11 primary dice at range 2: 11; at range 4, 11 primary dice: 9.", []),
        (TEXT, "11 secondary dice at range 3: 9.", ["11 dice are 11, not 9"]),
        (TEXT, "11 primary dice: 9.", ["11 dice: at which range, the example does not say"]),
        (TEXT.replace("range 3 or farther", "range 3 or nearer"), "9 primary dice at range 4: 7.",
         ["9 dice are 9, not 7"]),
        (TEXT.replace("at range 3 or farther", "beyond range 3"), "9 primary dice at range 3: 7.",
         ["9 dice are 9, not 7"]),
        ("CRIPPLED leaves 1 HP.", "5 HP: 5 - 1 = 3.", ["5 - 1 is 4, not 3"]),
        ("whenever an even turn ends", "1 HP at the ends of turns 4, 5.", ["turn 5 is odd"]),
    ],
)  # fmt: skip
def test_an_example_beyond_a_bound_of_the_text_is_found(
    text: str, test: str, found: list[str]
) -> None:
    assert miscounted(text, test) == found

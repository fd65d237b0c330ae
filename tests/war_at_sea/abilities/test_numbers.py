"""The figures that the text of an ability says are those of its data, and the other way round.

What a hook does is code, not data: a figure of its text has to stand in its data, or in what the
code says where it asks for that very word. That finds a slip, and not every lie: the
proof of such a figure is a numbered case. What a printed card says no test can know; see
tests/war_at_sea/cards/test_compared.py.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from domain.games import war_at_sea
from domain.games.war_at_sea.rules.cards import CARDS, Card, pieces
from domain.games.war_at_sea.rules.families import deeds, hooks
from domain.games.war_at_sea.shown.catalogue import CATALOGUE
from tests.support.figures import WORDS

from .test_texts import FAMILIES

PACKAGE = Path(war_at_sea.__file__).parent
NO_FIGURES = re.compile(
    r"\b(2007|2009|natural 6s?|(?<=\d )(?:or|and) 6|instead of \d|Second Player)\b", re.IGNORECASE
)
"""Editions, a natural 6, the top of a die, what holds without the ability, a name: no figures."""

HOOKS = {
    str(word.__struct_config__.tag): word.__name__ for word in get_args(hooks.Hook | deeds.Deed)
}
"""Words that the code asks for in a place of its own."""

HITS = {"torpedo": 6}
HITS_ELSE = 4
"""From what a die is a success (WAS-ATK-18 and those near it): ``only on 5+`` is a die less one."""


def said(text: str) -> set[int]:
    """The numbers of a text in figures or words; ``second`` is a 2."""
    found = re.findall(r"\d+|[a-z]+", NO_FIGURES.sub("", text).lower().replace("{n}", ""))
    numbers = {int(each) for each in found if each.isdecimal()}
    numbers |= {WORDS.index(each) for each in found if each in WORDS}
    return numbers | {2 for each in found if each == "second"}


def told(effect: dict[str, Any]) -> Iterator[tuple[str, set[int]]]:
    """Every figure of an effect's data, and the numbers of which a text has one for it."""
    for key, value in effect.items():
        for each in value if isinstance(value, list) else [value]:
            if type(each) is int and (key, each) not in NEARBY:
                yield f"{effect['word']}.{key} = {each}", _ways(effect, key, each)


NEARBY = {("rangeTo", 0), ("more", 99)}
"""What texts say in words: its own sector, every other Ship."""


def _ways(effect: dict[str, Any], key: str, value: int) -> set[int]:
    """The numbers that say it: two attacks are one more; or the faces that hit."""
    if key == "more":
        return {value + 1}
    kinds = effect.get("attacks", ()) if effect["word"] == "die" else ()
    return {abs(value), *(HITS.get(kind, HITS_ELSE) - value for kind in kinds)}


def faults(name: str, family: dict[str, Any]) -> list[str]:
    """What the text says and nothing else does, or the data say and the text does not."""
    text = str(family["text"])
    numbers = said(_without_cards(text, family))
    figures = dict(each for effect in family["effects"] for each in told(effect))
    found = [f"{figure}: the text has no such number" for figure, ways in figures.items()
             if not ways & numbers]  # fmt: skip
    known = {1}.union(*figures.values(), _book(str(family["id"])))
    hooks_ = frozenset(HOOKS[e["word"]] for e in family["effects"] if e["word"] in HOOKS)
    if hooks_:
        known |= _code(hooks_)
    cards = (pieces().get(str(effect.get("card"))) for effect in family["effects"])
    known = known.union(*(_figures(card) for card in cards if card))
    found += [f"the text says {n}, and nothing else does" for n in sorted(numbers - known)]
    asked = any(value in ("n", "-n") for effect in family["effects"] for value in effect.values())
    shown = any(effect["word"] == "printed" for effect in family["effects"])
    if asked != ("{n}" in text) and not shown:
        found.append("{n} is in the text or in the data, and not in both")
    return found


def _without_cards(text: str, family: dict[str, Any]) -> str:
    """B-25 and F4F are names: those of the cards that data or slug name, or that are Aircraft."""
    names = {card.name for card in CARDS.values() if card.type == "Aircraft"}
    for name in sorted({each for card in names for each in (card, card.split()[0])}, key=len)[::-1]:
        text = re.sub(rf"\b{re.escape(name)}\b", "", text)
    return re.sub(r"\bB-25\b", "", text)


@cache
def _book(id: str) -> frozenset[int]:
    """The numbers of the rulebook's rule about the ability, where it has one."""
    texts = (rule.text for rule in CATALOGUE.rules() if rule.id == id and rule.area != "CARD")
    return frozenset(n for text in texts for n in said(text))


Node = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@cache
def _nodes() -> tuple[tuple[Node, frozenset[str]], ...]:
    """What stands at the top of every module of the game, with the names that it gives."""
    trees = (ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py")))
    nodes = (each for tree in trees for each in tree.body if isinstance(each, Node))
    return tuple((each, frozenset(_names(each))) for each in nodes)


def _names(node: Node) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
        return
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))


@cache
def _constants(node: Node) -> frozenset[object]:
    return frozenset(each.value for each in ast.walk(node) if isinstance(each, ast.Constant))


@cache
def _used(node: Node) -> frozenset[str]:
    found = ast.walk(node)
    return frozenset(
        each.id if isinstance(each, ast.Name) else each.attr
        for each in found
        if isinstance(each, ast.Name | ast.Attribute)
    )


@cache
def _code(asked: frozenset[str]) -> frozenset[int]:
    """The numbers of what asks for words, of what that uses, and of the cards named there."""
    near = [node for node, _ in _nodes() if asked & _used(node)]
    called = frozenset[str]().union(*(_names(node) for node in near if not _is_code(node)))
    near += [node for node, _ in _nodes() if _is_code(node) and called & _used(node)]
    used = frozenset[str]().union(*(_used(node) for node in near))
    near += [node for node, names in _nodes() if names & used and node not in near]
    found = frozenset[object]().union(*(_constants(node) for node in near))
    figures = (_figures(card) for card in ({**CARDS, **pieces()}).values() if card.id in found)
    return frozenset(each for each in found if type(each) is int).union(*figures)


def _is_code(node: Node) -> bool:
    """A function, and not a table or a name for an ability."""
    return isinstance(node, ast.FunctionDef | ast.ClassDef)


def _figures(card: Card) -> set[int]:
    rows = (dice for row in card.attacks.values() for dice in row)
    return {card.cost, card.armor, card.vital_armor, *rows}


FARTHER = {
    "overstack": [3],
}
"""Figures that the code says farther off than this test looks: read there by us."""


def unexplained(name: str) -> list[str]:
    farther = {f"the text says {n}, and nothing else does" for n in FARTHER.get(name, ())}
    return sorted({*faults(name, FAMILIES[name])} ^ farther)


@pytest.mark.parametrize("name", FAMILIES)
def test_text_and_data_have_the_same_figures(name: str) -> None:
    assert unexplained(name) == [], f"domain/games/war_at_sea/rules/families/{name}.toml"


def spoilt(name: str, text: str, **effect: Any) -> dict[str, Any]:
    """A family with another text, or with another word in its first effect."""
    family = FAMILIES[name]
    first, *more = family["effects"]
    return family | {"text": text or family["text"], "effects": [first | effect, *more]}


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("rapid-fire", spoilt("rapid-fire", "Once a game, with main gunnery: three more dice.")),
        ("rapid-fire", spoilt("rapid-fire", "", add=3)),
        ("rapid-fire", spoilt("rapid-fire", "", add="n")),
        ("near-miss", spoilt("near-miss", "", needed=5)),
        ("chase-the-salvoes", spoilt("chase-the-salvoes", "", needed=4)),
        ("run-silent", spoilt("run-silent", "Unmoved, ASW attacks hit only on 6+.")),
        ("antiair-specialist", spoilt("antiair-specialist", "", more=2)),
        ("advanced-fighter", spoilt("advanced-fighter", "Two more dice at Fighters.")),
        ("sneak-attack", spoilt("sneak-attack", "", initiativeFrom=9)),
        ("determination", spoilt("determination", "A die of 4 leaves it with one hull point.")),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_another_figure_is_found(name: str, family: dict[str, Any]) -> None:
    assert faults(name, family)

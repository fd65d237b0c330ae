"""The texts of critical results say what the code asks, and the code asks what the texts say.

A figure, a weapon, the light, a range, a kind of unit or a turn that a text names has to stand
where the row is named: in its condition, in what follows from it, in what is asked around it, or in
a function that is asked there. A weapon, the light and so on that is asked there has to be in the
text. So neither is forgotten in code and cases alike; that a case stands on both sides of each
condition is test_conditions.py's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args

import pytest

from domain.games.crimson_tide.rules.criticals import CREW, ENGINE, FIRE, PRIMARY, TABLE, Critical
from domain.games.crimson_tide.rules.facts import dark, has_critical
from domain.games.crimson_tide.rules.state import Weapon
from domain.kernel.shown.rulebook import load_rulebook
from tests.crimson_tide.ablation import rule_of
from tests.crimson_tide.conditions import about, conditions, namers, tree_of
from tests.support.figures import WORDS

ROWS = list(TABLE.values())
RULES = {each.id: each for each in load_rulebook("domain.games.crimson_tide")
         if each.id.startswith("CT-CRIT-")}  # fmt: skip
BOOK = {id: each.text for id, each in RULES.items()}
OF_ALL = {"CT-CRIT-01", "CT-CRIT-13", "CT-CRIT-14", "CT-CRIT-16", "CT-CRIT-17", "CT-CRIT-18"}
"""Rules about the table or about every result."""

WEAPONS = tuple(each for each in get_args(Weapon) if each not in ("bombs", "strafe"))
"""Those of ships: no critical result hits aircraft (CT-CRIT-18)."""
CIRCUMSTANCES = {
    "the light": (r"\b(day|daylight|dark|darkness|night)\b", r"dark|night|daylight"),
    "a range": (r"\b(range|klicks?)\b", r"range|band|reach|klick|distance|drift|blow"),
    "a carrier": (r"\bcarriers?\b", r"carrier"),
    "a submarine": (r"\bsubmarines?\b", r"submarine|submerged"),
    "aircraft": (r"\baircraft\b", r"aircraft|flights|flying"),
    "a land target": (r"\bland targets?\b", r"land"),
    "a crippled unit": (r"(?<!now )\bcrippled\b", r"crippled"),
    "a size": (r"\b(capital|large|small) (ships?|units?)\b", r"size|capital|large|small"),
    "how long": (r"\buntil\b", r"until|expire|lapse"),
    "which turns": (r"\b(even|odd|first|second|third) turn\b", r"turn"),
}
"""What a text may name: how it says so, and what the names in code are like."""
SAYS_NO_FIGURE = re.compile(r"\bCT-[A-Z]+-\d+\b|\b\d+\.\d+(?:\.\d+)?\b")
"""Rules and sections."""

FARTHER = {
    (
        "systems down",
        "CT-CRIT-19",
        "5",
    ): "facts.effects and the columns beyond = 4 of Extended Range",
    ("systems down", "CT-CRIT-19", "6"): "the same",
    ("systems down", "CT-CRIT-19", "a range"): "the same",
    (
        "crew casualty",
        "CT-CRIT-20",
        "aircraft",
    ): "they go on: air_missions.py does not name the row",
}
"""What a text says and the code says farther off, with where: read there by us."""


class Said(NamedTuple):
    """What stands in a piece of code: its names and its strings without prose; its figures."""

    names: frozenset[str]
    figures: frozenset[int]


def in_code(*nodes: ast.AST) -> Said:
    found = [each for node in nodes for each in ast.walk(node)]
    names = {each.id for each in found if isinstance(each, ast.Name)}
    names |= {each.attr for each in found if isinstance(each, ast.Attribute)}
    constants = {each.value for each in found if isinstance(each, ast.Constant)}
    names |= {each for each in constants if isinstance(each, str) and " " not in each}
    return Said(frozenset(names), frozenset(each for each in constants if type(each) is int))


def asked(row: Critical, functions: Any = ()) -> Said:
    """What stands in the conditions beside a row."""
    found = [in_code(each) for function, name in namers(row, functions)
             for each in conditions(tree_of(function), name)]  # fmt: skip
    return _all(found)


def near(row: Critical, functions: Any = ()) -> Said:
    """What stands where a row is named, around it, and in what is called there."""
    told = [in_code(ast.Constant(kind)) for kind in row.meaningless_for]
    for function, name in namers(row, functions):
        known = function.__globals__ | {function.__name__: function}
        for node in about(tree_of(function), name):
            here = in_code(node)
            told += [here, _values(here, known)]
            told += (in_code(tree_of(known[each])) for each in _asks(node).names
                     if hasattr(known.get(each), "__code__"))  # fmt: skip
        told += (Said(frozenset({each}), frozenset()) for each in ("halved",)
                 if each in in_code(tree_of(function)).names)  # fmt: skip
        if len(tree_of(function).body) <= 2:  # its whole answer is about the row: so is who asks it
            told += [in_code(tree) for tree in _callers(function)]
    return _all(told)


def _all(told: list[Said]) -> Said:
    return Said(
        frozenset[str]().union(*(each.names for each in told)),
        frozenset[int]().union(*(each.figures for each in told)),
    )


def _values(said: Said, known: dict[str, Any]) -> Said:
    """Figures that have a name."""
    return Said(frozenset(), frozenset(known[n] for n in said.names if type(known.get(n)) is int))


def _asks(node: ast.AST) -> Said:
    """What is asked in a statement, and not what follows from it."""
    return in_code(node.test if isinstance(node, ast.If) else node)


def _callers(function: Any) -> Iterator[ast.FunctionDef]:
    for each in vars(__import__(function.__module__, fromlist=[""])).values():
        if hasattr(each, "__code__") and function.__name__ in each.__code__.co_names:
            yield tree_of(each)


# --- texts ----------------------------------------------------------------------------------------


def texts(row: Critical, book: Mapping[str, str] = BOOK) -> dict[str, str]:
    """The rules about a row: its own, and each that has its name in capitals."""
    capitals = row.name.removeprefix("a ").upper()
    return {id: text for id, text in book.items() if id == rule_of(row) or capitals in text}


def plain(row: Critical, text: str) -> str:
    """A text without its number, the names of results, and references."""
    text = text.removeprefix(f"{row.number} ")
    for each in sorted((row.name for row in ROWS), key=len, reverse=True):
        text = text.replace(each.upper(), "")
    return SAYS_NO_FIGURE.sub("", text)


def figures(text: str) -> set[int]:
    found = {int(each) for each in re.findall(r"\d+", text)}
    return found | {n for n, word in enumerate(WORDS) if re.search(rf"\b{word}\b", text)}


def weapons(text: str) -> set[str]:
    return {each for each in WEAPONS if re.search(rf"\b{each}(es)?\b", text, re.IGNORECASE)}


def unasked(row: Critical, text: str, code: Said) -> list[str]:
    """What a text says and the code nowhere asks."""
    text = plain(row, text)
    found = [str(n) for n in sorted(figures(text) - {1} - code.figures)]
    if re.search(r"\bhalved\b", text) and "halved" not in code.names:
        found.append("halved")
    if weapons(text) and not code.names & {*WEAPONS}:
        found += sorted(weapons(text))
    elif not _but(weapons(text), code):
        found += sorted(weapons(text) - code.names)
    for told, (words, names) in CIRCUMSTANCES.items():
        if re.search(words, text, re.IGNORECASE) and not _like(names, code):
            found.append(told)
    return found


def _but(said: set[str], code: Said) -> bool:
    """All weapons but those that the code names: it says them by what is left."""
    return said == {*WEAPONS} - code.names


def _like(names: str, code: Said) -> bool:
    return any(re.search(names, each, re.IGNORECASE) for each in code.names)


def unsaid(row: Critical, text: str, code: Said) -> list[str]:
    """What the conditions beside a row ask and no text about it says."""
    text = " ".join((plain(row, text), *row.meaningless_for))
    found = sorted((code.names & {*WEAPONS}) - weapons(text))
    for told, (words, names) in CIRCUMSTANCES.items():
        if _like(names, code) and not re.search(words, text, re.IGNORECASE):
            found.append(told)
    return found


# --- tests ----------------------------------------------------------------------------------------

TOLD = [(row, id) for row in ROWS for id in texts(row)]


@pytest.mark.parametrize(("row", "id"), TOLD, ids=[f"{id} {row.name}" for row, id in TOLD])
def test_the_code_asks_what_the_text_says(row: Critical, id: str) -> None:
    found = [
        each for each in unasked(row, BOOK[id], near(row)) if (row.name, id, each) not in FARTHER
    ]
    assert found == [], (
        f"{id} says so, and nothing does where {row.name!r} is named in domain/games/crimson_tide/"
        f"rules: it is forgotten there, or it stands farther off and belongs in FARTHER; what a "
        "local variable holds is not read: write it in the condition"
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_text_says_what_the_code_asks(row: Critical) -> None:
    assert unsaid(row, " ".join(texts(row).values()), asked(row)) == [], (
        f"conditions of {row.name!r} in the rules ask this; no text of {sorted(texts(row))} says it"
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_has_the_number_the_name_and_the_repair_that_its_rule_says(row: Critical) -> None:
    text = BOOK[rule_of(row)]
    assert text.upper().startswith(f"{row.number} {row.name.removeprefix('a ').upper()}")
    said = re.findall(r"\b(Not repairable|Repairable)\.", text)
    assert said == (["Repairable" if row.repairable else "Not repairable"] if row.leaves else [])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_title_and_the_test_of_its_rule_are_about_the_row(row: Critical) -> None:
    rule = RULES[rule_of(row)]
    assert of_another(row, rule.title, rule.text, rule.test) == [], f"{rule.id} in rulebook.toml"


def of_another(row: Critical, title: str, text: str, test: str) -> list[str]:
    """What of a rule is about another row: one that was replaced leaves such things behind."""
    found = []
    if not text.startswith(title):
        found.append("its title is not how its text begins")
    named = [word for word in row.name.split() if len(word) > 2]
    if test and not any(re.search(rf"\b{word}", test, re.IGNORECASE) for word in named):
        found.append(f"its test names nothing of {row.name}")
    return found


KINDS = {"land": "land target"}
"""How texts call a kind of unit to which a result means nothing."""


def means_nothing(row: Critical, kind: str, book: Mapping[str, str]) -> bool:
    """Whether a text says so: of all results by the number, of the row by its name."""
    by_number = rf"\b{row.number}\b[^()]*\bon an? {KINDS[kind]}"
    own = (text for id, text in book.items() if id in texts(row, book))
    by_name = any("nothing" in text and KINDS[kind] in text for text in own)
    return by_name or any(re.search(by_number, book[id]) for id in OF_ALL & book.keys())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_text_says_to_whom_a_result_means_nothing(row: Critical) -> None:
    for kind, word in KINDS.items():
        said, given = means_nothing(row, kind, BOOK), kind in row.meaningless_for
        assert said == given, (
            f"criticals.py has {row.name} without meaning for {row.meaningless_for}; CT-CRIT-18, "
            f"or a rule with its name in capitals, has to say so of a {word}, and of no other"
        )


def test_every_kind_to_which_a_result_means_nothing_has_its_word() -> None:
    assert {kind for row in ROWS for kind in row.meaningless_for} <= KINDS.keys()


def test_every_rule_about_criticals_is_about_a_row_or_about_all() -> None:
    of_rows = {id for _, id in TOLD}
    assert BOOK.keys() - of_rows == OF_ALL, "a rule names its result in capitals"


def test_what_stands_farther_off_is_said_by_a_text_and_not_found_near() -> None:
    names = {row.name: row for row in ROWS}
    for row, id, each in FARTHER:
        assert each in unasked(names[row], BOOK[id], near(names[row]))


# --- what is found --------------------------------------------------------------------------------


def two_fewer(state: Any, unit: Any, shot: Any) -> int:
    """An effect as somebody new might write it."""
    if dark(state):
        return 0
    if has_critical(unit, CREW) and shot.weapon in ("primary", "secondary") and shot.band >= 3:
        return -2
    return 0


def light_forgotten(state: Any, unit: Any, shot: Any) -> int:
    if has_critical(unit, CREW) and shot.weapon in ("primary", "secondary") and shot.band >= 3:
        return -2
    return 0


def weapon_forgotten(state: Any, unit: Any, shot: Any) -> int:
    if not dark(state) and has_critical(unit, CREW) and shot.weapon == "primary" and shot.band >= 3:
        return -2
    return 0


TEXT = "8 CREW CASUALTY: by day, primary and secondary weapons roll two dice fewer from range 3 on."


def test_an_effect_that_is_as_its_text_says_is_accepted() -> None:
    assert unasked(CREW, TEXT, near(CREW, [two_fewer])) == []
    assert unsaid(CREW, TEXT, asked(CREW, [two_fewer])) == []


@pytest.mark.parametrize(
    ("function", "lacks"),
    [(light_forgotten, ["the light"]), (weapon_forgotten, ["secondary"])],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_the_effect_forgets_is_found(function: Any, lacks: list[str]) -> None:
    assert unasked(CREW, TEXT, near(CREW, [function])) == lacks


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        (TEXT.replace("by day, ", ""), ["the light"]),
        (TEXT.replace("and secondary ", ""), ["secondary"]),
        (TEXT.replace(" from range 3 on", ""), ["a range"]),
    ],
)
def test_what_the_text_forgets_is_found(text: str, lacks: list[str]) -> None:
    def by_day(state: Any, unit: Any, shot: Any) -> bool:
        return (
            has_critical(unit, CREW)
            and not dark(state)
            and shot.weapon in ("primary", "secondary")
            and shot.band >= 3
        )

    assert unsaid(CREW, text, asked(CREW, [by_day])) == lacks


CRIPPLED_ONES, UNTIL_DAY = ["a crippled unit"], ["the light", "how long"]


@pytest.mark.parametrize(
    ("row", "text", "lacks"),
    [
        (PRIMARY, "10 PRIMARY WEAPONS DAMAGE: primary dice halved at night.", ["the light"]),
        (PRIMARY, "10 PRIMARY WEAPONS DAMAGE: torpedo dice halved.", ["torpedo"]),
        (PRIMARY, "10 PRIMARY WEAPONS DAMAGE: three primary dice fewer.", ["3"]),
        (PRIMARY, "10 PRIMARY WEAPONS DAMAGE: when crippled, primary dice halved.", CRIPPLED_ONES),
        (PRIMARY, "10 PRIMARY WEAPONS DAMAGE: of large ships primary dice halved.", ["a size"]),
        (PRIMARY, "10 PRIMARY WEAPONS DAMAGE: primary dice halved until day.", UNTIL_DAY),
        (FIRE, "6 FIRE: at the end of a turn, 2 HP are lost by carriers.", ["a carrier"]),
        (CREW, "8 CREW CASUALTY: primary weapons only, within range 4.", ["4", "a range"]),
    ],
    ids=["light", "weapon", "figure", "crippled", "size", "until", "kind", "range"],
)
def test_another_text_of_a_row_of_today_is_found(
    row: Critical, text: str, lacks: list[str]
) -> None:
    assert unasked(row, text, near(row)) == lacks


def test_what_a_replaced_row_left_behind_is_found() -> None:
    text = "6 FLOODING: its armor is one less. Repairable."
    row = Critical(6, "flooding", "Fl", repairable=True)
    assert of_another(row, "6 FLOODING", text, "flooding on turn 3: armor 4.") == []
    assert len(of_another(row, RULES["CT-CRIT-06"].title, text, RULES["CT-CRIT-06"].test)) == 2


def test_a_result_without_meaning_that_no_text_has_is_found() -> None:
    printed = {
        "CT-CRIT-18": BOOK["CT-CRIT-18"]
    }  # what a rule of ours says besides is its own affair
    assert not means_nothing(CREW, "land", printed)
    deaf = "CREW CASUALTY means nothing to a land target."
    assert means_nothing(CREW, "land", {**printed, "CT-CRIT-98": deaf})
    other = BOOK["CT-CRIT-18"].replace("4, 5 and 11", "4 and 11")
    assert not means_nothing(ENGINE, "land", {**BOOK, "CT-CRIT-18": other})

"""What a rule about one critical result is called, and what its cases roll, is about that result.

A title is prose, and most of it no test can read. But where a result means nothing to somebody, the
title says something is not so, and the text places no marker; and a case of a rule about a result
that rolls on the table rolls that result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from domain.games.crimson_tide.rules.criticals import CREW, FIRE, STEERING
from tests.crimson_tide.ablation import loaded, record
from tests.crimson_tide.test_critical_texts import BOOK, OF_ALL, ROWS, RULES, texts

DENIES = re.compile(r"\b(no|not|nothing|nobody|never|none|neither|nor|without|cannot)\b", re.I)
MEANS_NOTHING = re.compile(r"\bmeans? nothing\b")
PLACED = re.compile(r"(?<!no )\bmarkers? (is|are) placed\b")

ROLLED = "critical-rolled"


def contradictions(text: str, *titles: str) -> list[str]:
    """Titles and sentences that say the opposite of a text by which a result means nothing."""
    if not MEANS_NOTHING.search(text):
        return []
    found = [title for title in titles if not DENIES.search(title)]
    return found + [each[0] for each in PLACED.finditer(text)]


def titles_of_cases(rule: str) -> list[str]:
    """Of those that have no other rule about criticals to be about."""
    return [
        case["title"]
        for case in loaded()
        if [each for each in case["rules"] if each in BOOK] == [rule]
    ]


@pytest.mark.parametrize("id", sorted(BOOK.keys() - OF_ALL))
def test_what_means_nothing_is_said_to_be_nothing_by_title_and_cases(id: str) -> None:
    found = contradictions(BOOK[id], RULES[id].title, *titles_of_cases(id))
    assert found == [], f"{id} says that a result means nothing to somebody, and these do not"


def rolled(case: Mapping[str, Any]) -> Iterator[int]:
    """What a case rolls on the table: sums, and the results that abilities make of them."""
    played = record(case)
    for event in played[1] if len(played) > 1 and isinstance(played[1], list) else ():
        if event["type"].endswith(ROLLED):
            yield from (sum(event["faces"]), event["result"])


def about(id: str) -> set[int]:
    """The numbers of the results that a rule is about; 0 for one that leaves nothing, which is also
    what an ability makes of another.
    """
    rows = [row for row in ROWS if id in texts(row)]
    return {row.number for row in rows} | {0 for row in rows if not row.leaves}


def of_another_roll(case: Mapping[str, Any]) -> list[str]:
    """The rules about results of which a case that rolls rolls none."""
    found = {*rolled(case)}
    ids = [id for id in case["rules"] if id in BOOK and id not in OF_ALL]
    return [id for id in ids if found and not about(id) & found]


CASES = [case for case in loaded() if {*case["rules"]} & (BOOK.keys() - OF_ALL)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_rolls_the_result_that_its_rule_is_about(case: Mapping[str, Any]) -> None:
    assert of_another_roll(case) == []


# --- what is found --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "title", "lacks"),
    [
        ("FIRE means nothing to a land target: no marker is placed.", "Stone does not burn", 0),
        ("FIRE means nothing to a land target: no marker is placed.", "Stone burns", 1),
        ("FIRE means nothing to a land target: a marker is placed.", "Stone does not burn", 1),
        ("FIRE burns a land target as well: a marker is placed.", "Stone burns", 0),
    ],
)
def test_a_title_or_a_marker_that_says_the_opposite_is_found(
    text: str, title: str, lacks: int
) -> None:
    assert len(contradictions(text, title)) == lacks


def test_a_case_that_rolls_another_result_is_found() -> None:
    told = next(case for case in loaded() if case["id"] == "CT-C-532")
    assert FIRE.number in rolled(told)
    for row, lacks in ((FIRE, 0), (CREW, 1), (STEERING, 1)):
        spoilt = {**told, "rules": [f"CT-CRIT-{row.number:02}"]}
        assert len(of_another_roll(spoilt)) == lacks, row.name

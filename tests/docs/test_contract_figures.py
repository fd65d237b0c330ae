"""The figures of openapi/README.md are those of today's document, to one in twenty."""

from __future__ import annotations

import json
import re
from typing import Any

from service.openapi.document import COMMITTED, SLICES
from service.openapi.sharing import set_out
from tests.architecture.tree import text
from tests.service.http.test_offers_told import MOST_READS
from tests.service.openapi.test_document import operations
from tests.service.openapi.test_sharing import MOST_LINES, without_examples
from tests.service.openapi.test_typed import OPEN
from tests.war_at_sea.words.test_worth import share

ROW = re.compile(r"^\| ([a-z][^|]*?)(?: \([^|]*\))? \|[^|]*\| ([^|]*?) \|$", re.MULTILINE)
NEAR = 20
"""A figure may be off by one part in so many: a document that grows a little is no other."""


def refusals(document: dict[str, Any]) -> list[dict[str, Any]]:
    found = (each["responses"].items() for _, _, each in operations(document))
    return [answer for answers in found for status, answer in answers if status >= "400"]


def today() -> dict[str, list[int]]:
    """The figures of the right column, by the words of the left one."""
    document = json.loads(COMMITTED.read_bytes())
    slices = [len(each.read_bytes().splitlines()) for each in sorted(SLICES.glob("*.json"))]
    answers = refusals(document)
    return {
        "lines of the document": [len(COMMITTED.read_bytes().splitlines())],
        "without examples": [len(set_out(without_examples(document)).splitlines())],
        "of one ruleset": [min(slices), max(slices)],
        "bytes": [len(COMMITTED.read_bytes())],
        "answers that are problems": [len(answers), sum("$ref" in each for each in answers)],
        "reads of a whole game by a client that follows its stream": [MOST_READS],
        "objects and values without a form": [len(OPEN)],
        "placements of Aircraft that are called worth a look in recorded battles": [*share()],
    }


def near(told: list[int], now: list[int]) -> bool:
    return len(told) == len(now) and all(
        abs(one - other) * NEAR <= other for one, other in zip(told, now, strict=True)
    )


def test_the_figures_are_those_of_today() -> None:
    page = text("openapi/README.md").partition("## Reading it")[0]
    told = {
        name: [int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*", cell)]
        for name, cell in ROW.findall(page)
    }
    off = {name: now for name, now in today().items() if not near(told.get(name, []), now)}
    assert not off, "write these"


def test_a_figure_that_is_off_is_noticed() -> None:
    assert near([28_000], [28_500])
    assert not near([27_000], [28_500])
    assert not near([15], [16])


def test_the_bound_that_the_page_names_is_the_one_that_is_held() -> None:
    assert f"(at most {MOST_LINES:,}:" in text("openapi/README.md")

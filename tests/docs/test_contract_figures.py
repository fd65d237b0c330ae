"""The figures of openapi/README.md are those of today's document, rounded: they move seldom."""

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

ROW = re.compile(r"^\| ([a-z][^|]*?)(?: \([^|]*\))? \|[^|]*\| ([^|]*?) \|$", re.MULTILINE)
LINES = 500


def rounded(number: int, step: int = LINES) -> str:
    """With a comma for thousands."""
    return f"{(number + step // 2) // step * step:,}"


def refusals(document: dict[str, Any]) -> list[dict[str, Any]]:
    found = (each["responses"].items() for _, _, each in operations(document))
    return [answer for answers in found for status, answer in answers if status >= "400"]


def today() -> dict[str, str]:
    """The right column, by the words of the left one."""
    document = json.loads(COMMITTED.read_bytes())
    slices = [len(each.read_bytes().splitlines()) for each in sorted(SLICES.glob("*.json"))]
    answers = refusals(document)
    shared = sum("$ref" in each for each in answers)
    return {
        "lines of the document": rounded(len(COMMITTED.read_bytes().splitlines())),
        "without examples": rounded(len(set_out(without_examples(document)).splitlines())),
        "of one ruleset": f"{rounded(min(slices))} to {rounded(max(slices))}",
        "bytes": rounded(len(COMMITTED.read_bytes()), 100_000),
        "answers that are problems": f"{rounded(len(answers), 20)}, of them "
        f"{rounded(shared, 20)} by reference",
        "reads of a whole game by a client that follows its stream": f"{MOST_READS} at most",
        "objects and values without a form": f"{len(OPEN)}, each "
        "[named with its reason](../tests/service/openapi/test_typed.py)",
    }


def test_the_figures_are_those_of_today() -> None:
    page = text("openapi/README.md").partition("## Reading it")[0]
    told, now = dict(ROW.findall(page)), today()
    assert {name: told.get(name) for name in now} == now


def test_the_bound_that_the_page_names_is_the_one_that_is_held() -> None:
    assert f"(at most {MOST_LINES:,}:" in text("openapi/README.md")

"""The order of the table of problems is told: it is the order in which refusals are judged.

Where no operation gives two codes together, nothing else holds their order. The document lists the
problems in it, so an entry that was moved is another document, to be read before it is committed.
"""

from __future__ import annotations

import json
from itertools import pairwise

from service.problems import BY_CODE
from tests.architecture.tree import text

DOCUMENT = "openapi/openapi.json"


def moved(told: list[str], order: list[str]) -> list[str]:
    """The codes that stand behind another one than the document tells; new ones do not count."""
    common = [code for code in order if code in told]
    before = dict(zip(common, ["nothing", *common], strict=False))
    known = [code for code in told if code in order]
    return [
        f"{code} stands behind {before[code]}, and was told behind {was}"
        for was, code in pairwise(["nothing", *known])
        if before[code] != was
    ]


def test_the_document_tells_the_problems_in_the_order_of_their_table() -> None:
    told = list(json.loads(text(DOCUMENT))["components"]["examples"])
    assert moved(told, list(BY_CODE)) == [], (
        "service/problems.toml: of several refusals that fit, the first is given. If it is meant: "
        "make openapi, and a line in openapi/CHANGES.md"
    )


def test_a_moved_entry_is_found() -> None:
    assert moved(["a", "b", "c"], ["a", "b", "c"]) == []
    assert moved(["a", "b", "c"], ["a", "x", "b", "c"]) == []
    assert moved(["a", "b", "c"], ["a", "c", "b"]) == [
        "b stands behind c, and was told behind a",
        "c stands behind a, and was told behind b",
    ]

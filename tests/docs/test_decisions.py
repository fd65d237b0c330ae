"""Records of decisions: a number names one of them, and its heading has it too."""

from __future__ import annotations

import re
from collections import Counter

from tests.architecture.tree import ROOT, tracked

RECORD = re.compile(r"([a-z]+/decisions)/(\d{4})-[a-z0-9-]+\.md")


def records() -> list[re.Match[str]]:
    """Every record, by its path: folder and number."""
    found = [RECORD.fullmatch(name) for name in tracked() if name.split("/")[1:2] == ["decisions"]]
    assert None not in found, "a record is called by four digits and its matter"
    return [each for each in found if each is not None]


def test_a_number_is_that_of_one_record() -> None:
    times = Counter((each[1], each[2]) for each in records())
    assert {folder for folder, _ in times} >= {"domain/decisions", "service/decisions"}
    assert [place for place, count in times.items() if count > 1] == []


def test_its_heading_has_that_number() -> None:
    headings = {each[0]: (each[2], (ROOT / each[0]).read_text("utf-8")) for each in records()}
    other = [
        n for n, (no, text) in headings.items() if not text.startswith((f"# {no}. ", f"# {no}: "))
    ]
    assert other == []

"""The changelogs say each thing once."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.architecture.tree import text


def entries(document: str) -> list[str]:
    """Its bullets, each as one line."""
    return [re.sub(r"\s+", " ", each) for each in re.findall(r"^- .*(?:\n  .*)*", document, re.M)]


@pytest.mark.parametrize("name", ["CHANGELOG.md", "openapi/CHANGES.md"])
def test_no_entry_stands_twice(name: str) -> None:
    found = entries(text(name))
    assert found
    assert [entry for entry, times in Counter(found).items() if times > 1] == []


def test_an_entry_is_all_its_lines() -> None:
    assert entries("- one\n  more\n- two\n\nother\n") == ["- one more", "- two"]

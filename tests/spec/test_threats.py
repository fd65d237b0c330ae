"""The threat model: each row is shown by tests, or says what is left open; the list stays true.

That a test fails without what it shows is test_guards.py's.
"""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import ROOT

ROWS = tomllib.loads(Path(__file__).with_name("threats.toml").read_text("utf-8"))["threat"]


@cache
def functions_of(path: str) -> dict[str, ast.FunctionDef]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}


def test_there_is_a_row_for_each_threat() -> None:
    assert [row["number"] for row in ROWS] == list(range(1, 28))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['number']}-{row['how'][:24]}")
def test_a_row_is_shown_or_says_what_is_open(row: dict[str, Any]) -> None:
    """Its tests are there, and none of them may be left out: neither skipped nor of a slow tier."""
    assert row.get("tests") or row.get("open"), "neither shown nor said to be open"
    for named in row.get("tests", ()):
        marks = marks_of(named)
        assert not any(word in marks for word in ("skip", "xfail", "slow")), f"{named}: {marks}"


def marks_of(named: str) -> str:
    """The decorators of a test by its name, and the marks of all of its file."""
    path, name = named.split("::")
    found = functions_of(path).get(name)
    assert found is not None, f"there is no {named}"
    of_all = re.findall(r"^pytestmark = .*$", (ROOT / path).read_text("utf-8"), re.MULTILINE)
    return " ".join([*(ast.unparse(each) for each in found.decorator_list), *of_all])


def test_what_shows_more_of_a_row_is_there_and_slow() -> None:
    """Else it belongs to those that always run."""
    slow = [named for row in ROWS for named in row.get("slow", ())]
    assert slow
    assert [named for named in slow if "slow" not in marks_of(named)] == []

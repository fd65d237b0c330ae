"""The table of openapi/README.md: every bar and rule of the contract is held by tests in CI."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.architecture.tree import ROOT, text

ROW = re.compile(r"^\| (B?\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
HELD = re.compile(r"\[([\w/]+\.py)\]\(\.\./tests/([\w/]+\.py)\): ((?:`test_\w+`(?:, )?)+)")
ROWS = {name: held for name, _, held in ROW.findall(text("openapi/README.md"))}
PROMISED = [*(f"B{number}" for number in range(1, 11)), *(str(number) for number in range(1, 31))]


def named(held: str) -> list[tuple[str, str]]:
    """File and test, as a row of the table names them."""
    found = []
    for shown, file, tests in HELD.findall(held):
        assert shown == file
        found += [(file, test) for test in re.findall(r"test_\w+", tests)]
    return found


def test_every_bar_and_every_rule_has_a_row() -> None:
    assert list(ROWS) == PROMISED


@pytest.mark.parametrize("name", PROMISED)
def test_every_named_test_exists(name: str) -> None:
    tests = named(ROWS[name])
    assert tests
    assert len(tests) == ROWS[name].count("`test_"), "a test without its file"
    for file, test in tests:
        assert f"\ndef {test}(" in text(f"tests/{file}"), (file, test)


def test_these_folders_are_collected() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    options = settings["ini_options"]
    assert options["testpaths"] == ["tests"]
    assert "--ignore" not in str(options.get("addopts", ""))
    assert "-m " not in str(options.get("addopts", ""))

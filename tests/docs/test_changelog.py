"""The changelogs say each thing once, and name whatever players or clients read otherwise now.

Words and figures of rules, options, cards, abilities, operations and problem codes are compared
with those of the newest contract (tests/support/told.py); what the document has of new names is
compared in tests/service/openapi/test_differ.py.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.architecture.tree import text
from tests.support.told import Thing, digest, kept, things, unlogged


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


NOW = {each.key: each for each in things()}


def test_what_is_read_otherwise_has_a_line_that_names_it() -> None:
    missing = unlogged(kept(), NOW, text("CHANGELOG.md"))
    names = {key: sorted(NOW[key].names) if key in NOW else [key.split()[-1]] for key in missing}
    assert not missing, (
        "CHANGELOG.md needs a line below [Unreleased] for what players or clients read otherwise "
        f"now, with one of these names of each, as it is written here: {names}"
    )


@pytest.mark.parametrize(
    "key",
    [
        "war-at-sea rule WAS-ATK-03",
        "war-at-sea option activationLock",
        "war-at-sea ability star",
        "naval-battles unit jp-yamato",
        "operation takeSeat",
        "code seat.taken",
    ],
)
@pytest.mark.parametrize("how", ["other", "new", "gone"])
def test_a_change_without_a_line_is_found(key: str, how: str) -> None:
    name = key.rsplit(maxsplit=1)[-1]
    thing = Thing(key, frozenset({name}), ("words",))
    old = {} if how == "new" else {key: "before" if how == "other" else digest(thing.words)}
    new = {} if how == "gone" else {key: thing}
    head, tail = "# Changelog\n\n## [Unreleased]\n\n- More.\n", f"\n## [0.1.0]\n\n- {name}.\n"
    assert unlogged(old, new, head + tail) == [key]
    assert unlogged(old, new, f"{head}- `{name}`: another way.\n{tail}") == []
    assert unlogged(old, new, f"{head}- x{name}: another thing.\n{tail}") == [key]


def test_everything_that_is_read_is_compared() -> None:
    kinds = {" ".join(key.split()[:-1]) for key in NOW}
    games = {key.split()[0] for key in NOW if " rule " in key}
    wanted = {f"{game} {kind}" for game in games for kind in ("rule", "option", "unit")}
    assert len(games) > 2
    assert kinds >= wanted | {"operation", "code", "war-at-sea ability", "crimson-tide ability"}
    assert len(NOW) == len([*things()]), "two things have one key"

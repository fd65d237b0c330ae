"""Data in one form: what is declared as only shown is gone, all else is as it was."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from typing import Any

import pytest

from service.engines.build import Ruleset
from service.engines.closure import Unbuildable
from service.engines.data import Shown, compact, shown_keys
from tests.service.engines.trees import RULESETS, tree

GAMES = {name: ruleset for name, ruleset in RULESETS.items() if name != "pennant"}


def modules(ruleset: Ruleset) -> list[str]:
    rules = f"{ruleset.home.replace('.', '/')}/rules/"
    return [name for name in tree(ruleset) if name.startswith(rules) and name.endswith(".py")]


def found(value: Any, path: list[str]) -> int:
    """How often a path of keys leads to something."""
    if isinstance(value, list):
        return sum(found(each, path) for each in value)
    if not path:
        return 1
    return found(value[path[0]], path[1:]) if path[0] in value else 0


@pytest.mark.parametrize("ruleset", GAMES.values(), ids=GAMES)
def test_every_declaration_is_about_something(ruleset: Ruleset) -> None:
    """A pattern fits a file; a key stands in a file of one of the patterns that it is told of."""
    told: set[str] = set()
    there: set[str] = set()
    for pattern, keys in shown_keys(tree(ruleset), modules(ruleset)).items():
        deep = pattern.count("/")
        fit = [n for n in tree(ruleset) if fnmatchcase(n, pattern) and n.count("/") == deep]
        assert fit, pattern
        documents = [tomllib.loads(tree(ruleset)[name].decode()) for name in fit if keys]
        told |= {*(keys or ())}
        there |= {key for key in keys or () if found(documents, key.split("."))}
    assert told == there != set()


@pytest.mark.parametrize("ruleset", GAMES.values(), ids=GAMES)
def test_what_is_not_declared_stays_with_its_order(ruleset: Ruleset) -> None:
    tables = {name: text for name, text in tree(ruleset).items() if name.endswith(".toml")}
    assert len(tables) > 5
    for name, text in tables.items():
        small = compact(name, text, {})
        assert small is not None
        before, after = tomllib.loads(text.decode()), tomllib.loads(small.decode())
        assert repr(after) == repr(before), name


def test_keys_that_show_are_blank_or_absent() -> None:
    shown: Shown = {
        "a/*.toml": {"unit.set": "", "unit.note": None, "text": None},
        "a/x/*.json": None,
    }
    text = b'text = "t"\n[[unit]]\nset = "s"\nn = 1 # why\n[[unit]]\nnote = "n"\nn = 2\n'
    assert compact("a/b.toml", text, shown) == b'unit=[{n=1,set=""},{n=2,set=""}]\n'
    assert compact("a/x/b.json", b"{}", shown) is None
    assert compact("a/x/b.toml", b"x = true", shown) == b"x=true\n"
    assert compact("a/b.json", b'{ "b": [1, "\xc3\xa9"], "a": null }', shown) == (
        b'{"b":[1,"\xc3\xa9"],"a":null}'
    )


@pytest.mark.parametrize("text", [b"x = 1.5", b"x = 2026-11-25", b"x", b"\xff"])
def test_data_of_another_sort_are_refused(text: bytes) -> None:
    with pytest.raises(Unbuildable):
        compact("a.toml", text, {})

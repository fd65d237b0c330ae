"""What became of each rule when its home was broken, kept in ``tests/rules/broken``."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from inspect import unwrap
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec
import pytest

from domain.kernel.rules import HOMES
from tests.rules.mutants import Mutant, exchanged
from tests.rules.sources import words

HERE = Path(__file__).parent
KEPT = HERE / "kept.toml"
"""Mutants that are kept: a rule's own violation, where none that is generated serves."""
UNPROVED = HERE / "unproved.toml"
BROKEN = HERE / "broken"
"""One file a game, one line a rule."""
ROWS = BROKEN / "rows.json"
"""One line a table and rule that is about it."""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a rule.

    key      digest of the words of its home and its tests: while it holds, so does the rest
    killed   the change that a test noticed by what it asserts; "" where none was
    by       the test that noticed
    rows     how many of its tests notice that change: 1, or 2 for two and more
    tried    mutants tried until then
    crashed  of these, how many made its tests do nothing but crash, or never end
    """

    key: str
    killed: str = ""
    by: str = ""
    rows: int = 0
    tried: int = 0
    crashed: int = 0


class Rowed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a table's rows, for one rule that is about it.

    key    changes when the table does, or the words of the rule's home or of its tests
    tried  changes of rows, all of which were tried
    left   those that no test of the rule noticed
    """

    key: str
    tried: int
    left: list[str] = []


def key(identifier: str, items: Sequence[pytest.Item]) -> str:
    """Changes when the home's words or the words of its tests do, and not when either moves."""
    digest = hashlib.sha256(words(HOMES[identifier]).encode())
    digest.update(json.dumps(kept_changes().get(identifier, [])).encode())
    for said in sorted({_said(item) for item in items}):
        digest.update(said.encode())
    return digest.hexdigest()[:16]


def _said(item: pytest.Item) -> str:
    """The words of a test and what it is called with, as far as that is plain data."""
    called = getattr(getattr(item, "callspec", None), "params", {})
    return f"{item.name} {words(function_of(item).__code__)} {_plain(called)}"


def function_of(item: pytest.Item) -> FunctionType:
    """A test's own function; hypothesis keeps it inside of what it makes of the test."""
    function: Any = unwrap(getattr(item, "function", None) or _said)
    found = unwrap(getattr(getattr(function, "hypothesis", None), "inner_test", function))
    assert isinstance(found, FunctionType), found
    return found


def _plain(called: Mapping[str, Any]) -> str:
    shown = {}
    for name, value in called.items():
        try:
            shown[name] = json.dumps(value, sort_keys=True)
        except TypeError:
            shown[name] = ""
    return json.dumps(shown, sort_keys=True)


def kept(identifier: str) -> Iterator[Mutant]:
    """The kept mutants of a rule. Raises LookupError when the home no longer has their words."""
    for entry in kept_changes().get(identifier, ()):
        yield exchanged(HOMES[identifier], entry["old"], entry["new"])


@cache
def kept_changes() -> dict[str, list[dict[str, str]]]:
    """What ``kept.toml`` holds, by rule."""
    found: dict[str, list[dict[str, str]]] = {}
    for entry in tomllib.loads(KEPT.read_text("utf-8"))["mutant"]:
        found.setdefault(entry["rule"], []).append(entry)
    return found


def unproved() -> dict[str, str]:
    """Rules marked done whose breaking no test notices yet, each with why."""
    found: dict[str, str] = tomllib.loads(UNPROVED.read_text("utf-8"))
    return found


def load(game: str) -> dict[str, Verdict]:
    """What is known of a game's rules."""
    path = BROKEN / f"{game}.json"
    if not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Verdict])


def store(game: str, verdicts: Mapping[str, Verdict]) -> None:
    """Keep them, a line a rule, so that two branches seldom touch the same line."""
    _write(BROKEN / f"{game}.json", verdicts)


def _write(path: Path, found: Mapping[str, msgspec.Struct]) -> None:
    lines = [
        f"{json.dumps(name)}: {msgspec.json.encode(each).decode()}"
        for name, each in sorted(found.items())
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n" if lines else "{}\n", "utf-8")


def load_rows() -> dict[str, Rowed]:
    """What is known of rows, by table and rule."""
    return msgspec.json.decode(ROWS.read_bytes(), type=dict[str, Rowed]) if ROWS.exists() else {}


def store_rows(found: Mapping[str, Rowed]) -> None:
    """Keep it, a line each."""
    _write(ROWS, found)

"""What is kept of each option, in a file of its own: an option more rewrites no other record.

tests/frozen/options/<game>/<option>.json holds

    form   the stored form of its field: type, bounds, default
    cases  what the numbered cases about it came to, by number (:mod:`tests.support.decisions`)

:mod:`tests.support.frozen` and :mod:`tests.support.decisions` read these files with their own and
judge both as one, so what may be changed, and by which number, is the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.agreed import options_of
from tests.support.option_cases import given
from tests.support.suites import AnyGame

FOLDER = "options"
"""Beside the stored forms of a game, a folder for each game in it."""


class OptionRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of an option; it may be gone, and its cases not."""

    form: dict[str, Any] = {}
    cases: dict[str, str] = {}


def load(folder: Path) -> dict[str, OptionRecord]:
    """What is kept of each option of a game, by name."""
    return {
        path.stem: msgspec.json.decode(path.read_bytes(), type=OptionRecord)
        for path in sorted(folder.glob("*.json"))
    }


def store(folder: Path, records: Mapping[str, OptionRecord]) -> None:
    """Keep these, and no others: of what has neither form nor cases there is nothing to keep."""
    kept = {name: each for name, each in records.items() if each != OptionRecord()}
    for path in folder.glob("*.json"):
        if path.stem not in kept:
            path.unlink()
    for name, each in kept.items():
        folder.mkdir(parents=True, exist_ok=True)
        written = msgspec.json.format(msgspec.json.encode(each, order="sorted"), indent=1)
        (folder / f"{name}.json").write_bytes(written + b"\n")


def with_forms(folder: Path, forms: Mapping[str, Any]) -> None:
    """Keep the forms of all options anew, and their cases as they are."""
    known = load(folder)
    store(folder, {
        name: OptionRecord(forms.get(name, {}), known.get(name, OptionRecord()).cases)
        for name in known.keys() | forms.keys()
    })  # fmt: skip


def with_cases(folder: Path, cases: Mapping[str, Mapping[str, str]]) -> None:
    """Keep the cases of all options anew, and their forms as they are."""
    known = load(folder)
    store(folder, {
        name: OptionRecord(known.get(name, OptionRecord()).form, dict(cases.get(name, {})))
        for name in known.keys() | cases.keys()
    })  # fmt: skip


def option_of(game: AnyGame, case: Mapping[str, Any]) -> str:
    """The option that a case is about; "" where it is about none, or it cannot be told.

    It is one that the case sets: the first whose rule the case is about, else the only one.
    """
    named = given(case)
    options = [each for each in options_of(game.options) if each.name in named]
    rules = list(case["rules"])
    about = sorted((rules.index(e.rule), e.name) for e in options if e.rule in rules)
    if about:
        return about[0][1]
    return options[0].name if len(options) == 1 else ""

"""An order in words names the units that it names, and no others: who reads it sees no fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from domain.kernel.commands import deed, tag_of
from domain.kernel.options import Described
from domain.kernel.testing.leaving import texts
from tests.support.cases import FOLDER
from tests.support.stretches import of_cases
from tests.support.suites import AnyGame, Suite, suites

pytestmark = pytest.mark.slow("conformance")

PLAYED = [suite for suite in suites().values() if (FOLDER / suite.folder).is_dir()]
FEW = 3
"""Orders of a type that are looked at in one position."""


def wrong(suite: Suite, game: AnyGame, only: str = "") -> Iterator[str]:
    """Orders whose words leave out a unit of theirs, or have another one."""
    assert game.tables is not None
    for each in of_cases(suite, only=only):
        state = each.after
        if game.result(state) is not None or game.awaiting(state) is not None:
            continue
        units = game.tables.units(state)
        for asked in game.pending(state):
            met: dict[type, int] = {}
            for command in game.legal(state, asked.seat).commands:
                met[type(command)] = met.get(type(command), 0) + 1
                if met[type(command)] <= FEW:
                    yield from _told(game, state, command, units)


def _told(game: AnyGame, state: Any, command: Any, units: Any) -> Iterator[str]:
    described = game.describe(state, command)
    own = {part.key for part in described.parts if part.role == "unit" and part.key in units}
    named = {name for each in texts(command) for name in re.split("[@,]", each.text)}
    said = set(re.findall(r"\((p\d+-\d+)\)", described.text))
    name = deed(tag_of(type(command)))
    if "(p" in described.text or any("-" in unit and unit.startswith("p") for unit in own):
        yield from (f"{name}: {described.text!r} leaves out {unit}" for unit in own - said)
    yield from (f"{name}: {described.text!r} has {unit}" for unit in said - named)


@pytest.mark.parametrize("suite", PLAYED, ids=lambda suite: suite.folder)
def test_an_order_in_words_names_its_units(suite: Suite) -> None:
    assert sorted(set(wrong(suite, suite.game)))[:5] == [], "shown/words.py"


@pytest.mark.parametrize(
    ("text", "said"), [("Move a Ship", "leaves out p1-"), ("Move it (p9-9)", "has p9-9")]
)
def test_a_unit_that_is_left_out_or_another_is_found(text: str, said: str) -> None:
    suite = suites()["war_at_sea"]

    def describe(state: Any, command: Any) -> Described:
        return changed(suite.game.describe(state, command), text=text)

    assert said in "\n".join(wrong(suite, replace(suite.game, describe=describe), "WAS-C-140"))

"""The modules of the pages are read by the compiler of TypeScript, by its strict rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.typed_pages import WEB, Finding, findings

UNTYPED = {"table.js", "tide.js"}
"""Modules in which some parameters have no type yet. There are to be fewer, never more."""

UNSETTLED = {"table.js", "tide.js"}
"""Modules in which the compiler finds more than that. There are to be fewer, never more."""

WRONG = """
import { momentLink, readMoment } from "./moment.js";

/** @param {import("./types.js").GameSummary} game */
export function wrong(game) {
  momentLink(game.id, { at: readMoment(game.nothing).at, too: 1 });
}
"""


def told(found: list[Finding]) -> str:
    return "\n".join(f"{each.name}:{each.line}: {each.text}" for each in found)


@pytest.mark.slow("clients")
@pytest.mark.timeout(300)
def test_the_compiler_finds_nothing_in_what_has_its_types() -> None:
    found = findings()
    untyped = [each for each in found if each.untyped and each.name not in UNTYPED]
    assert not untyped, told(untyped)
    wrong = [each for each in found if not each.untyped and each.name not in UNSETTLED]
    assert not wrong, told(wrong)


@pytest.mark.slow("clients")
@pytest.mark.timeout(300)
def test_it_finds_what_is_wrong(tmp_path: Path) -> None:
    """A field that a summary has not, and one that a moment does not take."""
    shutil.copy(WEB / "moment.js", tmp_path)
    (tmp_path / "wrong.js").write_text(WRONG, "utf-8")
    assert [(each.name, each.line, each.code) for each in findings(tmp_path)] == [
        ("wrong.js", 6, "TS2339"),
        ("wrong.js", 6, "TS2353"),
    ]

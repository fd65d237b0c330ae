"""The short tier of the operator's day: each item that needs no program from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaigns.operator import ITEMS

FROM_ELSEWHERE = {"pooler", "alerts", "offsite", "update", "cells"}


@pytest.mark.slow("faults")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [name for name in ITEMS if name not in FROM_ELSEWHERE])
def test_an_item_is_really_done(name: str, tmp_path: Path) -> None:
    shown = list(ITEMS[name](tmp_path))
    print(*shown, sep="\n")
    assert shown
    assert not [line for line in shown if "not shown" in line]


def test_what_needs_a_program_from_elsewhere_is_named() -> None:
    assert {*ITEMS} > FROM_ELSEWHERE

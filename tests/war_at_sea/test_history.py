"""What has happened stays as it was: stored events fold to the state recorded with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.history import HISTORY, folded
from tests.support.recorded import RECIPES

FILES = sorted(HISTORY.glob("*.jsonl"))


def test_every_kind_of_end_has_a_history() -> None:
    assert {path.stem for path in FILES} >= set(RECIPES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_history_folds_to_the_recorded_state(path: Path) -> None:
    now, then = folded(path)
    assert now == then

"""What has happened stays as it was: stored events fold to the state recorded with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import history
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

FILES = [(suite, path) for suite in suites().values() for path in history.files(suite)]


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_every_kind_of_end_has_a_history(suite: Suite) -> None:
    assert suite.recipes
    assert {path.stem for path in history.files(suite)} >= set(suite.recipes), "make remake"


@pytest.mark.parametrize(
    ("suite", "path"),
    [pytest.param(*each, id=f"{each[0].folder}-{each[1].stem}") for each in FILES],
)
def test_a_history_folds_to_the_recorded_state(suite: Suite, path: Path) -> None:
    now, then = history.folded(suite, path)
    assert now == then

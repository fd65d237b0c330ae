"""Nothing of a game is left out unseen; and each kind of omission, made on purpose, is named."""

from __future__ import annotations

import pytest

from domain.kernel.testing.completeness import check_complete
from tests.support.completeness import seen
from tests.support.suites import Suite, suites

SUITES = [pytest.param(suite, id=suite.folder) for suite in suites().values()]


@pytest.mark.parametrize("suite", SUITES)
def test_nothing_is_left_out(suite: Suite) -> None:
    check_complete(suite.game, seen(suite.folder))

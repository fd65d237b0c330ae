"""Who leaves the log off is named."""

from __future__ import annotations

import logging
from typing import Any, cast

import pytest

from tests.support.heard import Silenced, pytest_runtest_teardown


def test_who_leaves_the_log_off_is_named(request: pytest.FixtureRequest) -> None:
    ending = cast("Any", pytest_runtest_teardown)(request.node)
    next(ending)
    logging.disable(logging.CRITICAL)
    with pytest.raises(Silenced, match="test_who_leaves_the_log_off_is_named"):
        next(ending)
    assert not logging.root.manager.disable


def test_who_leaves_it_on_is_not(request: pytest.FixtureRequest) -> None:
    ending = cast("Any", pytest_runtest_teardown)(request.node)
    next(ending)
    with pytest.raises(StopIteration):
        next(ending)

"""A test leaves the log on: what a later test listens for would be said to nobody."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


class Silenced(AssertionError):
    """A test has turned the log off for all that come after it in its process."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    yield
    manager = logging.root.manager
    if manager.disable:
        manager.disable = logging.NOTSET
        raise Silenced(f"{item.nodeid} has left the log disabled")

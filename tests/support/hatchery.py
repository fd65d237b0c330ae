"""In a run of tests, servers are forked off one nest in each process that runs tests.

A server that is a program of its own reads the same modules again, for most of what it takes to
start. Measurements and campaigns do not load this, and have servers of their own kind.
"""

from __future__ import annotations

import os
import threading

import pytest

from tests.support import server
from tests.support.nest import Nest

_made: dict[int, Nest] = {}
_lock = threading.Lock()


def shared() -> Nest:
    """The nest of this process: a fork of it may not speak on the line of its parent."""
    with _lock:
        own = os.getpid()
        if own not in _made:
            _made[own] = Nest()
        return _made[own]


def pytest_configure() -> None:
    server.hatchery = shared


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """After the last fixture, whose server may have been the last."""
    if made := _made.pop(os.getpid(), None):
        made.close()

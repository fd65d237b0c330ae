"""A real Redis for each test: to be killed and paused, or any that is named in the environment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import redis
from tests.support.redis import RedisServer

NAMED = os.environ.get("DECKLOG_TEST_REDIS", "")
"""Address of a running Redis on which the tests that do it no harm run as well."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis that may be harmed."""
    with redis.running(tmp_path) as running:
        yield running


@pytest.fixture(params=["own", NAMED] if NAMED else ["own"])
def address(request: pytest.FixtureRequest) -> str:
    """Where there is a Redis."""
    if request.param == "own":
        own: RedisServer = request.getfixturevalue("server")
        return own.address
    return str(request.param)

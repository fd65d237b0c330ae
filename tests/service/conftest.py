"""What tests of the service share: a real PostgreSQL, started when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import postgres


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a server for all tests of this process."""
    with postgres.running() as address:
        yield address

"""What tests of the service share: a real PostgreSQL, started when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import postgres


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server for all tests of this process."""
    with postgres.running(tmp_path_factory.mktemp("postgres")) as address:
        yield address

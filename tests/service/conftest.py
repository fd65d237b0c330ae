"""What tests of the service share: a real PostgreSQL, started when it is first asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.support import postgres
from tests.support.pooler import pooler


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a server for all tests of this process.

    ``DECKLOG_TEST_POOLER=session``, or ``transaction``, puts a pooler before it.
    """
    with postgres.running() as address:
        if mode := os.environ.get("DECKLOG_TEST_POOLER", ""):
            with pooler(address, "session" if mode == "session" else "transaction") as shared:
                yield shared
        else:
            yield address

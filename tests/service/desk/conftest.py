"""Every test of the desk runs on both stores: an SQLite file, and a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import postgres

from . import kit


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server for all tests of this process."""
    with postgres.running(tmp_path_factory.mktemp("postgres")) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"], autouse=True)
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The store on which ``kit.settings`` puts the test's desks."""
    kind: str = request.param
    if kind == "postgresql":
        address = request.getfixturevalue("server")

        def on_server(folder: Path) -> dict[str, Any]:
            return {"store": postgres.place(address, str(folder)), "key": postgres.KEY}

        monkeypatch.setattr(kit, "store_of", on_server)
    return kind

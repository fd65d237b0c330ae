"""Every test of the desk runs on both stores: an SQLite file, and a real PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from service.play import timekeeper
from tests.support import postgres

from . import kit


@pytest.fixture(autouse=True)
def unattended(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No timekeeper looks by itself: on a busy machine it came before the test that counts what it
    does, once in some thousand tests. Who wants it to asks for ``attended``."""
    if "attended" not in request.fixturenames:
        monkeypatch.setattr(timekeeper, "TICK_SECONDS", 3600.0)


@pytest.fixture
def attended() -> None:
    """The desk's timekeeper looks by itself."""


@pytest.fixture(params=["sqlite", "postgresql"], autouse=True)
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The store on which ``kit.settings`` puts the test's desks."""
    kind: str = request.param
    if kind == "postgresql":
        address = request.getfixturevalue("postgresql")

        def on_server(folder: Path) -> dict[str, Any]:
            return {"store": postgres.place(address, str(folder)), "key": postgres.KEY}

        monkeypatch.setattr(kit, "store_of", on_server)
    return kind

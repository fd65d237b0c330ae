"""The whole service in this process, with Pennant as its ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.settings import Settings
from tests.service.http.table import Table
from tests.support.contract import Contract
from tests.support.pennant import GAME


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database=tmp_path / "decklog.sqlite", rate_limit=0, chain_length=256, log_level="WARNING"
    )


@pytest.fixture
def table(settings: Settings) -> Iterator[Table]:
    """A client of the service; every answer that it gets is held against the document."""
    app = create_app(settings, {"pennant": GAME})
    with TestClient(app) as client:
        contract = Contract.of(app.state.http.describe())
        yield Table(client, contract)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A client of a service with every installed ruleset, for a whole module of tests."""
    settings = Settings(
        database=tmp_path_factory.mktemp("house") / "decklog.sqlite", rate_limit=0,
        chain_length=512, log_level="WARNING",
    )  # fmt: skip
    app = create_app(settings)
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))

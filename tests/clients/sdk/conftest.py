"""The client of the tree, as it is imported by whoever has installed it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.support.server import ROOT

PYTHON = ROOT / "openapi" / "clients" / "python"


@pytest.fixture(scope="session")
def sdk() -> Iterator[Any]:
    """The package; modules below it by their names: ``sdk.wire``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PYTHON))
        yield importlib.import_module("decklog_client")


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses of a client that waits, which take no time."""
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    return pauses


@pytest.fixture
def spoken_to(sdk: Any) -> Callable[..., Any]:
    """A client of a service that answers by a function, and how much patience it has."""

    def client(answer: Callable[[httpx.Request], httpx.Response], **more: Any) -> Any:
        transport = httpx.MockTransport(answer)
        http = httpx.Client(base_url="http://service", transport=transport)
        return sdk.Client("http://service", http=http, **more)

    return client

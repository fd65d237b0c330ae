"""A service that may send to this machine, a receiver on it, and a clock that can be moved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient
from standardwebhooks import Webhook

from service.app import create_app
from service.desk import Desk
from service.settings import Settings
from service.webhooks import courier
from tests.service.http.table import Match, Table
from tests.support import receiver
from tests.support.contract import Contract
from tests.support.pennant import GAME
from tests.support.receiver import Letter, Receiver

PATIENCE = 20


class MovedClock:
    """The time of the machine, and as much later as it was moved."""

    def __init__(self) -> None:
        self.later = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.later

    def monotonic(self) -> float:
        return time.monotonic()

    def offset(self) -> float:
        return 0.0

    def move(self, **time_: float) -> None:
        self.later += timedelta(**time_)


@dataclass
class House:
    """The service, the receiver, and what a test does with them."""

    table: Table
    receiver: Receiver
    clock: MovedClock
    desk: Desk

    def hook(self, match: Match, who: str = "p1", **body: Any) -> httpx.Response:
        """A webhook of a seat, or of the organiser (""). Who is asked is told it at once, unless
        the types that are named leave it out: here, unless others are named, nobody waits for it.
        """
        body.setdefault("types", ["game-over"])
        body.setdefault("url", self.receiver.url(f"/{who or 'organiser'}"))
        return self.table.post(f"{match.path}/webhooks", body, self.token(match, who))

    def token(self, match: Match, who: str) -> str:
        return match.tokens[who] if who else match.organiser

    def path(self, made: httpx.Response) -> str:
        return str(made.headers["location"])

    def test(self, match: Match, made: httpx.Response, who: str = "p1") -> dict[str, Any]:
        done = self.act(match, f"{self.path(made)}/test", who)
        assert done.status_code == 202, done.text
        shown: dict[str, Any] = done.json()
        return shown

    def act(self, match: Match, path: str, who: str = "p1", key: str = "") -> httpx.Response:
        """A POST without a body."""
        headers = {"Idempotency-Key": key or f"key-{time.monotonic_ns():032}"}
        return self.table.ask("POST", path, self.token(match, who), headers)

    def deliveries(
        self, match: Match, made: httpx.Response, who: str = "p1"
    ) -> list[dict[str, Any]]:
        """The log of a webhook, the latest first."""
        token = self.token(match, who)
        found = self.table.get(f"{self.path(made)}/deliveries?limit=200", token)
        assert found.status_code == 200, found.text
        items: list[dict[str, Any]] = found.json()["items"]
        return items

    def until(self, holds: Callable[[], Any]) -> Any:
        """What ``holds`` gives as soon as that is something."""
        end = time.monotonic() + PATIENCE
        while not (found := holds()):
            assert time.monotonic() < end, "it does not come about"
            time.sleep(0.02)
        return found

    def settled(self, match: Match, made: httpx.Response, who: str = "p1") -> list[dict[str, Any]]:
        """The log as soon as nothing waits in it."""

        def quiet() -> list[dict[str, Any]]:
            found = self.deliveries(match, made, who)
            return found if found and all(d["state"] != "waiting" for d in found) else []

        found: list[dict[str, Any]] = self.until(quiet)
        return found

    def tried(self, match: Match, made: httpx.Response, many: int, who: str = "p1") -> Any:
        """The oldest delivery as soon as it was tried so often."""

        def enough() -> Any:
            found = self.deliveries(match, made, who)
            return found[-1] if found and len(found[-1]["attempts"]) >= many else None

        return self.until(enough)


def check_signed(letter: Letter, secret: str) -> None:
    """Raises where the message is not signed with the secret."""
    Webhook(secret).verify(letter.body, letter.headers)


@contextmanager
def housing(folder: Path, hears: Receiver, **settings: Any) -> Iterator[House]:
    """A house over the store in ``folder``."""
    clock = MovedClock()
    told: dict[str, Any] = {"webhook_private": True, "webhook_seconds": 2, "rate_limit": 0}
    given = Settings(
        database=folder / "games.sqlite", chain_length=256, log_level="WARNING", **(told | settings)
    )
    app = create_app(given, {"pennant": GAME}, clock)
    with TestClient(app) as client:
        contract = Contract.of(app.state.http.describe())
        yield House(Table(client, contract), hears, clock, app.state.http.desk)


@pytest.fixture
def hears() -> Iterator[Receiver]:
    with receiver.running() as running:
        yield running


@pytest.fixture
def house(tmp_path: Path, hears: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(courier, "POLL_SECONDS", 0.05)
    with housing(tmp_path, hears) as made:
        yield made

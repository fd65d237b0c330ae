"""One anonymous caller that asks for the dearest odds does not stop the table (a real server)."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.server import Running, running

PRIMES = (83, 89, 97, 79, 73)
"""Faces of the dice: no two pools share a divisor, so that no fraction can be made shorter."""

DEAREST = {
    "roll": {
        "pools": [
            {"count": count, "worth": [n % 3 for n in range(faces)]}
            for count, faces in zip(range(95, 100), PRIMES, strict=True)
        ],
        "most": 60,
    }
}
"""1.5 KB that cost 1.4 CPU seconds."""

A_SECOND = 3
WARM, SECONDS = 4.0, 6.0
"""Of the attack before anybody measures, and of measuring."""
MEDIAN = 0.1
"""Seconds that half of the lists of commands may take meanwhile; it was 11 s."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("attacked"), rate_limit=6_000) as server:
        yield server


def game_on(url: str) -> tuple[str, dict[str, str]]:
    made = httpx.post(
        f"{url}/v1/games",
        json={"ruleset": "war-at-sea"},
        headers={"Idempotency-Key": "0123456789abcdef0123456789abcdef"},
        timeout=30,
    ).json()
    token = made["tokens"][0]["token"]
    return f"{url}/v1/games/{made['game']['id']}", {"Authorization": f"Bearer {token}"}


def attack(url: str, over: threading.Event, found: list[int], body: Any) -> None:
    """So many questions a second, whatever becomes of them."""

    def ask() -> None:
        found.append(httpx.post(f"{url}/v1/odds", json=body, timeout=60).status_code)

    asking = []
    while not over.wait(1 / A_SECOND):
        asking.append(threading.Thread(target=ask))
        asking[-1].start()
    for each in asking:
        each.join()


def medians(server: Running, body: Any) -> tuple[float, list[int]]:
    """Median of what the lists of commands took while somebody attacked, and his answers."""
    where, token = game_on(server.url)
    over, found = threading.Event(), list[int]()
    attacker = threading.Thread(target=attack, args=(server.url, over, found, body))
    took = []
    with httpx.Client(headers=token, timeout=60) as client:
        client.get(f"{where}/commands")
        attacker.start()
        time.sleep(WARM)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            began = time.monotonic()
            assert client.get(f"{where}/commands").status_code == 200
            took.append(time.monotonic() - began)
            time.sleep(0.05)
        over.set()
        attacker.join()
    print(
        f"{len(took)} lists, median {statistics.median(took) * 1000:.1f} ms, worst {max(took):.2f}"
    )
    return statistics.median(took), found


@pytest.mark.timeout(120)
def test_the_dearest_question_about_odds_stops_nobody(server: Running) -> None:
    median, found = medians(server, DEAREST)
    print(sorted(found))
    assert median < MEDIAN

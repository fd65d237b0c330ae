"""Forks tell nothing of a running parent (NWD-1 2.6): T-FORK-1, T-FORK-2, T-FORK-3."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from domain.kernel.chance import Dice
from projections.luck import chi_square_tail
from service.app import create_app
from service.clock import FixedClock
from service.dice.vault import Vault
from service.openapi.record import NOON
from service.settings import Settings
from tests.support.pennant import GAME

PAIRS = 6
"""Pairs of worlds in CI; each is two services. More are played by raising it."""

PAIRS_OF_DICE = 36_000
ODD = 1e-6
_TOKEN = re.compile(r"dl_[a-z]+_[0-9a-f]{16}_[A-Za-z0-9_-]{43}_[0-9a-f]{8}")


def world(folder: Path, seed: str, hidden: str, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All that p1's fork of a game answers, in which p2 has chosen ``hidden`` in secret.

    Ids are the same in every world, so that worlds differ by their secrets alone.
    """
    numbers = count(1)
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}x}")
    settings = Settings(database=folder / "w.sqlite", rate_limit=0, chain_length=64)
    app = create_app(settings, {"pennant": GAME}, FixedClock(NOON))
    answers: list[bytes] = []
    keys = (f"key-of-the-worlds-{n:04}" for n in count())
    with TestClient(app) as client:

        def post(path: str, body: object, token: str = "", version: int = 0) -> dict[str, Any]:
            headers = {"Idempotency-Key": next(keys), "If-Match": f'"{version}"'}
            if token:
                headers["Authorization"] = f"Bearer {token}"
            answer = client.post(path, json=body, headers=headers)
            assert answer.status_code in (200, 201), answer.text
            answers.append(_TOKEN.sub("token", answer.text).encode())
            found: dict[str, Any] = answer.json()
            return found

        made = post("/v1/games", {"ruleset": "pennant", "seed": seed})
        game, tokens = made["game"]["id"], [t["token"] for t in made["tokens"]]
        post(f"/v1/games/{game}/commands", {"type": "choose", "colour": hidden}, tokens[1], 2)
        answers.clear()
        fork = post(f"/v1/games/{game}/forks", {"seed": "the fork's"}, tokens[0])
        own = [t["token"] for t in fork["tokens"]]
        path, version = f"/v1/games/{fork['game']['id']}", fork["game"]["version"]
        for seat, body in (
            (0, {"type": "choose", "colour": "bold"}),
            (1, {"type": "choose", "colour": "steady"}),
            (0, {"type": "fire", "aim": "hull"}),
            (1, {"type": "fire", "aim": "magazine"}),
        ):
            version = post(f"{path}/commands", body, own[seat], version)["version"]
        reads = ("events?limit=200", "view", "rolls", "luck", "evidence", "commands")
        for part in (*reads, f"diff?with={game}"):
            answer = client.get(f"{path}/{part}", headers={"Authorization": f"Bearer {own[0]}"})
            assert answer.status_code == 200
            answers.append(answer.content)
    return answers


@pytest.mark.parametrize("pair", range(PAIRS))
def test_t_fork_1_parents_that_look_alike_have_the_same_forks(
    pair: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worlds differ in the master of the parent's dice, in what is hidden, or in both."""
    seeds = (f"one {pair}", f"two {pair}" if pair % 3 else f"one {pair}")
    colours = ("bold", "bold" if pair % 3 == 1 else "steady")
    found = []
    for place, (seed, colour) in enumerate(zip(seeds, colours, strict=True)):
        folder = tmp_path / str(place)
        folder.mkdir()
        found.append(world(folder, seed, colour, monkeypatch))
    assert found[0] == found[1]


def test_t_fork_2_the_dice_of_fork_and_parent_are_independent() -> None:
    """Also where the owner gives the fork the seed's name that its parent had."""
    vault = Vault(64)
    rules = bytes(32)
    parent = vault.new_game(bytes(16), rules, b"p" * 32, 2, "a seed")
    fork = vault.new_game(bytes(16), rules, b"f" * 32, 2, "fork/a seed")
    cells, done = [0] * 36, 0
    for t in range(1, 60):
        pools = [Dice(1_000)]
        ours = parent.open_batch(t, [None, None]).roll("roll", pools)[0]
        theirs = fork.open_batch(t, [None, None]).roll("roll", pools)[0]
        for one, two in zip(ours, theirs, strict=True):
            cells[(one - 1) * 6 + two - 1] += 1
            done += 1
    assert done >= PAIRS_OF_DICE
    square = sum((n - done / 36) ** 2 / (done / 36) for n in cells)
    assert chi_square_tail(square, 35) > ODD


def test_t_fork_3_what_makes_forks_cannot_reach_a_vault() -> None:
    """Nothing that it imports, however far, is one; the import contract says the same."""
    found = subprocess.run(
        [sys.executable, "-c", "import sys, service.forks; print(*sorted(sys.modules))"],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    assert "service.forks" in found
    assert [name for name in found if name.startswith(("service.dice", "service.store"))] == []

"""Two worlds over HTTP in active play: what one seat hides is in no answer to anybody else.

For every seat count and for teams; ``python -m tests.campaigns.secrecy`` plays on for longer, and
compares after every command. Leaks made on purpose, in the answers of the real service, are found.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.games.naval_battles import GAME

from . import worlds_http
from .readings import shown
from .worlds_http import LEAKS, Leak, Pair, Parted

pytestmark = pytest.mark.slow("secrecy")

WAYS = (("standard", 2), ("standard", 3), ("pairs", 4), ("standard", 5), ("trios", 6))
COMMANDS = 45
CHECKED = 15
"""Commands between two comparisons, each with another viewer; at the end with two."""


@pytest.mark.slow("secrecy")
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("scenario", "seats"), WAYS)
def test_play_tells_nobody_what_a_seat_hides(scenario: str, seats: int, tmp_path: Path) -> None:
    with worlds_http.worlds(tmp_path, seats, scenario) as pair:
        assert pair.differs()
        steps, number = set(), 0
        try:
            for number in range(COMMANDS):
                steps.add(pair.step())
                if number % CHECKED == 0:
                    pair.compare(pair.viewers[number // CHECKED % len(pair.viewers)])
        except Parted:
            assert number > COMMANDS // 2, "the pair must last for a while"
        else:
            pair.compare("p1", "public")
            assert pair.differs(), "the difference is still hidden"
        assert {"declare", "defense", "reorganize"} <= steps
        assert {
            f"naval-battles.{each}" for each in ("attack", "defend", "prepare", "arrange")
        } & set(pair.played)


RARE = {
    f"naval-battles.{each}" for each in ("retreat", "remove-damage", "reinforce", "prepare", "plan")
}
"""Commands that seldom come in a short game with the shipped deck."""

COUNTS = {
    "secondary-4-5-1": 40, "secondary-6-8-1": 36, "torpedo-3": 30, "land-air-x1": 40, "retreat": 40,
    "reinforcements-3": 40, "planning": 40, "near-miss": 20,
}  # fmt: skip
"""A deck in which everybody soon holds what RARE needs; it is large, so that a draw seldom falls on
the one place that differs."""


def _deck() -> dict[str, Any]:
    (shipped,) = next(c for c in GAME.customs if c.kind == "deck").examples()
    cards = {card["id"]: card for card in shipped["cards"]}
    return {"cards": [cards[name] | {"count": many} for name, many in COUNTS.items()]}


@pytest.mark.timeout(300)
def test_retreat_reinforcements_and_planning_tell_nobody_anything(tmp_path: Path) -> None:
    """Each is compared when it lies on the table for the first time, by each viewer in turn."""
    with worlds_http.worlds(tmp_path, 4, "pairs", deck=_deck()) as pair:
        pair.eager = True
        looked: set[str] = set()
        while looked != RARE:
            pair.step()
            new = set(pair.played) & RARE - looked
            if new:
                pair.compare(pair.viewers[len(looked) % len(pair.viewers)])
                looked |= new
        assert pair.differs(), "the difference is still hidden"
        assert pair.read == shown()


@pytest.mark.slow("secrecy")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("seats", range(2, 7))
def test_a_fleet_is_hidden_until_it_is_laid_out(seats: int, tmp_path: Path) -> None:
    """Few large ships or many small ones; compared when all have committed, and after layouts."""
    with worlds_http.worlds(tmp_path, seats, fleets=True) as pair:
        assert pair.differs()
        pair.compare("p1")
        for _ in range(seats - 1):
            (seat,) = pair.worlds[0].asked()
            pair.both(seat, pair.worlds[0].offers(seat)[0])
        assert pair.worlds[0].asked() == [pair.hidden]
        pair.compare("public")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("leaks")
    with worlds_http.worlds(folder, 2) as made:
        yield made


@pytest.mark.parametrize("leak", LEAKS)
def test_every_leak_made_on_purpose_is_found(leak: str, pair: Pair) -> None:
    for world in pair.worlds:
        world.app.asgi_handler.leak = leak
    try:
        with pytest.raises(Leak):
            pair.compare("p1")
    finally:
        for world in pair.worlds:
            world.app.asgi_handler.leak = ""


def test_without_a_leak_nothing_is_found(pair: Pair) -> None:
    pair.compare("p1", "organiser")
    assert len(LEAKS) >= 10

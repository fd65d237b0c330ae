"""A small part of the campaign of bots that may not idle, and that it finds one that does."""

from __future__ import annotations

import pytest

from tests.campaigns import bots
from tests.support.suites import suites

GAMES = 3


@pytest.mark.timeout(300)
@pytest.mark.parametrize("folder", sorted(suites()))
def test_among_its_like_a_bot_comes_to_an_end(folder: str) -> None:
    for number in range(GAMES):
        done = bots.play(folder, number)
        assert not done.idle, done


@pytest.mark.timeout(300)
def test_a_game_that_does_not_end_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "LIMIT", 5)
    assert bots.play("naval_battles", 0).idle
    assert not bots.play("naval_battles", 0)._replace(reason="points").idle

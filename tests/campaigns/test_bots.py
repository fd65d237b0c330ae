"""A small part of the campaign of bots that may not idle, and that it finds one that does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from domain.kernel.commands import deed, tag_of
from tests.campaigns import bots
from tests.campaigns.bots import Done
from tests.support.suites import suites

GAMES = 3
"""Of each ruleset; the first one whatever changed."""
REST = pytest.mark.slow("games")
GAME = Done(
    "naval_battles", 0, "1 standard 2", "points", 9, 9, ("p1",), "p2", {"p1": "Axis escort"}
)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("number", [0, *(pytest.param(n, marks=REST) for n in range(1, GAMES))])
@pytest.mark.parametrize("folder", sorted(suites()))
def test_among_its_like_a_bot_comes_to_an_end(folder: str, number: int) -> None:
    done = bots.play(folder, number)
    assert not done.idle, done


@pytest.mark.timeout(300)
def test_so_it_does_in_a_team() -> None:
    """Four seats, as many as the shortest of them have; it is their side that has won."""
    every = bots.ways("crimson_tide", teams=True)
    place = next(
        n for n, way in enumerate(every) if (way.scenario, len(way.seats)) == ("standard", 4)
    )
    first = bots.TEAMS - bots.TEAMS % len(every) + len(every) + place
    done = bots.play("crimson_tide", first)
    assert done.way == "1 standard 4"
    assert not done.idle, done
    assert done.winners in ((), ("p1", "p3"), ("p2", "p4"))


@pytest.mark.timeout(300)
def test_a_game_that_does_not_end_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "LIMIT", 5)
    done = bots.play("naval_battles", 0)
    assert done.idle
    assert (done.reason, done.attacks) == ("", 0)


def test_what_is_idle() -> None:
    assert not GAME.idle
    assert GAME._replace(reason="").idle, "it has no end"
    assert GAME._replace(reason=bots.GIVEN_UP).idle
    assert GAME._replace(attacks=0).idle, "nobody ever fired"


@pytest.mark.parametrize("folder", sorted(suites()))
def test_giving_up_is_called_so_by_every_game(folder: str) -> None:
    """Or a bot that resigns would be none that idles."""
    game = suites()[folder].game
    events = game.opening(bots.ways(folder)[0])
    state = game.fold(events)
    resign = next(kind for kind in game.commands if deed(tag_of(kind)) == "resign")
    after = game.fold(game.decide(state, "p1", resign()), state)
    result: Any = game.result(after)
    assert result.reason == bots.GIVEN_UP


class Campaign:
    """Counts what is played, and plays nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, state: Path) -> None:
        self.played: list[int] = []
        self.winners: tuple[str, ...] = ("p1",)
        self.patch, self.state = monkeypatch, state
        monkeypatch.setattr(bots, "play", self._play)

    def _play(self, folder: str, number: int) -> Done:
        self.played.append(number)
        way = bots._way(bots.ways(folder)[number % len(bots.ways(folder))])
        return GAME._replace(game=folder, number=number, way=way, winners=self.winners)

    def __call__(self, games: int, *more: str) -> int:
        self.played.clear()
        line = ["bots", "--game", "naval_battles", "--state", str(self.state), *more]
        self.patch.setattr("sys.argv", [*line, "--games", str(games)])
        return bots.main()


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Campaign:
    return Campaign(monkeypatch, tmp_path / "state")


def test_it_goes_on_where_it_stopped(
    campaign: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    assert campaign(5) == 0
    assert campaign.played == [0, 1, 2, 3, 4]
    assert campaign(8) == 0
    assert campaign.played[bots.AGAIN :] == [5, 6, 7], "after a few that are kept"
    found = bots.kept("naval_battles", campaign.state)
    assert list(found) == list(range(8))
    assert found[0] == GAME, "all of it is kept"
    assert "| naval_battles | of all kinds | 8 | 0 | 9, 9 | points 8 |" in capsys.readouterr().out


def test_it_does_not_go_on_where_games_come_out_otherwise(campaign: Campaign) -> None:
    campaign(5)
    campaign.winners = ("p2",)
    with pytest.raises(SystemExit, match="comes out otherwise"):
        campaign(8)
    assert campaign(8, "--anew") == 0
    assert campaign.played == list(range(8))


def test_what_idles_is_told_and_kept(
    campaign: Campaign, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "play", lambda folder, number: GAME._replace(reason=""))
    assert campaign(1) == 1
    assert "IDLE: Done(game='naval_battles', number=0" in capsys.readouterr().out
    assert campaign(1) == 1, "it is not forgotten"

"""Matches over real connections: bots that wait for each other, and a whole battle."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from projections.reports import report, served
from service.bots import DecklogClient, Move, RandomLegal, play, seated, steps
from service.bots.war_at_sea import Greedy
from tests.support.server import Running, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("bots"), "both") as live:
        yield live


def test_two_bots_that_only_know_their_own_seat(server: Running) -> None:
    """Each has a connection of its own and waits on the stream while the other is asked."""
    with DecklogClient(server.url) as host:
        created = host.create_game(ruleset="pennant", options={"turns": 12})
        game = created["game"]["id"]
        tokens = {each["seat"]: each["token"] for each in created["tokens"]}

        def one_side(seat: str) -> list[Move]:
            with DecklogClient(server.url, tokens[seat]) as client:
                bots = {seat: RandomLegal(seat)}
                return list(steps({seat: client}, game, bots, patient=True))

        with ThreadPoolExecutor(2) as pool:
            moves = dict(zip(tokens, pool.map(one_side, tokens), strict=True))
        assert host.summary(game)["status"] == "finished"
        assert all(move.seat == seat for seat, mine in moves.items() for move in mine)
        assert all(len(mine) >= 6 for mine in moves.values())


@pytest.mark.parametrize("edition", ["2007", "2009"])
def test_a_whole_battle_of_war_at_sea(server: Running, edition: str) -> None:
    """The service alone is asked, and refuses nothing that its own list offered."""
    with DecklogClient(server.url) as host:
        created = host.create_game(ruleset="war-at-sea", edition=edition, seed=f"bots {edition}")
        game = created["game"]["id"]
        outcome = play(seated(created, host), game, {"p1": Greedy(), "p2": RandomLegal(2)})
        assert outcome.result is not None
        events = list(host.events(game))
        assert [event["seq"] for event in events] == list(range(1, outcome.version + 1))
        lines = report(served(events))
        assert lines[0] == "== Set-up =="
        assert any("the battle" in line for line in lines[-5:])

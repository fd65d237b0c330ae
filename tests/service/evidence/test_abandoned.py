"""The end of a game that nobody joined is judged both ways: neither won nor abandoned by a lie."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.kernel.setup import Setup
from service.evidence.verify import verify

from .playing import Table

GAMES = {"naval-battles": GAME}
SEATS = ("p1", "p2", "p3")


def begun(seats: int = 2, *waiting: str) -> Table:
    setup = Setup("naval-battles", "1", "standard", SEATS[:seats])
    return Table(GAME, setup, waiting=waiting, length=64)


def finding(table: Table) -> Any:
    verdict = verify(table.export(), GAMES)
    assert verdict.word == "REFUTED", verdict.text()
    return verdict.finding


def test_a_game_that_nobody_joined_is_upheld_as_abandoned() -> None:
    table = begun(2, "p2")
    table.abandon("p1", c.Resign())
    verdict = verify(table.export(), GAMES)
    assert (verdict.word, verdict.result) == ("UPHELD", None), verdict.text()


def test_an_empty_seat_has_not_won() -> None:
    table = begun(2, "p2")
    table.order("p1", c.Resign())
    assert finding(table).expected == "abandoned: it goes to nobody"


@pytest.mark.parametrize("waiting", [("p2",), ()])
def test_a_win_over_who_is_there_is_not_abandoned(waiting: tuple[str, ...]) -> None:
    table = begun(2, *waiting)
    for seat in waiting:
        table.taken(seat)
    table.abandon("p1", c.Resign())
    assert finding(table).expected == "one that goes to nobody"


def test_an_order_that_ends_nothing_abandons_nothing() -> None:
    for seats, command in ((2, c.ChooseNation("japan")), (3, c.Resign())):
        table = begun(seats, *SEATS[1:seats])
        table.abandon("p1", command)
        assert finding(table).expected == "one that goes to nobody"


def test_who_waits_has_a_seat() -> None:
    table = begun(2, "p7")
    assert finding(table).what == "seats that wait for a player, and are none"

"""A ready command says why it is certain to achieve nothing or cannot succeed, and else neither."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules.state import State
from domain.kernel.shown.odds_summary import OddsSummary
from domain.kernel.values import StepKey
from projections.doings import doings
from service.http.commands import ready
from tests.support.battle import table, unit


def offered(state: State) -> list[Any]:
    """Every item that p1 is offered."""
    return [ready(GAME, state, "p1", command) for command in GAME.legal(state, "p1").commands]


def test_an_item_tells_why_it_is_pointless() -> None:
    state = table(
        "2009",
        unit("p1-1", "bismarck", "5.4"),
        unit("p2-1", "hms-hood", "5.4", doomed=True),
        unit("p2-2", "hms-hood", "5.4"),
        step=StepKey("surface-attack", "first"),
    )
    vain, sound = (
        msgspec.to_builtins(ready(GAME, state, "p1", c.Fire("p1-1", "main", target)))
        for target in ("p2-1", "p2-2")
    )
    assert vain["pointless"] == (
        "already doomed: no further damage or points, though abilities may still answer (RUL-39)"
    )
    assert "pointless" not in sound
    assert vain["oddsSummary"] == {
        "hit": 0, "destroyed": 0, "expected": 0, "hopeless": vain["pointless"],
    }  # fmt: skip
    assert sound["oddsSummary"]["hit"] > 0
    assert {**vain, **sound}.keys() - {"pointless"} == sound.keys()
    marks = [bool(item.pointless) for item in offered(state)]
    assert marks == sorted(marks)
    assert any(marks)
    assert not all(marks)


def test_an_offer_tells_why_it_is_hopeless_and_its_piece_how_many_there_are() -> None:
    """Successes are two a die at most: what stays below the armor is a miss however it falls."""
    state = table(
        "2009",
        unit("p1-1", "hms-hood", "5.4"),
        unit("p1-2", "hms-fencer", "5.4"),
        unit("p2-1", "bismarck", "5.4"),
        step=StepKey("surface-attack", "first"),
    )
    told = {
        (item.unit, item.command.weapon): item.odds_summary.hopeless
        for item in offered(state)
        if isinstance(item.odds_summary, OddsSummary)
    }
    assert told == {
        ("p1-1", "main"): "",
        ("p1-1", "secondary"): "",
        ("p1-1", "torpedo"): "",
        ("p1-2", "main"): "armor 8: its dice come to 4 at most (WAS-ATK-04)",
    }
    counts = {each.piece: each.hopeless for each in doings(GAME, state, "p1")}
    assert counts == {"p1-1": 0, "p1-2": 1}


def test_an_offer_that_is_pointless_and_hopeless_counts_in_both() -> None:
    state = table(
        "2009",
        unit("p1-1", "hms-hood", "5.4"),
        unit("p2-1", "bismarck", "5.4", doomed=True),
        unit("p2-2", "bismarck", "5.4"),
        step=StepKey("surface-attack", "first"),
    )
    own = [item for item in offered(state) if item.unit == "p1-1"]
    vain = [item for item in own if item.pointless]
    (piece,) = doings(GAME, state, "p1")
    assert 0 < len(vain) < len(own)
    assert (piece.ready, piece.vain, piece.hopeless) == (len(own), len(vain), len(vain))

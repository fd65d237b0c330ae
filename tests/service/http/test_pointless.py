"""A ready command says why it is certain to achieve nothing, and nothing of the kind else."""

from __future__ import annotations

import msgspec

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import commands as c
from domain.kernel.values import StepKey
from service.http.commands import ready
from tests.support.battle import table, unit


def test_an_item_tells_why_it_is_pointless() -> None:
    state = table(
        "2009",
        unit("p1-1", "bismarck", "5.4"),
        unit("p2-1", "hms-hood", "5.4", doomed=True),
        unit("p2-2", "hms-hood", "5.4"),
        step=StepKey("surface-attack", "first"),
    )
    vain, sound = (
        msgspec.to_builtins(ready(GAME, state, c.Fire("p1-1", "main", target)))
        for target in ("p2-1", "p2-2")
    )
    assert vain["pointless"] == (
        "already doomed: no further damage or points, though abilities may still answer (RUL-39)"
    )
    assert "pointless" not in sound
    assert {**vain, **sound}.keys() - {"pointless"} == sound.keys()
    listed = GAME.legal(state, "p1").commands
    marks = [bool(ready(GAME, state, command).pointless) for command in listed]
    assert marks == sorted(marks)
    assert any(marks)
    assert not all(marks)

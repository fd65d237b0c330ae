"""Examples of events that random games seldom reach."""

from __future__ import annotations

from domain.games.naval_battles.rules import events as ev

RARE = (
    ev.EndCalled(seat="p1", rules=("NB-WIN-05",)),
    ev.PlayerLeft(seat="p2", rules=("NB-RUL-01",)),
    ev.BattleEnded(winner="p1", points={"p1": 26, "p2": 13}, rules=("NB-LINK-02",)),
    ev.BattleBegan(
        battle=2,
        nations={"p1": "japan", "p2": "italy"},
        earlier={"p1": 26, "p2": 13},
        rules=("NB-LINK-01",),
    ),
)

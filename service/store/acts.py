"""The operator's log: what an operator has done to the store, who it was, why and when."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from ..clock import SYSTEM, Clock, stamp
from ..models import GameId
from .bulk import Statement
from .database import Database
from .queries import Queries

_ADD = "INSERT INTO acts (at, operator, act, game, why, details) VALUES (?,?,?,?,?,?)"
_ALL = (
    "SELECT at, operator, act, game, why, details FROM acts WHERE ? = '' OR game = ? ORDER BY place"
)


class Act(msgspec.Struct, frozen=True):
    """One act.

    at        when, by the store's clock
    operator  who says that it was them
    act       what was done, in a word
    game      to which game; "" where to none alone
    details   what else is to be known of it, by act
    """

    at: str
    operator: str
    act: str
    game: GameId
    why: str
    details: msgspec.Raw = msgspec.Raw(b"{}")


def insertion(act: Act) -> Statement:
    """The row of an act: in the transaction of what was done."""
    return _ADD, (act.at, act.operator, act.act, act.game, act.why, bytes(act.details))


def listed(recorder: Queries, game: GameId = "") -> list[Act]:
    """All acts in order, or those on one game."""
    found = recorder.query(_ALL, (game, game))
    return [
        Act(at, operator, act, named, why, msgspec.Raw(bytes(details)))
        for at, operator, act, named, why, details in found
    ]


def time_of(recorder: Database, clock: Clock = SYSTEM) -> str:
    """Now, by the store's own clock; by ours where it has none."""
    told = recorder.time()
    return stamp(clock.now() if told is None else datetime.fromtimestamp(told, UTC))

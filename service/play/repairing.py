"""A damaged game is cut back to its last whole event, and goes on with new dice.

Dice that were seen after it shall never come again: the game is put among those of which something
may be lost (``epochs.py``). What was cut is named in the operator's log.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from domain.kernel.codec import canonical

from ..dice.vault import Vault
from ..evidence.records import ENDS, GameCreated, MasterOpened
from ..models import GameId, GameSummary
from ..store import acts, cutting
from ..store.acts import Act
from ..store.examining import KeptRow
from ..store.rows import parts
from ..store.store import Store
from ..store.stored import Row
from .examining import Found, boundaries, look
from .staging import AnyGame
from .summaries import first_record, rebuilt


class Unrepairable(Exception):
    """Why a game cannot be repaired, in a sentence."""


class CutEvent(msgspec.Struct, frozen=True):
    """An event that is cut off: its number, its stored type, and the hash that stands beside it,
    "" where none can be read."""

    seq: int
    type: str
    hash: str


class Repair(msgspec.Struct, frozen=True):
    """What is to be done to a game.

    faults  what is wrong with it
    kept    its last event afterwards, whose hash is ``head``
    cut     the events that go
    """

    game: GameId
    faults: tuple[str, ...]
    kept: int
    head: str
    cut: tuple[CutEvent, ...]
    was: KeptRow
    summary: GameSummary

    def told(self) -> dict[str, object]:
        """For the operator's log: enough that who holds a receipt finds the event in it."""
        return {"faults": self.faults, "kept": self.kept, "head": self.head, "cut": self.cut}


def plan(store: Store, games: Mapping[str, AnyGame], vault: Vault, game: GameId) -> Repair:
    """What a repair will do. Raises Unrepairable, ServiceError."""
    found = look(store, games, vault, game)
    if found is None:
        raise Unrepairable(f"Game {game} has no row: a backup may have it.")
    if not found.faults:
        raise Unrepairable(f"Game {game} is whole.")
    kept = max((n for n in boundaries(found.records) if n <= found.whole), default=0)
    if not kept:
        raise Unrepairable(f"Nothing of game {game} is whole from its beginning: see a backup.")
    gone = [row for row in found.rows if row[0] > kept]
    if (gone or found.row.version > kept) and _is_over(found, gone):
        # Whoever has its master can reckon out all dice that it would have from now on.
        raise Unrepairable(f"Game {game} is over and its dice are open: it cannot go on.")
    data = found.row.summary if found.is_genuine else _stand_in(game, found)
    summary, head = rebuilt(store, games, vault, game, data, kept)
    cut = tuple(_named(row) for row in gone) or _missing(kept, found.row.version)
    return Repair(game, tuple(found.faults), kept, head, cut, found.row, summary)


def carry_out(store: Store, repair: Repair, operator: str, why: str) -> bool:
    """Do it; False where the game is not as it was. Raises StoreFull, StoreUnavailable."""
    details = msgspec.Raw(msgspec.json.encode(repair.told()))
    at = acts.time_of(store.recorder)
    act = Act(at, operator, "repair", repair.game, why, details)
    return cutting.put(store, repair.was, repair.summary, repair.head, act, cut=bool(repair.cut))


def _is_over(found: Found, gone: list[Row]) -> bool:
    ends = tuple(f"{type_}.v" for type_ in (*ENDS, MasterOpened.TYPE))
    told = found.summary is not None and found.summary.status == "finished"
    return told or found.row.status == "finished" or any(row[1].startswith(ends) for row in gone)


def _named(row: Row) -> CutEvent:
    seq, topic, state = row
    try:
        return CutEvent(seq, topic, parts(bytes(state))[1])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return CutEvent(seq, topic, "")


def _missing(kept: int, version: int) -> tuple[CutEvent, ...]:
    """Events that are gone already."""
    return tuple(CutEvent(seq, "", "") for seq in range(kept + 1, version + 1))


def _stand_in(game: GameId, found: Found) -> bytes:
    """In the place of what only a summary has, where that cannot be believed: no name, and no seat
    that anybody could take without having been invited."""
    created: GameCreated = first_record(game, found.rows[0][2])
    waiting = created.waiting or ()
    seats = [
        {"seat": seat, "held": "invited" if seat in waiting else "kept"}
        for seat in created.setup.seats
    ]
    return canonical({"name": "", "seats": seats})

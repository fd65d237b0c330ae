"""One game out of a copy of the store, put back into the store that is at work.

It has to be whole in the copy, and missing or damaged in the store: what is whole there may have
gone on, and is never replaced by what it was.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..dice.vault import Vault
from ..models import GameId
from ..store import acts, returning
from ..store.acts import Act
from ..store.examining import KeptRow
from ..store.store import Store
from ..store.tombstones import tombstone
from .examining import Found, look
from .staging import AnyGame


class Unreturnable(Exception):
    """Why a game cannot be put back, in a sentence."""


class Return(msgspec.Struct, frozen=True):
    """What is to be done.

    version  the last event that it then has
    lost     how many more the store has, or tells of
    faults   what is wrong with it in the store; none: it is not there
    was      its row in the store
    """

    game: GameId
    version: int
    lost: int
    over: bool
    faults: tuple[str, ...]
    was: KeptRow | None


def plan(
    store: Store, copy: Store, games: Mapping[str, AnyGame], vault: Vault, game: GameId
) -> Return:
    """What a return will do. Raises Unreturnable, ServiceError."""
    stone = tombstone(store.recorder, game)
    if stone is not None:
        raise Unreturnable(stone.told())
    kept = look(copy, games, vault, game)
    if kept is None:
        raise Unreturnable(f"Game {game} is not in the copy.")
    if kept.faults:
        raise Unreturnable(f"Game {game} is not whole in the copy: {kept.faults[0]}")
    version, over = kept.row.version, kept.row.status == "finished"
    there = look(store, games, vault, game)
    if there is None:
        if returning.has_events(store.recorder, game):
            raise Unreturnable(f"Game {game} has events and no row: see decklog store repair.")
        return Return(game, version, 0, over, (), None)
    if not there.faults:
        raise Unreturnable(f"Game {game} is whole in the store.")
    if not over and _is_over(there):
        # Whoever has its master can reckon out all dice that it would have from now on.
        raise Unreturnable(f"Game {game} is over in the store and its dice are open.")
    lost = max(0, max(there.row.version, len(there.rows)) - version)
    return Return(game, version, lost, over, tuple(there.faults), there.row)


def _is_over(there: Found) -> bool:
    told = there.summary is not None and there.summary.status == "finished"
    return told or there.row.status == "finished"


def carry_out(store: Store, copy: Store, planned: Return, operator: str, why: str) -> bool:
    """Do it; False where the game is not as it was. Raises Conflict, StoreFull, StoreUnavailable.

    A damaged game is first taken away: interrupted between the two, it is missing, and the same
    command puts it back.
    """
    told = {"version": planned.version, "lost": planned.lost, "faults": planned.faults}
    at = acts.time_of(store.recorder)
    details = msgspec.Raw(msgspec.json.encode(told))
    act = Act(at, operator, "put-back", planned.game, why, details)
    kept = returning.read(copy.recorder, planned.game, over=planned.over)
    if planned.was is not None:
        away = msgspec.structs.replace(act, act="take-away")
        if not returning.take_away(store, planned.game, planned.was, away):
            return False
    returning.put(store.recorder, kept, act)
    return True

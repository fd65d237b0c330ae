"""A damaged game cut back to what is whole: one transaction, in which nothing is thrown away.

Events that are cut off keep their rows and places under a name that is no game's, so that whoever
follows the log finds it as it was numbered, and a ruling finds what was cut.
"""

from __future__ import annotations

from ..models import GameId, GameSummary
from . import acts, idempotency, summaries
from .acts import Act
from .bulk import Statement
from .examining import CUT, KeptRow
from .schema import FROM_OLDER
from .store import Store, listed_as, look_after_again

_ROW = (
    "UPDATE games SET ruleset = ?, status = ?, version = ?, summary = ? "
    "WHERE game = ? AND version = ? AND summary = ?"
)
_ASIDE = (
    "UPDATE stored_events SET originator_id = ? WHERE originator_id = ? AND originator_version > ?"
)
MAIL = (
    "UPDATE deliveries SET state = 'failed' WHERE state = 'waiting' AND seq > ? AND webhook IN "
    "(SELECT webhook FROM webhooks WHERE game = ?)"
)
LOST = "INSERT INTO lost (game) VALUES (?) ON CONFLICT (game) DO NOTHING"


def put(
    store: Store, was: KeptRow, summary: GameSummary, head: str, act: Act, *, cut: bool
) -> bool:
    """Write a game's row anew; False where it is not as it was.

    cut  whether what is beyond it is cut off, and the game gets new dice
    Raises StoreFull, StoreUnavailable.
    """
    game, version = summary.id, summary.version
    data = summaries.encode(store.box, summary, head)
    shown = (summary.rules.ruleset, listed_as(summary), version, data)
    row = (_ROW, (*shown, game, was.version, was.summary))
    statements: list[Statement] = [acts.insertion(act), *look_after_again(summary)]
    if cut:
        statements += _cut(store, game, version)
    if not store.recorder.exchange([row], statements):
        return False
    store.reached(game, version, head)
    return True


def _cut(store: Store, game: GameId, kept: int) -> list[Statement]:
    return [
        named_aside(store, game, kept),
        ("DELETE FROM commands WHERE game = ? AND last > ?", (game, kept)),
        # Answers tell of events that are no more: a repeat is decided on anew, or told so.
        idempotency.forgotten(game),
        (MAIL, (kept, game)),
        (LOST, (game,)),
        *FROM_OLDER,
    ]


def named_aside(store: Store, game: GameId, kept: int) -> Statement:
    """Events beyond that one, under a name that is no game's."""
    return _ASIDE, (f"{CUT}{store.entropy.draw(8).hex()}/{game}", game, kept)

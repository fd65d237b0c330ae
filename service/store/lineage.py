"""Which history the store is, as it says itself, and what is done where that is another one.

Then what was acknowledged last may be lost, and players may have seen dice that are to be rolled
yet. Every game that goes on is put into ``lost``, in one transaction with the new history's name,
and gets new dice before anything else happens in it (``service/play/epochs.py``).
"""

from __future__ import annotations

import contextlib

import msgspec
from eventsourcing.persistence import IntegrityError

from ..errors import StoreUnavailable
from .bulk import Statement
from .database import Database

_READ = "SELECT value FROM meta WHERE name = 'lineage'"
_FIRST = "INSERT INTO meta (name, value) VALUES ('lineage', ?)"
_NEXT = "UPDATE meta SET value = ? WHERE name = 'lineage' AND value = ?"
_ALL = (
    "INSERT INTO lost (game) SELECT game FROM games WHERE status <> 'finished' "
    "ON CONFLICT (game) DO NOTHING"
)


class Kept(msgspec.Struct, frozen=True):
    """The history in which the store was last found to be.

    lineage  as the database names it
    started  when its server was, where that is known
    epochs   how often it was found to be another one, or to lack something
    """

    lineage: str
    started: str = ""
    epochs: int = 0


def read(recorder: Database) -> tuple[Kept, bytes]:
    """What is kept, made where nothing is: then nothing is known to be lost."""
    found = recorder.query(_READ)
    if not found:
        first = msgspec.json.encode(Kept(recorder.lineage, recorder.started))
        with contextlib.suppress(IntegrityError):  # another worker was quicker
            recorder.put((), [(_FIRST, (first,))])
        found = recorder.query(_READ)
    raw = bytes(found[0][0])
    return msgspec.json.decode(raw, type=Kept), raw


def begin_anew(recorder: Database, kept: Kept, raw: bytes) -> None:
    """Have every game that goes on begin with new dice; once, whoever of the workers is first.

    Raises StoreFull, StoreUnavailable.
    """
    after = Kept(recorder.lineage, recorder.started, kept.epochs + 1)
    guard: Statement = (_NEXT, (msgspec.json.encode(after), raw))
    if not recorder.exchange([guard], [(_ALL, ())]) and read(recorder)[0] == kept:
        raise StoreUnavailable("It cannot be put down that the store went back: try again.")


def is_done(recorder: Database, kept: Kept) -> bool:
    """Whether another worker has seen to it since this server was started."""
    return bool(kept.started) and (kept.lineage, kept.started) == (
        recorder.lineage,
        recorder.started,
    )


def found_again(game: str) -> Statement:
    """The game has its new dice, or needs none."""
    return ("DELETE FROM lost WHERE game = ?", (game,))

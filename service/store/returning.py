"""One game out of a copy of the store: what is read of it there, and what is written here.

Its rows are taken as they are: what is sealed in them opens with the same key alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..models import GameId
from . import acts, archive, idempotency
from .acts import Act
from .bulk import Statement
from .cutting import LOST, MAIL, named_aside
from .database import Database
from .examining import KeptRow
from .queries import Queries
from .schema import FROM_OLDER
from .store import Store

_CARRIED = {
    "commands": "game, first, last, id, seat, command, at",
    "signatures": "game, command, signature",
    "tokens": "token, kind, game, seat, digest, made, revoked",
    "archived": archive.COLUMNS,
    "unopened": "game",
    "bot_turns": "game",
}
"""Tables in which a game has rows of its own; where one says that it is in a file, that is read
where it is. Answers and webhooks are not brought back, nor when a
game is ended that nobody plays."""

_LATER = "INSERT INTO deadlines (game, at) VALUES (?,?) ON CONFLICT (game) DO NOTHING"


class Kept(NamedTuple):
    """All that a copy has of a game."""

    events: list[tuple[GameId, int, str, bytes]]
    statements: list[Statement]


def read(copy: Queries, game: GameId, *, over: bool) -> Kept:
    """What is to be written, in a transaction of its own.

    over  whether the game is; if not it gets new dice before it goes on, because dice that followed
          may have been seen. Its clocks stand until somebody plays: nobody could be there meanwhile
    """
    asked = (
        "SELECT originator_id, originator_version, topic, state FROM stored_events "
        "WHERE originator_id = ? ORDER BY originator_version"
    )
    events = [(g, n, topic, bytes(state)) for g, n, topic, state in copy.query(asked, (game,))]
    columns = "game, ruleset, status, version, summary, master"
    statements = _insertions(copy, "games", columns, game, again=False)
    for table, columns in _CARRIED.items():
        statements += _insertions(copy, table, columns, game)
    statements += [
        ("INSERT INTO engines (digest, archive) VALUES (?,?) ON CONFLICT (digest) DO NOTHING", row)
        for row in copy.query("SELECT digest, archive FROM engines")
    ]
    ((timed,),) = copy.query("SELECT count(*) FROM deadlines WHERE game = ?", (game,))
    if timed:
        statements.append((_LATER, (game, "")))
    if not over:
        statements.append((LOST, (game,)))
    return Kept(events, statements)


def _insertions(
    copy: Queries, table: str, columns: str, game: GameId, *, again: bool = True
) -> list[Statement]:
    """The rows of the game in a table; with ``again``, those that are there already stay."""
    marks = ",".join("?" for _ in columns.split(","))
    put = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
    if again:
        put += " ON CONFLICT DO NOTHING"
    found: list[tuple[Any, ...]] = copy.query(
        f"SELECT {columns} FROM {table} WHERE game = ?", (game,)
    )
    return [(put, tuple(row)) for row in found]


def take_away(store: Store, game: GameId, was: KeptRow, act: Act) -> bool:
    """Put the game's events aside, as a repair does, and its row away; False where it has changed.

    Nothing is thrown away but what the copy has as well.
    """
    guard = "DELETE FROM games WHERE game = ? AND version = ? AND summary = ?"
    statements: list[Statement] = [
        acts.insertion(act),
        named_aside(store, game, 0),
        archive.deletion(game),
        ("DELETE FROM commands WHERE game = ?", (game,)),
        ("DELETE FROM signatures WHERE game = ?", (game,)),
        ("DELETE FROM deadlines WHERE game = ?", (game,)),
        ("DELETE FROM unplayed WHERE game = ?", (game,)),
        ("DELETE FROM unopened WHERE game = ?", (game,)),
        ("DELETE FROM bot_turns WHERE game = ?", (game,)),
        ("DELETE FROM lost WHERE game = ?", (game,)),
        idempotency.forgotten(game),
        (MAIL, (0, game)),
        *FROM_OLDER,
    ]
    return store.recorder.exchange([(guard, (game, was.version, was.summary))], statements)


def put(recorder: Database, kept: Kept, act: Act) -> None:
    """All of it in one transaction. Raises Conflict where the game is there."""
    recorder.put(kept.events, [*kept.statements, acts.insertion(act)])


def has_events(recorder: Queries, game: GameId) -> bool:
    """Whether there are events under its name, with a row or without."""
    asked = "SELECT 1 FROM stored_events WHERE originator_id = ? LIMIT 1"
    return bool(recorder.query(asked, (game,)))

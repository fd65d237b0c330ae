"""How a task in a process of its own reads the store: it asks for rows, and is handed bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ..models import GameId
from ..store.source import Source
from ..store.store import ALL, StoredGame
from ..store.stored import Row, StoredCommand


class Wanted(msgspec.Struct, frozen=True, array_like=True):
    """A question to the store: ``what`` is the name of a method of :class:`Source`.

    game  its first argument: of ``engine`` and ``shown`` the digest
    """

    what: str
    game: GameId
    after: int = 0
    limit: int = ALL


def handed(source: Source, question: bytes) -> bytes:
    """The answer to a question, as bytes. Raises StoreUnavailable, ValueError."""
    wanted = msgspec.msgpack.decode(question, type=Wanted)
    found: Any
    match wanted.what:
        case "rows":
            found = source.rows(wanted.game, wanted.after, wanted.limit)
        case "commands":
            found = source.commands(wanted.game)
        case "game":
            found = source.game(wanted.game)
        case "engine":
            found = source.engine(wanted.game)
        case "shown":
            found = source.shown(wanted.game)
        case other:
            raise ValueError(f"no task asks for {other!r}")
    return msgspec.msgpack.encode(found)


class Asked:
    """A source at the other end of a line; ``ask`` gives an answer for a question."""

    def __init__(self, ask: Callable[[bytes], bytes]) -> None:
        self._ask = ask

    def game(self, game: GameId) -> StoredGame | None:
        """As :meth:`Source.game`."""
        found: StoredGame | None = self._asked(Wanted("game", game), StoredGame | None)
        return found

    def rows(self, game: GameId, after: int = 0, limit: int = ALL) -> list[Row]:
        """As :meth:`Source.rows`."""
        found: list[Row] = self._asked(Wanted("rows", game, after, limit), list[Row])
        return found

    def commands(self, game: GameId) -> list[StoredCommand]:
        """As :meth:`Source.commands`."""
        found: list[StoredCommand] = self._asked(Wanted("commands", game), list[StoredCommand])
        return found

    def engine(self, digest: str) -> bytes | None:
        """As :meth:`Source.engine`."""
        found: bytes | None = self._asked(Wanted("engine", digest), bytes | None)
        return found

    def shown(self, digest: str) -> bytes | None:
        """As :meth:`Source.shown`."""
        found: bytes | None = self._asked(Wanted("shown", digest), bytes | None)
        return found

    def _asked(self, wanted: Wanted, type_: Any) -> Any:
        return msgspec.msgpack.decode(self._ask(msgspec.msgpack.encode(wanted)), type=type_)

"""A store made of evidence files, for as long as somebody looks: the pages know no other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from ..dice.vault import Vault
from ..evidence.casefile import Case
from ..evidence.chain import GENESIS
from ..models import GameId, GameSummary
from ..play.changes import rules_named
from ..play.live import Reader
from ..play.opening import begun
from ..play.summaries import carried
from ..store.bulk import Statement
from ..store.rows import read_rows
from ..store.store import (
    Commit,
    Store,
    command_insertion,
    game_insertion,
    signature_insertion,
)
from .games import Filed


@dataclass(frozen=True)
class Shut:
    """Out of files what-if games are made and played; nothing else is written."""

    games: frozenset[GameId]

    def __call__(self, operation: str, game: GameId) -> bool:
        """Whether an operation that writes is not done; ``game``: of its path, or ""."""
        return operation != "createFork" and (not game or game in self.games)


IN_PLAY = "in play: what everybody may see"
"""Stands beside the name of a game whose file does not open everything."""


def put_in(store: Store, filed: Filed, id: GameId, name: str) -> None:
    """A game out of a file, into an open store. Raises ServiceError.

    name  for the lobby
    """
    case, row = filed.case(id), filed.game(id)
    assert row is not None
    if case.master:
        summary = _summary(filed, case, name)
    else:
        summary = msgspec.structs.replace(row.summary, name=f"{name} ({IN_PLAY})")
    statements: list[Statement] = [
        game_insertion(store.box, summary, case.manifest.head.hash, row.master),
        *_commands(filed, id),
    ]
    store.put([Commit(id, tuple(filed.rows(id)), tuple(statements))])


def _commands(filed: Filed, id: GameId) -> Iterator[Statement]:
    for each in filed.commands(id):
        yield command_insertion(id, each)
        if each.signature:
            yield signature_insertion(id, each.id, each.signature)


def _summary(filed: Filed, case: Case, name: str) -> GameSummary:
    """All that everybody may know of the game, as it was carried on event by event."""
    created, id = case.created, case.manifest.game
    waiting = () if created.waiting is UNSET else created.waiting
    held = {seat: "open" if seat in waiting else "kept" for seat in created.setup.seats}
    row = filed.game(id)
    assert row is not None
    first = filed.rulesets.to_read(rules_named(created.rules, created.setup.edition))
    records = read_rows(id, filed.rows(id), row.seals, 0, GENESIS)
    begins = begun(first, id, created, name, held, case.envelopes[0].at, None)
    reader = Reader(filed.played(id), id, Vault(created.params.length), row.master)
    summary = carried(begins, filed.played(id), reader, records)
    return msgspec.structs.replace(summary, expires_at=None)

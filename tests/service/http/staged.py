"""War at Sea over HTTP from a table that the test lays out, so that no dice stand before it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litestar.testing import TestClient

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules.state import State, Unit
from service.app import create_app
from service.settings import Settings
from tests.service.http.table import Match, Table
from tests.support import battle
from tests.support.contract import Contract


@contextmanager
def service(folder: Path, game: Any = GAME, **settings: Any) -> Iterator[Table]:
    """A service with one game; its answers are held against the document."""
    told = {"rate_limit": 0, "chain_length": 512, "log_level": "ERROR", **settings}
    app = create_app(Settings(database=folder / "staged.sqlite", **told), {"war-at-sea": game})
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))


def beginning(state: State) -> Any:
    """War at Sea, except that every battle begins with this state."""

    def evolve(before: State | None, event: Any) -> State:
        return state if before is None else GAME.evolve(before, event)

    def opening(setup: Any) -> Any:
        return GAME.opening(setup)[:1]

    return dataclasses.replace(GAME, opening=opening, evolve=evolve)


@contextmanager
def at_table(
    folder: Path, edition: str, *units: Unit, **fields: Any
) -> Iterator[tuple[Table, Match]]:
    """A battle that stands as the test has laid it out."""
    state = battle.given(edition, *units, **fields).state
    with service(folder, beginning(state)) as table:
        yield table, table.create(ruleset="war-at-sea", edition=edition)

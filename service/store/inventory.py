"""The games of a store as an operator looks for them: how old, how large, how long silent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ..errors import Damaged
from ..models import GameId
from . import summaries
from .box import Box
from .queries import Queries

_GAMES = "SELECT game, ruleset, status, version, summary FROM games ORDER BY place"
_SIZES = (
    "SELECT originator_id, sum(length(state)) FROM stored_events "
    "GROUP BY originator_id ORDER BY originator_id"
)


class KeptGame(msgspec.Struct, frozen=True):
    """A game, and what it takes up. No name in it, which is a player's own.

    status  as the lobby has it, "fork" for a what-if game
    bytes   of its events, or of its file in the archive
    archived  whether it is there
    begun, last  when, and when something happened in it last; "" where its summary is damaged
    """

    game: GameId
    ruleset: str
    status: str
    events: int
    bytes: int
    begun: str
    last: str
    archived: bool


def games(recorder: Queries, box: Box, archived: Mapping[GameId, int]) -> Iterator[KeptGame]:
    """All of them, in the order in which they were made. Reads every event's length.

    archived  the bytes of each game's file in the archive
    """
    sizes = {game: int(size) for game, size in recorder.query(_SIZES)} | dict(archived)
    for game, ruleset, status, version, data in recorder.query(_GAMES):
        begun = last = ""
        try:
            summary = summaries.of_any_form(box, game, version, bytes(data))
            begun, last = summary.created_at, summary.updated_at
        except (Damaged, msgspec.ValidationError):
            pass
        size = sizes.get(game, 0)
        yield KeptGame(game, ruleset, status, version, size, begun, last, game in archived)


_GOING = "SELECT game, version, summary FROM games WHERE status <> 'finished' ORDER BY place"


def with_clocks(recorder: Queries, box: Box, *, stopped: bool) -> Iterator[GameId]:
    """Games whose clocks run, or those whose clocks alone an operator has stopped."""
    for game, version, data in recorder.query(_GOING):
        try:
            summary = summaries.of_any_form(box, game, version, bytes(data))
        except (Damaged, msgspec.ValidationError):
            continue
        paused = summary.paused
        held = paused is not None and paused.orders
        if held if stopped else (paused is None and bool(summary.deadline)):
            yield game

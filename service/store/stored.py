"""What the store keeps of a game's events and orders, as values."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from ..models import GameId

Row = tuple[int, str, bytes]
"""One stored event: seq, topic (``<type>.v<schema>``), and the state as rows.py writes it."""


class StoredCommand(msgspec.Struct, frozen=True):
    """An order as it was given: canonical JSON, and the first and last seq that it led to.

    signature  the seat's own; b"" where it signs nothing
    """

    first: int
    last: int
    id: str
    seat: str
    command: bytes
    at: str
    signature: bytes = b""


class Parts(NamedTuple):
    """What a bundle has of the store's own: rows of events, orders, and the dice master."""

    rows: list[Row]
    commands: list[StoredCommand]
    master: bytes


class ArchivedGame(NamedTuple):
    """A game out of its file, and where its events stood."""

    parts: Parts
    places: list[int]

    def seats(self) -> dict[int, str]:
        """By the number of an order's first event: whose order it was."""
        return {order.first: order.seat for order in self.parts.commands}


class LogRow(NamedTuple):
    """An event of the log as ``following`` reads it; ``seat``: of the order that it begins."""

    place: int
    game: GameId
    seq: int
    state: bytes
    ruleset: str
    seat: str | None

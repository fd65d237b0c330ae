"""What a store has of the person who holds a seat, and what of it can go.

There are no accounts: a person is whoever holds the tokens of a seat. The record of a game names
seats and nobody; it stays, for the others have played it, too.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from ..models import GameId
from . import idempotency, tokens
from .box import Box
from .bulk import Statement
from .database import Database
from .tokens import ListedToken

_ORDERS = "SELECT first, last, at, command FROM commands WHERE game = ? AND seat = ? ORDER BY first"
_HOOKS = (
    "SELECT webhook, url, types, state, made FROM webhooks WHERE game = ? AND seat = ? "
    "ORDER BY webhook"
)
_OWN = "SELECT webhook FROM webhooks WHERE game = ? AND seat = ?"
_SENT = f"deliveries WHERE webhook IN ({_OWN})"
_ATTEMPTS = f"DELETE FROM attempts WHERE delivery IN (SELECT delivery FROM {_SENT})"
KEPT = (
    "The record of the game stays: it names the seat, its orders and its dice, and nobody. So do "
    "lines of the operator's log, and backups until they go."
)


class PersonData(msgspec.Struct, frozen=True, rename="camel"):
    """All that is kept of who holds a seat.

    tokens    without their secrets, which the store does not have
    webhooks  with their addresses
    orders    as they were given, and the events that they led to
    """

    game: GameId
    seat: str
    tokens: tuple[ListedToken, ...]
    webhooks: tuple[dict[str, Any], ...]
    orders: tuple[dict[str, Any], ...]


def data_of(recorder: Database, box: Box, game: GameId, seat: str) -> PersonData:
    """Reads it; empty where nobody holds the seat."""
    return PersonData(
        game=game,
        seat=seat,
        tokens=tuple(each for each in tokens.listed(recorder, game) if each.seat == seat),
        webhooks=tuple(
            {
                "webhook": hook,
                "url": box.open(f"webhook/{hook}/url", bytes(url)).decode(),
                "types": types,
                "state": state,
                "made": made,
            }
            for hook, url, types, state, made in recorder.query(_HOOKS, (game, seat))
        ),
        orders=tuple(
            {"first": first, "last": last, "at": at, "command": json.loads(bytes(command))}
            for first, last, at, command in _orders(recorder, game, seat)
        ),
    )


def _orders(recorder: Database, game: GameId, seat: str) -> list[tuple[Any, ...]]:
    found = recorder.query(_ORDERS, (game, seat))
    kept = recorder.archive.game(recorder, game) if recorder.archive and not found else None
    orders = kept.parts.commands if kept else []
    return found or [(o.first, o.last, o.at, o.command) for o in orders if o.seat == seat]


def forgetting(game: GameId, seat: str, held: list[ListedToken], at: str) -> list[Statement]:
    """What takes away all but the record: webhooks with what they were sent, answers, and tokens.

    held  the tokens of the seat that are good
    """
    return [
        (_ATTEMPTS, (game, seat)),
        (f"DELETE FROM {_SENT}", (game, seat)),
        ("DELETE FROM webhooks WHERE game = ? AND seat = ?", (game, seat)),
        idempotency.forgotten(game, seat),
        idempotency.forgotten_of_webhooks(game, seat),
        *(tokens.revocation(each.token, at) for each in held),
    ]

"""What the service itself refuses: a stable code and a hint each. Rules refuse with ``Refused``.

:data:`STATUS` is the one table from code to HTTP status; :data:`TITLES` gives each code a short
title for people. A code is never renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

STATUS: Mapping[str, int] = MappingProxyType(
    {
        "game.not-found": 404,
        "game.over": 409,
        "game.damaged": 503,
        "version.unknown": 404,
        "version.stale": 412,
        "idempotency.key-reused": 422,
        "idempotency.key-busy": 409,
        "ruleset.unknown": 422,
        "ruleset.not-installed": 503,
        "edition.unknown": 422,
        "options.invalid": 422,
        "seats.invalid": 422,
        "seat.unknown": 404,
        "seat.taken": 409,
        "seat.invitation-needed": 403,
        "seat.invitation-wrong": 403,
        "dice.tip-malformed": 422,
        "dice.tip-copied": 422,
        "dice.link-missing": 422,
        "dice.link-wrong": 422,
        "dice.link-unexpected": 422,
        "dice.exhausted": 409,
        "evidence.unavailable": 503,
        "store.full": 507,
        "store.unavailable": 503,
        "service.stopping": 503,
        "service.overloaded": 503,
    }
)
"""HTTP status of each code of this module."""

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "game.not-found": "No such game",
        "game.over": "The game is over",
        "game.damaged": "The game is under review",
        "version.unknown": "The game has no such version yet",
        "version.stale": "The game has moved on",
        "idempotency.key-reused": "Idempotency key used for another request",
        "idempotency.key-busy": "The first request with this key is still running",
        "ruleset.unknown": "No such ruleset",
        "ruleset.not-installed": "The ruleset of this game is not installed",
        "edition.unknown": "No such edition of the ruleset",
        "options.invalid": "Options that the ruleset does not have",
        "seats.invalid": "Seats that the ruleset does not have",
        "seat.unknown": "No such seat",
        "seat.taken": "The seat is taken",
        "seat.invitation-needed": "The seat is kept for somebody with an invitation",
        "seat.invitation-wrong": "The invitation is not for this seat",
        "dice.tip-malformed": "The dice tip is not 32 bytes in hex",
        "dice.tip-copied": "The dice tip is another seat's",
        "dice.link-missing": "The seat's dice link is missing",
        "dice.link-wrong": "The dice link does not lead to the seat's tip",
        "dice.link-unexpected": "The seat has no dice tip",
        "dice.exhausted": "The dice chain of the game is used up",
        "evidence.unavailable": "The evidence cannot be made now",
        "store.full": "The disk is full",
        "store.unavailable": "The store cannot be written",
        "service.stopping": "The service is stopping",
        "service.overloaded": "Too much is waiting",
    }
)
"""Short title of each code, for people."""


class ServiceError(Exception):
    """Something the service does not do. Nothing happened.

    code     stable, machine-readable; a key of :data:`STATUS`
    hint     what to do instead, one sentence for a person
    pointer  JSON pointer into the request body, where one field is to blame
    """

    CODE: ClassVar[str] = ""

    def __init__(self, hint: str, *, code: str = "", pointer: str = "") -> None:
        self.code = code or self.CODE
        super().__init__(f"{self.code}: {hint}")
        self.hint = hint
        self.pointer = pointer

    @property
    def status(self) -> int:
        return STATUS[self.code]

    @property
    def title(self) -> str:
        return TITLES[self.code]


class NotFound(ServiceError):
    """There is no such game, or the asker may not know that there is."""

    CODE = "game.not-found"


class RulesetMissing(ServiceError):
    """The game is stored, but its ruleset is not installed here any more."""

    CODE = "ruleset.not-installed"


class UnknownVersion(ServiceError):
    """A version beyond the latest, or below 1."""

    CODE = "version.unknown"


class Stale(ServiceError):
    """The command was decided on for another version; ``current`` is the game's version now."""

    CODE = "version.stale"

    def __init__(self, current: int) -> None:
        super().__init__(f"The game is at version {current}: read it again and decide anew.")
        self.current = current


class KeyReused(ServiceError):
    """The idempotency key belongs to another request of the same caller."""

    CODE = "idempotency.key-reused"


class KeyBusy(ServiceError):
    """The first request with this idempotency key has not been answered yet."""

    CODE = "idempotency.key-busy"


class GameOver(ServiceError):
    """The game has ended; its record is closed."""

    CODE = "game.over"


class Damaged(ServiceError):
    """The record of a game does not hash to what it says: the game is frozen for review."""

    CODE = "game.damaged"


class BadSetup(ServiceError):
    """A game that cannot be created as asked: ruleset, edition, options or seats."""

    CODE = "seats.invalid"


class SeatRefused(ServiceError):
    """A seat that cannot be taken as asked."""

    CODE = "seat.taken"


class DiceRefused(ServiceError):
    """A dice tip or link that is missing, malformed or not the seat's own."""

    CODE = "dice.link-wrong"


class StoreFull(ServiceError):
    """The disk is full: nothing was written; reading goes on, writing when there is room."""

    CODE = "store.full"


class StoreUnavailable(ServiceError):
    """The store could not be written for another reason than a full disk; nothing was written."""

    CODE = "store.unavailable"


class Stopping(ServiceError):
    """The service is shutting down and takes no new work."""

    CODE = "service.stopping"


class Overloaded(ServiceError):
    """More commands are waiting than the service is willing to queue."""

    CODE = "service.overloaded"


class EvidenceUnavailable(ServiceError):
    """The evidence bundle of the game cannot be made now."""

    CODE = "evidence.unavailable"


class StoreRefused(Exception):
    """The store cannot be opened: a start-up error, never an answer to a request.

    code  "store.newer-format", "store.locked", "store.unsafe", "store.not-ours", "store.wrong-key"
    """

    def __init__(self, code: str, hint: str) -> None:
        super().__init__(f"{code}: {hint}")
        self.code = code
        self.hint = hint

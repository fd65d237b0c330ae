"""What the service itself refuses: a stable code and a hint each. Rules refuse with ``Refused``.

Statuses and titles are in one table, ``service/problems.toml``. A code is never renamed.
"""

from __future__ import annotations

from typing import ClassVar

from .problems import status_of


class ServiceError(Exception):
    """Something the service does not do. Nothing happened.

    code     stable, machine-readable; one of the table's
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
        """The HTTP status that the code travels with."""
        return status_of(self.code)


class NotFound(ServiceError):
    """There is no such game, or the asker may not know that there is."""

    CODE = "game.not-found"


class Deleted(NotFound):
    """There was such a game: the operator has deleted it."""

    CODE = "game.deleted"


class RulesetMissing(ServiceError):
    """The game is stored, but its ruleset is not installed here any more."""

    CODE = "ruleset.not-installed"


class EngineMissing(RulesetMissing):
    """The game is stored, but the engine by which it is decided is nowhere, or does not run."""

    CODE = "engine.missing"


class WrongDice(ServiceError):
    """The rules of the game ask for dice that no record can have."""

    CODE = "engine.wrong-dice"


class EngineNotFound(ServiceError):
    """No engine of that digest is here."""

    CODE = "engine.not-found"


class EngineRefused(ServiceError):
    """An engine under which a game cannot go on."""

    CODE = "engine.unfit"


class TakebackRefused(ServiceError):
    """A step that is not taken back."""

    CODE = "takeback.refused"


class UnknownVersion(ServiceError):
    """A version beyond the latest, or below 1."""

    CODE = "version.unknown"


class Stale(ServiceError):
    """The command was decided on for another version; ``current`` is the game's version now."""

    CODE = "version.stale"

    def __init__(self, current: int) -> None:
        super().__init__(f"The game is at version {current}: read it again and decide anew.")
        self.current = current


class Lost(Stale):
    """The command was decided on for a version that the game does not have, or has no longer."""

    CODE = "version.lost"

    def __init__(self, current: int) -> None:
        ServiceError.__init__(
            self,
            f"The game is at version {current}: what came after that is lost, or never was. "
            "Read it again from there.",
        )
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


class GameFrozen(ServiceError):
    """The operator has frozen the game."""

    CODE = "game.frozen"


class Damaged(ServiceError):
    """The record of a game does not hash to what it says: the game is frozen for review."""

    CODE = "game.damaged"


class BadSetup(ServiceError):
    """A game that cannot be created as asked: ruleset, edition, options or seats."""

    CODE = "seats.invalid"


class CustomRefused(ServiceError):
    """A document that cannot be taken, whatever it says."""

    CODE = "document.too-large"


class SeatRefused(ServiceError):
    """A seat that cannot be taken as asked."""

    CODE = "seat.taken"


class DiceRefused(ServiceError):
    """A dice tip or link that is missing, malformed or not the seat's own."""

    CODE = "dice.link-wrong"


class SignatureRefused(ServiceError):
    """A signature of an order that is missing, or is not the seat's of this order in this place."""

    CODE = "signature.wrong"


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


PASSING = (Stopping, Overloaded, StoreFull, StoreUnavailable)
"""What says nothing about the game that somebody asked for: later it will do."""


class EvidenceUnavailable(ServiceError):
    """The evidence bundle of the game cannot be made now."""

    CODE = "evidence.unavailable"


class StoreRefused(Exception):
    """The store cannot be opened: a start-up error, never an answer to a request.

    code  "store.newer-format", "store.older-format", "store.locked", "store.unsafe",
          "store.not-ours", "store.wrong-key", "store.unreachable", "store.damaged",
          "store.no-archive", "log.disagrees"
    """

    def __init__(self, code: str, hint: str) -> None:
        super().__init__(f"{code}: {hint}")
        self.code = code
        self.hint = hint

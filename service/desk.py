"""The desk: everything the service does with games, for HTTP, the command line and tests alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.values import Seat, Viewer

from .clock import Clock
from .models import (
    CreatedGame,
    GameSummary,
    Identity,
    NewGame,
    Outcome,
    RollRecord,
    SeatTaken,
    SeenEvent,
    TakeSeat,
    View,
)
from .settings import Settings


class Desk:
    """Creates games, takes commands, shows games. One per process; use on one event loop.

    Every method that waits is safe to cancel: a command that was handed in is finished anyway.
    """

    games: Mapping[str, Game[Any, Any, Any]]
    settings: Settings

    def __init__(
        self,
        settings: Settings,
        games: Mapping[str, Game[Any, Any, Any]] | None = None,
        clock: Clock | None = None,
    ) -> None:
        """``games`` are the rulesets on offer; all installed ones when none are given."""

    async def start(self) -> None:
        """Open the store and start the engine.

        Raises StoreRefused: a newer format, another process at work on it, a journal that is not
        WAL, ``synchronous`` that is not FULL, or a key that does not open its secrets.
        """

    async def stop(self) -> None:
        """Take no new work, finish what was handed in, close the store. Harmless when repeated."""

    async def create_game(self, new: NewGame, *, key: str, caller: str) -> CreatedGame:
        """A new game; ``caller`` is the scope of the idempotency ``key``.

        Raises BadSetup, Refused (the rules do not allow the set-up), DiceRefused, KeyReused,
        KeyBusy, StoreFull, StoreUnavailable, Stopping, Overloaded.
        """

    async def take_seat(self, game: str, taking: TakeSeat, *, key: str) -> SeatTaken:
        """A seat for somebody, and its token.

        Raises NotFound, SeatRefused, DiceRefused, GameOver and what ``create_game`` raises.
        """

    async def command(
        self,
        game: str,
        seat: Seat,
        command: msgspec.Struct,
        *,
        expected: int,
        key: str,
        fingerprint: bytes,
        caller: str,
        link: bytes | None = None,
    ) -> Outcome:
        """Decide ``command`` for ``seat`` at version ``expected``, roll its dice, store it all.

        fingerprint  of the request: another one under the same key raises KeyReused
        link         the seat's own link for batch ``next_batch``, where it has a dice tip
        Order of checks: NotFound, idempotency (KeyReused, KeyBusy, or the stored answer), Damaged,
        Stale, GameOver, DiceRefused, Refused; then StoreFull, StoreUnavailable.
        """

    async def check(self, game: str, seat: Seat, command: msgspec.Struct) -> None:
        """Refused if the rules would refuse ``command`` now; writes nothing and rolls nothing.

        Decided on what the seat itself may see, so that a refusal tells nothing else.
        """

    async def summary(self, game: str) -> GameSummary:
        """What everybody may know of the game. Raises NotFound."""

    async def lobby(
        self, *, after: str, limit: int, ruleset: str | None = None, status: str | None = None
    ) -> list[GameSummary]:
        """Games in order of creation, newest first, after the id ``after`` ("": first)."""

    async def view(self, game: str, viewer: Viewer, at: int | None = None) -> View:
        """The game as ``viewer`` may see it, at version ``at`` or at the latest.

        Raises NotFound, UnknownVersion, Damaged.
        """

    async def events(self, game: str, viewer: Viewer, after: int, limit: int) -> list[SeenEvent]:
        """Up to ``limit`` events with seq above ``after``, as ``viewer`` may know them.

        Empty when there are none yet. Raises NotFound, Damaged.
        """

    async def wait(self, game: str, after: int, timeout: float) -> int:  # noqa: ASYNC109 a hint
        """The latest version, as soon as it is above ``after``, or after ``timeout`` seconds.

        A hint: the events are the truth. Raises NotFound, Stopping.
        """

    async def rolls(self, game: str, viewer: Viewer) -> list[RollRecord]:
        """The dice ledger, in order of rolling: the rolls that ``viewer`` may see."""

    async def identify(self, token: str) -> Identity | None:
        """Whose token it is; None when it is malformed, unknown, wrong or revoked."""

    async def revoke(self, token_id: str) -> bool:
        """End a token at once; whether there was one."""

    async def evidence(self, game: str, viewer: Viewer) -> bytes:
        """The evidence bundle of the game as ``viewer`` may have it; the same bytes each time."""

    async def ready(self) -> dict[str, bool]:
        """Whether each part works: "engine", "store" (readable), "writable" (not full)."""

"""The data of the platform's own events: what a game's record says besides what its rules say.

Field order and names are stored for ever. Byte strings are lower-case hex; "" stands for absent.
"""

from __future__ import annotations

from typing import ClassVar

from domain.kernel.chance import Dice
from domain.kernel.game import Result, Setup
from domain.kernel.values import Seat, Value

from ..dice.vault import Batch

PREFIX = "decklog."
"""Types of platform events begin with it; no ruleset may be called so."""

SERVICE = "service"
"""Actor of what no seat did."""


class Record(Value, frozen=True):
    """Base of a platform event's data."""

    TYPE: ClassVar[str] = ""
    SCHEMA: ClassVar[int] = 1


class RulesUsed(Value, frozen=True):
    """By which rules the game is judged; ``digest`` as ``digest.rules_digest`` gives it."""

    ruleset: str
    version: str
    digest: str


class Params(Value, frozen=True):
    """What NWD-1's G is made of, and G itself; ``seats`` and ``length`` are numbers."""

    game: str
    rules: str
    scenario: str
    seats: int
    length: int
    g: str


class GameCreated(Record, frozen=True):
    """The first event of every game; fixes the dice before anybody joins.

    commitment  C_S
    tips        tip of each domain's server chain
    grade       "A0" or "A1", as asked for; the verifier prints what was reached
    nonce       32 random bytes, so that equal games have different hashes
    seat_tips   dice tip of each seat in order of ``setup.seats``, if given at creation (none is)
    seed_named  the creator named the seed: unranked
    """

    TYPE: ClassVar[str] = "decklog.game-created"

    params: Params
    commitment: str
    tips: dict[str, str]
    grade: str
    nonce: str
    setup: Setup
    rules: RulesUsed
    seat_tips: tuple[str, ...]
    seed_named: bool = False


class SeatTakenRecord(Record, frozen=True):
    """A seat was taken, with its dice tip or ""."""

    TYPE: ClassVar[str] = "decklog.seat-taken"

    seat: Seat
    tip: str = ""


class RollRecorded(Value, frozen=True):
    """One roll of a batch: its label, its dice, and the faces pool by pool."""

    label: str
    pools: tuple[Dice, ...]
    faces: tuple[tuple[int, ...], ...]


class BatchRolled(Record, frozen=True):
    """A batch was opened and rolled: s[d,t], the seats' links r[p,t] in order, every roll."""

    TYPE: ClassVar[str] = "decklog.batch-rolled"

    t: int
    domain: str
    link: str
    player_links: tuple[str, ...]
    rolls: tuple[RollRecorded, ...]

    @staticmethod
    def of(batch: Batch) -> BatchRolled:
        """The record of all that was rolled in ``batch`` so far."""
        rolls = tuple(RollRecorded(r.label, r.pools, r.faces) for r in batch.rolls)
        links = tuple("" if link is None else link.hex() for link in batch.links)
        return BatchRolled(batch.t, batch.domain, batch.link.hex(), links, rolls)


class GameClosed(Record, frozen=True):
    """The last event: the master M, which opens all that was sealed, and how the game ended."""

    TYPE: ClassVar[str] = "decklog.game-closed"

    master: str
    result: Result


RECORDS: dict[str, type[Record]] = {
    record.TYPE: record for record in (GameCreated, SeatTakenRecord, BatchRolled, GameClosed)
}
"""Platform events by stored type."""

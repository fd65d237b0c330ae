"""Finished games: who won, by which rule, after how many commands."""

from __future__ import annotations

import msgspec

from domain.kernel.values import Seat

from .follow import Document, DocumentStore, Entry, Projection
from .records import CREATED, ENDED, Rules, read_closed, read_created, rules_of


class GameResult(Document, frozen=True):
    """The end of a game.

    game         its ID
    ruleset      the game that was played
    edition      of its rules
    scenario     that was played; ``custom`` for one that the players brought
    seats        in order of sitting
    winners      empty for a draw
    reason       the reason of its end, a word of its ruleset
    rule         ID of the rule that says so
    grade        of its dice, as asked for
    seed_named   the creator named the seed: unranked
    version      of the event that ended it
    commands     orders that were accepted
    created_at   time of its first event, RFC 3339 UTC
    finished_at  time of its last event
    """

    game: str
    ruleset: str
    rules: Rules
    edition: str
    scenario: str
    seats: tuple[Seat, ...]
    winners: tuple[Seat, ...]
    reason: str
    rule: str
    grade: str
    seed_named: bool
    version: int
    commands: int
    created_at: str
    finished_at: str


def take(shelf: DocumentStore, entry: Entry) -> None:
    """A game is kept from its first event on, and listed when it is closed."""
    if entry.type == CREATED:
        shelf.write(entry.game, _begun(entry))
        return
    known = shelf.read(entry.game, GameResult) if entry.ordered or entry.type in ENDED else None
    if known is None:
        return
    known = msgspec.structs.replace(known, commands=known.commands + entry.ordered)
    if entry.type not in ENDED:
        shelf.write(entry.game, known)
        return
    result = read_closed(entry.data).result
    closed = msgspec.structs.replace(
        known,
        winners=result.winners,
        reason=result.reason,
        rule=result.rule,
        version=entry.seq,
        finished_at=entry.at,
    )
    shelf.write(entry.game, closed, rank=entry.place, kind=entry.ruleset)


def _begun(entry: Entry) -> GameResult:
    created = read_created(entry.data)
    return GameResult(
        game=entry.game,
        ruleset=entry.ruleset,
        rules=rules_of(created),
        edition=created.setup.edition,
        scenario=created.setup.scenario,
        seats=created.setup.seats,
        winners=(),
        reason="",
        rule="",
        grade=created.grade,
        seed_named=created.seed_named,
        version=entry.seq,
        commands=0,
        created_at=entry.at,
        finished_at="",
    )


PROJECTION = Projection("results", 4, take)

"""Figures by ruleset: games and how they end, commands, and how often each face of the dice."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from domain.kernel.values import Seat

from .follow import Document, DocumentStore, Entry, Projection
from .records import CREATED, ENDED, ROLLED, TAKEBACK, read_batch, read_closed


class Ending(Document, frozen=True):
    """The number of games that ended in one way.

    reason  the reason of their end, a word of the ruleset
    rule    ID of the rule that says so
    games   number of games
    """

    reason: str
    rule: str
    games: int


class FaceCounts(Document, frozen=True):
    """The number of times that dice showed each face.

    sides   faces of each die
    dice    number of dice
    counts  times that each face was shown, from 1 on
    """

    sides: int
    dice: int
    counts: tuple[int, ...]


class RulesetStatistics(Document, frozen=True):
    """Figures of all games of one ruleset.

    ruleset    the ruleset of the games
    games      that were begun
    finished   of the games
    draws      of the finished games
    wins       by seat
    events     of all its games
    commands   that were accepted
    rolls      of dice, hidden ones included; ``dice`` counts those that everybody may know
    losses     units that were lost, as the games say: who leaves the board safely is not
    latest_at  time of the latest event, RFC 3339 UTC
    """

    ruleset: str
    games: int = 0
    finished: int = 0
    draws: int = 0
    wins: Mapping[Seat, int] = {}
    endings: tuple[Ending, ...] = ()
    events: int = 0
    commands: int = 0
    rolls: int = 0
    dice: tuple[FaceCounts, ...] = ()
    losses: int = 0
    latest_at: str = ""


class StepLosses(Document, frozen=True):
    """What the last order of a game lost: it is lost no more once the order is taken back."""

    losses: int


def take(shelf: DocumentStore, entry: Entry) -> None:
    """Everything counts."""
    figures = shelf.read(entry.ruleset, RulesetStatistics)
    if figures is None:
        figures = RulesetStatistics(ruleset=entry.ruleset)
    figures = msgspec.structs.replace(
        figures,
        games=figures.games + (entry.type == CREATED),
        events=figures.events + 1,
        commands=figures.commands + entry.ordered,
        losses=figures.losses + _lost(shelf, entry),
        latest_at=max(figures.latest_at, entry.at),
    )
    if entry.type == ROLLED:
        figures = _rolled(figures, entry, fresh=True)
    elif entry.type in ENDED:
        figures = _ended(figures, entry)
    for batch in entry.opened:
        figures = _rolled(figures, batch, fresh=False)
    shelf.write(entry.ruleset, figures, rank=1)


def _lost(shelf: DocumentStore, entry: Entry) -> int:
    """The units that the event loses; less than none where it takes back what lost some."""
    lost = sum(each.role == "lost" for each in entry.roles)
    begins = entry.ordered or entry.type == TAKEBACK
    known = shelf.read(entry.game, StepLosses) if begins or lost else None
    before = 0 if known is None else known.losses
    step = lost if begins else before + lost
    if step != before:
        shelf.write(entry.game, StepLosses(losses=step))
    return -before if entry.type == TAKEBACK else lost


def _rolled(figures: RulesetStatistics, entry: Entry, *, fresh: bool) -> RulesetStatistics:
    batch = read_batch(entry.data)
    counts = {faces.sides: list(faces.counts) for faces in figures.dice}
    for roll in batch.rolls if batch.link else ():
        for pool, faces in zip(roll.pools, roll.faces, strict=True):
            shown = counts.setdefault(pool.sides, [0] * pool.sides)
            for face in faces:
                shown[face - 1] += 1
    dice = tuple(
        FaceCounts(sides=sides, dice=sum(shown), counts=tuple(shown))
        for sides, shown in sorted(counts.items())
    )
    rolls = figures.rolls + (len(batch.rolls) if fresh else 0)
    return msgspec.structs.replace(figures, rolls=rolls, dice=dice)


def _ended(figures: RulesetStatistics, entry: Entry) -> RulesetStatistics:
    result = read_closed(entry.data).result
    wins = dict(figures.wins)
    for seat in result.winners:
        wins[seat] = wins.get(seat, 0) + 1
    endings = {(each.reason, each.rule): each.games for each in figures.endings}
    endings[result.reason, result.rule] = endings.get((result.reason, result.rule), 0) + 1
    return msgspec.structs.replace(
        figures,
        finished=figures.finished + 1,
        draws=figures.draws + (not result.winners),
        wins=dict(sorted(wins.items())),
        endings=tuple(
            Ending(reason=reason, rule=rule, games=games)
            for (reason, rule), games in sorted(endings.items())
        ),
    )


PROJECTION = Projection("statistics", 4, take)

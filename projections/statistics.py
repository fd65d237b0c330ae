"""Figures by ruleset: games and how they end, commands, and how often each face of the dice.

The figures of each game are kept as well, so that those of games that an operator has hidden can be
taken out: else what is told of all would tell how a game ended that is in no list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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


class GameStatistics(Document, frozen=True):
    """What one game has added.

    figures  to those of its ruleset
    step     what its last order lost: it is lost no more once the order is taken back
    """

    figures: RulesetStatistics
    step: int = 0


def take(shelf: DocumentStore, entry: Entry) -> None:
    """Everything counts."""
    begun = RulesetStatistics(ruleset=entry.ruleset)
    game = shelf.read(entry.game, GameStatistics) or GameStatistics(figures=begun)
    lost, step = _lost(game.step, entry)
    kept = GameStatistics(figures=_with(game.figures, entry, lost), step=step)
    shelf.write(entry.game, kept)
    figures = shelf.read(entry.ruleset, RulesetStatistics) or begun
    shelf.write(entry.ruleset, _with(figures, entry, lost), rank=1)


def _with(figures: RulesetStatistics, entry: Entry, lost: int) -> RulesetStatistics:
    """The figures with one more event, which loses so many units."""
    figures = msgspec.structs.replace(
        figures,
        games=figures.games + (entry.type == CREATED),
        events=figures.events + 1,
        commands=figures.commands + entry.ordered,
        losses=figures.losses + lost,
        latest_at=max(figures.latest_at, entry.at),
    )
    if entry.type == ROLLED:
        figures = _rolled(figures, entry, fresh=True)
    elif entry.type in ENDED:
        figures = _ended(figures, entry)
    for batch in entry.opened:
        figures = _rolled(figures, batch, fresh=False)
    return figures


def _lost(before: int, entry: Entry) -> tuple[int, int]:
    """The units that the event loses, less than none where it takes back what lost some; and what
    the order it belongs to has lost with it.

    before  what the last order lost
    """
    lost = sum(each.role == "lost" for each in entry.roles)
    if entry.type == TAKEBACK:
        return -before, lost
    return lost, lost if entry.ordered else before + lost


def without(
    figures: RulesetStatistics, games: Iterable[GameStatistics], latest_at: str
) -> RulesetStatistics | None:
    """The figures of a ruleset as if there were not these of its games; None where no other is.

    latest_at  of the others
    """
    for each in games:
        figures = _less(figures, each.figures)
    return msgspec.structs.replace(figures, latest_at=latest_at) if figures.games else None


COUNTS = ("games", "finished", "draws", "events", "commands", "rolls", "losses")


def _less(figures: RulesetStatistics, game: RulesetStatistics) -> RulesetStatistics:
    ends = {(each.reason, each.rule): each.games for each in game.endings}
    counts = {faces.sides: faces.counts for faces in game.dice}
    wins = {seat: number - game.wins.get(seat, 0) for seat, number in figures.wins.items()}
    endings = [
        msgspec.structs.replace(each, games=each.games - ends.get((each.reason, each.rule), 0))
        for each in figures.endings
    ]
    dice = [_fewer(faces, counts.get(faces.sides, ())) for faces in figures.dice]
    return msgspec.structs.replace(
        figures,
        wins={seat: number for seat, number in wins.items() if number},
        endings=tuple(each for each in endings if each.games),
        dice=tuple(faces for faces in dice if faces.dice),
        **{name: getattr(figures, name) - getattr(game, name) for name in COUNTS},
    )


def _fewer(faces: FaceCounts, counts: tuple[int, ...]) -> FaceCounts:
    if not counts:
        return faces
    left = tuple(map(int.__sub__, faces.counts, counts))
    return FaceCounts(sides=faces.sides, dice=sum(left), counts=left)


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


PROJECTION = Projection("statistics", 5, take)

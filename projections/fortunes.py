"""The luck of a game: what its dice brought each seat against what they were expected to.

The figures are those of :mod:`projections.luck`; here are the rolls that they are worked out from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from domain.kernel.values import Seat, Viewer

from .follow import Document
from .luck import Luck, RolledPools, calibration, grouped
from .records import Rules
from .rolls import Ratio, RollRecord
from .timeline import Chapter


class LuckOf(Document, frozen=True):
    """Actual against expected, of one group of rolls.

    seat       for whom high scores are good
    name       phase or weapon of the group; "" for all of the seat's rolls
    actual     the score that the dice brought, ``expected`` their average
    per_mille  in how many of a thousand like games it would have been worse; ties count half
    """

    seat: Seat
    name: str
    rolls: int
    dice: int
    actual: int
    expected: Ratio
    per_mille: int


class LuckPoint(Document, frozen=True):
    """A seat's luck so far, after a roll: actual less expected, in thousandths, rounded down."""

    seq: int
    seat: Seat
    ahead: int


class DiceTrial(Document, frozen=True):
    """A test of the dice: ``millionths`` is how often fair dice would look as odd as these."""

    what: str
    count: int
    cells: tuple[int, ...]
    millionths: int
    verdict: str


class LuckReport(Document, frozen=True):
    """The luck of a game: rolls of which a score is kept, and whether all its dice look fair.

    seats, phases, weapons  groups of rolls
    series   the course of it, roll by roll
    trials   of the faces of all open dice; one for each kind of die with enough of them
    """

    game: str
    ruleset: str
    rules: Rules
    viewer: Viewer
    version: int
    seats: tuple[LuckOf, ...]
    phases: tuple[LuckOf, ...]
    weapons: tuple[LuckOf, ...]
    series: tuple[LuckPoint, ...]
    trials: tuple[DiceTrial, ...]


def luck_of(
    game: str,
    rules: Rules,
    viewer: Viewer,
    version: int,
    rolls: Sequence[RollRecord],
    chapters: Sequence[Chapter],
) -> LuckReport:
    """Of the rolls that the viewer may see, up to a version."""
    fallen = fallen_of(rolls, chapters)
    return LuckReport(
        game=game,
        ruleset=rules.ruleset,
        rules=rules,
        viewer=viewer,
        version=version,
        seats=_groups(fallen, lambda roll: ""),
        phases=_groups(fallen, lambda roll: roll.phase),
        weapons=_groups(fallen, lambda roll: roll.weapon),
        series=_series(fallen),
        trials=trials_of(rolls),
    )


def fallen_of(rolls: Sequence[RollRecord], chapters: Sequence[Chapter]) -> list[RolledPools]:
    """The rolls of which a score is kept and whose faces are seen, with their phases."""
    found, place = list[RolledPools](), 0
    for roll in rolls:
        if roll.odds is None or roll.score is None:
            continue
        while place + 1 < len(chapters) and chapters[place].last < roll.seq:
            place += 1
        phase = chapters[place].phase if chapters else ""
        odds = roll.odds
        weapon = odds.weapon or odds.kind
        found.append(RolledPools(roll.seq, odds.seat, odds.worth, roll.faces, phase, weapon))
    return found


def trials_of(rolls: Sequence[RollRecord]) -> tuple[DiceTrial, ...]:
    """Whether the faces that are seen look like those of fair dice."""
    thrown = [
        (pool.sides, faces)
        for roll in rolls
        for pool, faces in zip(roll.pools, roll.faces, strict=False)
    ]
    return tuple(
        DiceTrial(
            what=trial.what,
            count=trial.many,
            cells=trial.cells,
            millionths=trial.millionths,
            verdict=trial.verdict,
        )
        for trial in calibration(thrown)
    )


def _groups(rolls: Sequence[RolledPools], name: Callable[[RolledPools], str]) -> tuple[LuckOf, ...]:
    found = grouped(rolls, lambda roll: f"{roll.seat}\n{name(roll)}")
    names = (key.partition("\n") for key in found)
    return tuple(
        _luck_of(seat, rest, luck)
        for (seat, _, rest), luck in zip(names, found.values(), strict=True)
    )


def _luck_of(seat: str, name: str, luck: Luck) -> LuckOf:
    return LuckOf(
        seat=seat,
        name=name,
        rolls=luck.rolls,
        dice=luck.dice,
        actual=luck.actual,
        expected=Ratio.of(luck.expected),
        per_mille=luck.per_mille,
    )


def _series(rolls: Sequence[RolledPools]) -> tuple[LuckPoint, ...]:
    ahead: dict[str, Any] = {}
    found: list[LuckPoint] = []
    for roll in rolls:
        now = ahead[roll.seat] = ahead.get(roll.seat, 0) + roll.score - roll.expected
        found.append(LuckPoint(seq=roll.seq, seat=roll.seat, ahead=int(now * 1000 // 1)))
    return tuple(found)

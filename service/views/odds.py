"""Exact odds on demand: of a command in a game, or of dice that anybody describes.

Nothing here touches the vault: chances are counted, never thrown (NWD-1 2.6, 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.rules import Refused
from domain.kernel.values import Seat
from projections.records import Rules

from ..models import Answer, GameId, Request
from ..problems import Refusal
from .hindsight import AnyGame

MOST = 60
"""Scores from here on are counted together, unless something lower is asked for."""

Amount = Annotated[int, Meta(ge=0, le=100)]
Face = Annotated[int, Meta(ge=1, le=100)]


class PoolAsked(Request, frozen=True):
    """Dice that are thrown together.

    worth  what each face is worth, from face 1 on
    again  faces that are thrown again, each time they come, and add to the score
    """

    count: Annotated[int, Meta(ge=1, le=100)]
    worth: Annotated[list[Amount], Meta(min_length=2, max_length=100)]
    again: Annotated[list[Face], Meta(max_length=99)] = msgspec.field(default_factory=list)


class OutcomeAsked(Request, frozen=True):
    """A result that every score from ``least`` on has, up to the next result's."""

    outcome: Annotated[str, Meta(min_length=1, max_length=40)]
    least: Annotated[int, Meta(ge=0, le=MOST)]


class RollAsked(Request, frozen=True):
    """A roll of one's own, and what its scores lead to.

    most  scores from here on are counted together
    """

    pools: Annotated[list[PoolAsked], Meta(min_length=1, max_length=5)]
    most: Annotated[int, Meta(ge=1, le=MOST)] = MOST
    outcomes: Annotated[list[OutcomeAsked], Meta(max_length=20)] = msgspec.field(
        default_factory=list
    )


class OddsAsked(Request, frozen=True):
    """What to reckon: a command in a game, or a roll of one's own.

    game     with ``command`` (as for giveCommand), ``at`` a version, ``viewer`` through whose eyes
    """

    game: Annotated[GameId, Meta(max_length=32, pattern="^[0-9a-f]{32}$")] | UnsetType = UNSET
    command: dict[str, Any] | UnsetType = UNSET
    at: Annotated[int, Meta(ge=1, le=2**53 - 1)] | UnsetType = UNSET
    viewer: Annotated[str, Meta(max_length=16, pattern="^[a-z0-9]+$")] | UnsetType = UNSET
    roll: RollAsked | UnsetType = UNSET


class Share(Answer, frozen=True):
    """A chance: exact, and rounded to thousandths."""

    exact: str
    per_mille: int


class ScoreShare(Share, frozen=True):
    """The chance of a score."""

    score: int


class OutcomeShare(Share, frozen=True):
    """The chance of a result."""

    outcome: str


class RollReckoned(Answer, frozen=True):
    """The odds of a roll of one's own.

    scores    chance of each score; the one at ``most`` is that of all above, too
    outcomes  chance of each result
    expected  the score on average
    """

    scores: tuple[ScoreShare, ...]
    outcomes: tuple[OutcomeShare, ...]
    expected: Share


class OddsAnswer(Answer, frozen=True):
    """The odds.

    game, version  that they hold for; "" and 0 for a roll of one's own
    rules          by which they were reckoned; null for a roll of one's own
    text           the command in words; "" for a roll of one's own
    odds           the ruleset's own account of an attack; null for a roll of one's own
    roll           the odds of a roll of one's own; null for a command
    """

    game: str
    version: int
    rules: Rules | None
    text: str
    odds: dict[str, Any] | None
    roll: RollReckoned | None


def _share(value: Fraction) -> tuple[str, int]:
    rounded = (value.numerator * 2000 + value.denominator) // (2 * value.denominator)
    return f"{value.numerator}/{value.denominator}", rounded


def reckon(asked: RollAsked) -> RollReckoned:
    """The exact distribution. Raises Refusal for dice that never come to rest."""
    found = _sure(asked.most)
    for pool in asked.pools:
        found = _added(found, _several(_die(pool, asked.most), pool.count))
    scores = {score: share for score, share in enumerate(found) if share}
    exact, rounded = _share(sum((_mean(pool) * pool.count for pool in asked.pools), Fraction(0)))
    return RollReckoned(
        scores=tuple(
            ScoreShare(score=score, exact=_share(share)[0], per_mille=_share(share)[1])
            for score, share in scores.items()
        ),
        outcomes=tuple(
            OutcomeShare(outcome=name, exact=_share(share)[0], per_mille=_share(share)[1])
            for name, share in _outcomes(asked.outcomes, scores).items()
        ),
        expected=Share(exact=exact, per_mille=rounded),
    )


Spread = list[Fraction]
"""Chance of each score from 0 on; the last one is that of all above, too."""


def _sure(most: int) -> Spread:
    return [Fraction(1), *[Fraction(0)] * most]


def _die(pool: PoolAsked, most: int) -> Spread:
    """One die with its faces that are thrown again."""
    sides, faces = len(pool.worth), set(pool.again)
    if len(faces) >= sides or any(face > sides or not pool.worth[face - 1] for face in faces):
        hint = "A face that is thrown again is one of the die, is worth something, and not all are."
        raise Refusal("odds.unclear", hint)
    again = [pool.worth[face - 1] for face in faces]
    ends = [worth for face, worth in enumerate(pool.worth, 1) if face not in faces]
    found: Spread = []
    for score in range(most):
        share = Fraction(ends.count(score), sides)
        share += sum((found[score - w] for w in again if w <= score), Fraction(0)) / sides
        found.append(share)
    return [*found, 1 - sum(found, Fraction(0))]


def _mean(pool: PoolAsked) -> Fraction:
    """The score of one die on average: a throw's worth over the chance that it is the last."""
    return Fraction(sum(pool.worth), len(pool.worth) - len(set(pool.again)))


def _several(one: Spread, count: int) -> Spread:
    found, power = _sure(len(one) - 1), one
    while count:
        if count & 1:
            found = _added(found, power)
        count >>= 1
        if count:
            power = _added(power, power)
    return found


def _added(one: Spread, two: Spread) -> Spread:
    most = len(one) - 1
    found = [Fraction(0)] * (most + 1)
    for a, share in enumerate(one):
        for b, more in enumerate(two):
            if share and more:
                found[min(a + b, most)] += share * more
    return found


def _outcomes(asked: Sequence[OutcomeAsked], scores: Mapping[int, Fraction]) -> dict[str, Fraction]:
    levels = sorted(asked, key=lambda each: each.least)
    found = {each.outcome: Fraction(0) for each in levels}
    for score, share in scores.items():
        reached = [each.outcome for each in levels if score >= each.least]
        if reached:
            found[reached[-1]] += share
    return found


def of_command(
    game: AnyGame, state: Any, seat: Seat, command: Any, *, measured: bool
) -> dict[str, Any] | None:
    """The odds of a command as the ruleset tells them; None where no dice would roll.

    measured  whether one may declare for the sake of reckoning, where the rules forbid to measure
              before a declaration
    Raises Refused for a command that is not legal, or for one that may not be measured.
    """
    found = game.odds(state, command)
    if found is not None:
        return found
    events = game.decide(state, seat, command)
    forbidden = game.insight.forbidden(state)
    if forbidden and not measured:
        # Whether any dice would roll is a measure too: a shot out of range or arc rolls none.
        hint = "Declare first: nobody measures before. Afterwards the roll shows its odds."
        raise Refused("odds.unmeasured", forbidden, hint)
    declared = game.fold(events, state)
    if game.awaiting(declared) is None:
        return None
    return game.prospects(declared)

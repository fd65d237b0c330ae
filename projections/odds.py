"""Exact odds on demand: of a command in a game, or of dice that anybody describes.

Nothing here touches the vault: chances are counted, never thrown (NWD-1 2.6, 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import msgspec

from domain.kernel.rules import Refused
from domain.kernel.values import Seat

from .follow import Document
from .stream import AnyGame


class Pool(msgspec.Struct, frozen=True):
    """Dice that are thrown together.

    worth  the worth of each face, from face 1 on
    again  faces that are thrown again, each time they come, and add to the score
    """

    count: int
    worth: Sequence[int]
    again: Sequence[int] = ()


class Level(msgspec.Struct, frozen=True):
    """A result that every score from ``least`` on has, up to the next result's."""

    outcome: str
    least: int


class NeverAtRest(ValueError):
    """Dice that would be thrown again for ever, or whose faces that come again are none."""


class Share(Document, frozen=True):
    """A chance: exact, and rounded to thousandths."""

    exact: str
    per_mille: int


class ScoreShare(Share, frozen=True):
    """The chance of a score."""

    score: int


class OutcomeShare(Share, frozen=True):
    """The chance of a result."""

    outcome: str


class RollReckoned(Document, frozen=True):
    """The odds of a roll of one's own.

    scores    chance of each score; the one at ``most`` is that of all above, too
    outcomes  chance of each result
    expected  the score on average
    """

    scores: tuple[ScoreShare, ...]
    outcomes: tuple[OutcomeShare, ...]
    expected: Share


def _share(value: Fraction) -> tuple[str, int]:
    rounded = (value.numerator * 2000 + value.denominator) // (2 * value.denominator)
    return f"{value.numerator}/{value.denominator}", rounded


def reckon(pools: Sequence[Pool], most: int, levels: Sequence[Level]) -> RollReckoned:
    """The exact distribution; scores from ``most`` on are counted together. Raises NeverAtRest.

    In whole numbers, over one denominator: fractions that are made shorter at each step cost a
    hundred times as much, and dice with many faces would be a way to keep a service busy.
    """
    ways, whole = [1, *[0] * (most - 1)], 1
    for pool in pools:
        more, of = _several(pool, most)
        ways, whole = _product(ways, more), whole * of
    found = [*ways, whole - sum(ways)]
    scores = {score: Fraction(count, whole) for score, count in enumerate(found) if count}
    exact, rounded = _share(sum((_mean(pool) * pool.count for pool in pools), Fraction(0)))
    return RollReckoned(
        scores=tuple(_of_score(score, share) for score, share in scores.items()),
        outcomes=tuple(
            OutcomeShare(outcome=name, exact=_share(share)[0], per_mille=_share(share)[1])
            for name, share in _outcomes(levels, scores).items()
        ),
        expected=Share(exact=exact, per_mille=rounded),
    )


def _of_score(score: int, share: Fraction) -> ScoreShare:
    exact, per_mille = _share(share)
    return ScoreShare(score=score, exact=exact, per_mille=per_mille)


Ways = list[int]
"""In how many ways each score from 0 on comes about, of as many as a number beside it says."""


def _several(pool: Pool, most: int) -> tuple[Ways, int]:
    """Scores below ``most`` of all dice of the pool, and how many ways there are in all.

    A die is its last face behind any number of faces that are thrown again. Of n dice these are
    placed in C(n-1+j, j) ways, where j are thrown again in all; each is worth something, so that
    fewer than ``most`` of them matter.
    """
    sides, faces = len(pool.worth), _again(pool)
    ends, again = [0] * most, [0] * most
    for face, worth in enumerate(pool.worth, 1):
        if worth < most:
            (again if face in faces else ends)[worth] += 1
    last = _power(ends, pool.count)
    if not faces:
        return last, sides**pool.count
    found, before = [0] * most, [1, *[0] * (most - 1)]
    for j in range(most):
        placed = comb(pool.count - 1 + j, j) * sides ** (most - j)
        found = [have + placed * ways for have, ways in zip(found, before, strict=True)]
        before = _product(before, again)
    return _product(last, found), sides ** (pool.count + most)


def _again(pool: Pool) -> set[int]:
    """The faces that are thrown again. Raises NeverAtRest."""
    sides, faces = len(pool.worth), set(pool.again)
    if len(faces) >= sides or any(face > sides or not pool.worth[face - 1] for face in faces):
        hint = "A face that is thrown again is one of the die, is worth something, and not all are."
        raise NeverAtRest(hint)
    return faces


def _mean(pool: Pool) -> Fraction:
    """The score of one die on average: a throw's worth over the chance that it is the last."""
    return Fraction(sum(pool.worth), len(pool.worth) - len(set(pool.again)))


def _power(one: Ways, count: int) -> Ways:
    found, power = [1, *[0] * (len(one) - 1)], one
    while count:
        if count & 1:
            found = _product(found, power)
        count >>= 1
        if count:
            power = _product(power, power)
    return found


def _product(one: Ways, two: Ways) -> Ways:
    most = len(one)
    found = [0] * most
    for a, ways in enumerate(one):
        if ways:
            for b in range(most - a):
                found[a + b] += ways * two[b]
    return found


def _outcomes(asked: Sequence[Level], scores: Mapping[int, Fraction]) -> dict[str, Fraction]:
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
    return game.odds_declared(game.fold(events, state)) or game.odds_later(state, command)


def told(game: AnyGame, odds: dict[str, Any]) -> dict[str, Any]:
    """A ruleset's own account of an offer, with the name of the ruleset: readers go by it."""
    return {"ruleset": game.ruleset, **odds}

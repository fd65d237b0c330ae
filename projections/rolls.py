"""The dice ledger's entries as they are shown: rolls, the odds that they had, and their proofs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from domain.kernel.chances import Chances
from domain.kernel.values import Seat

from .follow import Document
from .records import Rules


class Pool(Document, frozen=True):
    """``count`` dice of ``sides`` faces."""

    count: int
    sides: int


class Proof(Document, frozen=True):
    """The values from which a roll is computed again (NWD-1 2.2), in hex; ``player_links``: "" for
    none.

    round   of grade A3: the round of the public beacon; 0 for none
    beacon  of grade A3: the signature of that round; its SHA-256 is in the batch
    """

    params: str
    domain: str
    batch: int
    link: str
    player_links: tuple[str, ...]
    ctx: str
    round: int = 0
    beacon: str = ""


class Ways(Document, frozen=True):
    """In how many ways something comes about, as a decimal number that may be long."""

    ways: str


class ScoreWays(Ways, frozen=True):
    """Ways to a score."""

    score: int


class OutcomeWays(Ways, frozen=True):
    """Ways to a result."""

    outcome: str


class Ratio(Document, frozen=True):
    """An exact fraction, whole numbers in decimal; the denominator is above 0."""

    numerator: str
    denominator: str

    @staticmethod
    def of(value: Fraction) -> Ratio:
        """The fraction in lowest terms."""
        return Ratio(numerator=str(value.numerator), denominator=str(value.denominator))


class RollOdds(Document, frozen=True):
    """The exact odds that a roll had when its dice were asked for.

    kind      its purpose; with ``weapon``, ``unit`` and ``target`` where there are such
    seat      for whom a high score is good
    worth     for each pool, the worth of each face; the worths of all dice add up to the score
    of        number of all ways in which the dice may fall
    scores    ways to each score
    outcomes  ways to each result that scores lead to; none where the ruleset names none
    expected  the score on average
    """

    kind: str
    weapon: str
    unit: str
    target: str
    seat: Seat
    worth: tuple[tuple[int, ...], ...]
    of: str
    scores: tuple[ScoreWays, ...]
    outcomes: tuple[OutcomeWays, ...]
    expected: Ratio

    @staticmethod
    def of_ways(chances: Chances, ways: dict[int, int]) -> RollOdds:
        """The chances with the ways that their dice make."""
        whole = sum(ways.values())
        results: dict[str, int] = {}
        for score, many in ways.items():
            name = chances.outcome(score)
            results[name] = results.get(name, 0) + many
        mean = Fraction(sum(score * many for score, many in ways.items()), whole)
        return RollOdds(
            kind=chances.kind,
            weapon=chances.weapon,
            unit=chances.unit,
            target=chances.target,
            seat=chances.seat,
            worth=chances.worth,
            of=str(whole),
            scores=tuple(ScoreWays(score=s, ways=str(many)) for s, many in ways.items()),
            outcomes=tuple(
                OutcomeWays(outcome=name, ways=str(many)) for name, many in results.items() if name
            ),
            expected=Ratio.of(mean),
        )


class RollRecord(Document, frozen=True):
    """One roll of the dice ledger.

    id       the roll's label, unique in its game
    seq      the event ``decklog.batch-rolled`` that holds the faces
    hidden   whether only one seat sees the faces now, and it is not the viewer: then ``faces`` and
             the proof's ``link`` are empty
    event    seq of the first game event that the roll decided; 0 if none names it
    reasons  tallies by name ("dice", "attack.armor"): total, reasons with their rule IDs
    result   the result of the roll: its events by type, as the viewer may see them
    odds     its possible outcomes when it was asked for; null where no score is kept of such a roll
    score    the worth of the faces; null where there are no odds, or the faces are hidden
    outcome  the result that the score stands for; "" where none is named
    """

    id: str
    rules: Rules
    seq: int
    at: str
    batch: int
    domain: str
    owner: str
    caused_by: str
    pools: tuple[Pool, ...]
    faces: tuple[tuple[int, ...], ...]
    hidden: bool
    event: int
    event_type: str
    reasons: dict[str, Any]
    result: dict[str, Any]
    proof: Proof
    odds: RollOdds | None = None
    score: int | None = None
    outcome: str = ""

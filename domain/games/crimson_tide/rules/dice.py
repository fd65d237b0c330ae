"""DICE: how attack dice are read, halved and made worse."""

from __future__ import annotations

from ....kernel.rules import rule
from ....kernel.tally import Reason, Tally
from .state import State

USUAL = 4
"""The least face of an attack die that hits."""

ONLY_SIXES = 6
TORPEDO_DAMAGE = 2

Rounds = tuple[tuple[int, ...], ...]


@rule("CT-DICE-01", "CT-DICE-02", "CT-AMB-14", "CT-WPN-01", "CT-AATK-05")
def hits(rounds: Rounds, least: int = USUAL) -> int:
    """Faces from ``least`` up hit once, a six always twice; the rounds are thrown already."""
    return sum(2 if face == 6 else 1 for faces in rounds for face in faces if face >= least)


@rule("CT-DICE-05", "CT-WPN-05", "CT-AMB-05")
def torpedo_hits(faces: tuple[int, ...]) -> int:
    """A torpedo hits on a six only, once, and is not rolled again."""
    return faces.count(6)


@rule("CT-DICE-07", "CT-GEN-05", "CT-AMB-12")
def halved(tally: Tally, *reasons: Reason) -> Tally:
    """The tally halved once for each reason, rounded down each time.

    A reason brings rule, label and source; its value is what the halving takes away.
    """
    for reason in reasons:
        taken = tally.total - tally.total // 2
        tally = tally.plus(Reason(-taken, reason.rule, reason.label, reason.source))
    return tally


@rule("CT-TORP-10")
def torpedo_least() -> Tally:
    """The face that a torpedo hits on, whatever else makes shooting harder."""
    return Tally.of(Reason(6, "CT-WPN-05", "hits on"))


@rule("CT-DICE-06", "CT-AMB-11", "CT-DICE-10")
def strictest(reasons: tuple[Reason, ...]) -> Tally:
    """The least face that hits: 4, raised by the strictest reason only; the others are shown."""
    base = Reason(USUAL, "CT-DICE-01", "hits on")
    if not reasons:
        return Tally.of(base)
    chosen = max(range(len(reasons)), key=lambda i: (reasons[i].value, -i))
    return Tally.of(
        base,
        *(
            r if i == chosen else Reason(r.value, r.rule, r.label, r.source, counted=False)
            for i, r in enumerate(reasons)
        ),
    )


@rule("CT-COMB-02", "CT-COMB-03", "CT-AMB-01")
def beats(state: State, number: int, rating: int) -> bool:
    """Whether hits overcome a rating: more of them, or by agreement as many; none never do."""
    if not number:
        return False
    if state.options.threshold == "equal-or-above":
        return number >= rating
    return number > rating


@rule("CT-TERR-10", "CT-COLL-03", "CT-AMB-28")
def wreckage(state: State, number: int, armor: int, critical: int) -> int:
    """Hull points lost in a collision or grounding: 1 above armor, 2 above critical, no table."""
    if beats(state, number, critical):
        return 2
    return 1 if beats(state, number, armor) else 0

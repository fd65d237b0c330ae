"""How often each face of a die came, and how rare that is: by the exact distribution, no estimate.

Chi-square (:mod:`projections.luck`) looks at all faces together and needs many dice. Here each face
is held against its own binomial distribution, so that few dice are judged too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .luck import UNIT, Trial

Counts = Mapping[int, Sequence[int]]
"""By number of sides, how often each face came."""


def trials(counts: Counts) -> list[Trial]:
    """One for each kind of die that was thrown: its face that is rarest by chance.

    The chance is that of this face times the number of faces, which is never less than the chance
    that fair dice have some face as far from its share.
    """
    found = []
    for sides, each in sorted(counts.items()):
        many = sum(each)
        if many:
            rarest = min(as_far(count, many, sides) for count in each)
            millionths = min(1_000_000, sides * rarest * 1_000_000 // UNIT)
            found.append(Trial(f"each face of d{sides}", many, tuple(each), millionths))
    return found


def as_far(count: int, many: int, sides: int) -> int:
    """Chance that one face of a fair die comes, in so many throws, as far from its share as
    ``count`` or farther; in units of UNIT, rounded down.

    The terms of the distribution are added up from its middle outwards in whole numbers, each made
    of its neighbour; what is less than a UNIT-th of the middle one is nothing.
    """
    far = abs(count * sides - many)
    whole = outside = 0
    for at, term in _terms(many, sides):
        whole += term
        if abs(at * sides - many) >= far:
            outside += term
    return UNIT * outside // whole


def _terms(many: int, sides: int) -> list[tuple[int, int]]:
    """Numbers of that face with their chances, the middle one's being UNIT."""
    middle = many // sides
    found = [(middle, UNIT)]
    at, term = middle, UNIT
    while at < many and (term := term * (many - at) // ((at + 1) * (sides - 1))):
        at += 1
        found.append((at, term))
    at, term = middle, UNIT
    while at and (term := term * at * (sides - 1) // (many - at + 1)):
        at -= 1
        found.append((at, term))
    return found

"""Luck and its measure: what dice were expected to bring, what they brought, how rare that is.

Expectations are exact. How rare a total is comes from the exact distribution of each roll, added up
in whole numbers of 2**-96, so that the error is far below the thousandths that are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import erfc, exp, log, sqrt
from typing import NamedTuple

Worth = tuple[int, ...]
UNIT = 1 << 96
"""What stands for certainty where chances are added up."""


class RolledPools(NamedTuple):
    """A roll that fell: what each face of each pool was worth, and the faces.

    seq    its place in the game
    seat   for whom a high score is good
    keys   what it is counted under besides: phase, weapon
    """

    seq: int
    seat: str
    worth: tuple[Worth, ...]
    faces: tuple[tuple[int, ...], ...]
    phase: str = ""
    weapon: str = ""

    @property
    def score(self) -> int:
        """What the faces were worth."""
        pools = zip(self.worth, self.faces, strict=True)
        return sum(worth[face - 1] for worth, faces in pools for face in faces)

    @property
    def expected(self) -> Fraction:
        """The score on average."""
        pools = zip(self.worth, self.faces, strict=True)
        return sum(
            (Fraction(sum(worth) * len(faces), len(worth)) for worth, faces in pools), Fraction(0)
        )


class Luck(NamedTuple):
    """Actual against expected.

    rolls, dice  their numbers
    below, equal chance of less, and of just as much, in units of :data:`UNIT`
    """

    rolls: int
    dice: int
    actual: int
    expected: Fraction
    below: int
    equal: int

    @property
    def per_mille(self) -> int:
        """In how many of a thousand like games it would have been worse; ties count half."""
        return (self.below * 1000 + self.equal * 500 + UNIT // 2) // UNIT


def luck(rolls: Sequence[RolledPools]) -> Luck:
    """The luck of all of these together."""
    dice: dict[Worth, int] = {}
    for roll in rolls:
        for worth, faces in zip(roll.worth, roll.faces, strict=True):
            dice[worth] = dice.get(worth, 0) + len(faces)
    actual = sum(roll.score for roll in rolls)
    expected = sum((roll.expected for roll in rolls), Fraction(0))
    whole = {0: UNIT}
    for worth, count in dice.items():
        whole = _sum(whole, _several(worth, count))
    below = sum(share for score, share in whole.items() if score < actual)
    return Luck(len(rolls), sum(dice.values()), actual, expected, below, whole.get(actual, 0))


def _several(worth: Worth, count: int) -> dict[int, int]:
    """Chances of each total of so many like dice."""
    power = _one(worth)
    found = {0: UNIT}
    while count:
        if count & 1:
            found = _sum(found, power)
        count >>= 1
        if count:
            power = _sum(power, power)
    return found


def _one(worth: Worth) -> dict[int, int]:
    found: dict[int, int] = {}
    for each in worth:
        found[each] = found.get(each, 0) + UNIT // len(worth)
    return found


SLOT = 28
"""Bytes that a chance has in a product: twice 96 bits, and room for a sum of 2**32 of them."""


def _sum(one: Mapping[int, int], two: Mapping[int, int]) -> dict[int, int]:
    """Chances of each sum. Those that are nothing in our units are left out: tails stay short.

    Both are written into one long number each, whose product holds every sum in its own slot.
    """
    low_one, low_two = min(one), min(two)
    product = _long(one, low_one) * _long(two, low_two)
    slots = max(one) - low_one + max(two) - low_two + 1
    data = product.to_bytes(slots * SLOT, "little")
    found: dict[int, int] = {}
    for place in range(slots):
        share = int.from_bytes(data[place * SLOT : (place + 1) * SLOT], "little") >> 96
        if share:
            found[low_one + low_two + place] = share
    return found


def _long(chances: Mapping[int, int], low: int) -> int:
    shares = (chances.get(score, 0) for score in range(low, max(chances) + 1))
    return int.from_bytes(b"".join(s.to_bytes(SLOT, "little") for s in shares), "little")


def grouped(rolls: Iterable[RolledPools], key: Callable[[RolledPools], str]) -> dict[str, Luck]:
    """The luck of each group, in order of its name."""
    groups: dict[str, list[RolledPools]] = {}
    for roll in rolls:
        groups.setdefault(key(roll), []).append(roll)
    return {name: luck(group) for name, group in sorted(groups.items())}


# --- are the dice fair? ---------------------------------------------------------------------------

SUSPICIOUS = 1_000
"""Chance in a million below which something is worth a look, and"""

LOADED = 1
"""below which fair dice are no explanation: once in a million reports."""


class Trial(NamedTuple):
    """One test of the dice.

    what     "faces of d6", "d6 after d6"
    many     dice, or pairs of dice
    cells    how often each case came
    millionths   chance that fair dice differ as much or more, in millionths
    """

    what: str
    many: int
    cells: tuple[int, ...]
    millionths: int

    @property
    def verdict(self) -> str:
        """``fair``, ``suspicious`` or ``loaded``."""
        if self.millionths < LOADED:
            return "loaded"
        return "suspicious" if self.millionths < SUSPICIOUS else "fair"


def calibration(rolls: Iterable[tuple[int, Sequence[int]]]) -> list[Trial]:
    """Whether dice are fair and do not remember: rolls as (sides, faces), in order of rolling.

    For each number of sides that was thrown at least five times a face: how often each face came
    (chi-square), and for small dice how often each face followed each.
    """
    thrown: dict[int, list[int]] = {}
    for sides, faces in rolls:
        thrown.setdefault(sides, []).extend(faces)
    found: list[Trial] = []
    for sides, faces in sorted(thrown.items()):
        found += _trial(f"faces of d{sides}", [face - 1 for face in faces], sides)
        if sides <= 20:
            pairs = [
                (one - 1) * sides + two - 1
                for one, two in zip(faces[::2], faces[1::2], strict=False)
            ]
            found += _trial(f"d{sides} after d{sides}", pairs, sides * sides)
    return found


def _trial(what: str, places: Sequence[int], cells: int) -> list[Trial]:
    if len(places) < 5 * cells:
        return []
    counts = [0] * cells
    for each in places:
        counts[each] += 1
    whole = len(places)
    square = Fraction(sum(n * n for n in counts) * cells, whole) - whole
    millionths = int(1_000_000 * chi_square_tail(float(square), cells - 1))
    return [Trial(what, whole, tuple(counts), millionths)]


def chi_square_tail(value: float, freedom: int) -> float:
    """Chance that chi-square with so many degrees of freedom is ``value`` or more."""
    half, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    tail = erfc(sqrt(x)) if freedom % 2 else exp(-x)
    start = 0.5 if freedom % 2 else 1.0
    term = log(x) * start - x - (_LOG_GAMMA_HALF if freedom % 2 else 0.0)
    if freedom % 2:
        term -= log(start)
    step = start
    while step < half:
        tail += exp(term)
        step += 1
        term += log(x) - log(step)
    return min(tail, 1.0)


_LOG_GAMMA_HALF = 0.5723649429247001
"""log of gamma(1/2), which is the root of pi."""

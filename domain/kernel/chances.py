"""What an awaited roll may come to, exactly: whole numbers of ways out of all ways, no fractions.

Each face of each die is worth something (a hit is worth 1, in some games a six is worth 2) and the
worths of a roll add up to its score. So one table says what is expected, how likely each score is,
and what the faces that fell were worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .chance import Dice
from .values import Seat, Value

Worth = tuple[int, ...]
"""What each face of a die is worth, from face 1 on."""


class Outcome(Value, frozen=True):
    """A result that a roll may have: every score from ``least`` up to the next outcome's."""

    name: str
    least: int


class Chances(Value, frozen=True, omit_defaults=True):
    """A roll before it falls. It is stored with the roll: fields are only ever added.

    kind      the purpose of the roll: ``"attack"``, ``"torpedo"``, ``"initiative"``
    seat      for whom it is good when the score is high
    worth     for each pool of dice, the worth of each face
    outcomes  the outcomes by score, the lowest first; none where the score is the result
    weapon, unit, target   the weapon, its unit and the target; "" for none
    """

    kind: str
    seat: Seat
    worth: tuple[Worth, ...]
    outcomes: tuple[Outcome, ...] = ()
    weapon: str = ""
    unit: str = ""
    target: str = ""

    def score(self, faces: Sequence[Sequence[int]]) -> int:
        """What the faces that fell are worth, pool by pool."""
        pools = zip(self.worth, faces, strict=True)
        return sum(worth[face - 1] for worth, fallen in pools for face in fallen)

    def ways(self, pools: Sequence[Dice]) -> dict[int, int]:
        """In how many ways the dice come to each score, the lowest first."""
        found = {0: 1}
        for pool, worth in zip(pools, self.worth, strict=True):
            found = convolved(found, several(worth, pool.count))
        return dict(sorted(found.items()))

    def outcome(self, score: int) -> str:
        """What a score leads to; "" where outcomes are not named."""
        reached = [outcome.name for outcome in self.outcomes if score >= outcome.least]
        return reached[-1] if reached else ""


def threshold(sides: int, least: int, twice: int = 0) -> Worth:
    """Faces from ``least`` up are worth 1, from ``twice`` up (where it is given) 2."""
    faces = range(1, sides + 1)
    return tuple((face >= least) + (0 < twice <= face and face >= least) for face in faces)


def several(worth: Worth, count: int) -> dict[int, int]:
    """Ways to each score of ``count`` like dice: squared again and again, so cheap for many."""
    found, power = {0: 1}, _one(worth)
    while count:
        if count & 1:
            found = convolved(found, power)
        power = convolved(power, power) if count > 1 else power
        count >>= 1
    return found


def _one(worth: Iterable[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for each in worth:
        found[each] = found.get(each, 0) + 1
    return found


def convolved(one: dict[int, int], two: dict[int, int]) -> dict[int, int]:
    """Ways to each sum of two independent scores."""
    found: dict[int, int] = {}
    for a, ways in one.items():
        for b, more in two.items():
            found[a + b] = found.get(a + b, 0) + ways * more
    return found

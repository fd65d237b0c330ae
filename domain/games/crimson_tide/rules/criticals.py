"""The critical damage table: each result is one row, and nothing about it is said anywhere else.

What a result does stands with the rule that it changes, which names the row. Sentences, pictures,
repairs and the roll itself read the rows: a new result is a row, its effect and its rule.
"""

from __future__ import annotations

from ....kernel.rules import rule
from ....kernel.values import Value
from .cards import Kind


class Critical(Value, frozen=True):
    """One result of the critical damage table.

    number      the sum of two dice that leads to it; events and states hold this number
    name        what sentences and markers call it
    letter      of its marker in pictures; empty: it has none of its own
    repairable  a repair check may take its marker off (CT-CRIT-14)
    leaves      whether a marker is placed at all
    meaningless_for  the kinds of units that it does nothing to (CT-CRIT-18)
    """

    number: int
    name: str
    letter: str = ""
    repairable: bool = False
    leaves: bool = True
    meaningless_for: tuple[Kind, ...] = ()


EXPLOSION = Critical(2, "explosion", "Ex")
CRIPPLED = Critical(3, "crippled")
STEERING = Critical(4, "steering breakdown", "St", repairable=True, meaningless_for=("land",))
ENGINE = Critical(5, "engine breakdown", "En", repairable=True, meaningless_for=("land",))
FIRE = Critical(6, "fire", "Fi", repairable=True)
SYSTEMS = Critical(7, "systems down", "Sy", repairable=True)
CREW = Critical(8, "crew casualty", "Cr")
DEFENSES = Critical(9, "defenses down", "De", repairable=True)
PRIMARY = Critical(10, "primary weapons damage", "Pw", repairable=True)
ENGINE_HIT = Critical(11, "engine hit", "Eh", repairable=True, meaningless_for=("land",))
LUCKY = Critical(12, "a lucky escape", leaves=False)

TABLE: dict[int, Critical] = {
    row.number: row
    for row in (
        EXPLOSION, CRIPPLED, STEERING, ENGINE, FIRE, SYSTEMS, CREW, DEFENSES, PRIMARY, ENGINE_HIT,
        LUCKY,
    )
}  # fmt: skip
"""The rows by their numbers."""


@rule("CT-CRIT-14")
def repairable(number: int) -> bool:
    """Whether a repair check may take the marker off."""
    return TABLE[number].repairable


@rule("CT-CRIT-18")
def marker_on(kind: Kind, number: int) -> int:
    """The marker that a result leaves on a unit of this kind; 0: none."""
    row = TABLE[number]
    return number if row.leaves and kind not in row.meaningless_for else 0

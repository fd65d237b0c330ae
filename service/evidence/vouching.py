"""Who vouches for what in a file that holds: the judge, the service, the seats, the caller, nobody.

That a record contradicts itself nowhere says little of who made it. So the verdict says line by
line on whose word each part of it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.kernel.values import Seat

from ..dice.grades import BEACON, LOCKED
from .records import BatchRolled
from .verdict import Voucher

SERVICE_TIME = (
    "the service alone: every time in the record is its own word, and who took a seat first"
)
UNSIGNED_ORDERS = "the service alone (grade O0): no order is signed by its seat"
NAMED_SEED = "nobody: whoever named the seed could know every die before it fell"
NO_DICE = "nothing was rolled"
BY_BEACON = (
    "and a public beacon, whose rounds were named before they came, by the times of the record"
)


def dice_by(
    batches: Sequence[BatchRolled],
    seats: Sequence[Seat],
    named: bool,
    grades: Sequence[str] = (),
) -> str:
    """Whose secrets the dice were made of: in how many batches each seat had a part."""
    if named:
        return NAMED_SEED
    if not batches:
        return NO_DICE
    parts = {
        seat: sum(bool(batch.player_links[place]) for batch in batches)
        for place, seat in enumerate(seats)
    }
    total = len(batches)
    if not any(parts.values()):
        return f"the service alone: no seat had a part in any of {total} batches"
    said = f"the service, with {_shares(parts)} of {total} batches"
    if grades and min(grades) in LOCKED:
        locked = "their links came when the orders were locked, by the order of the record"
        beacon = f"; {BY_BEACON}" if min(grades) == BEACON else ""
        return f"{said}; {locked}{beacon}"
    return f"{said}; their links were given ahead"


def _shares(parts: Mapping[Seat, int]) -> str:
    return ", ".join(f"{seat} in {count}" for seat, count in parts.items())


def vouched(rules: str, dice: str, orders: str, origin: str, time: str = "") -> tuple[Voucher, ...]:
    """The lines of a verdict, in the order in which they are told."""
    lines = {
        "rules": rules, "dice": dice, "orders": orders, "origin": origin,
        "time": time or SERVICE_TIME,
    }  # fmt: skip
    return tuple(Voucher(what=what, by=by) for what, by in lines.items())

"""Who fights on whose side. A side is called by its first seat, so of two seats each is its own.

Points, the initiative and objectives are a side's; fleets, land bases, units and orders a seat's.
"""

from __future__ import annotations

from functools import lru_cache

from ....kernel.rules import Refused, rule
from ....kernel.values import Seat

SEATS = (2, 4, 6, 8)
"""How many seats a battle may have: one to four on either side."""


@rule("CT-GEN-13")
def check_seats(seats: tuple[Seat, ...]) -> None:
    """Refuse seats that are not two sides of equal number."""
    if len(seats) not in SEATS:
        hint = "A battle has two sides of one to four seats, as many on either: 2, 4, 6 or 8."
        raise Refused("setup.wrong-seats", "CT-GEN-13", hint, "/seats")


@rule("CT-AMB-105")
def number(seats: tuple[Seat, ...], seat: Seat) -> int:
    """Which side a seat fights on, 0 or 1: partners sit alternately with the enemy."""
    return seats.index(seat) % 2


@lru_cache(maxsize=256)
def members(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """The seat and its partners."""
    return seats[number(seats, seat) :: 2]


def sides(seats: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Both sides, each with its members in order of sitting."""
    return members(seats, seats[0]), members(seats, seats[1])


@lru_cache(maxsize=256)
def side(seats: tuple[Seat, ...], seat: Seat) -> Seat:
    """The side of a seat."""
    return seats[number(seats, seat)]


@lru_cache(maxsize=256)
def enemy(seats: tuple[Seat, ...], seat: Seat) -> Seat:
    """The other side."""
    return seats[1 - number(seats, seat)]


@rule("CT-AMB-110")
def shares(seats: tuple[Seat, ...], seat: Seat, things: int) -> int:
    """How many of a side's things are the seat's: as many for each, the first have one more."""
    partners = members(seats, seat)
    each, more = divmod(things, len(partners))
    return each + (partners.index(seat) < more)

"""Where a scenario has its units begin: it names each of them, so nobody builds or places a fleet.

The booklet knows two ways to set up and none between (1.4): the scenario gives the position of each
unit, or each player places his own.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ....kernel.rules import rule
from ....kernel.values import Seat, Value
from .charts import Point, Side, Slug, figure, pose_of
from .geometry.pose import Pose
from .options import Options, Start
from .seating import members, shares

Forms = tuple["StartForm", ...]


class StartForm(Value, frozen=True):
    """A unit and where it begins: a ship at a place, an aircraft at its base (CT-AMB-113)."""

    side: Annotated[Side, Meta(description="Whose it is.")]
    card: Annotated[Slug, Meta(description="Its card; convoy-ship for each ship of a convoy.")]
    at: Annotated[
        Point | None, Meta(description="The middle of its base; none for an aircraft.")
    ] = None
    heading: Annotated[int, figure(0, 719, "Half degrees, clockwise from the far edge.")] = 0
    base: Annotated[
        str,
        Meta(max_length=40, description="For an aircraft: the card of its ship, or land-base."),
    ] = ""


def place(form: StartForm, options: Options) -> Pose | None:
    """Where a unit stands on the table; None for an aircraft, which is at its base."""
    return None if form.at is None else pose_of(form.at, form.heading, options)


def starts(forms: Forms, options: Options, seats: tuple[Seat, ...]) -> tuple[Start, ...]:
    """All units of a scenario in its own order, each with the seat that commands it."""
    seat_of: dict[int, Seat] = {}
    for number, name in enumerate(("first", "second")):
        seat_of |= _dealt(forms, name, seats, seats[number])
    return tuple(
        Start(seat_of[number], form.card, place(form, options), form.base)
        for number, form in enumerate(forms)
    )


@rule("CT-AMB-114")
def _dealt(forms: Forms, name: str, seats: tuple[Seat, ...], first: Seat) -> dict[int, Seat]:
    """Who of a side commands which of its units, by their numbers in the list.

    Ships go by quadrants: from the left to the members in order, as evenly as can be. Aircraft go
    with their ship, those on land as evenly as can be.
    """
    ours = {number: form for number, form in enumerate(forms) if form.side == name}
    afloat = sorted((n for n, form in ours.items() if form.at), key=lambda n: ours[n].at or (0, 0))
    dealt = _evenly(afloat, seats, first)
    ships = {ours[n].card: dealt[n] for n in afloat}
    ashore = [n for n, form in ours.items() if not form.at and form.base not in ships]
    aboard = {n: ships[form.base] for n, form in ours.items() if not form.at and form.base in ships}
    return dealt | aboard | _evenly(ashore, seats, first)


def _evenly(numbers: list[int], seats: tuple[Seat, ...], first: Seat) -> dict[int, Seat]:
    left = iter(numbers)
    return {
        next(left): seat
        for seat in members(seats, first)
        for _ in range(shares(seats, seat, len(numbers)))
    }


__all__ = ["Forms", "StartForm", "place", "starts"]

"""What everybody may say of sealed fleets and dives; a new field of the state needs its line."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.rules import Refused
from ....kernel.shown.claims import Claim, ClaimsByField
from ....kernel.values import Hidden, Known, Seat
from ..rules.diving import submarines
from ..rules.fleets import check_fleet
from ..rules.state import State

OPEN = "it is open, and nothing follows from it for a sealed fleet or dive"
TERMS = "the claim about fleets asks the rules, which know it"


def _fleets(view: State) -> Iterator[Claim]:
    for seat, fleet in view.fleets.items():
        if isinstance(fleet, Hidden):
            yield _might_choose(seat)


def _might_choose(seat: Seat) -> Claim:
    def legal(state: State) -> bool:
        fleet = state.fleets[seat]
        try:
            check_fleet(state, seat, fleet.items if isinstance(fleet, Known) else ())
        except Refused:
            return False
        return fleet.count > 0

    return Claim(f"{seat} might choose that fleet", "CT-FLEET-01", legal)


def _dives(view: State) -> Iterator[Claim]:
    for seat, dive in view.dives.items():
        if isinstance(dive, Hidden):
            yield _own_submarines(seat)


def _own_submarines(seat: Seat) -> Claim:
    def holds(state: State) -> bool:
        dive, mine = state.dives[seat], [unit.id for unit in submarines(state, seat)]
        return isinstance(dive, Known) and [n for n in mine if n in dive.items] == list(dive.items)

    return Claim(f"{seat} chooses among its submarines", "CT-SUB-03", holds)


CLAIMS: ClaimsByField = {
    **dict.fromkeys(
        (
            "title", "step", "turn", "tended", "revealed", "first", "led", "last", "passed",
            "scores", "draw", "awaiting", "purpose", "lost", "land", "storms", "objectives",
            "order", "shot", "wind", "rolls", "result", "seats", "gone",
        ),
        OPEN,
    ),
    **dict.fromkeys(("scenario", "options", "terms"), TERMS),
    "units": "the claim about dives asks for the submarines among them",
    "fleets": _fleets,
    "dives": _dives,
}  # fmt: skip
"""Field of the state to what it claims of the hidden, or why it claims nothing."""

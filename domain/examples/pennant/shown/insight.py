"""What explains and decides nothing: figures, what a sealed colour may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from domain.kernel.shown.claims import Claim, ClaimsByField
from domain.kernel.shown.insight import Insight
from domain.kernel.shown.odds_summary import OddsSummary, thousandths
from domain.kernel.tally import Tally
from domain.kernel.values import Choose as Draw
from domain.kernel.values import Hidden, Known, Seat

from ..rules.commands import COLOURS
from ..rules.course import dice_tally, tender_of
from ..rules.state import State


def calls(state: State, unit: str) -> str:
    """The seats have flags and tenders."""
    if unit in map(tender_of, state.seats):
        return f"the {unit}"
    return f"the flag of {unit}" if unit in state.seats else ""


def figures(state: State, unit: str) -> dict[str, Tally]:
    """How many dice a seat has for the hull."""
    if unit not in state.seats or not state.colours:
        return {}
    return {"dice": dice_tally(state, unit, "hull")}


def in_short(odds: Mapping[str, Any]) -> OddsSummary | None:
    """Whether an order hits; of a roll that is awaited the rules tell no such chance."""
    hit = odds.get("hit")
    return OddsSummary(thousandths(Fraction(hit["in"], hit["of"]))) if hit else None


def suppose(state: State, draw: Draw) -> State:
    """A colour that is sealed is one of the two."""
    choices = (
        Known((COLOURS[draw(2)],)) if isinstance(choice, Hidden) else choice
        for choice in state.choices
    )
    return replace(state, choices=tuple(choices))


def _sealed(view: State) -> Iterator[Claim]:
    for place, choice in enumerate(view.choices):
        if isinstance(choice, Hidden):
            yield _a_colour(view.seats[place], place)


def _a_colour(seat: Seat, place: int) -> Claim:
    def holds(state: State) -> bool:
        choice = state.choices[place]
        return isinstance(choice, Known) and choice.items[0] in COLOURS

    return Claim(f"{seat} has chosen a colour", "PEN-2", holds)


CLAIMS: ClaimsByField = {
    **dict.fromkeys(
        ("seats", "left", "mover", "points", "tenders", "awaited", "rolls", "winners"),
        "it is open, and nothing follows from it for a colour",
    ),
    "choices": _sealed,
    "colours": "none is sealed any more when they are shown",
}
"""What each field of a state says of a colour that is sealed, or why nothing."""

INSIGHT = Insight(
    calls=calls,
    figures=figures,
    suppose=suppose,
    claims=CLAIMS,
)

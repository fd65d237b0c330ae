"""What everybody may say of a sealed fleet; a new field of the state needs its line here."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ....kernel.rules import Refused
from ....kernel.shown.claims import Claim, ClaimsByField
from ....kernel.values import Hidden, Known, Seat, StepKey
from ..rules.cards import squadrons
from ..rules.convoy import SHIP, ships
from ..rules.facts import side_of
from ..rules.fleets import check_fleet
from ..rules.state import State

OPEN = "it is open, and nothing follows from it for a sealed fleet"
TERMS = "the claim about fleets asks the rules, which know it"


def in_play(state: State, seat: Seat) -> tuple[str, ...]:
    """The cards of a fleet that are deployed: nothing is lost while one is sealed.

    Squadrons that an ability brings were never in a fleet.
    """
    mine = (unit.card for unit in state.all_units if unit.seat == seat)
    return tuple(name for name in mine if name not in squadrons())


def might_be(state: State, seat: Seat, rest: tuple[str, ...]) -> bool:
    """Whether a fleet of what is deployed and ``rest`` could have been chosen."""
    every = (*in_play(state, seat), *rest)
    side = side_of(state, seat)
    if side is not None and side.fleet:
        return sorted(every) == sorted((*side.fleet, *ships(state, seat)))
    if every.count(SHIP) != len(ships(state, seat)):
        return False
    try:
        check_fleet(state, seat, tuple(name for name in every if name != SHIP))
    except Refused:
        return False
    return True


def _fleets(view: State) -> Iterator[Claim]:
    for seat, fleet in view.fleets.items():
        if isinstance(fleet, Hidden):
            yield _might_choose(seat)
            if in_play(view, seat):
                yield _goes_on(seat)


def _might_choose(seat: Seat) -> Claim:
    def legal(state: State) -> bool:
        rest = state.fleets[seat]
        begun = replace(state, step=StepKey("fleets"))
        return isinstance(rest, Known) and might_be(begun, seat, rest.items)

    return Claim(f"{seat} might choose that fleet", "WAS-SETUP-23", legal)


def _goes_on(seat: Seat) -> Claim:
    text = f"{seat} has something left to deploy"
    return Claim(text, "WAS-SETUP-25", lambda state: state.fleets[seat].count > 0)


CLAIMS: ClaimsByField = {
    **dict.fromkeys(
        (
            "step", "turn", "tended", "side_chooser", "first_deployer", "first", "thrown", "last",
            "passed", "claimed", "declined", "scores", "bonus", "barred", "used", "stalemate",
            "progress", "calm", "awaiting", "purpose", "lost", "stacks", "smoke", "mines",
            "effects", "active", "squalls", "light", "attack", "weather", "rolls", "result",
            "carriers", "seats",
        ),
        OPEN,
    ),
    **dict.fromkeys(
        (
            "edition", "scenario", "options", "alliances", "edges", "objectives", "zone", "escort",
            "custom_scenario", "custom_map", "units",
        ),
        TERMS,
    ),
    "fleets": _fleets,
}  # fmt: skip
"""Field of the state to what it claims of the hidden, or why it claims nothing."""

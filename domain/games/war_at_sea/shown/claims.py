"""What everybody may say of a sealed fleet; a new field of the state needs its line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
    """Whether a fleet of what is deployed and ``rest`` could have been chosen, or is the given one.

    What was deployed is counted with what is left: so the bound is on both together.
    """
    if given(state, seat):
        return is_given(state, seat, rest)
    return has_its_ships(state, seat, rest) and may_be_built(state, seat, rest)


def given(state: State, seat: Seat) -> tuple[str, ...]:
    """The fleet that the scenario gives a seat, if it does."""
    side = side_of(state, seat)
    return side.fleet if side is not None else ()


def is_given(state: State, seat: Seat, rest: tuple[str, ...]) -> bool:
    """Whether what is deployed and ``rest`` are the fleet that the scenario gives."""
    every = (*in_play(state, seat), *rest)
    return sorted(every) == sorted((*given(state, seat), *ships(state, seat)))


def has_its_ships(state: State, seat: Seat, rest: tuple[str, ...]) -> bool:
    """Whether the Ships of the convoy are there, and no more of them."""
    every = (*in_play(state, seat), *rest)
    return every.count(SHIP) == len(ships(state, seat))


def may_be_built(state: State, seat: Seat, rest: tuple[str, ...]) -> bool:
    """Whether what is deployed and ``rest``, Ships of a convoy apart, may be chosen as a fleet."""
    every = (*in_play(state, seat), *rest)
    try:
        check_fleet(state, seat, tuple(name for name in every if name != SHIP))
    except Refused:
        return False
    return True


def _fleets(view: State) -> Iterator[Claim]:
    for seat, fleet in view.fleets.items():
        if isinstance(fleet, Hidden):
            yield from _of_fleet(view, seat)
            if in_play(view, seat):
                yield _goes_on(seat)


def _of_fleet(view: State, seat: Seat) -> Iterator[Claim]:
    if given(view, seat):
        yield _fits(f"{seat} has the fleet that was given", "WAS-SETUP-28", seat, is_given)
        return
    yield _fits(f"{seat} might choose that fleet", "WAS-SETUP-23", seat, may_be_built)
    if ships(view, seat):
        text = f"{seat} has the Ships of the convoy"
    else:
        text = f"{seat} has no Ships of a convoy"
    yield _fits(text, "WAS-SCEN-22", seat, has_its_ships)


def _fits(
    text: str, rule: str, seat: Seat, fits: Callable[[State, Seat, tuple[str, ...]], bool]
) -> Claim:
    def holds(state: State) -> bool:
        rest = state.fleets[seat]
        begun = replace(state, step=StepKey("fleets"))
        return isinstance(rest, Known) and fits(begun, seat, rest.items)

    return Claim(text, rule, holds)


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

"""Fleets that are ready to submit, and the template for building one's own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ....kernel.options import Template, TemplateRefusal
from ....kernel.rules import Refused
from ....kernel.values import Seat, StepKey
from .abilities import has
from .ability_words import LandsTroops
from .cards import cards, catalogue
from .commands import SubmitFleet
from .fleets import check_fleet, fits
from .state import LAND_BASE, Options, Pick, State, Terms
from .templates import built

SAMPLES: tuple[tuple[str, ...], ...] = (
    ("uss-iowa", "uss-fletcher", "uss-gato", "uss-boise"),
    ("ijn-kongo", "ijn-takao", "ijn-kagero", "ijn-shokaku", "a6m2-zero", "d3a1-val", "b5n2-kate"),
    ("uss-enterprise", "f4f-4-wildcat", "sbd-3-dauntless", "tbf-1-avenger", "uss-san-francisco",
     "uss-fletcher", "uss-independence", "f4f-4-wildcat", "uss-gato"),
    ("kms-bismarck", "kms-prinz-eugen", "kms-z23", "u-47", "ju-87b-stuka"),
    ("hms-warspite", "hms-illustrious", "fairey-swordfish-i", "hms-ajax", "hms-cossack",
     "hms-upholder", "hms-exeter"),
    ("rn-vittorio-veneto", "rn-zara", "rn-aviere", "rn-leonardo-da-vinci", "sm-79-sparviero"),
    ("uss-lst-325", "uss-san-francisco", "uss-boise", "uss-fletcher", "uss-gato",
     "ss-jeremiah-o-brien", "os2u-3-kingfisher", "pby-5a-catalina"),
    ("ijn-no-9", "ijn-no-101", "ijn-takao", "ijn-kagero", "ijn-shoho", "a6m2-zero", "ijn-kongo"),
    ("hms-boxer", "hms-thruster", "hms-ajax", "hms-cossack", "hms-illustrious",
     "fairey-fulmar-i", "fairey-swordfish-i", "hms-exeter", "hms-upholder"),
)  # fmt: skip
"""Fleets of up to 100 points for bots, tests and people in a hurry; bases are found for them."""

NATIONS = ("US", "Japan", "UK", "Germany", "Italy", "France")


def check_terms(terms: Terms, options: Options, seats: tuple[Seat, ...]) -> None:
    """Refuse an agreement by which a seat could build no fleet at all: nobody could ever begin."""
    if terms.starts:
        _check_given(terms, options, seats)
        return
    for seat in seats:
        if not _ready(terms, options, seat, seats):
            hint = f"No fleet costs {terms.points[seat]} or less; agree on more points."
            raise Refused("setup.no-fleet", "CT-FLEET-03", hint, "/options/points")


def _check_given(terms: Terms, options: Options, seats: tuple[Seat, ...]) -> None:
    """The scenario brings the fleets: nothing is agreed about them, and every seat has a unit."""
    agreed = {
        "points": options.points,
        "units": options.units,
        "convoySide": options.convoy_side,
    }
    for name, value in agreed.items():
        if value:
            hint = "The scenario brings the fleets, so nothing is agreed about them."
            raise Refused("setup.settled-by-scenario", "CT-AMB-113", hint, f"/options/{name}")
    if {each.seat for each in terms.starts} != set(seats):
        hint = "The scenario brings too few units for so many players."
        raise Refused("setup.no-fleet", "CT-AMB-114", hint, "/seats")


def ready_fleets(state: State, seat: Seat) -> tuple[tuple[Pick, ...], ...]:
    """Fleets that this seat may submit in this game; never none."""
    return _ready(state.terms, state.options, seat, state.seats)


def _ready(
    terms: Terms, options: Options, seat: Seat, seats: tuple[Seat, ...]
) -> tuple[tuple[Pick, ...], ...]:
    probe = State(scenario="", options=options, terms=terms, seats=seats, step=StepKey("fleets"))
    found = (_based(probe, names) for names in SAMPLES)
    fitting = tuple(picks for picks in found if _fits(probe, seat, picks))
    if terms.points[seat] <= 100 and fitting:
        return fitting
    made = (_made(probe, seat, nation) for nation in NATIONS)
    return tuple(dict.fromkeys((*fitting, *(p for p in made if _fits(probe, seat, p)))))


def _fits(probe: State, seat: Seat, picks: tuple[Pick, ...]) -> bool:
    try:
        check_fleet(probe, seat, picks)
    except Refused:
        return False
    return bool(picks)


def _based(probe: State, names: tuple[str, ...]) -> tuple[Pick, ...]:
    """The cards with the first base that has room for each aircraft."""
    room = {name: cards()[name].aircraft for name in names if cards()[name].aircraft}
    picks = []
    land = probe.terms.airbase
    for name in names:
        if cards()[name].kind != "aircraft":
            picks.append(Pick(name))
            continue
        ships = [base for base, left in room.items() if left and fits(cards()[name], cards()[base])]
        if ships:
            room[ships[0]] -= 1
            picks.append(Pick(name, ships[0]))
        elif land:
            land -= 1
            picks.append(Pick(name, LAND_BASE))
    return tuple(picks)


def _made(probe: State, seat: Seat, nation: str) -> tuple[Pick, ...]:
    """As much as the terms allow of one nation: a landing ship if one is needed, then the rest."""
    deck = [card for card in catalogue().values() if card.nation == nation]
    chosen: tuple[str, ...] = _lander(nation) if probe.terms.lander == seat else ()
    for card in sorted(deck, key=lambda card: (card.kind == "aircraft", -card.points, card.id)):
        longer = (*chosen, card.id)
        if card.id not in chosen and _fits(probe, seat, _based(probe, longer)):
            chosen = longer
    return _based(probe, chosen)


def _lander(nation: str) -> tuple[str, ...]:
    """A landing ship: the nation's own, or another's where it has none."""
    ships = [card for card in catalogue().values() if has(card, LandsTroops)]
    return (min(ships, key=lambda card: card.nation != nation).id,)


def fleet_template(state: State, seat: Seat) -> Template:
    """How to build a fleet: any cards within points and units, each aircraft with a base."""
    most, units = state.terms.points[seat], state.terms.units
    return _template(most, units, tuple(_unsaid(state, seat, most, units)))


NAMED_TWICE = TemplateRefusal("fleet.named-twice", "CT-FLEET-07")
MIXED_NATIONS = TemplateRefusal("fleet.mixed-nations", "CT-FLEET-07")
OVER_POINTS = TemplateRefusal("fleet.over-points", "CT-FLEET-03")
UNKNOWN_BASE = TemplateRefusal("fleet.unknown-base", "CT-FLEET-06")
BASE_FULL = TemplateRefusal("fleet.base-full", "CT-FLEET-06")
NO_LANDING_SHIP = TemplateRefusal("fleet.no-landing-ship", "CT-SCN-09")


def _unsaid(state: State, seat: Seat, most: int, units: int) -> Iterator[TemplateRefusal]:
    """What the units come to together."""
    yield UNKNOWN_BASE
    if units * max(card.points for card in catalogue().values()) > most:
        yield OVER_POINTS
    if units > min(state.terms.airbase, 2):  # a ship for one aircraft, with two
        yield BASE_FULL
    if units > 1:
        yield NAMED_TWICE
    if units > 1 and state.options.nations == "one":
        yield MIXED_NATIONS
    if state.terms.lander == seat:
        yield NO_LANDING_SHIP


@lru_cache(maxsize=64)
def _template(most: int, units: int, refusals: tuple[TemplateRefusal, ...]) -> Template:
    picks = {"type": "array", "minItems": 1, "maxItems": units, "items": {"oneOf": [*_picks()]}}
    return built(
        SubmitFleet,
        f"Build a fleet of up to {most} points and {units} units.",
        {"units": picks},
        refusals,
    )


def _picks() -> Iterator[dict[str, Any]]:
    """Ships and submarines, without a base; and aircraft, by the bases that can carry them."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for card in catalogue().values():
        carried = card.kind == "aircraft"
        ships = [ship.id for ship in catalogue().values() if carried and fits(card, ship)]
        alike.setdefault((LAND_BASE, *ships) if carried else (), []).append(card.id)
    for bases, names in alike.items():
        yield {
            "type": "object",
            "required": ["card", "base"] if bases else ["card"],
            "additionalProperties": False,
            "properties": {"card": {"enum": names}, "base": {"enum": bases or ("",)}},
        }

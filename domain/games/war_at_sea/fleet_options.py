"""Fleets that are ready to submit, and the template for building one's own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from ...kernel.options import Template
from ...kernel.rules import Refused
from ...kernel.values import Seat
from .cards import CARDS, card, missing
from .rules.fleets import check_fleet
from .scenarios import scenario
from .state import Options, State

SAMPLES = {
    "Allies": (
        # WAS-FLEET-40, the rulebook's sample fleet of exactly 100 points.
        ("uss-princeton-cvl-23", "sbd-dauntless", "f4f-wildcat", "hms-hood",
         "uss-fletcher-dd-445", "le-terrible"),
        ("uss-washington-bb-56", "uss-atlanta-cl-51", "uss-fletcher-dd-445",
         "uss-fletcher-dd-445", "f4f-wildcat", "f4f-wildcat"),
        ("uss-enterprise-cv-6", "sbd-dauntless", "sbd-dauntless", "f4f-wildcat",
         "uss-atlanta-cl-51", "uss-boise-cl-47", "uss-barb-ss-220"),
    ),
    "Axis": (
        ("bismarck", "admiral-graf-spee", "z-20-karl-galster", "ju-87b-stuka", "ju-87b-stuka"),
        ("shokaku", "b5n2-kate", "a6m2-zeke", "myoko", "i-19", "d3a-val", "d3a-val"),
        ("yamato", "tone"),
    ),
}  # fmt: skip
"""Fleets of up to 100 points by alliance, for bots, tests and people in a hurry."""


def ready_fleets(state: State, seat: Seat) -> Iterator[tuple[str, ...]]:
    """The sample fleets that this seat may submit in this game."""
    yield from _legal_samples(state.alliances[seat], state.edition, state.scenario)


@lru_cache(maxsize=64)
def _legal_samples(alliance: str, edition: str, scenario_: str) -> tuple[tuple[str, ...], ...]:
    probe = State(
        edition=edition,  # type: ignore[arg-type]
        scenario=scenario_,
        options=Options(),
        seats=("p1", "p2"),
        alliances={"p1": alliance},  # type: ignore[dict-item]
        step="fleets",
    )
    found = []
    for fleet in SAMPLES[alliance]:
        try:
            check_fleet(probe, "p1", fleet)
        except Refused:
            continue
        found.append(fleet)
    return tuple(found)


def fleet_template(state: State, seat: Seat) -> Template:
    """How to build a fleet: any playable cards of the alliance within points and units."""
    return _template(state.alliances[seat], state.scenario, state.edition)


@lru_cache(maxsize=64)
def _template(alliance: str, scenario_: str, edition: str) -> Template:
    limits = scenario(scenario_)
    names = [
        name
        for name, each in CARDS.items()
        if each.alliance == alliance and not missing(card(name, edition))  # type: ignore[arg-type]
    ]
    schema = {
        "type": "object",
        "required": ["type", "cards"],
        "additionalProperties": False,
        "properties": {
            "type": {"const": "submit-fleet"},
            "cards": {
                "type": "array",
                "minItems": 1,
                "maxItems": limits.units,
                "items": {"enum": names},
            },
        },
    }
    return Template(
        "submit-fleet",
        f"Build a fleet of up to {limits.points} points and {limits.units} units.",
        {name: msgspec.Raw(msgspec.json.encode(value)) for name, value in schema.items()},
    )

"""Fleets that are ready to submit, and the template for building one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ....kernel.commands import tag_of
from ....kernel.options import Template, TemplateRefusal
from ....kernel.rules import Refused
from ....kernel.values import Seat, StepKey
from .cards import CARDS, missing
from .charts import Map
from .commands import SubmitFleet
from .convoy import points
from .editions import Edition
from .facts import card_named, limits_of, side_of
from .fleets import check_fleet
from .history import may_serve
from .scenarios import Scenario
from .state import Alliance, Options, State
from .terms import units

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


USUAL = 100
"""The points that the sample fleets are made for."""


def ready_fleets(state: State, seat: Seat) -> Iterator[tuple[str, ...]]:
    """The sample fleets that this seat may submit in this game; one is made where none may be."""
    yield from _legal_fleets(state.alliances[seat], *_terms(state, seat))


def _terms(state: State, seat: Seat) -> _Terms:
    side = side_of(state, seat)
    limits = replace(limits_of(state), sides=() if side is None else (side, side))
    return _Terms(state.edition, limits, seat == state.escort, state.options, state.custom_map)


class _Terms(NamedTuple):
    """All that a fleet depends on besides its alliance: what the fleets of a game are cached by."""

    edition: Edition
    limits: Scenario
    escorts: bool
    options: Options
    map: Map | None


def _probe(alliance: Alliance, agreed: _Terms) -> State:
    """A game on these terms in which fleets are tried out, all of them by its first seat."""
    return State(
        edition=agreed.edition,
        scenario=agreed.limits.id,
        options=agreed.options,
        seats=("p1", "p2"),
        alliances={"p1": alliance},
        escort="p1" if agreed.escorts else "p2",
        step=StepKey("fleets"),
        custom_scenario=agreed.limits,
        custom_map=agreed.map,
    )


@lru_cache(maxsize=256)
def _legal_fleets(alliance: Alliance, *terms: Any) -> tuple[tuple[str, ...], ...]:
    probe = _probe(alliance, _Terms(*terms))
    found = tuple(fleet for fleet in SAMPLES[alliance] if _fits(probe, fleet))
    if found and points(probe, "p1") <= USUAL:
        return found
    made = _made(probe, alliance)
    return (made, *found) if made or not found else found


def _fits(probe: State, fleet: tuple[str, ...]) -> bool:
    return _refusal(probe, fleet) is None


def _refusal(probe: State, fleet: tuple[str, ...]) -> TemplateRefusal | None:
    try:
        check_fleet(probe, "p1", fleet)
    except Refused as refused:
        return TemplateRefusal(refused.code, refused.rule)
    return None


def _made(probe: State, alliance: str) -> tuple[str, ...]:
    """As much as the terms allow, of the nation that has the most to offer: one of each in turn."""
    cards = [card_named(probe, name) for name in open_cards(alliance, probe)]
    nations = Counter(each.nation for each in cards)
    cards.sort(key=lambda each: (-nations[each.nation], -each.cost, each.id))
    fleet: tuple[str, ...] = ()
    spread = cards[:: max(1, len(cards) // units(probe, "p1"))]
    for each in (*spread, *cards):
        if _fits(probe, (*fleet, each.id)):
            fleet = (*fleet, each.id)
    return fleet


def open_cards(alliance: str, state: State) -> list[str]:
    """Cards that a fleet of the alliance may hold, one by one, on the terms of this game."""
    year = state.options.year
    return [
        name
        for name in CARDS
        if may_serve(each := card_named(state, name), alliance, state.options)
        and not missing(each)
        and not (year and each.year > year)
    ]


def fleet_template(state: State, seat: Seat) -> Template:
    """How to build a fleet: any playable cards of the alliance within points and units."""
    alliance = state.alliances[seat]
    names = tuple(open_cards(alliance, state))
    refusals = _unsaid(names, alliance, *_terms(state, seat))
    return _template(names, points(state, seat), units(state, seat), refusals)


@lru_cache(maxsize=256)
def _unsaid(names: tuple[str, ...], alliance: Alliance, *terms: Any) -> tuple[TemplateRefusal, ...]:
    """What the cards come to together, found by asking the rules about fleets that go too far."""
    probe = _probe(alliance, _Terms(*terms))
    found = {each for fleet in _too_far(probe, names) if (each := _refusal(probe, fleet))}
    return tuple(sorted(found, key=lambda each: (each.code, each.rule)))


def _too_far(probe: State, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """As many of one card as the units, and as the points, allow; and two nations together."""
    room, most = units(probe, "p1"), points(probe, "p1")
    flags: dict[str, str] = {}
    for each in (card_named(probe, name) for name in names):
        flags.setdefault(each.nation, each.id)
        yield (each.id,) * room
        yield (each.id,) * max(1, min(room, most // each.cost))
    if room > 1:
        yield from combinations(flags.values(), 2)


@lru_cache(maxsize=64)
def _template(
    names: tuple[str, ...], most: int, units: int, refusals: tuple[TemplateRefusal, ...]
) -> Template:
    schema = {
        "type": "object",
        "required": ["type", "cards"],
        "additionalProperties": False,
        "properties": {
            "type": {"const": tag_of(SubmitFleet)},
            "cards": {
                "type": "array",
                "minItems": 1,
                "maxItems": units,
                "items": {"enum": names},
            },
        },
    }
    return Template(
        tag_of(SubmitFleet),
        f"Build a fleet of up to {most} points and {units} units.",
        {name: msgspec.Raw(msgspec.json.encode(value)) for name, value in schema.items()},
        refusals,
    )

"""Commands that a seat builds for itself: a fleet, an arrangement, reinforcements, a discard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from ....kernel.commands import tag_of
from ....kernel.options import Template, TemplateRefusal
from ....kernel.values import Seat
from . import facts
from .cards import reinforcements
from .commands import Arrange, CommitFleet, DiscardCards, Reinforce
from .evening import few_carriers
from .reorganize import worth_of
from .rows import standing
from .setup import FLEET_POINTS
from .ships import SHIPS, ships_of
from .state import State

Refusals = tuple[TemplateRefusal, ...]
SchemaOf = dict[str, Any]

MOST_POSTED = 13
"""Ships that one Reinforce may name."""

POINTS = TemplateRefusal("fleet.points", "NB-SETUP-09")
CARRIERS = TemplateRefusal("fleet.carriers", "NB-RUL-11")
NOT_THE_FLEET = TemplateRefusal("rows.not-the-fleet", "NB-ROW-04")
NOT_HELD = TemplateRefusal("card.not-in-hand", "NB-RUL-03")
NOT_IN_PILE = TemplateRefusal("reinforce.not-in-pile", "NB-REIN-02")
TOO_DEAR = TemplateRefusal("reinforce.points", "NB-REIN-02")
GAP = TemplateRefusal("rows.gap", "NB-ROW-08")


def _template(command: type, text: str, refusals: Refusals = (), **properties: Any) -> Template:
    schema = {
        "type": "object",
        "required": ["type", *properties],
        "additionalProperties": False,
        "properties": {"type": {"const": tag_of(command)}, **properties},
    }
    raw = {key: msgspec.Raw(msgspec.json.encode(value)) for key, value in schema.items()}
    return Template(tag_of(command), text, raw, refusals)


def _some(names: tuple[str, ...], most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "minItems": least, "maxItems": most, "items": {"enum": names}}


def _different(names: tuple[str, ...], least: int = 0) -> dict[str, Any]:
    """Some of these, none of them twice."""
    return _some(names or ("",), max(len(names), least), least) | {"uniqueItems": True}


def commit(state: State, seat: Seat) -> Template:
    """How to choose a starting fleet."""
    return _commit(state.nations[seat], state.options.starting_fleet, state.options.carriers)


@lru_cache(maxsize=16)
def _commit(nation: str, how: str, carriers: str) -> Template:
    names = tuple(ship.id for ship in ships_of(nation))
    text = f"Choose ships worth {how.replace('-', ' ')} {FLEET_POINTS} victory points."
    text += "" if carriers == "any" else " One carrier at most."
    refusals = (POINTS,) if carriers == "any" or few_carriers(names) else (POINTS, CARRIERS)
    return _template(CommitFleet, text, refusals, ships=_different(names, 1))


@lru_cache(maxsize=512)
def arrange(fleet: tuple[str, ...]) -> Template:
    """How to arrange a fleet: every ship in a row, submarines on a side."""
    surface = _surface(fleet)
    below = tuple(name for name in fleet if name not in surface)
    return _template(
        Arrange,
        "Put every surface ship into one of up to three rows; name the active submarines.",
        (NOT_THE_FLEET,) if surface else (),
        rows={"type": "array", "maxItems": 3 if surface else 0, "items": _different(surface, 1)},
        active=_different(below),
    )


def reinforce(state: State, seat: Seat) -> tuple[Template, ...]:
    """How to play Reinforcements together and choose what they bring, if one is in the hand."""
    held = tuple(
        name for name in facts.hand(state, seat)
        if facts.card(state, name).family == reinforcements.FAMILY
    )  # fmt: skip
    return (_reinforce(held, state.reserves[seat], (*_unsaid(state, seat, held),)),) if held else ()


def _unsaid(state: State, seat: Seat, held: tuple[str, ...]) -> Iterator[TemplateRefusal]:
    """What cards and ships come to together, and the rows of the ships that are there already."""
    pile = state.reserves[seat]
    if len(facts.kinds(held)) > 1:
        yield NOT_HELD
    if len(pile) > 1:
        yield NOT_IN_PILE
    if worth_of([*pile]) > min(reinforcements.points(state, (card,)) for card in held):
        yield TOO_DEAR
    granted = reinforcements.points(state, held)
    rows, _ = standing(state, seat)
    if len(rows) < 2 and any(SHIPS[name].points <= granted for name in _surface(pile)):
        yield GAP


def _surface(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if not SHIPS[name].submarine)


@lru_cache(maxsize=512)
def _reinforce(held: tuple[str, ...], reserve: tuple[str, ...], refusals: Refusals) -> Template:
    surface = _surface(reserve)
    below = tuple(name for name in reserve if name not in surface)
    kinds = [_posting(surface, (1, 2, 3), (False,))] if surface else []
    kinds += [_posting(below, (0,), (False, True))] if below else []
    ships = {"oneOf": kinds} if kinds else {"enum": ("",)}
    return _template(
        Reinforce,
        "Play Reinforcements; name the new ships and where they go (submarines: row 0).",
        refusals,
        cards=_some(facts.kinds(held), len(held), 1),
        ships={"type": "array", "maxItems": min(len(reserve), MOST_POSTED), "items": ships},
    )


def _posting(names: tuple[str, ...], rows: tuple[int, ...], sides: tuple[bool, ...]) -> SchemaOf:
    return {
        "type": "object",
        "required": ["ship"] if 0 in rows else ["ship", "row"],
        "additionalProperties": False,
        "properties": {"ship": {"enum": names}, "row": {"enum": rows}, "active": {"enum": sides}},
    }


def discard(hand: tuple[str, ...]) -> tuple[Template, ...]:
    """How to discard several cards."""
    return (_discard(hand),) if hand else ()


@lru_cache(maxsize=512)
def _discard(hand: tuple[str, ...]) -> Template:
    kinds = facts.kinds(hand)
    refusals = (NOT_HELD,) if len(kinds) > 1 else ()
    cards = _some(kinds, len(hand), 1)
    return _template(DiscardCards, "Discard any of your cards.", refusals, cards=cards)

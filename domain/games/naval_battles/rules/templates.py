"""Commands that a seat builds for itself: a fleet, an arrangement, reinforcements, a discard."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from ....kernel.commands import tag_of
from ....kernel.options import Template
from ....kernel.values import Seat
from . import facts
from .cards import reinforcements
from .commands import Arrange, CommitFleet, DiscardCards, Reinforce
from .setup import FLEET_POINTS
from .ships import SHIPS, ships_of
from .state import State


def _template(command: type, text: str, **properties: Any) -> Template:
    schema = {
        "type": "object",
        "required": ["type", *properties],
        "additionalProperties": False,
        "properties": {"type": {"const": tag_of(command)}, **properties},
    }
    raw = {key: msgspec.Raw(msgspec.json.encode(value)) for key, value in schema.items()}
    return Template(tag_of(command), text, raw)


def _some(names: tuple[str, ...], most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "minItems": least, "maxItems": most, "items": {"enum": names}}


def commit(state: State, seat: Seat) -> Template:
    """How to choose a starting fleet."""
    return _commit(state.nations[seat], state.options.starting_fleet, state.options.carriers)


@lru_cache(maxsize=16)
def _commit(nation: str, how: str, carriers: str) -> Template:
    names = tuple(ship.id for ship in ships_of(nation))
    text = f"Choose ships worth {how.replace('-', ' ')} {FLEET_POINTS} victory points."
    text += "" if carriers == "any" else " One carrier at most."
    return _template(CommitFleet, text, ships=_some(names, len(names), 1))


@lru_cache(maxsize=512)
def arrange(fleet: tuple[str, ...]) -> Template:
    """How to arrange a fleet: every ship in a row, submarines on a side."""
    surface = tuple(name for name in fleet if not SHIPS[name].submarine)
    below = tuple(name for name in fleet if SHIPS[name].submarine)
    row = _some(surface or ("",), max(1, len(surface)), 1)
    return _template(
        Arrange,
        "Put every surface ship into one of up to three rows; name the active submarines.",
        rows={"type": "array", "maxItems": 3 if surface else 0, "items": row},
        active=_some(below or ("",), len(below)),
    )


def reinforce(state: State, seat: Seat) -> tuple[Template, ...]:
    """How to play Reinforcements together and choose what they bring, if one is in the hand."""
    held = tuple(
        name for name in facts.hand(state, seat)
        if facts.card(state, name).family == reinforcements.FAMILY
    )  # fmt: skip
    return (_reinforce(held, state.reserves[seat]),) if held else ()


@lru_cache(maxsize=512)
def _reinforce(held: tuple[str, ...], reserve: tuple[str, ...]) -> Template:
    ship = {
        "type": "object",
        "required": ["ship"],
        "additionalProperties": False,
        "properties": {
            "ship": {"enum": reserve or ("",)},
            "row": {"enum": (0, 1, 2, 3)},
            "active": {"type": "boolean"},
        },
    }
    return _template(
        Reinforce,
        "Play Reinforcements; name the new ships and where they go (submarines: row 0).",
        cards=_some(facts.kinds(held), len(held), 1),
        ships={"type": "array", "maxItems": len(reserve), "items": ship},
    )


def discard(hand: tuple[str, ...]) -> tuple[Template, ...]:
    """How to discard several cards."""
    return (_discard(hand),) if hand else ()


@lru_cache(maxsize=512)
def _discard(hand: tuple[str, ...]) -> Template:
    cards = _some(facts.kinds(hand), len(hand), 1)
    return _template(DiscardCards, "Discard any of your cards.", cards=cards)

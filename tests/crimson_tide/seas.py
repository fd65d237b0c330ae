"""Battles of Crimson Tide in the middle of things, as plain JSON: what cases and tests begin with.

A unit may be played with other figures than its card's (``"figures": {"armor": 8}``), or without
its abilities (``"abilities": []``): a card that exists only while the case is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import msgspec

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.cards import Card, cards
from domain.games.crimson_tide.rules.evolve import evolve
from domain.games.crimson_tide.rules.options import Options
from domain.games.crimson_tide.rules.scenarios import scenario, terms
from domain.games.crimson_tide.rules.sequence import battle
from domain.games.crimson_tide.rules.state import LAND_BASE, State
from domain.kernel.flow import Flow
from domain.kernel.setup import Setup
from domain.kernel.testing.table import Table, opened
from domain.kernel.values import StepKey

SEATS = ("p1", "p2")
EDITION = "1"
PASSING = "~"
"""A card of its own is called by its figures: engines may remember cards by name, and a case that
is played again comes to the same."""
USUAL: dict[str, Any] = {
    "scenario": "standard",
    "seats": list(SEATS),
    "step": StepKey("movement", "first"),
    "turn": 2,
    "first": "p1",
    "revealed": True,
    "scores": {"p1": 0, "p2": 0},
}


@contextmanager
def passing_cards() -> Iterator[None]:
    """Cards with other figures live until this is left."""
    try:
        yield
    finally:
        for name in [name for name in cards() if PASSING in name]:
            del cards()[name]


def begun(setup: Mapping[str, Any]) -> Table:
    """The battle of a set-up: with ``units`` in the middle of things, else from its opening."""
    given = dict(setup)
    if not isinstance(given.get("units"), list):
        scenario, seats = given.pop("scenario", "standard"), tuple(given.pop("seats", SEATS))
        customs = given.pop("customs", {})
        return opened(GAME, Setup("crimson-tide", EDITION, scenario, seats, given, customs))
    flow: Flow[State, Any] = Flow(position(given), evolve)
    battle(flow.state.options).carry_on(flow)
    return Table(GAME, flow.state, flow.events)


def position(setup: Mapping[str, Any]) -> State:
    """The state that a set-up with ``units`` describes, before anything happens by itself."""
    given = dict(setup)
    units = [_piece(spec) for spec in given.pop("units")]
    options = given.pop("options", {})
    fields = USUAL | given | {"options": options}
    fields["terms"] = _terms(fields) | given.pop("terms", {})
    return msgspec.convert(fields | {"units": {u["id"]: u for u in units}}, State)


def _terms(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What the scenario says, and the options: as in a battle that is played from its opening."""
    options, seats = msgspec.convert(fields["options"], Options), tuple(fields["seats"])
    said: dict[str, Any] = msgspec.to_builtins(terms(scenario(fields["scenario"]), options, seats))
    return said


def _piece(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A unit: its seat from its ID; ``pose`` as [x, y] or [x, y, heading] in wu."""
    given = dict(spec)
    given.setdefault("seat", given["id"].partition("-")[0])
    card = _card(given)
    if isinstance(given.get("pose"), Sequence):
        x, y, *heading = given["pose"]
        given["pose"] = {"x": x, "y": y, "heading": heading[0] if heading else 0}
    if card.kind == "aircraft":
        given.setdefault("base", LAND_BASE)
        if "at" in given:
            given.setdefault("mission", "free")
    return given


def _card(given: dict[str, Any]) -> Card:
    """The unit's card, one of its own where the case changes figures or abilities."""
    card = cards()[given["card"]]
    changes: dict[str, Any] = dict(given.pop("figures", {}))
    if "abilities" in given:
        changes["abilities"] = given.pop("abilities")
    if not changes:
        return card
    plain = msgspec.to_builtins(card) | changes
    name = f"{card.id}{PASSING}{sha256(msgspec.json.encode(plain)).hexdigest()[:8]}"
    plain["id"] = name
    cards()[name] = made = msgspec.convert(plain, Card)
    given["card"] = name
    return made


__all__ = ["SEATS", "begun", "passing_cards", "position"]

"""Battles of War at Sea in the middle of things: given a table, when a command, then events.

Dice are given as faces, so no test of a rule is random. A unit's card may be played without its
abilities (``bare("tone")``): a card of the same figures that exists only while the test runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from domain.games.war_at_sea import GAME
from domain.games.war_at_sea.rules import board, cards, editions
from domain.games.war_at_sea.rules import commands as c
from domain.games.war_at_sea.rules import events as ev
from domain.games.war_at_sea.rules.cards import CARDS
from domain.games.war_at_sea.rules.evolve import evolve
from domain.games.war_at_sea.rules.sequence import battle
from domain.games.war_at_sea.rules.state import AIRBASE, State, Unit
from domain.kernel.chance import Faces
from domain.kernel.flow import Flow
from domain.kernel.rules import Refused
from domain.kernel.setup import Setup
from domain.kernel.testing.table import Table
from domain.kernel.values import Known, Seat, StepKey

Event = ev.AnyEvent
Pool = Sequence[int]

EDITIONS = editions.EDITIONS
SEATS: tuple[Seat, Seat] = ("p1", "p2")
BARE = "~bare"


# --- cards without their abilities ----------------------------------------------------------------


def bare(card: str) -> str:
    """The ID of a test card with the figures of ``card`` and no abilities."""
    name = card + BARE
    for catalogue in catalogues():
        catalogue[name] = msgspec.structs.replace(catalogue[card], id=name, abilities=())
    return name


def catalogues() -> list[dict[str, cards.Card]]:
    held = [cards.catalogue_of(e, s) for e in EDITIONS for s in cards.SOURCES] + [CARDS]
    return list({id(catalogue): catalogue for catalogue in held}.values())


@contextmanager
def passing_cards() -> Iterator[None]:
    """Test cards live until this is left; a fixture of tests/war_at_sea does so for each test."""
    try:
        yield
    finally:
        for catalogue in catalogues():
            for name in [name for name in catalogue if name.endswith(BARE)]:
                del catalogue[name]


# --- the table ------------------------------------------------------------------------------------


def unit(name: str, card: str, sector: str = "", **fields: Any) -> Unit:
    """A piece on the table; its seat is the part of its ID before the dash.

    An Aircraft in a sector has its mission and came from the airbase unless a base is given; one
    without a sector is at its base.
    """
    figures = cards.card(card, "2009")
    if figures.type == "Aircraft":
        fields.setdefault("base", AIRBASE)
        fields.setdefault("placed", bool(sector))
    return Unit(name, card, name.partition("-")[0], sector, **fields)


def table(edition: str, *units: Unit, **fields: Any) -> State:
    """A state to start from: two fleets deployed, the first turn, p1 (Axis, south) First Player.

    ``fields`` are those of :class:`State`; objectives are the battle zone's unless they are given.
    """
    zone = fields.setdefault("zone", 1)
    fields.setdefault("objectives", board.zone(zone).objectives)
    defaults: dict[str, Any] = {
        "scenario": "standard",
        "options": {},
        "alliances": {"p1": "Axis", "p2": "Allies"},
        "step": StepKey("sea-movement", "first"),
        "turn": 1,
        "first_deployer": "p1",
        "first": "p1",
        "edges": {"p1": "south", "p2": "north"},
        "scores": {"p1": 0, "p2": 0},
        "fleets": {seat: msgspec.to_builtins(Known[str](())) for seat in SEATS},
    }
    given_ = {**defaults, **fields}
    state = {_camel(key): msgspec.to_builtins(value) for key, value in given_.items()}
    state |= {"edition": edition, "seats": SEATS, "units": _laid_out(units)}
    return msgspec.convert(state, State)


def _laid_out(units: Iterable[Unit]) -> dict[str, Any]:
    return {each.id: msgspec.to_builtins(each) for each in units}


def _camel(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(word.capitalize() for word in more)


class Battle(Table):
    """A battle under way, with all events since it was given."""

    state: State

    def __init__(self, state: State, events: Iterable[Event] = ()) -> None:
        super().__init__(GAME, state, events)

    def fire(self, seat: Seat, name: str, weapon: str, target: str, faces: Pool) -> Battle:
        """An attack without optional abilities, and its dice."""
        return self.act(seat, c.Fire(name, weapon, target)).roll(faces)

    def passes(self, *seats: Seat) -> Battle:
        """These seats pass, in this order."""
        for seat in seats:
            self.act(seat, c.Pass())
        return self

    def on_to(self, phase: str, part: str = "") -> Battle:
        """Everybody passes until the phase (or its part) is reached; fails when nobody may pass."""
        for _ in range(200):
            now = self.state.step
            if now.phase == phase and part in ("", now.part):
                return self
            waiting = battle(self.state.edition).asked(self.state)
            assert waiting, f"nobody can pass in {self.state.step}: {self.state.awaiting}"
            self.act(waiting[0], c.Pass())
        raise AssertionError(f"{StepKey(phase, part)} is not reached by passing")

    def unit(self, name: str) -> Unit:
        """A unit that is in play."""
        return self.state.units[name]


def refusal_of(state: State, seat: Seat, command: c.AnyCommand | Faces) -> Refused | None:
    """Why ``command`` is not accepted; None when it is."""
    try:
        GAME.decide(state, seat, command)
    except Refused as refusal:
        return refusal
    return None


def given(edition: str, *units: Unit, **fields: Any) -> Battle:
    """A battle with these units on the table; what a step does by itself happens at once."""
    return resumed(table(edition, *units, **fields))


def resumed(state: State) -> Battle:
    """Play on from a state until somebody has to choose or dice are awaited."""
    flow: Flow[State, Event] = Flow(state, evolve)
    battle(state.edition).carry_on(flow)
    return Battle(flow.state, flow.events)


def opened(edition: str, options: Mapping[str, Any] | None = None, **setup: Any) -> Battle:
    """A battle from its very beginning. Raises Refused for a set-up that no rule allows."""
    wanted = {"scenario": "standard", "seats": SEATS, **setup}
    events = GAME.opening(Setup("war-at-sea", edition, options=dict(options or {}), **wanted))
    return Battle(GAME.fold(events), events)


def cards_where(edition: str = "2009", **figures: Any) -> list[cards.Card]:
    """Cards with these figures, for tests that hold for every such card."""
    wanted = figures.items()
    return [
        each
        for each in cards.catalogue("2009" if edition == "2009" else "2007").values()
        if all(getattr(each, key) == value for key, value in wanted)
    ]

"""Battles of Naval Battles in the middle of things: given a table, when a command, then events.

A table says what lies on it; the rest follows: nations from the ships, reinforcement piles from the
nations, and the deck holds every card that lies nowhere else. Dice and draws are given as faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from domain.games.naval_battles import GAME
from domain.games.naval_battles.rules import commands as c
from domain.games.naval_battles.rules.decide import EDITION
from domain.games.naval_battles.rules.deck import STANDARD_TABLE, full_deck, sorted_cards
from domain.games.naval_battles.rules.evolve import evolve
from domain.games.naval_battles.rules.sequence import battle
from domain.games.naval_battles.rules.ships import NATIONS, SHIPS, ships_of
from domain.games.naval_battles.rules.state import Attack, Prepared, Ship, State
from domain.kernel.flow import Flow
from domain.kernel.setup import Setup
from domain.kernel.testing.table import Table
from domain.kernel.values import Known, Seat, StepKey

SEATS = tuple(f"p{number}" for number in range(1, 7))
PILE = "near-miss"
"""Cards with which tests fill hands that do not matter."""


def ship(seat: Seat, name: str, row: int = 1, **fields: Any) -> Ship:
    """A ship in a row; a submarine is in none, whatever ``row`` says."""
    if name not in SHIPS:
        raise KeyError(f"no ship {name!r}")
    return Ship(name, seat, 0 if SHIPS[name].submarine else row, **fields)


def table(*ships: Ship, seats: int = 2, **fields: Any) -> State:
    """A state to start from: p1 declares attacks in his first turn, all hands are empty.

    hands     cards by seat
    prepared  cards before a fleet by seat: ``Prepared`` values
    sunk      ships by the seat that sank them
    All other fields are those of :class:`State`.
    """
    places = SEATS[:seats]
    hands = {seat: tuple(cards) for seat, cards in fields.pop("hands", {}).items()}
    lying = {seat: tuple(cards) for seat, cards in fields.pop("prepared", {}).items()}
    sunk = dict.fromkeys(places, ()) | {s: tuple(n) for s, n in fields.pop("sunk", {}).items()}
    nations = _nations(places, ships) | fields.pop("nations", {})
    values: dict[str, Any] = {
        "edition": EDITION,
        "scenario": "standard",
        "options": {},
        "seats": places,
        "step": StepKey("declare"),
        "nations": nations,
        "ships": {each.id: each for each in ships},
        "reserves": _reserves(nations, ships, sunk),
        "sunk": sunk,
        "earlier": dict.fromkeys(places, 0),
        "hands": {seat: Known(_sorted(hands.get(seat, ()))) for seat in places},
        "prepared": {seat: lying.get(seat, ()) for seat in places},
        "first": "p1",
        "active": "p1",
        "last": "p1",
        "turn": 1,
        "round": 1,
    } | fields
    values.setdefault("deck", Known(_rest(values)))
    return msgspec.convert(msgspec.to_builtins(_camel(values)), State)


def _camel(values: Mapping[str, Any]) -> dict[str, Any]:
    names = dict(zip(State.__struct_fields__, State.__struct_encode_fields__, strict=True))
    return {names[key]: value for key, value in values.items()}


def _nations(places: Iterable[Seat], ships: Iterable[Ship]) -> dict[Seat, str]:
    found: dict[Seat, str] = {each.seat: SHIPS[each.id].nation for each in ships}
    left = [nation for nation in NATIONS if nation not in found.values()]
    return {seat: found.get(seat) or left.pop(0) for seat in places}


def _reserves(
    nations: Mapping[Seat, str], ships: Iterable[Ship], sunk: Mapping[Seat, Sequence[str]]
) -> dict[Seat, tuple[str, ...]]:
    gone = {each.id for each in ships} | {name for names in sunk.values() for name in names}
    return {
        seat: tuple(each.id for each in ships_of(nation) if each.id not in gone)
        for seat, nation in nations.items()
    }


def _sorted(cards: Iterable[str]) -> tuple[str, ...]:
    return sorted_cards(STANDARD_TABLE, tuple(cards))


def cards_outside(state: State) -> Counter[str]:
    """Every action card that is neither in the deck nor in a hand, counted."""
    found: Counter[str] = Counter(state.discards)
    for prepared in state.prepared.values():
        found.update(each.card for each in prepared)
    for retreats in state.retreats.values():
        found.update(retreats)
    for each in state.ships.values():
        found.update(each.damage)
    batches = {}
    for attack in state.attacks:
        if attack.batch:
            batches[attack.batch] = attack.card
        elif attack.card:
            found[attack.card] += 1
    if state.aim is not None:
        batches[state.aim.batch] = state.aim.card
    found.update(batches.values())
    found.update(each.card for each in state.surprises)
    return found


def _rest(values: Mapping[str, Any]) -> tuple[str, ...]:
    """The cards of the deck: all that lie nowhere else."""
    probe = msgspec.convert(msgspec.to_builtins(_camel({**values, "deck": Known(())})), State)
    left = Counter(full_deck(STANDARD_TABLE))
    left.subtract(cards_outside(probe))
    for hand in probe.hands.values():
        assert isinstance(hand, Known)
        left.subtract(hand.items)
    missing = [name for name, count in left.items() if count < 0]
    assert not missing, f"more cards on the table than the deck holds: {missing}"
    return tuple(name for name in STANDARD_TABLE for _ in range(left[name]))


def resumed(state: State) -> Battle:
    """Play on from a state until somebody has to choose or dice are awaited."""
    flow: Flow[State, Any] = Flow(state, evolve)
    battle().carry_on(flow)
    return Battle(GAME, flow.state, flow.events)


def given(*ships: Ship, seats: int = 2, **fields: Any) -> Battle:
    """A battle with these ships on the table; what a step does by itself happens at once."""
    return resumed(table(*ships, seats=seats, **fields))


def seen(event: Any, viewer: str) -> Any:
    """The event as this viewer may know it."""
    return GAME.seen(event, viewer)


def opened(seats: int = 2, scenario: str = "standard", **options: Any) -> Battle:
    """A game from its very beginning. Raises Refused for a set-up that no rule allows."""
    setup = Setup("naval-battles", EDITION, scenario, SEATS[:seats], options)
    events = GAME.opening(setup)
    return Battle(GAME, GAME.fold(events), events)


class Battle(Table):
    """A battle under way, with all events since it was given."""

    state: State
    does = Table.act

    def ends(self, seat: Seat) -> Battle:
        """The seat ends its step, if it is asked still: a step without choices passes by itself."""
        if seat in self.asked():
            self.act(seat, c.Pass())
        return self

    def draws(self) -> Battle:
        """Draws that are awaited fall as threes where they can, until something else is asked."""
        while (awaited := self.state.awaiting) is not None and awaited.domain != "pub":
            self.roll(*((min(3, pool.sides),) * pool.count for pool in awaited.pools))
        return self

    def picks(self, *cards: str) -> Battle:
        """The awaited draw gives these cards, in this order."""
        deck = self.state.deck
        assert isinstance(deck, Known)
        left, faces = list(deck.items), []
        for card in cards:
            at = left.index(card)
            faces.append(at + 1)
            left.pop(at)
        return self.roll(*((face,) for face in faces[: len(self._pools())]))

    def _pools(self) -> tuple[Any, ...]:
        assert self.state.awaiting is not None
        return self.state.awaiting.pools

    def hand(self, seat: Seat) -> tuple[str, ...]:
        """The cards of a seat."""
        held = self.state.hands[seat]
        assert isinstance(held, Known)
        return held.items


__all__ = [
    "SEATS",
    "Attack",
    "Battle",
    "Prepared",
    "Ship",
    "cards_outside",
    "given",
    "opened",
    "resumed",
    "seen",
    "ship",
    "table",
]

"""Where Aircraft are based that abilities treat apart: anchorages, mother ships, a full airbase.

Pure questions about the table; what happens to such Aircraft is in squadrons.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from .....kernel.rules import No
from .....kernel.values import Seat
from .. import board
from ..cards import Card
from ..facts import card_of, chart_of, own
from ..families import deeds
from ..families.effects import bears, declared_by, rule_of
from ..state import AIRBASE, State, Unit

EXTRA = 3
"""Kamikazes that the land airbase holds beyond its limit."""

# --- Aircraft with a home of their own ------------------------------------------------------------


@cache
def detachments() -> dict[str, str]:
    """Aircraft that are based on the Ship that brought them and nowhere else, with the ability."""
    return {word.card: family for family, word in declared_by(deeds.Detachments).items()}


@cache
def temporary() -> dict[str, str]:
    """Aircraft of one mission, with the ability that launches them: they go back to no base."""
    return {word.card: family for family, word in declared_by(deeds.Launches).items()}


@cache
def passengers() -> dict[str, str]:
    """Cards that an ability takes aboard a Carrier, with the ability."""
    return {word.card: family for family, word in declared_by(deeds.Embarks).items()}


def moored(card: Card) -> bool:
    """Sea Basing: it is based in a sector by an island."""
    return bears(card, deeds.Moored) is not None


def tied(card: Card) -> bool:
    """Whether neither the land airbase nor a Carrier ever takes it."""
    return card.id in detachments() or card.id in temporary() or moored(card)


def anchorages(state: State, seat: Seat) -> tuple[str, ...]:
    """Island sectors of the own half; those of the middle row where it has none."""
    half, islands = board.half(state.edges[seat]), chart_of(state).islands
    mine = tuple(sector for sector in board.SECTORS if sector in islands and sector in half)
    middle = (s for s in board.SECTORS if s in islands and board.row(s) == board.MIDDLE_ROW)
    return mine or tuple(middle)


def homes(state: State, unit: Unit) -> tuple[str, ...]:
    """Where an Aircraft that is tied may land."""
    card = card_of(state, unit)
    if moored(card):
        return anchorages(state, unit.seat)
    return (unit.base,) if card.id in detachments() and unit.base in state.units else ()


def why_not_moored(state: State, seat: Seat, at: str) -> No | None:
    """Why an Aircraft with Sea Basing may not start in ``at``."""
    open_ = anchorages(state, seat)
    if at in open_:
        return None
    hint = f"It is based by an island of its side: {', '.join(open_)}."
    return No("deploy.no-anchorage", _anchored(), hint, "/at")


def _anchored() -> str:
    """The rule of Sea Basing."""
    return rule_of(next(iter(declared_by(deeds.Moored))))


def why_not_back(state: State, unit: Unit, base: str) -> No | None:
    """Why an Aircraft that is tied may not land there."""
    open_ = homes(state, unit)
    if base in open_:
        return None
    card = card_of(state, unit)
    its = bears(card, deeds.Moored)
    rule_ = its[0].rule if its else rule_of((detachments() | temporary())[card.id])
    return No("return.wrong-base", rule_, f"It lands only at {', '.join(open_)}.", "/base")


def parted(state: State, units: Iterable[Unit]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who goes to the land airbase with that mission, and who stays at a base of its own."""
    every = tuple(units)
    stay = tuple(u.id for u in every if tied(card_of(state, u)) or embarked(u))
    return tuple(u.id for u in every if u.id not in stay), stay


# --- Embark B-25 ----------------------------------------------------------------------------------


def takes(carrier: Card | None, aircraft: Card) -> bool:
    """Whether an ability of the Carrier takes this Aircraft aboard, once a game, at set-up."""
    berth = bears(carrier, deeds.Embarks) if carrier is not None else None
    return berth is not None and berth[1].card == aircraft.id


def embarked(unit: Unit) -> bool:
    """Whether it came aboard a Carrier by that ability; the Carrier may be lost by now."""
    return unit.card in passengers() and unit.base != AIRBASE


def berths(state: State, seat: Seat, holders: Mapping[str, Card | None]) -> frozenset[str]:
    """Carriers of these that still have the berth of Embark B-25 open."""
    aboard = {unit.base for unit in own(state, seat) if unit.card in passengers()}
    return open_berths({base: each for base, each in holders.items() if base not in aboard})


def open_berths(holders: Mapping[str, Card | None]) -> frozenset[str]:
    """Carriers of these that have such a berth."""
    return frozenset(base for base, each in holders.items() if each and bears(each, deeds.Embarks))


def grounded(state: State, unit: Unit) -> bool:
    """While a B-25 is based on its Carrier, an Aircraft flies no missions."""
    ship = state.units.get(unit.base)
    own_guest = unit.card in passengers()
    if ship is None or own_guest or not bears(card_of(state, ship), deeds.Embarks):
        return False
    return any(u.card in passengers() and u.base == ship.id for u in own(state, unit.seat))


# --- the land airbase -----------------------------------------------------------------------------


def overstacks(card: Card) -> bool:
    """Overstack: up to three such Aircraft do not count at the land airbase."""
    return bears(card, deeds.Overstacks) is not None


def counted(cards: Sequence[Card]) -> int:
    """How many places these Aircraft take at the land airbase."""
    return len(cards) - min(EXTRA, sum(map(overstacks, cards)))


def ashore(state: State, seat: Seat, but: Iterable[str] = ()) -> tuple[int, int]:
    """Places taken at the land airbase, and extra places left for Aircraft that overstack."""
    left_out = set(but)
    there = [
        card_of(state, unit)
        for unit in own(state, seat)
        if unit.base == AIRBASE and not unit.sector and unit.id not in left_out
    ]
    return counted(there), EXTRA - (len(there) - counted(there))


def without_extra(aircraft: Iterable[Card], extra: int) -> list[Card]:
    """The Aircraft that need an ordinary place: not the tied, nor so many that overstack."""
    needing = []
    for card in aircraft:
        if overstacks(card) and extra > 0:
            extra -= 1
        elif not tied(card):
            needing.append(card)
    return needing

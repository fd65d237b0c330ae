"""STACK: how many units of a side one sector holds."""

from __future__ import annotations

from ....kernel.rules import rule
from ....kernel.values import Seat
from .cards import Card
from .facts import card_of, limits_of, own
from .families.effects import ship_room
from .state import State, Unit


@rule("WAS-STACK-01", "WAS-STACK-02", "WAS-STACK-03", "WAS-STACK-09",
      "WAS-STACK-12", "WAS-STACK-13", "WAS-SCEN-43", "WAS-SCEN-44")  # fmt: skip
def limit(state: State, type_: str) -> int:
    """How many units of a type a player may have in one sector."""
    limits = limits_of(state)
    if type_ == "Ship":
        return limits.ships
    return limits.submarines if type_ == "Submarine" else limits.aircraft


@rule("WAS-STACK-08", "WAS-STACK-15", "RUL-12", "WAS-SETUP-24")
def count(state: State, seat: Seat, sector: str, type_: str, but: str = "") -> int:
    """The seat's units of a type in a sector, ``but`` one; not enemies, not based Aircraft."""
    return sum(
        unit.sector == sector
        and unit.seat == seat
        and unit.id != but
        and card_of(state, unit).type == type_
        for unit in state.all_units
    )


@rule("WAS-STACK-14")
def has_room(state: State, seat: Seat, sector: str, card: Card, but: str = "") -> bool:
    """Whether one more unit of the card's type may stay in the sector."""
    return count(state, seat, sector, card.type, but) < room(state, seat, sector, card)


def room(state: State, seat: Seat, sector: str, card: Card) -> int:
    """The limit, or more Ships where one of them has an ability for it (Close Escort)."""
    usual = limit(state, card.type)
    if card.type != "Ship":
        return usual
    there = (
        widened(usual, card_of(state, u))
        for u in state.all_units
        if u.sector == sector and u.seat == seat
    )
    return max((widened(usual, card), *there))


def widened(usual: int, card: Card) -> int:
    """The limit of a sector that holds the card: Close Escort makes room for itself.

    One Ship more than usual, so that no sector is too full once it has left.
    """
    ships = ship_room(card)
    return max(usual, min(ships, usual + 1)) if ships else usual


@rule("WAS-STACK-04", "WAS-STACK-07")
def full_sectors(state: State, unit: Unit, card: Card) -> frozenset[str]:
    """Sectors that have no room for the unit: what :func:`has_room` denies, in one pass.

    Enemies never use up room; who wants in waits until another unit has moved out.
    """
    there: dict[str, list[Card]] = {}
    limited = limit(state, card.type)
    usual = widened(limited, card)
    for other in own(state, unit.seat):
        if not other.sector or other.id == unit.id:
            continue
        like = card_of(state, other)
        if like.type == card.type:
            there.setdefault(other.sector, []).append(like)
    return frozenset(
        sector
        for sector, cards in there.items()
        if len(cards) >= usual and all(len(cards) >= widened(limited, like) for like in cards)
    )


def overstacked(state: State, seat: Seat) -> tuple[str, ...]:
    """Sectors where the seat has too many Ships: only after an overfull set-up (RUL-06)."""
    ships: dict[str, list[Card]] = {}
    for unit in own(state, seat):
        if unit.sector and (card := card_of(state, unit)).type == "Ship":
            ships.setdefault(unit.sector, []).append(card)
    usual = limit(state, "Ship")
    return tuple(
        sector
        for sector, cards in ships.items()
        if len(cards) > usual and all(len(cards) > widened(usual, card) for card in cards)
    )

"""What evens a table out, where it agrees on it (NB-RUL-10 to -12): ours, and off by default.

HOUSE.md shows what each of them was measured to do.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....kernel.data import load_toml
from ....kernel.rules import No, rule
from ....kernel.values import Seat, Value
from .ships import PACKAGE, SHIPS
from .state import State, Terms

HAND = 7
"""Action cards that a hand is filled up to (NB-DRAW-01)."""


class _Handicap(Value, frozen=True):
    leads: dict[str, int]


LEADS: dict[str, int] = load_toml(PACKAGE, "handicap.toml", _Handicap).leads
"""Points with which each nation begins a battle under the house's handicap."""


@rule("NB-RUL-10")
def hand_size(state: State, seat: Seat) -> int:
    """Up to how many cards a seat draws: before the first turn the first player may get fewer."""
    dealing = not state.turn
    return state.options.first_hand if dealing and seat == state.first else HAND


@rule("NB-RUL-11")
def why_not_carriers(state: State, ships: Iterable[str]) -> No | None:
    """Option: one carrier at most in a starting fleet."""
    if state.options.carriers == "any" or few_carriers(ships):
        return None
    hint = "One aircraft carrier at most, of whatever kind, is allowed in this game."
    return No("fleet.carriers", "NB-RUL-11", hint, "/ships")


def few_carriers(ships: Iterable[str]) -> bool:
    """Whether there is one carrier at most."""
    return sum(bool(SHIPS[name].air_raid) for name in ships) <= 1


@rule("NB-RUL-12")
def lead_of(options: Terms, nation: str) -> int:
    """Points that count for who commands a nation before he has sunk anything."""
    return 0 if options.handicap == "none" else LEADS.get(nation, 0)


def lead(state: State, seat: Seat) -> int:
    """Points with which a seat began this battle."""
    return lead_of(state.options, state.nations.get(seat, "")) + made_up(state, seat)


@rule("NB-RUL-13")
def made_up(state: State, seat: Seat) -> int:
    """Points that the fleet of the player on the right, who is no partner, lacked of 25."""
    return state.lacking.get(state.seats[state.seats.index(seat) - 1], 0)


def on_left(state: State, seat: Seat) -> Seat:
    """Who begins with the points that a seat's fleet lacks."""
    return state.seats[(state.seats.index(seat) + 1) % len(state.seats)]

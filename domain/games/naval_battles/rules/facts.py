"""What can be read off the table, in one place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from ....kernel.memo import latest
from ....kernel.rules import No, rule
from ....kernel.values import Hidden, Known, Seat
from . import evening
from .deck import ActionCard
from .folds.common import cards_of
from .scenarios import team_of
from .ships import SHIPS, ShipCard, place
from .state import Attack, Ship, State

ROWS = (1, 2, 3)


def card(state: State, name: str) -> ActionCard:
    """An action card of this game; raises KeyError for a name that its deck does not hold."""
    return cards_of(state)[name]


def hand(state: State, seat: Seat) -> tuple[str, ...]:
    """A seat's own cards, in the deck's order; none where they are hidden."""
    held = state.hands[seat]
    return held.items if isinstance(held, Known) else ()


def fleet(state: State, seat: Seat) -> list[Ship]:
    """A seat's ships and submarines in play, as the ship cards are listed."""
    return fleets(state, (seat,))


def fleets(state: State, seats: Collection[Seat]) -> list[Ship]:
    """The ships of these seats as the ship cards are listed: a row has no order of its own."""
    return [ship for ship in _listed(state.ships) if ship.seat in seats]


@latest
def _listed(ships: dict[str, Ship]) -> tuple[Ship, ...]:
    """Remembered for the last state: a dict in a state never changes."""
    return tuple([ships[name] for name in sorted(ships, key=place)])


def row(state: State, seat: Seat, number: int) -> list[Ship]:
    """The ships of one row."""
    return [ship for ship in fleet(state, seat) if ship.row == number]


@rule("NB-SHIP-12", "NB-FIG-07", "NB-AMB-04")
def mounts(state: State, ship: Ship) -> tuple[str, ...]:
    """Its mounts by type and caliber; Mikuma has what the worked turn or history says."""
    printed = SHIPS[ship.id]
    if printed.historical_mounts and state.options.mikuma == "historical":
        return printed.historical_mounts
    return printed.mounts


@rule("NB-ATK-04")
def free_mounts(state: State, ship: Ship) -> tuple[str, ...]:
    """Mounts that have not fired this turn; equal ones are named once."""
    left = list(mounts(state, ship))
    for mount in ship.used:
        left.remove(mount)
    return tuple(dict.fromkeys(left))


def caliber(mount: str) -> int:
    """Inches of a gun mount; 0 for torpedoes, and for a name that no mount has."""
    inches = mount.partition("-")[2]
    return int(inches) if inches.isdecimal() else 0


def is_carrier(ship: Ship) -> bool:
    """Whether it has air raid and air cover (NB-AIR-01)."""
    return bool(SHIPS[ship.id].air_raid)


def is_submarine(ship: Ship) -> bool:
    return SHIPS[ship.id].submarine


def printed(ship: Ship) -> ShipCard:
    """The ship card."""
    return SHIPS[ship.id]


@rule("NB-RES-06")
def damage(state: State, ship: Ship) -> int:
    """Damage points: the sum of the damage cards under it, over turns."""
    cards = cards_of(state)
    return sum(cards[name].damage for name in ship.damage)


@rule("NB-WIN-03", "NB-SHIP-03", "NB-EX-17")
def points(state: State, seat: Seat) -> int:
    """Victory points of the ships that a seat sank in this battle, and those it began with."""
    return evening.lead(state, seat) + sum(SHIPS[name].points for name in state.sunk[seat])


def total(state: State, seat: Seat) -> int:
    """Victory points of a seat over all battles of the game."""
    return state.earlier[seat] + points(state, seat)


def side(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The seat and its partners."""
    return _side(state.scenario, state.seats, seat)


@lru_cache(maxsize=256)
@rule("NB-TEAM-04")
def _side(scenario: str, seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Partners sit alternately with the other teams."""
    teams = len(seats) // team_of(scenario)
    return seats[seats.index(seat) % teams :: teams]


def sides(scenario: str, seats: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    """Every side, each with its members in order of sitting."""
    teams = len(seats) // team_of(scenario)
    return tuple(_side(scenario, seats, seat) for seat in seats[:teams])


@rule("NB-TEAM-01")
def why_not_enemy(state: State, seat: Seat, other: Seat) -> No | None:
    """One attacks neither oneself nor one's partners."""
    if other in side(state, seat):
        return No("attack.own-side", "NB-TEAM-01", "Name a ship of an enemy.", "/target")
    return None


def clockwise(state: State, start: Seat) -> Iterator[Seat]:
    """All other seats in order of sitting, from the one after ``start``, then ``start`` itself."""
    at = state.seats.index(start) + 1
    yield from (*state.seats[at:], *state.seats[:at])


def attack(state: State, number: int) -> Attack | None:
    """An open attack by its number."""
    return next((each for each in state.attacks if each.number == number), None)


def present(state: State) -> tuple[Seat, ...]:
    """Seats that have not left the game."""
    return tuple(seat for seat in state.seats if seat not in state.gone)


def counted(held: Known[str] | Hidden) -> int:
    """How many cards; everybody may know (NB-HID-02)."""
    return held.count


def kinds(cards: Iterable[str]) -> tuple[str, ...]:
    """Card IDs without repetition, in order."""
    return tuple(dict.fromkeys(cards))

"""What a seat makes of the table: rough worths in hundredths of a victory point, all integers.

It is worked out from the seat's own view and nothing else: no hidden card is ever looked at, as
there is none in a view.
"""

from __future__ import annotations

from collections import Counter

import msgspec
from msgspec.structs import replace

from .....kernel.values import Seat
from ...rules import commands as c
from ...rules import declaring, facts, reckoning
from ...rules.cards import RAIDS, land_air_raid, torpedo_spread
from ...rules.rows import Rows
from ...rules.ships import SHIPS
from ...rules.state import Attack, Ship, State

POINT = 100
"""A victory point."""

SIDES = 6

PARTLY = 6
"""Tenths of a ship's worth for doing all but sinking it."""

EXPOSED = {0: 8, 1: 40, 2: 20, 3: 4}
"""Hundredths of its worth that a ship of hull 1 is in danger by its row; 0: an active submarine."""

AttackCommand = c.DeclareAttack | c.LandRaid | c.AimRaid | c.AirRaid


def read(view: object) -> State:
    """The state that a view shows."""
    return msgspec.convert(view, State)


def worth(name: str) -> int:
    """What its sinker gains."""
    return SHIPS[name].points * POINT


def left(state: State, ship: Ship) -> int:
    """Damage points that sink it."""
    return SHIPS[ship.id].hull - facts.damage(state, ship)


def sixths(attack: Attack) -> int:
    """In how many of six throws it hits if nobody stops it."""
    if attack.kind in RAIDS:
        return reached(attack.needed, 0)
    if attack.kind == torpedo_spread.CARD.family:
        guided = sum(reason.value for reason in torpedo_spread.guidance(attack.ships[0]))
        return reached(torpedo_spread.NEEDED, guided)
    return SIDES


def reached(needed: int, added: int) -> int:
    """In how many of six throws a die with what is added reaches a number."""
    return min(SIDES, max(0, SIDES + added - needed + 1))


def force(state: State, attack: Attack) -> int:
    """Damage points if it hits; a raid does whatever is wanted."""
    if attack.kind in RAIDS:
        return left(state, state.ships[attack.target])
    return facts.card(state, attack.card).damage


def intended(state: State, command: AttackCommand) -> Attack:
    """The attack that a command declares."""
    number = state.declared + 1
    if isinstance(command, c.DeclareAttack):
        family = facts.card(state, command.card).family
        return Attack(number, family, command.target, command.card, command.ships, command.mounts)
    if isinstance(command, c.AirRaid):
        raid = Attack(number, "air-raid", command.target, ships=(command.carrier,))
    elif isinstance(command, c.LandRaid):
        raid = Attack(number, land_air_raid.FAMILY, command.target, command.card, batch=number)
    else:
        assert state.aim is not None
        raid = Attack(number, land_air_raid.FAMILY, command.target, state.aim.card, batch=number)
    return reckoning.numbered(state, raid)


def gain(state: State, attack: Attack) -> int:
    """What an attack is worth besides those at the same target: sinking counts most.

    What lies declared already is taken to hit as often as its dice say, so that fire is gathered
    on a ship until it is as good as sunk, and no further.
    """
    target = state.ships[attack.target]
    rest, alive = left(state, target), 100
    for other in state.attacks:
        if other.target != target.id:
            continue
        if other.kind in RAIDS:
            alive = alive * (SIDES - sixths(other)) // SIDES
        else:
            rest -= force(state, other) * sixths(other) // SIDES
    if rest <= 0:
        return 0
    done = min(rest, force(state, attack))
    full = worth(target.id) * alive * sixths(attack) // (100 * SIDES)
    return full if done == rest else full * done * PARTLY // (10 * rest)


# --- the fleet -----------------------------------------------------------------------------------


def fire(state: State, seat: Seat) -> int:
    """What the cards in the hand can do from where the ships stand, each mount once."""
    shots = [
        (gain(state, intended(state, shot)), shot)
        for shot in declaring.shots(state, seat, declaring.targets(state, seat))
    ]
    shots.sort(key=lambda pair: -pair[0])
    cards, total = Counter(facts.hand(state, seat)), 0
    free = Counter(
        (ship.id, mount) for ship in facts.fleet(state, seat) for mount in _unused(state, ship)
    )
    for value, shot in shots:
        mounts = list(zip(shot.ships, shot.mounts, strict=True))
        if cards[shot.card] and all(free[each] for each in mounts):
            total += value
            cards[shot.card] -= 1
            free.subtract(mounts)
    return total


def _unused(state: State, ship: Ship) -> list[str]:
    mounts = list(facts.mounts(state, ship))
    for mount in ship.used:
        mounts.remove(mount)
    return mounts


def danger(state: State, seat: Seat) -> int:
    """What may be lost by standing so: front rows and thin hulls most."""
    total = 0
    for ship in facts.fleet(state, seat):
        if ship.row == 0 and not ship.active:
            continue
        total += worth(ship.id) * EXPOSED[ship.row] // (100 * max(1, left(state, ship)))
    return total


def stand(state: State, seat: Seat) -> int:
    """Fire less danger: what a formation is worth."""
    return fire(state, seat) - danger(state, seat)


def arranged(state: State, seat: Seat, rows: Rows, active: tuple[str, ...]) -> State:
    """The state with the seat's ships in rows and its submarines on a side."""
    place = {name: number for number, row in enumerate(rows, 1) for name in row}
    moved = {
        ship.id: replace(ship, row=place.get(ship.id, 0), active=ship.id in active)
        for ship in facts.fleet(state, seat)
    }
    return replace(state, ships={**state.ships, **moved})


# --- under attack --------------------------------------------------------------------------------


def threat(state: State, attack: Attack, at: str = "") -> int:
    """What a declared attack costs the owner of its target, together with the others at it.

    at  the ship, if it is moved there first
    """
    if at and at != attack.target:
        attack = reckoning.numbered(state, replace(attack, target=at))
    target = state.ships[attack.target]
    rest = left(state, target)
    others = [a for a in state.attacks if a.target == target.id and a.number != attack.number]
    if any(sixths(a) == SIDES and force(state, a) >= rest for a in others):
        return 0
    value = worth(target.id) * sixths(attack) // SIDES
    if attack.kind in RAIDS:
        return value
    together = force(state, attack) + sum(
        force(state, a) for a in others if a.kind not in RAIDS and sixths(a) * 2 >= SIDES
    )
    if together >= rest:
        return value
    return value * force(state, attack) * PARTLY // (10 * rest)

"""How the figures of a ship card follow from history (NB-FLEET): whoever adds a ship starts here.

``basis`` is a ship's own block of that name in ships/<nation>.toml: standard tons, barrels by
caliber, torpedo tubes, aircraft, anti-aircraft barrels.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from ....kernel.rules import rule
from ..rules.ships import ShipCard, Type

CARRIERS = ("aircraft-carrier", "light-aircraft-carrier", "escort-aircraft-carrier")
BIG_AIR_GROUP = 60
HEAVY_CALIBER = 14


@rule("NB-FLEET-01")
def hull(tons: int, type_: Type) -> int:
    """One more than the root of each 400 tons; one less for battlecruisers and carriers."""
    less = type_ == "battlecruiser" or type_ in CARRIERS
    return max(1, 1 + isqrt(tons // 400) - less)


@rule("NB-FLEET-02")
def mounts(basis: dict[str, Any]) -> tuple[str, ...]:
    """A main mount for four barrels, a secondary one for about eight (at most two), torpedoes."""
    found: list[str] = []
    for battery in basis.get("main", ()):
        found += [f"main-{battery['caliber']}"] * max(1, battery["barrels"] // 4)
    for battery in basis.get("secondary", ()):
        many = min(2, max(1, (battery["barrels"] + 4) // 8))
        found += [f"secondary-{battery['caliber']}"] * many
    return (*found, "torpedo") if basis["torpedoTubes"] else tuple(found)


@rule("NB-FLEET-03")
def anti_aircraft(basis: dict[str, Any]) -> int:
    """One for twenty heavy barrels; four medium or eight light ones count as a heavy one."""
    guns = basis["antiAircraft"]
    number: int = (guns["heavy"] + guns["medium"] // 4 + guns["light"] // 8) // 20
    return -number


@rule("NB-FLEET-04")
def wings(type_: Type, aircraft: int) -> tuple[tuple[int, ...], int, int]:
    """Air raid numbers for rows 1 to 3, air cover rating, air cover symbols."""
    if type_ == "aircraft-carrier":
        return ((5, 5, 6), 5, 2) if aircraft >= BIG_AIR_GROUP else ((5, 6, 6), 5, 1)
    if type_ == "light-aircraft-carrier":
        return (5, 6, 7), 5, 1
    return ((6, 7, 7), 6, 1) if type_ == "escort-aircraft-carrier" else ((), 0, 0)


_RAID_WORTH: dict[tuple[int, ...], int] = {
    (5, 5, 6): 58,
    (5, 6, 6): 40,
    (5, 6, 7): 32,
    (6, 7, 7): 18,
}


@rule("NB-FLEET-06")
def points(ship: ShipCard) -> int:
    """Victory points: a tenth, rounded, of what hull, mounts, wings and silence are worth."""
    worth = 4 * ship.hull + sum(_mount_worth(mount) for mount in ship.mounts)
    worth += 2 * ship.guidance - 3 * ship.anti_aircraft + _RAID_WORTH.get(ship.air_raid, 0)
    worth += ship.cover_symbols * (4 if ship.air_cover == 5 else 2)
    if ship.run_silent:
        worth += 7 - ship.run_silent
    return max(1, (worth + 5) // 10)


def _mount_worth(mount: str) -> int:
    battery, _, caliber = mount.partition("-")
    if battery == "main":
        return 5 if int(caliber) >= HEAVY_CALIBER else 4
    return 3 if battery == "secondary" else 5

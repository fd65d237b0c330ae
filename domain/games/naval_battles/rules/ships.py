"""The ship cards: 78, thirteen for each nation, as data with provenance (ships/<nation>.toml)."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, get_args

import msgspec

from ....kernel.data import ShownKeys, list_files, load_toml
from ....kernel.rules import rule
from ....kernel.values import Value

PACKAGE = __name__.rpartition(".")[0]

SHOWN_KEYS: ShownKeys = {"ships/*.toml": {"ship.provenance": None}}
"""Where a ship's figures come from."""

Nation = Literal["france", "germany", "great-britain", "italy", "japan", "united-states"]
NATIONS: tuple[Nation, ...] = get_args(Nation)

Type = Literal[
    "battleship",
    "battlecruiser",
    "heavy-cruiser",
    "light-cruiser",
    "destroyer",
    "patrol",
    "aircraft-carrier",
    "light-aircraft-carrier",
    "escort-aircraft-carrier",
    "submarine",
]


class ShipCard(Value, frozen=True):
    """One ship card (NB-SHIP-01 to -12).

    points         victory points for its sinker
    hull           damage points that sink it
    mounts         ``main-<inches>``, ``secondary-<inches>`` or ``torpedo``, once for each mount
    historical_mounts  its mounts where the option ``mikuma`` is ``historical``; empty: the same
    anti_aircraft  added to the die of an air raid against it: 0 or less
    air_raid       number needed against rows 1, 2, 3; empty: no carrier
    air_cover      number needed to stop a raid; 0: none
    cover_symbols  attempts in each player turn
    guidance       added to the die of its torpedo spreads
    run_silent     number needed to stop an attack while passive; 0: no submarine
    """

    id: str
    name: str
    nation: Nation
    type: Type
    year: int
    points: int
    hull: int
    mounts: tuple[str, ...] = ()
    historical_mounts: tuple[str, ...] = ()
    anti_aircraft: int = 0
    air_raid: tuple[int, ...] = ()
    air_cover: int = 0
    cover_symbols: int = 0
    guidance: int = 0
    run_silent: int = 0
    provenance: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def submarine(self) -> bool:
        return self.type == "submarine"


class _File(Value, frozen=True):
    ship: tuple[ShipCard, ...]


@rule("NB-COMP-02", "NB-COMP-04", "NB-GEN-03")
def _load() -> dict[str, ShipCard]:
    """Every ship by ID, each of them once."""
    files = (load_toml(PACKAGE, name, _File) for name in list_files(PACKAGE, "ships", ".toml"))
    return {ship.id: ship for file in files for ship in file.ship}


SHIPS: dict[str, ShipCard] = _load()
"""Ship ID to card, nation by nation in the order of the files."""

_PLACE = {name: number for number, name in enumerate(SHIPS)}


def place(name: str) -> tuple[int, str]:
    """Sorts ship IDs as the ship cards are listed; names of no ship come last."""
    return _PLACE.get(name, len(_PLACE)), name


@cache
def ships_of(nation: str) -> tuple[ShipCard, ...]:
    """The ships of a nation in the order of its file; none for an unknown nation."""
    return tuple(ship for ship in SHIPS.values() if ship.nation == nation)

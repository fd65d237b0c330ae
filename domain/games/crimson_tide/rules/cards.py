"""The stats cards: what a unit is, how strong it is, and the public figures behind it."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from msgspec import field

from ....kernel.data import ShownKeys, list_files, load_toml
from ....kernel.rules import rule
from ....kernel.values import Value
from .geometry.hull import Size

PACKAGE = __name__.rpartition(".")[0]

SHOWN_KEYS: ShownKeys = {
    "units/*.toml pieces/*.toml": {"unit.info": None, "unit.basis": None, "unit.note": None}
}
"""What is printed for information, and the public figures that a card was worked out from."""

Kind = Literal["ship", "submarine", "aircraft", "land"]
Type = Literal[
    "Battleship", "Battlecruiser", "Fleet Carrier", "Light Carrier", "Cruiser", "Destroyer",
    "Auxiliary", "Submarine", "Fighter", "Dive Bomber", "Torpedo Bomber", "Patrol Bomber",
    "Reconnaissance", "Land Target",
]  # fmt: skip
Basing = Literal["", "carrier or land", "land", "ship or land"]
Row = tuple[int, ...]
"""Dice by range band from 1; bands beyond its end are 0: no attack possible (CT-CARD-07)."""

BOMBERS = ("Dive Bomber", "Torpedo Bomber", "Patrol Bomber")


class Ability(Value, frozen=True):
    """A special ability on a card; ``n`` is 0 where it has no number."""

    family: str
    n: int = 0


class Card(Value, frozen=True):
    """One stats card (CT-CARD).

    movement, submerged_movement  klicks a turn (CT-CARD-08)
    aircraft        tokens that it can carry; ``aircraft_kinds`` which: any, or floatplanes
    forward, aft, broadside       the primary guns (CT-WPN-01)
    strafe          the gunnery value of aircraft
    flagship        the bonus on the initiative roll; a value of the card, no ability (CT-CRIT-19)
    basing          aircraft: where they may be based
    info            printed for information only (CT-CARD-03)
    basis           the public figures from which the card is computed (CT-CAT)
    """

    id: str
    name: str
    nation: str
    kind: Kind
    type: Type
    unit_class: str
    year: int
    points: int
    armor: int
    critical: int
    hull_number: str = ""
    size: Size | None = None
    fit_date: str = ""
    movement: int = 0
    submerged_movement: int = 0
    hull_points: int = 0
    aircraft: int = 0
    aircraft_kinds: Literal["", "carrier", "reconnaissance"] = ""
    basing: Basing = ""
    forward: Row = ()
    aft: Row = ()
    broadside: Row = ()
    secondary: Row = ()
    tertiary: Row = ()
    aaw: Row = ()
    asw: Row = ()
    torpedo: Row = ()
    bombs: Row = ()
    strafe: Row = ()
    flagship: int = 0
    abilities: tuple[Ability, ...] = ()
    note: str = ""
    info: dict[str, int] = field(default_factory=dict)
    basis: dict[str, Any] = field(default_factory=dict)

    def ability(self, family: str) -> Ability | None:
        """The card's ability of this family, if it has it."""
        return next((each for each in self.abilities if each.family == family), None)

    @property
    @rule("CT-UNIT-01")
    def is_carrier(self) -> bool:
        """Fleet and light carriers."""
        return self.type in ("Fleet Carrier", "Light Carrier")

    @property
    def is_bomber(self) -> bool:
        """Dive, torpedo and patrol bombers."""
        return self.type in BOMBERS


class _Nation(Value, frozen=True):
    """A file of ``units``."""

    unit: tuple[Card, ...]


@cache
def catalogue() -> dict[str, Card]:
    """Every card that a fleet may hold by its ID, nation by nation."""
    return _read("units")


@cache
def cards() -> dict[str, Card]:
    """Every card by its ID, those that only scenarios bring included."""
    return {**catalogue(), **_read("pieces")}


def _read(folder: str) -> dict[str, Card]:
    files = (load_toml(PACKAGE, name, _Nation) for name in list_files(PACKAGE, folder, ".toml"))
    return {card.id: card for file in files for card in file.unit}


@rule("CT-CARD-07")
def dice_at(row: Row, band: int) -> int:
    """The dice of a weapon's row at a range band; 0 beyond its end."""
    return row[band - 1] if 1 <= band <= len(row) else 0

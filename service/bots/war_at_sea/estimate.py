"""What a War at Sea position is worth, by rough sums from public data: cards and the seat's view.

Everything is in Victory Points: a unit is worth its cost, an objective what the scenario gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any

from domain.kernel.shown.bot import Json

AIRBASE = "airbase"
OBJECTIVE = 50
GUNS = ("main", "secondary", "tertiary")
TORPEDO_DAMAGE = 2
SIX_SIDES = 6


@cache
def distance(a: str, b: str) -> int:
    """Sectors from ``a`` to ``b`` on the staggered map: rows of seven and of six squares."""
    (row, half), (other_row, other_half) = _place(a), _place(b)
    rows, halves = abs(row - other_row), abs(half - other_half)
    return rows + max(0, (halves - rows) // 2)


@cache
def _place(sector: str) -> tuple[int, int]:
    row, column = (int(part) for part in sector.split("."))
    return row, 2 * column - row % 2


@cache
def reaches(dice: int, needed: int) -> float:
    """Chance of so many successes with plain dice: 4 and 5 are one, 6 is two."""
    if needed <= 0:
        return 1.0
    if dice <= 0:
        return 0.0
    fewer = dice - 1
    return (
        reaches(fewer, needed) * 3 + reaches(fewer, needed - 1) * 2 + reaches(fewer, needed - 2)
    ) / SIX_SIDES


CONVOY_SHIP, CONVOY = "convoy-ship", 30
"""A convoy Ship costs nothing and decides the battle."""


class Table:
    """A seat's view with the cards laid beside it."""

    def __init__(self, seat: str, view: Json, cards: Mapping[str, Json]) -> None:
        self.seat = seat
        self.view = view
        self.cards = cards
        self.units: dict[str, Json] = view["units"]

    @property
    def nerve(self) -> float:
        """How much of its caution a bot keeps: less for every turn in which nothing happened."""
        return 1 / (1 + int(self.view["calm"]))

    def card(self, unit: Json) -> Json:
        """The figures of a unit's card."""
        figures: Json = self.cards[unit["card"]]["data"]
        return figures

    def type(self, unit: Json) -> str:
        return str(self.card(unit)["type"])

    def cost(self, unit: Json) -> int:
        return CONVOY if unit["card"] == CONVOY_SHIP else int(self.card(unit)["cost"])

    @cached_property
    def own(self) -> list[Json]:
        return [unit for unit in self.units.values() if unit["seat"] == self.seat]

    @cached_property
    def enemies(self) -> list[Json]:
        return [unit for unit in self.units.values() if unit["seat"] != self.seat]

    def at_sea(self, units: list[Json], *types: str) -> Iterator[Json]:
        """Those of some types that are on the map and not already doomed."""
        for unit in units:
            if unit["sector"] and not unit["doomed"] and self.type(unit) in types:
                yield unit

    def left(self, unit: Json) -> int:
        """Hull points left, pending damage taken off."""
        lost = int(unit["damage"]) + int(unit["pending"])
        return max(1, int(self.card(unit)["hullPoints"]) - lost)

    def dice(self, unit: Json, kind: str, reach: int) -> int:
        """Printed dice of an attack at a range; a battery that reaches farther keeps its last."""
        row = self.card(unit)["attacks"].get(kind, ())
        if reach < len(row):
            return max(0, int(row[reach]))
        return self._extended(unit, kind, reach)

    def _extended(self, unit: Json, kind: str, reach: int) -> int:
        for ability in self.card(unit)["abilities"]:
            if kind == "main" and ability["family"] == "extended-range" and reach <= ability["n"]:
                return max(0, int(self.card(unit)["attacks"][kind][-1]))
        return 0

    def worth(self, dice: int, target: Json) -> float:
        """Points that an attack with so many dice takes from a target, on average."""
        card = self.card(target)
        dead = reaches(dice, card["vitalArmor"])
        hit = reaches(dice, card["armor"]) - dead
        part = 0.5 if card["type"] == "Aircraft" else 1 / self.left(target)
        return float(self.cost(target) * (dead + hit * part))

    def torpedoes(self, dice: int, target: Json) -> float:
        """The same for torpedoes: each 6 is two hull points."""
        hurt = dice / SIX_SIDES * TORPEDO_DAMAGE / self.left(target)
        return self.cost(target) * min(1.0, hurt)

    def broadside(self, unit: Json, target: Json, reach: int) -> float:
        """Everything that a Ship or Submarine can throw at a target at a range."""
        kind = self.type(target)
        if kind == "Submarine":
            return self.worth(self.dice(unit, "asw", reach), target)
        if kind != "Ship":
            return 0.0
        guns = sum(self.worth(self.dice(unit, gun, reach), target) for gun in GUNS)
        return guns + self.torpedoes(self.dice(unit, "torpedo", reach), target)

    def offense(self, unit: Json, sector: str) -> float:
        """The best target of a Ship or Submarine in a sector."""
        return max(
            (
                self.broadside(unit, enemy, distance(sector, enemy["sector"]))
                for enemy in self.at_sea(self.enemies, "Ship", "Submarine")
            ),
            default=0.0,
        )

    def threat(self, unit: Json, sector: str) -> float:
        """Points that the enemy's Ships and Submarines could take from a unit in a sector.

        Those that have yet to move are taken to come one sector nearer.
        """
        total = 0.0
        for enemy in self.at_sea(self.enemies, "Ship", "Submarine"):
            reach = distance(sector, enemy["sector"])
            if not enemy["moved"] and reach:
                reach -= 1
            total += self.broadside(enemy, unit, reach)
        return min(total, float(self.cost(unit)))

    def flak(self, sector: str, plane: Json) -> tuple[float, float]:
        """Chances that enemy antiair in a sector destroys a plane, or at least aborts it.

        Each enemy has one antiair attack, so planes that come together share what is fired.
        """
        lives, flies = 1.0, 1.0
        card = self.card(plane)
        share = 1 + sum(u["sector"] == sector for u in self.own if self.type(u) == "Aircraft")
        for enemy in self.at_sea(self.enemies, "Ship", "Aircraft"):
            if enemy["sector"] == sector:
                dice = self.dice(enemy, "antiair", 0)
                lives *= 1 - reaches(dice, card["vitalArmor"]) / share
                flies *= 1 - reaches(dice, card["armor"]) / share
        return 1 - lives, 1 - flies


def value(odds: Mapping[str, Any], cost: int, left: int, aircraft: bool) -> float:
    """Points that an attack takes on average, by its exact odds."""
    lost: float = odds["lost"]["perMille"] / 1000
    if aircraft:
        aborted = sum(int(o["perMille"]) for o in odds["outcomes"] if o["outcome"] == "aborted")
        return cost * (lost + 0.4 * aborted / 1000)
    hull: float = odds["expectedHullPoints"]["perMille"] / 1000
    return cost * (0.6 * lost + 0.4 * hull / max(1, left))

"""What a lookout can tell of an open table (Crimson Tide): by eye, from middle to middle.

Rough sums from public data, the cards and the seat's view. They decide nothing: whether a shot
bears, reaches or is masked is measured by the service once it is declared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from ..bot import Json

BAND = 8
"""Klicks in a range band."""

HITS_A_DIE, SPREAD_A_DIE = 0.8, 1.2
"""Mean and variance of the hits of an attack die: 4 and 5 one, 6 two and rolled again."""

HALF_LENGTHS = {"capital": 2.0, "large": 1.8, "medium": 1.6, "small": 1.0}
"""Of the bases, in klicks of the usual length."""

TORPEDO_DAMAGE, TORPEDO_CHANCE = 2, 1 / 6
GUNS = ("secondary", "tertiary")
DEGREES = 360


class Spot(NamedTuple):
    """A place in klicks, and a course in degrees."""

    x: float
    y: float
    course: float

    def away(self, other: Spot) -> float:
        """Klicks between the two middles."""
        return math.hypot(other.x - self.x, other.y - self.y)

    def bearing(self, other: Spot) -> float:
        """Degrees from this one's bow to the other, -180 to 180, positive to starboard."""
        true = math.degrees(math.atan2(other.x - self.x, other.y - self.y))
        return (true - self.course + DEGREES / 2) % DEGREES - DEGREES / 2

    def arc(self, other: Spot) -> str:
        """In which arc the other one lies."""
        bearing = self.bearing(other)
        if abs(bearing) < 45:
            return "forward"
        if abs(bearing) > 135:
            return "aft"
        return "starboard" if bearing > 0 else "port"

    def ahead(self, klicks: float) -> Spot:
        way = math.radians(self.course)
        return self._replace(x=self.x + klicks * math.sin(way), y=self.y + klicks * math.cos(way))

    def turned(self, degrees: float) -> Spot:
        return self._replace(course=(self.course + degrees) % DEGREES)


class Lookout:
    """The table as a seat sees it."""

    def __init__(self, seat: str, view: Json, cards: Mapping[str, Json]) -> None:
        self.seat = seat
        self.view = view
        self.cards = cards
        self.units: dict[str, Json] = view["units"]
        seats: list[str] = view["seats"]
        self.side = set(seats[seats.index(seat) % 2 :: 2])
        """The seat and its partners: they sit alternately with the enemy."""
        self.klick: int = view["options"]["klick"]

    def card(self, unit: Json) -> Json:
        """The figures of a unit's card."""
        data: Json = self.cards[unit["card"]]["data"]
        return data

    def has(self, unit: Json, ability: str) -> bool:
        """Whether a unit's card shows an ability."""
        return any(each["family"] == ability for each in self.card(unit).get("abilities", ()))

    def points(self, unit: Json) -> float:
        return float(self.card(unit)["points"])

    @cached_property
    def enemies(self) -> list[Json]:
        """Enemy units at sea that are not deep down."""
        return [u for u in self.units.values() if not self.ours(u) and self.afloat(u)]

    @cached_property
    def friends(self) -> list[Json]:
        return [u for u in self.units.values() if self.ours(u) and self.afloat(u)]

    def ours(self, unit: Json) -> bool:
        """Whether a unit fights on the seat's side."""
        return unit["seat"] in self.side

    def afloat(self, unit: Json) -> bool:
        return unit["pose"] is not None and not unit["submerged"]

    def where(self, unit: Json) -> Spot:
        """A unit's place, or that of its token."""
        pose = unit["pose"]
        if pose is None:
            return Spot(unit["at"][0] / self.klick, unit["at"][1] / self.klick, 0.0)
        return Spot(pose["x"] / self.klick, pose["y"] / self.klick, pose["heading"] / 2)

    def track(self, unit: Json, command: Json) -> list[Spot]:
        """Where an order leads, klick by klick; the last is its end, the first its beginning."""
        spots = [self.where(unit)]
        for ticks in command["path"]:
            turned = spots[-1].turned(ticks / 2)
            spots.append(turned.ahead(-1.0 if command["astern"] else 1.0))
        return spots

    def inside(self, spot: Spot) -> float:
        """Klicks to the nearest edge of the table; negative beyond it."""
        options = self.view["options"]
        east, north = float(options["width"]) - spot.x, float(options["length"]) - spot.y
        return min(spot.x, spot.y, east, north)

    # --- weapons ---------------------------------------------------------------------------------

    def band(self, a: Spot, b: Spot, target: Json) -> int:
        """The range band, judged to the near end of the target."""
        return max(1, math.ceil((a.away(b) - self._half(target)) / BAND))

    def _half(self, unit: Json) -> float:
        return HALF_LENGTHS.get(self.card(unit).get("size") or "", 0.0)

    def dice(self, unit: Json, weapon: str, arc: str, band: int) -> int:
        """Dice of a weapon at a band; what the card holds, less what is plainly out of order."""
        card = self.card(unit)
        row = weapon
        if weapon == "primary":
            row = arc if arc in ("forward", "aft") else "broadside"
        dice = card.get(row, ())
        number = int(dice[band - 1]) if band <= len(dice) else 0
        return number // 2 if unit["collided"] else number

    def worth(self, dice: float, target: Json) -> float:
        """Points that so many attack dice take from a target on average."""
        if dice <= 0:
            return 0.0
        card = self.card(target)
        return (
            self._loss(target)
            * self._beats(dice, card["armor"])
            * (1 + self._beats(dice, card["critical"]))
        )

    def _beats(self, dice: float, rating: int) -> float:
        """Chance that the hits of so many dice are more than a rating."""
        spread = math.sqrt(2 * SPREAD_A_DIE * dice)
        return 0.5 * (1 + math.erf((HITS_A_DIE * dice - rating - 0.5) / spread))

    def torpedoes(self, dice: float, target: Json) -> float:
        """Points that so many torpedoes are worth when they arrive."""
        return dice * TORPEDO_CHANCE * TORPEDO_DAMAGE * self._loss(target)

    def _loss(self, target: Json) -> float:
        """Points that a hull point stands for."""
        return self.points(target) / max(1, int(self.card(target).get("hullPoints", 1)))

    def flak(self, dice: float, target: Json) -> float:
        """Points for shooting an aircraft down, and something for driving it off."""
        if dice <= 0:
            return 0.0
        card = self.card(target)
        down, off = self._beats(dice, card["critical"]), self._beats(dice, card["armor"])
        return self.points(target) * (down + 0.4 * (off - down))

    def in_channel(self, unit: Json, at: Spot, there: Spot, target: Json, side: str) -> bool:
        """Whether a torpedo run looks good."""
        away, bearing = at.away(there), math.radians(at.bearing(there))
        along, across = away * math.cos(bearing), away * math.sin(bearing)
        reach = 0.7 * self._half(target)
        if self.card(unit)["kind"] == "submarine":
            return along > 0 and abs(across) < 0.4 + reach
        return (across > 0) == (side == "starboard") and abs(along) < self._half(unit) + reach

    def broadside(self, unit: Json, at: Spot, target: Json, there: Spot) -> float:
        """What all guns of a unit are worth against a target, lying where it would lie."""
        band, arc = self.band(at, there, target), at.arc(there)
        if self.card(unit)["kind"] == "submarine":
            return 0.0
        total = self.worth(self.dice(unit, "primary", arc, band), target)
        if arc in ("starboard", "port"):
            total += sum(self.worth(self.dice(unit, gun, arc, band), target) for gun in GUNS)
        return total

    def others(self, unit: Json) -> Iterator[Json]:
        """Everything afloat that a unit might run into."""
        return (u for u in (*self.friends, *self.enemies) if u["id"] != unit["id"])

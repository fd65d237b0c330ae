"""CAT: from public facts to card figures, in whole numbers only (CT-CAT-01 to -13).

Every card of ``units`` has the facts in its ``basis`` and ``info``; a test computes its figures
from them. Speeds are tenths of a knot, armor tenths of an inch, ranges meters, weights tons.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from ....kernel.rules import rule
from ..rules.cards import Card, Row, dice_at
from ..rules.geometry.hull import Size

Facts = dict[str, Any]

BAND = 29_632
"""Three range bands of 8 klicks, in meters: a band is 29632/3 m (CT-GEN-11)."""

WEIGHTS = {3: 40, 4: 55, 5: 65, 6: 70, 8: 85, 11: 115, 12: 115, 13: 115, 14: 125, 15: 135,
           16: 145, 18: 160}  # fmt: skip
"""What a barrel of a caliber in inches is worth, in hundredths of a die."""

SHARES = (100, 100, 80, 60, 40, 25)
"""Per cent of the dice that are left at each range band."""


@rule("CT-CAT-01")
def movement(tenths: int) -> int:
    """Klicks from a speed: a quarter of the knots, rounded down."""
    return tenths // 40


@rule("CT-CAT-02")
def size(type_: str, tons: int) -> Size:
    """Size from type and displacement."""
    if type_ == "Fleet Carrier":
        return "capital"
    if type_ in ("Battleship", "Battlecruiser"):
        return "capital" if tons >= 35_000 else "large"
    if type_ == "Light Carrier":
        return "large"
    if type_ == "Submarine":
        return "medium" if tons >= 1_500 else "small"
    return "small" if type_ == "Destroyer" else "medium"


@rule("CT-CAT-03")
def hull_points(tons: int) -> int:
    """Hull points grow with the root of the displacement."""
    return max(2, 1 + isqrt(tons // 1_500))


@rule("CT-CAT-04")
def armor(belt: int, deck: int) -> int:
    """Armor from belt and deck."""
    return max(1, (belt + deck) // 20)


@rule("CT-CAT-05")
def critical(armor_: int, hull: int) -> int:
    """The critical rating from armor and hull points."""
    return armor_ + hull + 2


@rule("CT-CAT-06")
def battery(barrels: int, caliber: int) -> int:
    """Dice of a battery, rounded up."""
    return -(-barrels * WEIGHTS[caliber] // 100)


@rule("CT-CAT-07")
def bands(dice: int, meters: int, most: int) -> Row:
    """Dice by range band up to the gun's range; at least one die where it reaches."""
    reach = min(most, -(-3 * meters // BAND))
    return tuple(max(1, dice * SHARES[band] // 100) for band in range(reach)) if dice else ()


@rule("CT-CAT-08")
def aaw(heavy: int, medium: int, light: int) -> Row:
    """Dice against aircraft: heavy guns reach range 2, all of them range 1."""
    far, near = isqrt(5 * heavy), isqrt(5 * heavy + medium + light // 5)
    if not heavy + medium + light:
        return ()
    return (max(1, near), far) if far else (max(1, near),)


@rule("CT-CAT-09")
def asw(racks: int, throwers: int) -> int:
    """Dice of depth charges."""
    return 1 + racks + throwers // 2


@rule("CT-CAT-10")
def torpedoes(tubes: int, submarine: bool) -> int:
    """Torpedo dice from the tubes that bear, of a submarine from its bow tubes."""
    return max(1, tubes // (2 if submarine else 3))


@rule("CT-CAT-11")
def aircraft(carrier: bool, carried: int) -> int:
    """Squadrons of a carrier, reconnaissance tokens of other ships."""
    return max(1, carried // 25) if carrier else min(carried, 3)


@rule("CT-CAT-12")
def plane(type_: str, mph: int, basis: Facts) -> dict[str, int]:
    """Armor, critical rating, AAW, strafing, bombs and torpedoes of an aircraft."""
    scout, patrol = type_ == "Reconnaissance", type_ == "Patrol Bomber"
    rating = 2 + mph // 100 + bool(basis["selfSealing"]) - scout
    front, all_ = basis["forwardGunWeight"], basis["allGunWeight"]
    load = basis["bombKg"]
    bombs = (2 + load // 300 if patrol else 4 + load // 75) if load else 0
    return {
        "armor": rating,
        "critical": rating + 3,
        "aaw": 4 + front // 4 if type_ == "Fighter" else 0 if scout or patrol else all_ // 3,
        "strafe": front // 2,
        "bombs": bombs,
        "torpedo": (3 if mph >= 200 else 2) if basis["carriesTorpedo"] else 0,
    }


@rule("CT-CAT-13")
def points(card: Card) -> int:
    """The cost of a card from its figures."""
    worth = _plane_worth(card) if card.kind == "aircraft" else _ship_worth(card)
    return max(1, worth // 10)


@rule("CT-CAT-14")
def fits_the_booklet(card: Card) -> bool:
    """What the booklet says of its examples: movement a quarter of the speed, ratings in order."""
    quarter = card.movement == movement(card.info["maxSpeedTenthKnots"])
    return quarter and 1 <= card.armor < card.critical and card.hull_points >= 2


def _ship_worth(card: Card) -> int:
    tokens = 30 if card.is_carrier else 5
    return (
        4 * card.hull_points * card.armor
        + 5 * card.hull_points
        + 8 * dice_at(card.broadside, 1)
        + 4 * dice_at(card.broadside, 4)
        + 4 * dice_at(card.secondary, 1)
        + 3 * dice_at(card.tertiary, 1)
        + 2 * dice_at(card.aaw, 1)
        + 2 * dice_at(card.asw, 1)
        + 6 * dice_at(card.torpedo, 1)
        + card.movement
        + tokens * card.aircraft
        + 10 * card.flagship
        + 40 * (card.kind == "submarine")
    )


def _plane_worth(card: Card) -> int:
    return (
        6 * dice_at(card.aaw, 1)
        + 6 * dice_at(card.bombs, 1)
        + 12 * dice_at(card.torpedo, 1)
        + 3 * card.armor
        + 2 * dice_at(card.strafe, 1)
        + 3 * dice_at(card.asw, 1)
        + 15 * (card.type == "Reconnaissance")
        + 20 * (card.type == "Patrol Bomber")
    )

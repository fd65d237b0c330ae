"""What awaited dice are for: one type for each purpose, with all that the answer needs."""

from __future__ import annotations

from typing import get_args

from ....kernel.values import Part
from .ids import AbilityId, UnitId


class Asked(Part, frozen=True, tag_field="kind"):
    """Base of every purpose."""


class OfUnit(Asked, frozen=True):
    """Dice for a unit."""

    unit: UnitId


class OfAbility(OfUnit, frozen=True):
    """Dice for an ability of a unit."""

    ability: AbilityId


class Sides(Asked, frozen=True, tag="sides"):
    """The coin for who chooses a side (WAS-SETUP-03)."""


class Zone(Asked, frozen=True, tag="zone"):
    """The battle zone."""


class Deployer(Asked, frozen=True, tag="deployer"):
    """The coin for who deploys first."""


class Escort(Asked, frozen=True, tag="escort"):
    """Convoy: the coin for who escorts."""


class RandomLight(Asked, frozen=True, tag="random"):
    """The light of the battle (WAS-DARK-15)."""


class Twilight(Asked, frozen=True, tag="twilight"):
    """The coin for dusk or dawn."""


class Weather(Asked, frozen=True, tag="weather"):
    """The number of squalls."""


class Squalls(Asked, frozen=True, tag="squalls"):
    """The places of the squalls."""


class Drift(Asked, frozen=True, tag="drift"):
    """The direction in which the squalls drift."""


class Initiative(Asked, frozen=True, tag="initiative"):
    """Both sides' initiative."""


class Recovery(Asked, frozen=True, tag="recovery"):
    """Whether Aircraft that come back in the dark find their base."""


class AttackDice(OfUnit, frozen=True, tag="attack"):
    """The unit's attack dice."""


class Concealment(OfUnit, frozen=True, tag="concealment"):
    """Whether the unit, a target, is hidden."""


class Mines(OfUnit, frozen=True, tag="mines"):
    """The effect of the mines that the unit has entered."""


class Search(OfUnit, frozen=True, tag="search"):
    """Whether the Aircraft finds its sector in the dark."""


class CarrierFire(OfUnit, frozen=True, tag="carrier"):
    """Which of its Aircraft a Carrier takes along."""


class Reroll(OfAbility, frozen=True, tag="reroll"):
    """The unit's attack dice again."""


class Speed(OfAbility, frozen=True, tag="speed"):
    """Whether the unit is faster or slower this turn."""


class DrawTheCap(OfAbility, frozen=True, tag="draw"):
    """Whether the Aircraft draws enemy Fighters upon itself."""


class Before(OfAbility, frozen=True, tag="before"):
    """An ability between the declaration of an attack and its dice."""


class Negate(OfAbility, frozen=True, tag="negate"):
    """Whether an ability of the target undoes the hit."""


class Protect(OfAbility, frozen=True, tag="protect"):
    """The figure by which an ability softens torpedo hits."""


class Save(OfAbility, frozen=True, tag="save"):
    """Whether an ability replaces destruction."""


class SetOff(OfAbility, frozen=True, tag="ability"):
    """An ability that the outcome of an attack has set off."""


class Used(OfAbility, frozen=True, tag="use"):
    """An ability that was used by a command, or comes due by itself."""


class Spare(OfAbility, frozen=True, tag="spare"):
    """Whether the unit survives its destruction."""


Purpose = (
    Sides
    | Zone
    | Deployer
    | Escort
    | RandomLight
    | Twilight
    | Weather
    | Squalls
    | Drift
    | Initiative
    | Recovery
    | AttackDice
    | Concealment
    | Mines
    | Search
    | CarrierFire
    | Reroll
    | Speed
    | DrawTheCap
    | Before
    | Negate
    | Protect
    | Save
    | SetOff
    | Used
    | Spare
)
"""The purpose of awaited dice."""

KINDS: dict[type[Asked], str] = {
    each: str(each.__struct_config__.tag) for each in get_args(Purpose)
}
"""The kind of each type, as it is stored and as labels of dice have it."""

"""The types of what the catalogue of Crimson Tide tells."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from ....kernel.shown.catalogue import Form, Kind
from ....kernel.values import Value
from ..rules.abilities import Family
from ..rules.cards import Card
from ..rules.charts import Chart
from ..rules.scenarios import Scenario


class Cost(Value, frozen=True):
    """What a unit takes of a fleet's points."""

    cost: int


class EffectTold(Value, frozen=True):
    """A deed of an ability, in the vocabulary of its rules.

    word  which of the effects; the other fields are its figures
    """

    word: str


class AbilityBeside(Value, frozen=True):
    """What an ability does."""

    effects: tuple[EffectTold, ...]


class Source(Value, frozen=True):
    """A section of the booklet, or ``ours`` with the section that leaves room for it."""

    source: str


class Basis(Value, frozen=True):
    """The public figures from which a card is computed; each where the unit has such a thing.

    The units of measure end the names; of guns and tubes it is caliber, number and range.
    """

    belt_tenth_inch: int | UnsetType = UNSET
    deck_tenth_inch: int | UnsetType = UNSET
    primary: dict[str, int] | UnsetType = UNSET
    secondary: dict[str, int] | UnsetType = UNSET
    tertiary: dict[str, int] | UnsetType = UNSET
    aa_barrels: dict[str, int] | UnsetType = UNSET
    aircraft_carried: int | UnsetType = UNSET
    raw_value: int | UnsetType = UNSET
    torpedo_tubes: dict[str, int] | UnsetType = UNSET
    depth_charges: dict[str, int] | UnsetType = UNSET
    forward_gun_weight: int | UnsetType = UNSET
    all_gun_weight: int | UnsetType = UNSET
    bomb_kg: int | UnsetType = UNSET
    carries_torpedo: bool | UnsetType = UNSET
    self_sealing: bool | UnsetType = UNSET
    gross_tons_used_for_hull: int | UnsetType = UNSET


FORMS: Mapping[Kind, Form] = {
    "unit": Form(Card, ("id", "name", "basis"), Cost, Basis),
    "ability": Form(Family, (), AbilityBeside, Source),
    "scenario": Form(Scenario),
    "map": Form(Chart),
}
"""By kind of entry."""

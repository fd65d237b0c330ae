"""The types of what the catalogue of War at Sea tells of units, abilities, scenarios and maps."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from ....kernel.shown import catalogue
from ....kernel.shown.catalogue import Form
from ....kernel.values import Value
from ..rules.cards import AbilityRef, Card, Kind, Provenance, Subtype, Type
from ..rules.charts import Chart
from ..rules.families.vocabulary import Example, Family
from ..rules.scenarios import Scenario

APART = ("id", "name", "provenance")
"""What stands apart from a unit's figures."""


class Printed(Value, frozen=True):
    """Figures of a card, those that another print has otherwise."""

    nation: str | UnsetType = UNSET
    alliance: str | UnsetType = UNSET
    type: Type | UnsetType = UNSET
    subtype: Subtype | UnsetType = UNSET
    ship_class: str | UnsetType = UNSET
    year: int | UnsetType = UNSET
    cost: int | UnsetType = UNSET
    speed: int | UnsetType = UNSET
    flagship: int | UnsetType = UNSET
    basing: int | UnsetType = UNSET
    armor: int | UnsetType = UNSET
    vital_armor: int | UnsetType = UNSET
    hull_points: int | UnsetType = UNSET
    attacks: dict[Kind, tuple[int, int, int, int]] | UnsetType = UNSET
    abilities: tuple[AbilityRef, ...] | UnsetType = UNSET
    errata: tuple[str, ...] | UnsetType = UNSET


class UnitBeside(Value, frozen=True):
    """What a few cards have besides.

    printed2007  figures of the print of 2007, where they differ
    print        figures of the card itself, where the rulebook contradicts it (RUL-110)
    """

    printed2007: Printed | UnsetType = UNSET
    print: Printed | UnsetType = UNSET


class EffectTold(Value, frozen=True):
    """A deed of an ability, in the vocabulary of its rules.

    word  which of the effects; the other fields are its figures
    """

    word: str


class AbilityBeside(Value, frozen=True):
    """What an ability does, with examples by which it is tested."""

    effects: tuple[EffectTold, ...]
    examples: tuple[Example, ...]


class AbilityKnown(Value, frozen=True):
    """The way in which an ability was checked, and the sources."""

    verified: str
    sources: tuple[str, ...]


FORMS: Mapping[catalogue.Kind, Form] = {
    "unit": Form(Card, APART, UnitBeside, Provenance),
    "ability": Form(Family, (), AbilityBeside, AbilityKnown),
    "scenario": Form(Scenario),
    "map": Form(Chart),
}
"""By kind of entry."""

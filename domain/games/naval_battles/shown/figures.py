"""The types of what the catalogue of Naval Battles tells."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from ....kernel.shown.catalogue import Form, Kind
from ....kernel.values import Value
from ..rules.deck import ActionCard
from ..rules.scenarios import Scenario
from ..rules.ships import ShipCard


class Guns(Value, frozen=True):
    """Barrels of one caliber, in inches."""

    caliber: int
    barrels: int


class Basis(Value, frozen=True):
    """The historical data from which a ship's card is worked out."""

    standard_tons: int
    torpedo_tubes: int
    aircraft: int
    anti_aircraft: dict[str, int]
    raw_value: int
    main: tuple[Guns, ...] | UnsetType = UNSET
    secondary: tuple[Guns, ...] | UnsetType = UNSET


class ShipKnown(Value, frozen=True):
    """Where a ship's figures come from.

    status    the way in which they were found
    note      anything that is to be said of it
    evidence  the places in the rulebook that give a figure
    """

    status: str
    basis: Basis
    note: str | UnsetType = UNSET
    evidence: tuple[str, ...] | UnsetType = UNSET


class Steps(Value, frozen=True):
    """When a card is played: the steps of a turn in which it may be."""

    steps: tuple[str, ...]


class CardKnown(Value, frozen=True):
    """Where a card's figures come from: the place in the rulebook, or ``ours``."""

    evidence: str | UnsetType = UNSET
    status: str | UnsetType = UNSET


FORMS: Mapping[Kind, Form] = {
    "unit": Form(ShipCard, ("id", "name", "provenance"), None, ShipKnown),
    "ability": Form(ActionCard, ("id", "name", "evidence"), Steps, CardKnown),
    "scenario": Form(Scenario),
}
"""By kind of entry."""

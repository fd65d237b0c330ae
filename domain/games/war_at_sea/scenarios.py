"""Scenarios as data: limits, targets and what an objective is worth."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from ...kernel.data import list_files, load_toml
from ...kernel.rules import Refused
from ...kernel.values import Value

PACKAGE = "domain.games.war_at_sea"

Edition = Literal["2007", "2009"]
Figure = Literal["points", "target", "objective", "aircraft", "interceptor"]


class Scenario(Value, frozen=True):
    """One scenario (WAS-SCEN).

    points, units  the most a fleet may cost and hold
    airbase        room at each land airbase
    target         Victory Points that win; 0 where points do not decide
    objective      Victory Points for an objective, and the no-Ships bonus (WAS-VP-08)
    ships, submarines, aircraft   stacking limits a sector and side
    rules          the rules that these figures come from
    map            the charts that a die chooses from: ``zone`` or ``convoy``
    convoy         convoy Ships that the escort gets besides its fleet; 0 without a convoy
    interceptor    the most the intercepting fleet may cost, where that differs from ``points``
    turns          the last turn; 0 without a limit
    editions       figures that an edition changes
    """

    id: str
    name: str
    text: str
    points: int
    units: int
    airbase: int
    target: int
    objective: int
    ships: int
    submarines: int
    aircraft: int
    rules: tuple[str, ...]
    map: Literal["zone", "convoy"] = "zone"
    convoy: int = 0
    interceptor: int = 0
    turns: int = 0
    editions: dict[Edition, dict[Figure, int]] = msgspec.field(default_factory=dict)


@cache
def scenarios() -> dict[str, Scenario]:
    """Every scenario that ships, by ID, with the figures of both editions."""
    files = list_files(PACKAGE, "scenarios", ".toml")
    return {found.id: found for found in (load_toml(PACKAGE, f, Scenario) for f in files)}


@cache
def scenario(name: str, edition: Edition) -> Scenario:
    """The scenario ``name`` as ``edition`` plays it; refuses an unknown one."""
    try:
        found = scenarios()[name]
    except KeyError:
        raise Refused(
            "setup.unknown-scenario",
            "WAS-SETUP-28",
            f"The scenarios are: {', '.join(scenarios())}.",
            "/scenario",
        ) from None
    return msgspec.structs.replace(found, **found.editions.get(edition, {}))

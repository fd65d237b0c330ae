"""Scenarios as data: limits, targets and what an objective is worth."""

from __future__ import annotations

from functools import cache

from ...kernel.data import list_files, load_toml
from ...kernel.rules import Refused
from ...kernel.values import Value

PACKAGE = "domain.games.war_at_sea"


class Scenario(Value, frozen=True):
    """One scenario (WAS-SCEN).

    points, units  the most a fleet may cost and hold
    airbase        room at each land airbase
    target         Victory Points that win
    objective      Victory Points for an objective, and the no-Ships bonus (WAS-VP-08)
    ships, submarines, aircraft   stacking limits a sector and side
    rules          the rules that these figures come from
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


@cache
def scenarios() -> dict[str, Scenario]:
    """Every scenario that ships, by ID."""
    files = list_files(PACKAGE, "scenarios", ".toml")
    return {found.id: found for found in (load_toml(PACKAGE, f, Scenario) for f in files)}


def scenario(name: str) -> Scenario:
    """The scenario ``name``; refuses an unknown one."""
    try:
        return scenarios()[name]
    except KeyError:
        raise Refused(
            "setup.unknown-scenario",
            "WAS-SETUP-28",
            f"The scenarios are: {', '.join(scenarios())}.",
            "/scenario",
        ) from None

"""Scenarios and maps that players bring: what is taken, and how a set-up's documents are read."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from ....kernel.custom import CUSTOM, Custom, Unfit, moved, read_customs
from ....kernel.data import list_files, read_bytes
from ....kernel.rules import Refused
from ....kernel.setup import Setup
from . import events as ev
from .charts import Map, laid_out
from .editions import Edition
from .map_check import map_faults
from .scenario_check import faults_on_charts, scenario_faults
from .scenarios import PACKAGE, Scenario, in_edition, scenario


@cache
def examples(folder: str) -> tuple[dict[str, Any], ...]:
    """The examples in a folder of the package, as a client would post them."""
    return tuple(
        msgspec.json.decode(read_bytes(PACKAGE, name))
        for name in list_files(PACKAGE, f"{folder}/examples", ".json")
    )


CUSTOMS: tuple[Custom[Any], ...] = (
    Custom(
        "scenario",
        "War at Sea scenario",
        "Fleets or points for each side, map, terrain, objectives, how it is won, and when it "
        "ends. What is left out is as in the Standard scenario.",
        Scenario,
        scenario_faults,
        lambda: examples("scenarios"),
    ),
    Custom(
        "map",
        "War at Sea map",
        "Islands, shoals, objectives and set-up areas on eleven staggered rows of sectors.",
        Map,
        map_faults,
        lambda: examples("maps"),
    ),
)


def brought(setup: Setup) -> ev.CustomsBrought:
    """The documents of a set-up as an event; :func:`limits_for` has read them."""
    return ev.CustomsBrought(
        scenario=setup.customs.get("scenario", {}),
        map=setup.customs.get("map", {}),
        rules=("WAS-SETUP-28",),
    )


def limits_for(setup: Setup, edition: Edition) -> Scenario:
    """The scenario of a set-up, shipped or brought, with the figures of its edition.

    Raises Refused; :class:`Unfit` with all faults of the documents, also of one with the other.
    """
    documents = read_customs(CUSTOMS, setup.customs)
    own, map_ = documents.get("scenario"), documents.get("map")
    assert own is None or isinstance(own, Scenario)
    assert map_ is None or isinstance(map_, Map)
    if own is None and setup.scenario == CUSTOM:
        hint = "Bring a scenario among the customs, or name one that ships."
        raise Refused("setup.no-scenario", "WAS-SETUP-28", hint, "/scenario")
    if own is not None and setup.scenario != CUSTOM:
        hint = f"The scenario is brought: its name here is {CUSTOM!r}."
        raise Refused("setup.two-scenarios", "WAS-SETUP-28", hint, "/scenario")
    limits = scenario(setup.scenario, edition) if own is None else in_edition(own, edition)
    if limits.map == "custom" and map_ is None:
        hint = "The scenario is for a map that is brought with it: add it to the customs."
        raise Refused("setup.no-map", "WAS-SETUP-28", hint, "/customs")
    _check_together(limits, map_)
    return limits


def _check_together(limits: Scenario, map_: Map | None) -> None:
    """What can only be judged when the map is known."""
    faults = tuple(faults_on_charts(limits, laid_out(map_))) if map_ is not None else ()
    if faults:
        raise Unfit(tuple(moved(fault, "/customs/scenario") for fault in faults))

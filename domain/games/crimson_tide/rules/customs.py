"""Scenarios and charts that players bring: what is taken, and how a set-up's documents are read."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ....kernel.custom import CUSTOM, Custom, Unfit, moved, read_customs
from ....kernel.data import list_files, read_bytes
from ....kernel.rules import Refused, rule
from ....kernel.setup import Setup
from .cards import PACKAGE
from .chart_check import chart_faults
from .charts import Chart
from .options import Options
from .scenario_check import faults_on_chart, scenario_faults
from .scenarios import Scenario, chart_for, scenario


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
        "Crimson Tide scenario",
        "Points, turns, light, convoy, landing, exits, the chart it is fought on, and where the "
        "units begin. What is left out is as in the standard scenario.",
        Scenario,
        scenario_faults,
        lambda: examples("scenarios"),
    ),
    Custom(
        "map",
        "Crimson Tide chart",
        "Land, shallows, storms, objectives and land targets on an open table.",
        Chart,
        chart_faults,
        lambda: examples("maps"),
    ),
)


class Agreement(NamedTuple):
    """``title``: the name of a scenario that is brought."""

    scenario: Scenario
    chart: Chart
    options: Options
    title: str


@rule("CT-AMB-92")
def agreed_on(setup: Setup, options: Options) -> Agreement:
    """What scenario, chart and options of a set-up come to, shipped or brought.

    Raises Refused; :class:`Unfit` with all faults of the documents, also of one with the other.
    """
    documents = read_customs(CUSTOMS, setup.customs)
    own, chart = documents.get("scenario"), documents.get("map")
    assert own is None or isinstance(own, Scenario)
    assert chart is None or isinstance(chart, Chart)
    if own is None and setup.scenario == CUSTOM:
        hint = "Bring a scenario among the customs, or name one that ships."
        raise Refused("setup.no-scenario", "CT-AMB-92", hint, "/scenario")
    if own is not None and setup.scenario != CUSTOM:
        hint = f"The scenario is brought: its name here is {CUSTOM!r}."
        raise Refused("setup.two-scenarios", "CT-AMB-92", hint, "/scenario")
    found = scenario(setup.scenario) if own is None else own
    if found.chart == CUSTOM and chart is None and not options.chart:
        hint = "The scenario is for a chart that is brought with it: add it to the customs."
        raise Refused("setup.no-map", "CT-AMB-92", hint, "/customs")
    if chart is not None:
        options = _sized(options, chart)
    laid_out = chart_for(found, options, chart)
    faults = tuple(faults_on_chart(found, laid_out, options))
    if faults and own is not None:
        raise Unfit(tuple(moved(fault, "/customs/scenario") for fault in faults))
    if faults:
        hint = f"{faults[0].text} Agree on another chart."
        raise Refused("setup.wrong-chart", faults[0].rule, hint, "/options/chart")
    return Agreement(found, laid_out, options, "" if own is None else own.name)


def _sized(options: Options, chart: Chart) -> Options:
    """The table is as large as the chart that is brought, unless another size is agreed.

    A default that is written out agrees on nothing.
    """
    usual = Options()
    width = chart.width if options.width == usual.width else options.width
    length = chart.length if options.length == usual.length else options.length
    return replace(options, width=width, length=length)

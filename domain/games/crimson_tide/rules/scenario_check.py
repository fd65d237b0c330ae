"""What the rules ask of a scenario. Messages are for whoever writes it."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.custom import CUSTOM
from ....kernel.form import Fault
from ....kernel.rules import Refused
from .cards import cards
from .charts import Chart, charts
from .fleet_options import check_terms
from .options import Options
from .scenarios import Scenario, scenarios, terms
from .start_check import faults_of_places, start_faults


def scenario_faults(found: Scenario) -> Iterator[Fault]:
    """Everything that is wrong with a scenario of the right form, whatever chart is brought."""
    if found.id in scenarios():
        text = f"A scenario of the name {found.id!r} ships with the rules."
        yield Fault("scenario.name-taken", "/id", text, hint="Give yours another name.")
    if found.chart == CUSTOM:
        pass
    elif found.chart not in charts():
        text = f"No chart of the name {found.chart!r} ships with the rules."
        hint = f"The charts are: {', '.join(charts())}; or custom, for one that is brought."
        yield Fault("scenario.unknown-chart", "/chart", text, "CT-GEOM-22", hint)
    else:
        chart = charts()[found.chart]
        usual = Options(width=chart.width, length=chart.length)
        yield from faults_on_chart(found, chart, usual)
    yield from _exits(found)
    yield from _convoy(found)
    if found.start:
        yield from start_faults(found)
    else:
        yield from _fleets(found)


def faults_on_chart(found: Scenario, chart: Chart, options: Options) -> Iterator[Fault]:
    """What is wrong with a scenario on this chart, on a table of the size agreed."""
    yield from faults_of_places(found, chart, options)
    if found.lands and not any(each.kind == "landing" for each in chart.objective):
        text = f"Troops are to be landed, and the chart {chart.id!r} has no place for it."
        hint = "Choose a chart with an objective of the kind landing, or draw one."
        yield Fault("scenario.no-landing-place", "/lands", text, "CT-SCN-09", hint)


def _exits(found: Scenario) -> Iterator[Fault]:
    for number, way_out in enumerate(found.exits):
        for place, name in enumerate(way_out.cards):
            if name not in cards():
                pointer = f"/exits/{number}/cards/{place}"
                text = f"There is no card {name!r}."
                hint = "The units of the catalogue name the cards."
                yield Fault("scenario.unknown-card", pointer, text, "CT-SCN-17", hint)


def _convoy(found: Scenario) -> Iterator[Fault]:
    if found.convoy_points and not found.convoy:
        text = "A ship of the convoy is worth points, and there is no convoy."
        hint = "Say of how many ships the convoy is, or leave the points out."
        yield Fault("scenario.no-convoy", "/convoyPoints", text, "CT-AMB-87", hint)
    if found.convoy_side != "first" and not found.convoy:
        text = "It is said whose the convoy is, and there is no convoy."
        hint = "Say of how many ships the convoy is, or leave its side out."
        yield Fault("scenario.no-convoy", "/convoySide", text, "CT-AMB-115", hint)


def _fleets(found: Scenario) -> Iterator[Fault]:
    """Both sides can build a fleet at all; a landing ship is in it where one is needed."""
    seats = ("first", "second")
    try:
        check_terms(terms(found, Options(), seats), Options(), seats)
    except Refused as refused:
        hint = "Allow more points or more units."
        text = f"A side can build no fleet. {refused.hint}"
        yield Fault("scenario.no-fleet", "/points", text, refused.rule, hint)

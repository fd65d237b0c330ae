"""What the rules ask of a scenario. Messages are for whoever writes it."""

from __future__ import annotations

from collections.abc import Iterator

from ....kernel.form import Fault
from ....kernel.rules import Refused
from .board import EDGES, set_up
from .cards import CARDS, card, missing
from .charts import Chart, land, shipped_charts
from .editions import EDITIONS
from .fleets import check_basing
from .history import may_serve
from .scenarios import Scenario, Side, scenarios
from .state import Options


def scenario_faults(found: Scenario) -> Iterator[Fault]:
    """Everything that is wrong with a scenario of the right form, whatever map it is played on."""
    yield from _name(found)
    yield from _sides(found)
    for number, side in enumerate(found.sides):
        yield from _fleet(found, side, f"/sides/{number}")
    yield from _convoy(found)
    yield from _end(found)
    yield from _weather(found)
    if found.map != "custom":
        charts = shipped_charts(found.map)
        chosen = charts[found.zone - 1 : found.zone] if found.zone else charts
        yield from faults_on_charts(found, chosen)
    elif found.zone:
        text = "The zone belongs to the maps that ship, not to one that is brought."
        yield Fault("scenario.zone-without-map", "/zone", text, hint="Leave it out.")


def _name(found: Scenario) -> Iterator[Fault]:
    if found.id in scenarios():
        text = f"A scenario of the name {found.id!r} ships with the rules."
        yield Fault("scenario.name-taken", "/id", text, hint="Give yours another name.")


def _sides(found: Scenario) -> Iterator[Fault]:
    if len(found.sides) == 1:
        text = "One side is described, the other is not."
        yield Fault("scenario.one-side", "/sides", text, "WAS-SETUP-01", "Describe both, or none.")
    edges = [side.edge for side in found.sides]
    if sorted(edges) not in ([], [""], ["", ""], ["north", "south"], ["north"], ["south"]):
        text = "The sides have the same edge of the map, or only one of them has one."
        hint = "Give one the south and the other the north edge, or leave both to the players."
        yield Fault("scenario.edges", "/sides", text, "WAS-SETUP-22", hint)
    if not found.sides:
        for name in ("deploys", "escort", "decision"):
            if getattr(found, name) in ("first", "second"):
                text = f"{name!r} speaks of a side, and no sides are described."
                hint = "Describe the two sides."
                yield Fault("scenario.no-sides", f"/{name}", text, "WAS-SETUP-01", hint)


def _fleet(found: Scenario, side: Side, at: str) -> Iterator[Fault]:
    known = []
    for number, name in enumerate(side.fleet):
        fault = _unit(found, side, name, f"{at}/fleet/{number}")
        if fault is None:
            known.append(name)
        else:
            yield fault
    for edition in EDITIONS:
        try:
            check_basing(found.airbase, [card(name, edition) for name in known])
        except Refused as refusal:
            hint = "Leave some out, or make the airbase larger."
            yield Fault("scenario.no-base", f"{at}/fleet", refusal.hint, refusal.rule, hint)
            return


def _unit(found: Scenario, side: Side, name: str, at: str) -> Fault | None:
    """What is wrong with one unit of a fleet that the scenario names."""
    if name not in CARDS:
        text = f"There is no unit {name!r}."
        hint = "The catalogue of units has every ID."
        return Fault("scenario.unknown-unit", at, text, "WAS-FLEET-12", hint)
    each = CARDS[name]
    if missing(each):
        text = f"{each.name} cannot be played yet: {', '.join(missing(each))}."
        return Fault("scenario.unit-not-playable", at, text, "WAS-FLEET-31", "Take another unit.")
    if not may_serve(each, side.alliance, Options(year=found.year, history=found.history)):
        text = f"{each.name} serves {each.alliance}; this side is of the {side.alliance}."
        hint = "Take units of the side's alliance."
        return Fault("scenario.wrong-alliance", at, text, "WAS-FLEET-36", hint)
    if found.year and each.year > found.year:
        text = f"{each.name} is of {each.year}; the scenario is of {found.year}."
        hint = "Take units of that year or before."
        return Fault("scenario.later-unit", at, text, "WAS-SCEN-61", hint)
    return None


def _convoy(found: Scenario) -> Iterator[Fault]:
    """A convoy decides alone, and by its last turn."""
    if not found.convoy:
        if found.escort != "agreed" or found.interceptor:
            at = "/interceptor" if found.interceptor else "/escort"
            text = "Nobody escorts or intercepts without a convoy."
            hint = "Say how many Ships the convoy has, or leave this out."
            yield Fault("scenario.no-convoy", at, text, "WAS-SCEN-21", hint)
        return
    if found.through > found.convoy:
        text = f"{found.through} Ships cannot get through: the convoy has {found.convoy}."
        hint = f"From 1 to {found.convoy}."
        yield Fault("scenario.convoy-too-small", "/through", text, "WAS-SCEN-28", hint)
    if not found.turns:
        text = "A convoy needs a last turn: what is at sea then is lost."
        yield Fault("scenario.no-last-turn", "/turns", text, "WAS-SCEN-27", "15 in the rulebook.")
    for name in ("target", "objective", "objectives"):
        if getattr(found, name):
            text = "Where a convoy decides there are no points and no objectives."
            hint = "Write 0 for target and objective, and leave objectives out."
            yield Fault("scenario.points-in-convoy", f"/{name}", text, "WAS-SCEN-20", hint)


def _end(found: Scenario) -> Iterator[Fault]:
    """The battle ends some day."""
    if not (found.target or found.turns):
        text = "The battle might never end: no points win it, and there is no last turn."
        hint = "Give a target, or a last turn."
        yield Fault("scenario.no-end", "/turns", text, "WAS-SETUP-28", hint)
    if not found.elimination and not found.turns:
        text = "A side without units could neither win nor lose: there is no last turn."
        hint = "Give a last turn, or let elimination count."
        yield Fault("scenario.no-end", "/elimination", text, "WAS-SETUP-28", hint)
    if found.decision != "points" and not found.turns:
        text = "There is no last turn for this to decide."
        yield Fault("scenario.no-last-turn", "/decision", text, "WAS-SETUP-28", "Say which turn.")


def _weather(found: Scenario) -> Iterator[Fault]:
    if found.weather and found.squalls:
        text = "Squalls are either there from the start or thrown for."
        hint = "Leave out weather, or squalls."
        yield Fault("scenario.squalls-and-weather", "/squalls", text, "WAS-WEATH-02", hint)
    for name, sectors in (
        ("squalls", found.squalls),
        ("fog", found.fog),
        ("smoke", tuple(each.sector for each in found.smoke)),
        ("objectives", tuple(each.sector for each in found.objectives)),
    ):
        for number, sector in enumerate(sectors):
            if sector in sectors[:number]:
                text = f"{sector} is named twice."
                hint = "Name each sector once."
                at = f"/{name}/{number}"
                yield Fault("scenario.sector-twice", at, text, "WAS-SETUP-08", hint)


def faults_on_charts(found: Scenario, charts: tuple[Chart, ...]) -> Iterator[Fault]:
    """What does not fit a map: terrain, objectives, set-up areas."""
    seen: dict[tuple[str, str], Fault] = {}
    for chart in charts:
        for fault in _on_chart(found, chart):
            seen.setdefault((fault.code, fault.pointer), fault)
    yield from seen.values()


def _on_chart(found: Scenario, chart: Chart) -> Iterator[Fault]:
    closed = land(chart)
    for number, each in enumerate(found.objectives):
        if each.sector in closed:
            text = f"The objective in {each.sector} is not at sea on {chart.name}."
            at, hint = f"/objectives/{number}/sector", "Put it in open sea."
            yield Fault("scenario.objective-ashore", at, text, "WAS-EOT-01", hint)
    named = [(f"/squalls/{n}", sector) for n, sector in enumerate(found.squalls)]
    named += [(f"/fog/{n}", sector) for n, sector in enumerate(found.fog)]
    named += [(f"/smoke/{n}/sector", each.sector) for n, each in enumerate(found.smoke)]
    for at, sector in named:
        if sector in chart.absent:
            text = f"{chart.name} has no sector {sector}."
            yield Fault("scenario.absent-sector", at, text, hint="Name a sector of the map.")
    for number, side in enumerate(found.sides):
        yield from _room(found, side, chart, f"/sides/{number}")


def _room(found: Scenario, side: Side, chart: Chart, at: str) -> Iterator[Fault]:
    """A side can set up all that it may bring, wherever it sits."""
    closed = land(chart)
    for kind, sectors in (("ships", side.area.ships), ("submarines", side.area.submarines)):
        for number, sector in enumerate(sectors):
            if sector in closed:
                where, text = f"{at}/area/{kind}/{number}", f"{sector} is not at sea"
                hint = "Name open sea only."
                text = f"{text} on {chart.name}: nobody can be set up there."
                yield Fault("scenario.area-ashore", where, text, "WAS-SETUP-15", hint)
    boats = sum(name in CARDS and CARDS[name].type == "Submarine" for name in side.fleet)
    for edge in (side.edge,) if side.edge else EDGES:
        open_sea = set_up(chart, edge, side.area)
        for kind, sectors in open_sea.items():
            if not sectors:
                text = f"There is no open sea for the side's {kind} on {chart.name}."
                hint = "Name open sea for its set-up area."
                yield Fault("scenario.no-room", f"{at}/area", text, "WAS-SETUP-13", hint)
        if len(open_sea["submarines"]) * found.submarines < boats:
            text = f"Not all {boats} Submarines of the fleet can be set up on {chart.name}."
            hint = "Name more sectors, allow more in one, or make the fleet smaller."
            yield Fault("scenario.no-room", f"{at}/area", text, "WAS-SETUP-14", hint)
            return

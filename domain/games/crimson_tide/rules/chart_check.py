"""What the rules ask of a chart. Messages are for whoever draws it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ....kernel.form import Fault
from ....kernel.values import StepKey
from .cards import cards
from .charts import Chart, charts, land
from .geography import why_not_stand
from .geometry.polygons import convex, meets
from .options import Options, Terms
from .placing import lattice
from .state import PointOfTable, State

LONGEST = "kms-bismarck"
"""A card of the largest size: where it finds a place, any ship does."""


def chart_faults(chart: Chart) -> Iterator[Fault]:
    """Everything that is wrong with a chart of the right form."""
    if chart.id in charts():
        text = f"A chart of the name {chart.id!r} ships with the rules."
        yield Fault("map.name-taken", "/id", text, hint="Give yours another name.")
    yield from _names(chart)
    yield from _off_table(chart)
    bent = tuple(_bent(chart))
    yield from bent
    yield from _targets(chart)
    if not bent:
        yield from _zones(chart)


def _names(chart: Chart) -> Iterator[Fault]:
    """Land, storms and objectives are named in events: each name belongs to one thing."""
    things = (chart.land, chart.storm, chart.objective)
    for name, number in Counter(each.id for kind in things for each in kind).items():
        if number > 1:
            text = f"The name {name!r} is given {number} times on this chart."
            yield Fault("map.name-twice", "", text, hint="Give each thing a name of its own.")


def _points(chart: Chart) -> Iterator[tuple[str, PointOfTable]]:
    for number, piece in enumerate(chart.land):
        yield from ((f"/land/{number}/corners/{n}", each) for n, each in enumerate(piece.corners))
    for field in ("storm", "objective", "target"):
        for number, thing in enumerate(getattr(chart, field)):
            yield f"/{field}/{number}/at", thing.at


def _off_table(chart: Chart) -> Iterator[Fault]:
    for pointer, (x, y) in _points(chart):
        if x > chart.width * 1_000 or y > chart.length * 1_000:
            text = f"This point lies off a table of {chart.width} by {chart.length} klicks."
            hint = "Points are in thousandths of a klick, from the first side's left corner."
            yield Fault("map.off-table", pointer, text, "CT-GEOM-02", hint)


def _bent(chart: Chart) -> Iterator[Fault]:
    for number, piece in enumerate(chart.land):
        if not convex(piece.corners):
            text = f"{piece.id!r} is not convex, or its corners are not in order."
            hint = "Make one island of several convex pieces that overlap."
            yield Fault("map.not-convex", f"/land/{number}/corners", text, "CT-GEOM-22", hint)


def _targets(chart: Chart) -> Iterator[Fault]:
    """A land target is a card for it, and stands on dry land."""
    dry = [piece.corners for piece in chart.land if not piece.shallow]
    known = [card.id for card in cards().values() if card.kind == "land"]
    for number, target in enumerate(chart.target):
        if target.card not in known:
            text = f"{target.card!r} is no card of a land target."
            hint = f"The cards are: {', '.join(known)}."
            yield Fault("map.unknown-target", f"/target/{number}/card", text, "CT-AMB-76", hint)
        if not any(meets((target.at,), corners) for corners in dry):
            text = "A land target stands on land, and there is none here."
            hint = "Put its middle on a piece of land that is not shallow."
            yield Fault("map.target-afloat", f"/target/{number}/at", text, "CT-AMB-76", hint)


def _zones(chart: Chart) -> Iterator[Fault]:
    """Along both edges there is room for the largest base."""
    options, seats = Options(width=chart.width, length=chart.length), ("first", "second")
    terms = Terms(points=dict.fromkeys(seats, 0), units=0, airbase=0)
    sea = State("", options, terms, seats, StepKey("placing"), land=land(chart, options))
    for seat in seats:
        places = lattice(sea, seat, cards()[LONGEST])
        if all(why_not_stand(sea, seat, "capital", pose, submarine=False) for pose in places):
            text = f"The {seat} side has no room for a capital ship along its edge."
            hint = "Leave open water within 8 klicks of both edges."
            yield Fault("map.no-set-up-zone", "/land", text, "CT-SETUP-02", hint)

"""What the rules ask of the units that a scenario places. Messages are for whoever writes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from ....kernel.form import Fault
from ....kernel.rules import Refused
from ....kernel.values import StepKey
from .cards import cards
from .charts import Chart, land
from .facts import CONVOY_SHIP
from .fleets import check_fleet
from .geography import why_not_begin
from .options import Options
from .scenarios import Scenario, terms
from .starts import StartForm, place
from .state import Pick, State, Unit

RULING = "CT-AMB-113"

SEATS = ("first", "second")
"""The sides of a scenario, which nobody has taken yet."""


class Given(NamedTuple):
    """A unit of a scenario and its number in the list."""

    number: int
    form: StartForm


def start_faults(found: Scenario) -> Iterator[Fault]:
    """Everything that is wrong with the units of a scenario, wherever they begin."""
    unknown = tuple(_unknown(found))
    yield from unknown
    yield from _misplaced(found)
    for side in SEATS:
        ours = [Given(n, form) for n, form in enumerate(found.start) if form.side == side]
        yield from _incomplete(found, side, ours)
        if ours and not unknown:
            yield from _no_fleet(found, side, ours)


def faults_of_places(found: Scenario, chart: Chart, options: Options) -> Iterator[Fault]:
    """Who cannot begin where the scenario says, on this chart: one after the other is put down."""
    agreed = terms(replace(found, start=()), options, SEATS)
    sea = State("", options, agreed, SEATS, StepKey("placing"), land=land(chart, options))
    for number, form in enumerate(found.start):
        pose, card = place(form, options), cards().get(form.card)
        if pose is None or card is None or card.size is None:
            continue
        no = why_not_begin(sea, card.size, pose)
        if no is not None:
            text = f"{card.name} cannot begin here. {no.hint}"
            hint = "Move it, or what is in its way."
            yield Fault("scenario.start-place", f"/start/{number}/at", text, RULING, hint)
        unit = Unit(str(number), form.card, form.side, pose=pose)
        sea = replace(sea, units={**sea.units, unit.id: unit})


def _unknown(found: Scenario) -> Iterator[Fault]:
    for number, form in enumerate(found.start):
        card = cards().get(form.card)
        if card is None or card.kind == "land":
            text = f"There is no card {form.card!r} of a ship, submarine or aircraft."
            hint = "The units of the catalogue name the cards."
            yield Fault("scenario.unknown-card", f"/start/{number}/card", text, RULING, hint)


def _misplaced(found: Scenario) -> Iterator[Fault]:
    """A ship begins at a place, an aircraft at a base."""
    for number, form in enumerate(found.start):
        card = cards().get(form.card)
        if card is not None and (form.at is None) != (card.kind == "aircraft"):
            text = "A ship or submarine begins at a place, an aircraft at its base."
            hint = "Give ships at, aircraft base."
            yield Fault("scenario.start-place", f"/start/{number}/at", text, RULING, hint)


def _incomplete(found: Scenario, side: str, ours: list[Given]) -> Iterator[Fault]:
    """Each unit of either side is named, each ship of the convoy too."""
    if not ours:
        text = f"Units are placed, and none is of the {side} side."
        hint = "Name every unit of both sides, or leave start out."
        yield Fault("scenario.start-incomplete", "/start", text, RULING, hint)
    convoy = sum(given.form.card == CONVOY_SHIP for given in ours)
    due = found.convoy if found.convoy_side in (side, "both") else 0
    if convoy != due:
        text = f"The convoy of the {side} side is of {due} ships, and {convoy} are placed."
        hint = f"Place each of them by the card {CONVOY_SHIP}."
        yield Fault("scenario.start-incomplete", "/start", text, RULING, hint)


def _no_fleet(found: Scenario, side: str, ours: list[Given]) -> Iterator[Fault]:
    """What a side has is a fleet: named ships once, room for aircraft, a landing ship if due."""
    fleet = [given for given in ours if given.form.card != CONVOY_SHIP]
    agreed = terms(found, Options(), SEATS)
    probe = State("", Options(), agreed, SEATS, StepKey("fleets"))
    try:
        check_fleet(probe, side, tuple(Pick(each.form.card, each.form.base) for each in fleet))
    except Refused as refused:
        _, _, number, *field = (*refused.pointer.split("/"), "")
        where = f"{fleet[int(number)].number}/{field[0]}" if number else ""
        pointer = f"/start/{where}".rstrip("/")
        hint = "Mend the list."
        yield Fault("scenario.start-fleet", pointer, refused.hint, refused.rule, hint)

"""How a battle opens; the rest follows from its steps (sequence.py)."""

from __future__ import annotations

import msgspec

from ....kernel.chance import Faces
from ....kernel.options import Options as Offers
from ....kernel.options import Pending
from ....kernel.rules import Refused, rule
from ....kernel.setup import Setup
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from .charts import land, objectives, storms, targets
from .customs import agreed_on
from .fleet_options import check_terms
from .scenarios import terms
from .seating import check_seats
from .sequence import battle
from .state import Options, State

EDITIONS = ("1",)


@rule("CT-GEOM-01", "CT-FSM-11", "CT-AMB-77", "CT-AMB-67")
def opening(setup: Setup) -> tuple[ev.AnyEvent, ...]:
    """The first events of a battle; refuses options that no rule knows."""
    if setup.edition not in EDITIONS:
        raise Refused("setup.unknown-edition", "CT-GEN-01", "Edition: 1.", "/edition")
    check_seats(setup.seats)
    try:
        options = msgspec.convert(setup.options, Options)
    except msgspec.ValidationError as error:
        raise Refused("setup.bad-option", "CT-AMB-67", str(error), "/options") from None
    found, chart, options, title = agreed_on(setup, options)
    agreed = terms(found, options, setup.seats)
    check_terms(agreed, options, setup.seats)
    opened = ev.GameOpened(
        scenario=setup.scenario,
        options=options,
        terms=agreed,
        seats=setup.seats,
        land=land(chart, options),
        storms=storms(chart, options),
        objectives=objectives(chart, options),
        targets=targets(chart, options, setup.seats),
        title=title,
        rules=("CT-AMB-67",),
    )
    return battle(options).opening(opened)


def decide(state: State, seat: Seat, command: c.AnyCommand | Faces) -> tuple[ev.AnyEvent, ...]:
    """What ``command`` by ``seat`` leads to; raises Refused and then nothing has happened."""
    return battle(state.options).decide(state, seat, command)


def legal(state: State, seat: Seat) -> Offers[c.AnyCommand]:
    """Every command that ``decide`` would accept from the seat."""
    return battle(state.options).legal(state, seat)


def pending(state: State) -> tuple[Pending, ...]:
    """The open questions: who is asked, what, and by which rule."""
    return battle(state.options).pending(state)


@rule("CT-FSM-14")
def usual(state: State, question: Pending) -> c.AnyCommand:
    """The command of an absent seat; every open question has one, so no game hangs.

    It is to pass, or where something has to be done, a fleet, a place, a landing, the first on
    offer; submarines stay as they are (questions.py).
    """
    return battle(state.options).usual(state, question)


__all__ = ["EDITIONS", "decide", "legal", "opening", "pending", "usual"]

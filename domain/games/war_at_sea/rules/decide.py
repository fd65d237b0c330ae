"""How a battle opens; the rest follows from its steps (sequence.py)."""

from __future__ import annotations

from ....kernel.chance import Faces
from ....kernel.options import Options, Pending
from ....kernel.rules import Refused, rule
from ....kernel.setup import Setup
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from .agreement import check_options, read_options, settled
from .customs import brought, limits_for
from .editions import EDITIONS
from .sequence import battle
from .state import State


@rule("WAS-SETUP-28", "WAS-SETUP-29", "RUL-104")
def opening(setup: Setup) -> tuple[ev.AnyEvent, ...]:
    """The first events of a battle; refuses options that no rule knows."""
    edition = next((each for each in EDITIONS if each == setup.edition), None)
    if edition is None:
        raise Refused("setup.unknown-edition", "RUL-01", "Editions: 2007, 2009.", "/edition")
    if len(setup.seats) != 2:
        raise Refused("setup.wrong-seats", "WAS-SETUP-01", "Two players play.", "/seats")
    options = read_options(setup.options)
    options = settled(options, limits_for(setup, edition))
    check_options(edition, options)
    one, two = setup.seats
    opened = ev.GameOpened(
        edition=edition,
        scenario=setup.scenario,
        options=options,
        seats=(one, two),
        rules=("RUL-104",),
    )
    customs = (brought(setup),) if setup.customs else ()
    return battle(edition).opening(opened, *customs)


def decide(state: State, seat: Seat, command: c.AnyCommand | Faces) -> tuple[ev.AnyEvent, ...]:
    """What ``command`` by ``seat`` leads to; raises Refused and then nothing has happened."""
    return battle(state.edition).decide(state, seat, command)


def legal(state: State, seat: Seat) -> Options[c.AnyCommand]:
    """Every command that ``decide`` would accept from the seat."""
    return battle(state.edition).legal(state, seat)


def pending(state: State) -> tuple[Pending, ...]:
    """The open questions: who is asked, what, and by which rule."""
    return battle(state.edition).pending(state)


def usual(state: State, question: Pending) -> c.AnyCommand:
    """What a missed deadline stands for: pass where one may, else what is due, or legal, first."""
    return battle(state.edition).usual(state, question)


__all__ = ["EDITIONS", "decide", "legal", "opening", "pending", "usual"]

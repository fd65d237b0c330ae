"""How a battle opens; the rest follows from its steps (sequence.py)."""

from __future__ import annotations

import msgspec

from ....kernel.chance import Faces
from ....kernel.custom import read_customs
from ....kernel.options import Options, Pending
from ....kernel.rules import Refused, rule
from ....kernel.setup import Setup
from ....kernel.values import Seat
from . import commands as c
from . import events as ev
from .deck import Deck
from .house import CUSTOMS
from .scenarios import check_seats
from .sequence import battle
from .state import State, Terms

EDITION = "1"


@rule("NB-GEN-01", "NB-GEN-04", "NB-TEAM-03", "NB-RUL-05")
def opening(setup_: Setup) -> tuple[ev.AnyEvent, ...]:
    """The first events of a game; refuses seats and options that no rule knows."""
    if setup_.edition != EDITION:
        raise Refused("setup.unknown-edition", "NB-GEN-01", f"Edition: {EDITION}.", "/edition")
    check_seats(setup_.scenario, len(setup_.seats))
    try:
        options = msgspec.convert(setup_.options, Terms)
    except msgspec.ValidationError as error:
        raise Refused("setup.bad-option", "NB-RUL-05", str(error), "/options") from None
    house = read_customs(CUSTOMS, setup_.customs).get("deck")
    opened = ev.GameOpened(
        edition=setup_.edition,
        scenario=setup_.scenario,
        options=options,
        seats=setup_.seats,
        house=house if isinstance(house, Deck) else None,
        rules=("NB-RUL-05",),
    )
    return battle().opening(opened)


def decide(state: State, seat: Seat, command: c.AnyCommand | Faces) -> tuple[ev.AnyEvent, ...]:
    """What ``command`` by ``seat`` leads to; raises Refused and then nothing has happened."""
    return battle().decide(state, seat, command)


def legal(state: State, seat: Seat) -> Options[c.AnyCommand]:
    """Every command that ``decide`` would accept from the seat."""
    return battle().legal(state, seat)


def pending(state: State) -> tuple[Pending, ...]:
    """The open questions. They rest on public facts only, so every viewer sees the same."""
    return battle().pending(state)


def usual(state: State, question: Pending) -> c.AnyCommand:
    """What a missed deadline stands for."""
    return battle().usual(state, question)


__all__ = ["EDITION", "decide", "legal", "opening", "pending", "usual"]

"""What decides in Naval Battles, as one record: whatever is recorded and judged comes from here."""

from __future__ import annotations

from typing import get_args

from ....kernel.chance import PUBLIC_DOMAIN, SEALED_DOMAIN
from ....kernel.engine import Engine
from ....kernel.play import named_steps
from ....kernel.setup import Setup
from . import commands as c
from . import events as ev
from .decide import EDITION, decide, legal, opening, pending, usual
from .evolve import evolve
from .facts import sides, total
from .house import CUSTOMS
from .odds import chances, odds, prospects
from .sequence import battle
from .sight import redact
from .state import State, Terms

VERSION = "8"
"""Raise it when ``decide`` would answer a recorded command differently."""


def domains(setup: Setup) -> tuple[str, ...]:
    """Open dice, and those of the deck, which nobody sees before the end."""
    return (PUBLIC_DOMAIN, SEALED_DOMAIN)


ENGINE: Engine[State, c.AnyCommand, ev.AnyEvent] = Engine(
    ruleset=c.RULESET,
    version=VERSION,
    editions=(EDITION,),
    seat_counts=(2, 3, 4, 5, 6),
    options=Terms,
    state=State,
    commands=get_args(c.AnyCommand),
    events=get_args(ev.AnyEvent),
    opening=opening,
    decide=decide,
    evolve=evolve,
    legal=legal,
    redact=redact,
    pending=pending,
    awaiting=lambda state: state.awaiting,
    result=lambda state: state.result,
    secrets=lambda state: state.result is None,
    usual=usual,
    scores=lambda state: {seat: total(state, seat) for seat in state.seats},
    sides=lambda setup: sides(setup.scenario, setup.seats),
    odds=odds,
    chances=chances,
    prospects=prospects,
    domains=domains,
    customs=CUSTOMS,
    upcasters=named_steps(battle()),
    position=2,
    courses=(battle(),),
)

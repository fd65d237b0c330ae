"""What decides in Crimson Tide, as one record: whatever is recorded and judged comes from here."""

from __future__ import annotations

from typing import get_args

from ....kernel.engine import Engine
from ....kernel.events import wrapped_faces
from ....kernel.play import named_steps
from . import commands as c
from . import events as ev
from .customs import CUSTOMS
from .decide import EDITIONS, decide, legal, opening, pending, usual
from .evolve import evolve
from .odds import chances, prospects
from .seating import SEATS, sides
from .sequence import COURSES, battle
from .sight import redact
from .state import Options, State
from .upcasting import UPCASTERS

VERSION = "8"
"""Raise it when ``decide`` would answer a recorded command differently."""

ENGINE: Engine[State, c.AnyCommand, ev.AnyEvent] = Engine(
    ruleset=c.RULESET,
    version=VERSION,
    editions=EDITIONS,
    seat_counts=SEATS,
    options=Options,
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
    secrets=lambda state: battle(state.options).sealed(state),
    usual=usual,
    scores=lambda state: {s: state.scores[state.side(s)] for s in state.seats},
    sides=lambda setup: sides(setup.seats),
    side_score=lambda state, side: state.scores[side[0]],
    chances=chances,
    prospects=prospects,
    customs=CUSTOMS,
    upcasters={("dice-thrown", 1): wrapped_faces, **named_steps(*COURSES), **UPCASTERS},
    position=3,
    courses=COURSES,
)

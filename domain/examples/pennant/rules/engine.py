"""What decides in Pennant, as one record."""

from __future__ import annotations

from typing import get_args

from domain.kernel.engine import Engine

from .commands import RULESET, Command, PennantOptions
from .course import COURSE, opening
from .customs import CUSTOMS
from .events import AnyEvent, redact
from .odds import chances, odds, prospects
from .state import State, evolve

ENGINE: Engine[State, Command, AnyEvent] = Engine(
    ruleset=RULESET,
    version="1.0.0",
    editions=("first",),
    seat_counts=(2,),
    options=PennantOptions,
    state=State,
    commands=get_args(Command),
    events=get_args(AnyEvent),
    opening=opening,
    decide=COURSE.decide,
    evolve=evolve,
    legal=COURSE.legal,
    redact=redact,
    pending=COURSE.pending,
    awaiting=lambda state: state.awaited,
    result=lambda state: state.result,
    secrets=lambda state: bool(state.seats) and not state.colours,
    usual=COURSE.usual,
    scores=lambda state: dict(zip(state.seats, state.points, strict=True)),
    odds=odds,
    chances=chances,
    prospects=prospects,
    customs=CUSTOMS,
    courses=(COURSE,),
)

"""What decides in War at Sea, as one record: whatever is recorded and judged comes from here."""

from __future__ import annotations

from typing import get_args

from ....kernel.engine import Engine
from ....kernel.events import wrapped_faces
from ....kernel.play import named_steps
from . import commands as c
from . import events as ev
from .customs import CUSTOMS
from .decide import decide, legal, opening, pending, usual
from .editions import EDITIONS
from .evolve import evolve
from .odds import chances, odds, prospects
from .sequence import BATTLES, battle
from .sight import redact
from .state import Options, State

VERSION = "7"
"""Raise it when ``decide`` would answer a recorded command differently."""

ENGINE: Engine[State, c.AnyCommand, ev.AnyEvent] = Engine(
    ruleset=c.RULESET,
    version=VERSION,
    editions=EDITIONS,
    seat_counts=(2,),
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
    secrets=lambda state: battle(state.edition).sealed(state),
    usual=usual,
    scores=lambda state: state.scores,
    odds=odds,
    chances=chances,
    prospects=prospects,
    customs=CUSTOMS,
    upcasters={("dice-thrown", 1): wrapped_faces, **named_steps(*BATTLES)},
    position=2,
    courses=BATTLES,
)

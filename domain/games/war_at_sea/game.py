"""The ruleset as one record: what the kernel knows of War at Sea."""

from __future__ import annotations

from typing import get_args

from ...kernel.agreed import load_texts
from ...kernel.game import Game
from ...kernel.play import phases
from . import commands as c
from . import events as ev
from .catalogue import CATALOGUE
from .customs import CUSTOMS
from .decide import decide, legal, opening, pending, usual
from .editions import EDITIONS
from .evolve import evolve
from .insight import INSIGHT
from .odds import odds
from .picture import board
from .roles import ROLES
from .scenes.whole import scene
from .sequence import battle
from .sight import redact
from .state import Options, State
from .tables import BATTLES, TABLES
from .words import describe, says

VERSION = "5"
"""Raise it when ``decide`` would answer a recorded command differently."""

GAME: Game[State, c.AnyCommand, ev.AnyEvent] = Game(
    ruleset="war-at-sea",
    title="War at Sea",
    version=VERSION,
    editions=EDITIONS,
    seat_counts=(2,),
    phases=phases(*BATTLES),
    options=Options,
    option_texts=load_texts("domain.games.war_at_sea"),
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
    describe=describe,
    scores=lambda state: state.scores,
    board=board,
    usual=usual,
    says=says,
    roles=ROLES,
    odds=odds,
    catalogue=CATALOGUE,
    insight=INSIGHT,
    customs=CUSTOMS,
    scene=scene,
    tables=TABLES,
    courses=BATTLES,
)

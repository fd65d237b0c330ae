"""The ruleset as one record: what the kernel knows of War at Sea."""

from __future__ import annotations

from typing import get_args

from ...kernel.game import Game
from ...kernel.play import phases
from ...kernel.shown.option_texts import load_texts
from .rules import commands as c
from .rules import events as ev
from .rules.customs import CUSTOMS
from .rules.decide import decide, legal, opening, pending, usual
from .rules.editions import EDITIONS
from .rules.evolve import evolve
from .rules.odds import odds
from .rules.sequence import battle
from .rules.sight import redact
from .rules.state import Options, State
from .shown.catalogue import CATALOGUE
from .shown.insight import INSIGHT
from .shown.picture import board
from .shown.roles import ROLES
from .shown.scenes.whole import scene
from .shown.tables import BATTLES, TABLES
from .shown.words import describe, says

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

"""The ruleset as one record: what the kernel knows of Crimson Tide."""

from __future__ import annotations

from typing import get_args

from ...kernel.game import Game
from ...kernel.play import phases
from ...kernel.shown.option_texts import load_texts
from .rules import commands as c
from .rules import events as ev
from .rules.customs import CUSTOMS
from .rules.decide import EDITIONS, decide, legal, opening, pending, usual
from .rules.evolve import evolve
from .rules.seating import SEATS, sides
from .rules.sequence import battle
from .rules.sight import redact
from .rules.state import Options, State
from .shown.catalogue import CATALOGUE
from .shown.insight import INSIGHT
from .shown.picture import board
from .shown.preview import preview
from .shown.roles import ROLES
from .shown.scenes.whole import scene
from .shown.sentences import says
from .shown.tables import TABLES, WAYS
from .shown.words import describe

COURSES = tuple(battle(options) for options in WAYS)

VERSION = "4"
"""Raise it when ``decide`` would answer a recorded command differently."""

GAME: Game[State, c.AnyCommand, ev.AnyEvent] = Game(
    ruleset="crimson-tide",
    title="Crimson Tide",
    version=VERSION,
    editions=EDITIONS,
    seat_counts=SEATS,
    phases=phases(*COURSES),
    options=Options,
    option_texts=load_texts("domain.games.crimson_tide"),
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
    describe=describe,
    scores=lambda state: {s: state.scores[state.side(s)] for s in state.seats},
    sides=lambda setup: sides(setup.seats),
    side_score=lambda state, side: state.scores[side[0]],
    board=board,
    usual=usual,
    preview=preview,
    says=says,
    roles=ROLES,
    catalogue=CATALOGUE,
    customs=CUSTOMS,
    insight=INSIGHT,
    scene=scene,
    tables=TABLES,
    courses=COURSES,
)

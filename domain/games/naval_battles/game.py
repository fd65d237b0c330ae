"""The ruleset as one record: what the kernel knows of Naval Battles."""

from __future__ import annotations

from typing import get_args

from ...kernel.chance import PUBLIC_DOMAIN, SEALED_DOMAIN
from ...kernel.game import Game
from ...kernel.play import phases
from ...kernel.setup import Setup
from ...kernel.shown.option_texts import load_texts
from .rules import commands as c
from .rules import events as ev
from .rules.decide import EDITION, decide, legal, opening, pending, usual
from .rules.evolve import evolve
from .rules.facts import sides, total
from .rules.house import CUSTOMS
from .rules.odds import odds
from .rules.sequence import battle
from .rules.sight import redact
from .rules.state import State, Terms
from .shown.bots import BOTS
from .shown.catalogue import CATALOGUE
from .shown.insight import INSIGHT
from .shown.picture import board
from .shown.roles import ROLES
from .shown.scenes.whole import scene
from .shown.sentences import says
from .shown.tables import TABLES
from .shown.words import describe

VERSION = "4"
"""Raise it when ``decide`` would answer a recorded command differently."""


def domains(setup: Setup) -> tuple[str, ...]:
    """Open dice, and those of the deck, which nobody sees before the end."""
    return (PUBLIC_DOMAIN, SEALED_DOMAIN)


GAME: Game[State, c.AnyCommand, ev.AnyEvent] = Game(
    ruleset="naval-battles",
    title="Naval Battles",
    version=VERSION,
    editions=(EDITION,),
    seat_counts=(2, 3, 4, 5, 6),
    phases=phases(battle()),
    options=Terms,
    option_texts=load_texts("domain.games.naval_battles"),
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
    describe=describe,
    scores=lambda state: {seat: total(state, seat) for seat in state.seats},
    sides=lambda setup: sides(setup.scenario, setup.seats),
    board=board,
    usual=usual,
    says=says,
    roles=ROLES,
    odds=odds,
    domains=domains,
    catalogue=CATALOGUE,
    insight=INSIGHT,
    scene=scene,
    tables=TABLES,
    courses=(battle(),),
    customs=CUSTOMS,
    bots=BOTS,
)

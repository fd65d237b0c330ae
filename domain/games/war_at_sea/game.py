"""The ruleset as one record: what decides in War at Sea, and what shows it."""

from __future__ import annotations

from ...kernel.game import Game, deciding
from ...kernel.play import phases
from ...kernel.shown.option_texts import load_texts
from .rules import commands as c
from .rules import events as ev
from .rules.engine import ENGINE
from .rules.sequence import BATTLES
from .rules.state import State
from .shown.catalogue import CATALOGUE
from .shown.insight import INSIGHT
from .shown.odds import AttackOdds, in_short
from .shown.picture import board
from .shown.roles import ROLES
from .shown.scenes.whole import scene
from .shown.tables import TABLES
from .shown.words import describe, says
from .shown.worth import Worthwhile, worthwhile

GAME: Game[State, c.AnyCommand, ev.AnyEvent] = Game(
    **deciding(ENGINE),
    title="War at Sea",
    phases=phases(*BATTLES),
    describe=describe,
    says=says,
    board=board,
    scene=scene,
    catalogue=CATALOGUE,
    roles=ROLES,
    option_texts=load_texts(f"{__package__}.shown"),
    odds_form=AttackOdds,
    odds_in_short=in_short,
    worthwhile=worthwhile,
    worthwhile_form=Worthwhile,
    insight=INSIGHT,
    tables=TABLES,
)

"""The ruleset as one record: what decides in Crimson Tide, and what shows it."""

from __future__ import annotations

from ...kernel.game import Game, deciding
from ...kernel.play import phases
from ...kernel.shown.option_texts import load_texts
from .rules import commands as c
from .rules import events as ev
from .rules.engine import ENGINE
from .rules.sequence import COURSES
from .rules.state import State
from .shown.catalogue import CATALOGUE
from .shown.foretold import fails, odds_later
from .shown.insight import INSIGHT
from .shown.odds import ShotOdds, in_short
from .shown.picture import board
from .shown.preview import CoursePreview, preview
from .shown.roles import ROLES
from .shown.scenes.whole import scene
from .shown.sentences import says
from .shown.tables import TABLES
from .shown.words import describe

GAME: Game[State, c.AnyCommand, ev.AnyEvent] = Game(
    **deciding(ENGINE),
    title="Crimson Tide",
    phases=phases(*COURSES),
    describe=describe,
    says=says,
    board=board,
    scene=scene,
    preview=preview,
    preview_form=CoursePreview,
    odds_form=ShotOdds,
    odds_in_short=in_short,
    odds_later=odds_later,
    fails=fails,
    catalogue=CATALOGUE,
    roles=ROLES,
    option_texts=load_texts(f"{__package__}.shown"),
    insight=INSIGHT,
    tables=TABLES,
)

"""The ruleset as one record: what decides in Pennant, and what shows it."""

from __future__ import annotations

from domain.kernel.game import Game, deciding
from domain.kernel.shown.catalogue import Catalogue, Entry
from domain.kernel.shown.option_texts import OptionText
from domain.kernel.shown.rulebook import RuleText
from domain.kernel.shown.tables import Tables

from .rules.commands import Command
from .rules.course import COURSE
from .rules.engine import ENGINE
from .rules.events import AnyEvent, Opened
from .rules.state import BATTLE, CHOICE, State
from .shown.bot import Gunner
from .shown.insight import INSIGHT, in_short
from .shown.picture import scene
from .shown.words import PARTS, ROLES, board, describe, says


def _text(number: int, title: str, text: str) -> RuleText:
    return RuleText(f"PEN-{number}", title, text, ("first",), "tests", "done")


RULES = (
    _text(1, "Seats", "Two seats play."),
    _text(2, "Colours", "Both choose a colour in secret, once; then both are shown."),
    _text(3, "Turns", "The seats take turns; the dice of a turn fall before the next."),
    _text(4, "Hull", "Steady fires two dice that hit on 5 and 6, bold three that hit on 6."),
    _text(5, "Magazine", "One die; a hit scores the sum of two more dice."),
    _text(6, "End", "After the last turn more points win; equal points are a draw."),
    _text(7, "Tenders", "Ten or more points in the magazine cost the enemy its tender, once."),
)

CATALOGUE = Catalogue(
    units=lambda: (
        Entry("pennant", "Pennant", "A flag with guns.", data={"dice": 2}),
        Entry("ghost", "Ghost", playable=False, missing=("haunt",)),
    ),
    abilities=lambda: (Entry("haunt", "Haunt", "Not played yet.", playable=False),),
    scenarios=lambda: (Entry("standard", "Standard", "The one there is."),),
    maps=lambda: (Entry("open", "Open sea"),),
    rules=lambda: RULES,
)

TABLES = Tables(
    where=__name__,
    step=lambda state: state.step,
    titles={CHOICE: "Choice of colours", BATTLE: "Battle"},
    titled=__name__,
    questions=frozenset(COURSE.questions),
    undrawn=frozenset({Opened}),
    parts=PARTS,
)

GAME: Game[State, Command, AnyEvent] = Game(
    **deciding(ENGINE),
    title="Pennant",
    phases=tuple(key.phase for key in COURSE.keys),
    describe=describe,
    says=says,
    board=board,
    scene=scene,
    odds_in_short=in_short,
    bots={"gunner": Gunner},
    catalogue=CATALOGUE,
    roles=ROLES,
    option_texts={"turns": OptionText("Turns of both seats together", "4", "1 to 20,000")},
    insight=INSIGHT,
    tables=TABLES,
)

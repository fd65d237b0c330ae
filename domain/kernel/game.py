"""The shape of a ruleset: what decides, with what a stranger is shown of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import msgspec

from .engine import C, E, Engine, S
from .fork import NAME as FORKED
from .options import Described
from .shown.bot import Bot
from .shown.catalogue import Catalogue
from .shown.insight import Insight
from .shown.odds_summary import OddsSummary
from .shown.option_texts import OptionTexts
from .shown.roles import Role, Roles, nothing
from .shown.scene import Scene, of_text
from .shown.tables import Tables
from .values import Seat, Value


@dataclass(frozen=True, kw_only=True)
class Game(Engine[S, C, E]):
    """A ruleset as a record of pure functions: its engine, and what shows it.

    A game is its engine (:func:`deciding`), so that whoever has the game can ask what decides and
    what shows alike; but no rule ever sees more than the engine.

    phases    titles of the phases of a turn, in order
    describe  (state, command) -> the command in words
    says      (state before, event) -> the event as a sentence
    board     (state) -> the board as text for a terminal
    scene     (state, state before the last action or None, events of the last action, ID of a piece
              that is asked about or "") -> the board as a picture with the last action drawn in;
              every state and event as one viewer may know it. Without it: the board's letters
    preview   (state, command that is legal) -> what it comes to by itself, before dice and without
              anything that may not be measured yet, as plain JSON, else None
    preview_form  the type of what ``preview`` gives; None where it gives nothing
    worthwhile    (state, command that is offered) -> what makes it worth a look, in a list of which
              most offers are not, as plain JSON; None where it is not, and where that is not said
    worthwhile_form  the type of what ``worthwhile`` gives; None where it gives nothing
    option_texts  what people read of each option, by its name (``shown/option_texts.py``)
    roles     for each type of event what it means to readers who do not know the game: a unit is
              lost, moved, fired at (:mod:`~domain.kernel.shown.roles`)
    insight   what a reader may ask besides: names, figures with reasons, suppositions
    bots      bots of the game by name, each made by a call, the best one first; pure as all else
              here: the same position gets the same answer
    odds_form     the type of what ``odds`` gives, for who reads it; None where it has none
    odds_in_short what ``odds`` gave, in one shape for every game
    odds_later    (state, command that is legal and may be measured) -> the odds of dice that fall
              later only (torpedoes that are under way), told as ``odds`` are; None where none do
    fails     (state, command that is legal and may be measured) -> why it comes to nothing before
              any die, in words and with a rule; empty where it does not
    tables    lists by which ``kernel.testing.completeness`` sees what was left out
    """

    title: str
    phases: tuple[str, ...]
    describe: Callable[[S, C], Described]
    says: Callable[[S | None, E], str]
    board: Callable[[S], str]
    scene: Callable[[S, S | None, tuple[E, ...], str], Scene] | None = None
    preview: Callable[[S, C], dict[str, Any] | None] = lambda state, command: None
    bots: Mapping[str, Callable[[], Bot]] = field(default_factory=dict, hash=False)
    worthwhile: Callable[[S, C], dict[str, Any] | None] = lambda state, command: None
    catalogue: Catalogue = field(default_factory=Catalogue)
    roles: Roles = field(default_factory=dict, hash=False)
    option_texts: OptionTexts = field(default_factory=dict, hash=False)
    odds_form: type[Value] | None = None
    preview_form: type[Value] | None = None
    worthwhile_form: type[Value] | None = None
    odds_in_short: Callable[[Mapping[str, Any]], OddsSummary | None] = lambda odds: None
    odds_later: Callable[[S, C], dict[str, Any] | None] = lambda state, command: None
    fails: Callable[[S, C], str] = lambda state, command: ""
    insight: Insight = field(default_factory=Insight)
    tables: Tables | None = None

    def odds_beside(self, state: S, seat: Seat, command: C) -> dict[str, Any] | None:
        """The odds beside an offer; None where no dice would fall, or nobody may measure.

        Where a rule forbids to measure before declaring and the players have agreed otherwise, what
        has a target is declared in thought. An order to move is long to follow, and attacks nobody.
        """
        found = self.odds(state, command)
        if found is not None or not self._measured(state, command):
            return found
        found = self.odds_declared(self.fold(self.decide(state, seat, command), state))
        return self.odds_later(state, command) if found is None else found

    def short_beside(
        self, state: S, command: C, odds: Mapping[str, Any] | None
    ) -> OddsSummary | None:
        """Those odds in short; of what fails before any die, where one may measure, the reason."""
        if odds is not None:
            return self.short_of(odds, self.describe(state, command).pointless)
        why = self.fails(state, command) if self._measured(state, command) else ""
        return OddsSummary(hit=0, destroyed=0, expected=0, hopeless=why) if why else None

    def short_of(self, odds: Mapping[str, Any], pointless: str) -> OddsSummary | None:
        """Odds in short: of what is pointless its dice hit, cost and destroy nothing any more."""
        found = self.odds_in_short(odds)
        if found is None or not pointless:
            return found
        lost = None if found.destroyed is None else 0
        return OddsSummary(0, lost, None if found.expected is None else 0, pointless)

    def _measured(self, state: S, command: C) -> bool:
        """Whether a rule forbids to measure, the players have agreed otherwise, and there is what
        is aimed at.
        """
        if not self.insight.forbids or self.insight.forbidden(state):
            return False
        return bool(self.describe(state, command).target)

    def odds_declared(self, declared: S) -> dict[str, Any] | None:
        """The odds of the dice that a declaration has led to; None where it has led to none."""
        return None if self.awaiting(declared) is None else self.prospects(declared)

    def picture(self, state: S, before: S | None, events: tuple[E, ...], focus: str = "") -> Scene:
        """The board at ``state``; what led there from ``before`` is told to those who hear it."""
        for number, event in enumerate(events):
            if event.NAME == FORKED:  # a fork's position is where its first action begins
                before, events = event.state, events[number + 1 :]  # type: ignore[attr-defined]
                break
        drawn = (
            of_text(self.title, self.board(state))
            if self.scene is None
            else self.scene(state, before, events, focus)
        )
        told = " ".join(self.sentences(before, events))
        return msgspec.structs.replace(drawn, about=f"{drawn.about} {told}".strip())

    def sentences(self, before: S | None, events: Iterable[E]) -> Iterator[str]:
        """What the events say in words, from the state before them; book-keeping says nothing."""
        state = before
        for event in events:
            said = self.says(state, event)
            if said:
                yield said
            state = self.evolve(state, event)

    def meaning(self, before: S | None, event: E) -> tuple[Role, ...]:
        """What the event means to readers; without the state before it, it says less."""
        return self.roles.get(type(event), nothing)(before, event)


def deciding(engine: Engine[Any, Any, Any]) -> dict[str, Any]:
    """The fields of an engine, for its game: ``Game(**deciding(ENGINE), title=...)``."""
    return {each.name: getattr(engine, each.name) for each in fields(Engine)}

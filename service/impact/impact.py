"""The impact of rules on many games: what differs in how many, counted by kind and by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.kernel.codec import Codec
from domain.kernel.event import UnknownEvent
from domain.kernel.forked import fork_rules
from domain.kernel.game import Game

from ..evidence.asked import Position, Told
from ..evidence.verdict import Answer
from .compare import FORM, KINDS, Compared, Difference, Ending


class Count(Answer, frozen=True):
    """How many decisions differ in a way, by a rule; "" for no rule that is named."""

    kind: str
    rule: str
    count: int


class Stop(Answer, frozen=True):
    """A game that was not compared to its end, or not at all, and why."""

    file: str
    why: str


class Impact(Answer, frozen=True):
    """What comes of it.

    old, new   names of the rules
    option     the option that is other, as name=value; "" where rules are
    games      games that were compared, at least their opening
    kinds      how many decisions differ, by kind; all kinds
    by_rule    the same by kind and rule; a decision of two rules counts for both
    endings    games that would have ended differently
    """

    old: str
    new: str
    option: str
    games: int
    decisions: int
    kinds: dict[str, int]
    by_rule: tuple[Count, ...]
    differences: tuple[Difference, ...]
    endings: tuple[Ending, ...]
    stopped: tuple[Stop, ...]

    @property
    def matters(self) -> bool:
        """Whether more than form differs."""
        return any(self.kinds[kind] for kind in KINDS if kind != FORM)


def impact(
    names: tuple[str, str], games: Sequence[Compared], unread: Iterable[Stop] = (), option: str = ""
) -> Impact:
    """All games together."""
    differences = tuple(each for game in games for each in game.differences)
    kinds = Counter(each.kind for each in differences)
    rules = Counter((each.kind, rule) for each in differences for rule in each.rules or ("",))
    order = sorted(rules, key=lambda key: (KINDS.index(key[0]), -rules[key], key[1]))
    stopped = [Stop(file=game.file, why=game.stopped) for game in games if game.stopped]
    return Impact(
        old=names[0], new=names[1], option=option, games=len(games),
        decisions=sum(game.decisions for game in games),
        kinds={kind: kinds[kind] for kind in KINDS},
        by_rule=tuple(Count(kind=k, rule=rule, count=rules[k, rule]) for k, rule in order),
        differences=differences,
        endings=tuple(game.ending for game in games if game.ending is not None),
        stopped=(*unread, *stopped),
    )  # fmt: skip


class Sentences:
    """Says events as the installed game does; by name what it does not read."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self._game = fork_rules(game)
        self._codec: Codec[Any] = Codec(self._game)
        self._states: msgspec.json.Decoder[Any] = msgspec.json.Decoder(game.state)

    def __call__(self, before: Position | None, events: list[Told]) -> list[str]:
        state = self._state(before)
        found: list[str] = []
        for event in events:
            state, text = self._said(state, event)
            found += [text] if text else []
        return found

    def _state(self, before: Position | None) -> Any:
        try:
            return None if before is None else self._states.decode(before.text)
        except msgspec.MsgspecError:
            return None

    def _said(self, state: Any, told: Told) -> tuple[Any, str]:
        """The state after the event, None where it cannot be told, and the sentence."""
        try:
            event = self._codec.decode(told.name, told.schema, told.data)
            text = self._game.says(state, event)
        except (UnknownEvent, msgspec.MsgspecError):
            return None, told.name
        except Exception:  # what shows may stumble over a position of other rules
            return None, told.name
        try:
            return self._game.evolve(state, event), text
        except Exception:  # as above
            return None, text

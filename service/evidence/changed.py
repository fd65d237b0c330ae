"""A game that went over to another engine on its way: each event and each position by its own.

Whoever folds such a game asks it as any other. A position and an event say by their types which
engine they are of; between two engines a position is carried as one that a fork begins with is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple

import msgspec

from domain.kernel.codec import Codec, canonical
from domain.kernel.event import carried
from domain.kernel.fork import forked_event
from domain.kernel.game import Game
from domain.kernel.shown.insight import Insight
from domain.kernel.shown.roles import nothing
from domain.kernel.shown.scene import Scene, of_text
from projections.stream import Named

from . import service_events as platform
from .records import FOLDED, PREFIX, RulesChanged, Takeback
from .takebacks import put_back

AnyGame = Game[Any, Any, Any]


_FOLDED = frozenset(kind.TYPE for kind in FOLDED)


class Part(NamedTuple):
    """What decides from the event ``first`` on."""

    first: int
    game: AnyGame


@dataclass(frozen=True, kw_only=True)
class ChangedGame(Game[Any, Any, Any]):
    """The newest rules, with those before them.

    went_back  whether it may be that steps were taken back in it
    """

    parts: tuple[Part, ...]
    went_back: bool = False


class Reading:
    """Stored events as values, each read by the rules that decided it."""

    def __init__(self, game: AnyGame) -> None:
        self._codecs = [(part.first, Codec(part.game)) for part in parts_of(game)]
        self._newest_from, newest = self._codecs[-1]
        self._decode = newest.decode

    def event(self, head: Named, data: bytes | msgspec.Raw) -> Any:
        """The game's event, or that its rules are others from here on or a step was taken back;
        None for what is neither.

        Raises UnknownEvent, ValidationError.
        """
        if head.type.startswith(PREFIX):
            folds = head.type in _FOLDED
            return platform.decode(head.type, data) if folds else None
        if head.seq >= self._newest_from:
            return self._decode(head.type, head.schema, data)
        codec = next(codec for first, codec in reversed(self._codecs) if first <= head.seq)
        return codec.decode(head.type, head.schema, data)


def parts_of(game: AnyGame) -> tuple[Part, ...]:
    """All rules by which a game was played, in order."""
    return game.parts if isinstance(game, ChangedGame) else (Part(1, game),)


def in_force(game: AnyGame, seq: int) -> AnyGame:
    """The rules that decided an event, or decide in the position after it."""
    return next(part.game for part in reversed(parts_of(game)) if part.first <= seq)


def goes_back(game: AnyGame) -> bool:
    """Whether a step that is taken back can be folded."""
    return isinstance(game, ChangedGame) and game.went_back


def restored(game: AnyGame, state: Any, back: str) -> Any:
    """The position before a step that is taken back. Raises ValueError."""
    form = forked_event(game.state, game.position)
    return msgspec.convert({"state": put_back(canonical(state), back)}, form).state


def carry(old: AnyGame, state: Any, new: AnyGame) -> Any:
    """A position, in truth or as somebody sees it, as other rules have it. Raises ValueError."""
    plain: dict[str, Any] = msgspec.json.decode(canonical(state))
    form = forked_event(new.state, new.position)
    fields = carried(form, old.position, {"state": plain}, new.upcasters)
    return msgspec.convert(fields, form).state


@cache
def joined(parts: tuple[Part, ...], *, went_back: bool = False) -> AnyGame:
    """The game that was played by these rules, one after the other.

    went_back  whether steps were taken back in it
    """
    newest = parts[-1].game
    if len(parts) == 1 and not went_back:
        return newest
    by_state = {part.game.state: part.game for part in parts}
    by_event = {kind: part.game for part in parts for kind in part.game.events}
    starts = {part.first: part.game for part in parts}

    def evolve(state: Any, event: Any) -> Any:
        if isinstance(event, RulesChanged):
            return carry(by_state[type(state)], state, starts[event.since])
        if isinstance(event, Takeback):
            return restored(by_state[type(state)], state, event.back)
        return by_event[type(event)].evolve(state, event)

    def asked(name: str) -> Callable[..., Any]:
        """A function of a position, by the rules that it is of."""
        return lambda state, *more: getattr(by_state[type(state)], name)(state, *more)

    def redact(event: Any, viewer: Any) -> Any:
        own = isinstance(event, FOLDED)
        return event if own else by_event[type(event)].redact(event, viewer)

    def says(before: Any, event: Any) -> str:
        own = isinstance(event, FOLDED)
        return platform.says(event) if own else by_event[type(event)].says(before, event)

    def scene(state: Any, before: Any, events: Sequence[Any], focus: str) -> Scene:
        game = by_state[type(state)]
        if any(isinstance(event, FOLDED) for event in events):
            before, events = None, ()
        if game.scene is None:
            return of_text(game.title, game.board(state))
        return game.scene(state, before, tuple(events), focus)

    functions = (
        "decide", "legal", "pending", "awaiting", "result", "secrets", "usual", "scores", "odds",
        "chances", "prospects", "describe", "preview", "board", "worthwhile", "odds_later", "fails",
    )  # fmt: skip
    own = {each.name: getattr(newest, each.name) for each in fields(Game)}
    own |= {name: asked(name) for name in functions}
    return ChangedGame(
        **{
            **own, "opening": parts[0].game.opening, "domains": parts[0].game.domains,
            "evolve": evolve, "redact": redact, "says": says, "scene": scene,
            "side_score": asked("score_of"), "courses": (),
            "roles": {k: v for part in parts for k, v in part.game.roles.items()}
            | dict.fromkeys(FOLDED, nothing),
            "insight": _insight(by_state, newest), "tables": None, "parts": parts,
            "went_back": went_back,
        }
    )  # fmt: skip


def _insight(by_state: dict[type, AnyGame], newest: AnyGame) -> Insight:
    def asked(name: str) -> Callable[..., Any]:
        return lambda state, *more: getattr(by_state[type(state)].insight, name)(state, *more)

    calls, figures, suppose, freed = map(asked, ("calls", "figures", "suppose", "freed"))
    return Insight(calls, figures, suppose, {}, newest.insight.forbids, freed)

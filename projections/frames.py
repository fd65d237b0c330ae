"""A stretch of a game, version by version: the state before it, and what each event changes of it.

Of two states that follow each other almost everything is shared. So whoever steps to and fro asks
once, and works out every state from the one before; pictures of boards share their lines likewise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from domain.kernel.codec import full
from domain.kernel.values import Viewer

from . import svg
from .differences import Kind, changes
from .follow import Document
from .pictures import LONGEST, FilmStep, action, events_of
from .records import Rules
from .stream import AnyGame, ViewedEvent
from .views import GameHistory, walk


class Patch(Document, frozen=True):
    """One place of the state that an event changes.

    path   RFC 6901 pointer into the state
    kind   "changed", "added", "removed"
    value  the value after the event; absent if it removes the place
    """

    path: str
    kind: Kind
    value: Any | UnsetType = UNSET


class Frame(Document, frozen=True):
    """A version of the game.

    version  its number
    changes  in their order they make its state of the state of the version before
    picture  the board's picture: numbers of ``lines``, which joined by line feeds are its SVG;
             empty where none was asked for, or before there is a board
    """

    version: int
    changes: tuple[Patch, ...]
    picture: tuple[int, ...]


class Frames(Document, frozen=True):
    """A stretch of the game.

    game     id of the game
    ruleset  id of its ruleset
    viewer   seat, `public` or `truth`, through whose eyes it is seen
    after    the version before the first frame
    state    the state of that version, as the view shows it; null before the opening
    lines    the lines of all its pictures, each once
    """

    game: str
    ruleset: str
    rules: Rules
    viewer: Viewer
    after: int
    state: Any
    frames: tuple[Frame, ...]
    lines: tuple[str, ...]


def frames_of(
    past: GameHistory, game: str, viewer: Viewer, after: int, last: int, *, pictures: bool
) -> Frames:
    """The versions above ``after`` up to ``last``; of long actions pictures show the end alone."""
    start = max(0, after - LONGEST) if pictures else after
    window: deque[ViewedEvent] = deque(maxlen=LONGEST)
    lines: dict[str, int] = {}
    found: list[Frame] = []
    base = past.at(viewer, after) if after else None
    for step in walk(past, viewer, start, last):
        window.append(step)
        if step.seq > after:
            drawn = _drawn(past.game, tuple(window), lines) if pictures else ()
            found.append(Frame(version=step.seq, changes=patches(step), picture=drawn))
    return Frames(
        game=game, ruleset=past.game.ruleset, rules=past.rules(last), viewer=viewer,
        after=after, state=full(base), frames=tuple(found), lines=tuple(lines),
    )  # fmt: skip


def patches(step: ViewedEvent) -> tuple[Patch, ...]:
    """What the event changes of the viewer's state."""
    return tuple(
        Patch(
            path=each.pointer, kind=each.kind, value=UNSET if each.kind == "removed" else each.after
        )
        for each in changes(step.before, step.after)
    )


def _drawn(game: AnyGame, window: Sequence[ViewedEvent], lines: dict[str, int]) -> tuple[int, ...]:
    """The picture after the last of these events, with its action drawn in, as numbers of lines."""
    state = window[-1].after
    if state is None:
        return ()
    last = action([FilmStep(each.known, each.cause) for each in window])
    scene = game.picture(state, window[-len(last)].before, events_of(last), "")
    return tuple(lines.setdefault(line, len(lines)) for line in svg.svg(scene).splitlines())

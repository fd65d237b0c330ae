"""What a seat has before it, as one document that a stream keeps up to date.

Whoever shows a game to a player asks for the game, its view, what may be done and why a piece may
do nothing: after each step nearly all of it is what it was. So a stream tells the whole once, and
then what is different.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.kernel.codec import full
from projections.differences import Change, Path, changes
from projections.frames import Patch
from service.models import Answer, GameSummary, View

from .asked import AnyGame, Asked
from .commands import offer
from .feeds import Feed, FeedPosition
from .mine import pieces_of
from .wire import ENCODER

ALL = 1_000_000
"""Commands of the list: a table has all pages of it."""


class TableMoment(NamedTuple):
    """A table at a version: the game as everybody knows it, the rest as one seat does.

    state, commands, pieces  None before the opening; ``pieces`` also between events of one order
    """

    game: GameSummary
    state: Any
    commands: dict[str, Any] | None
    pieces: dict[str, Any] | None

    def plain(self) -> dict[str, Any]:
        """The whole of it."""
        return {**self._asdict(), "state": full(self.state)}


class TableTold(Answer, frozen=True):
    """What is different at a table from what the stream told before.

    version  of the game now
    changes  made in their order they are the table of now: an object with `game` (`getGame`),
             `state` (of `getView`), `commands` (`listCommands`, all its pages) and `pieces`
             (`listPieces`). The first of a stream is one change at the path "": the whole
    """

    version: int
    changes: tuple[Patch, ...]


Makes = Callable[[], Awaitable[TableMoment]]


class TableTeller:
    """Tells one reader of a stream; those who read the same share what is made for them."""

    def __init__(self, make: Makes) -> None:
        self._make = make
        self._before: TableMoment | None = None

    async def frame(self, feed: Feed) -> bytes:
        """The next one; nothing where all is as it was told."""
        before, now = self._before, await feed.table(self._make)
        self._before = now
        body = await feed.told(before, now, told)
        return b"event: table\ndata: " + body + b"\n\n" if body else b""


def maker(asked: Asked, place: FeedPosition) -> Makes:
    """What makes the newest table for the eyes of that place."""

    async def make() -> TableMoment:
        reader = asked.desk.reader
        summary = await reader.summary(place.game)
        view = await reader.view(place.game, place.viewer, summary.version)
        return await asyncio.to_thread(moment, asked.played_in(summary), summary, view)

    return make


def moment(game: AnyGame, summary: GameSummary, view: View) -> TableMoment:
    """The table of who sees the view."""
    if view.state is None:
        return TableMoment(summary, None, None, None)
    commands, pieces = offer(game, summary, view, 0, ALL), pieces_of(game, summary, view)
    return TableMoment(summary, view.state, _plain(commands), _plain(pieces))


def _plain(value: Any) -> Any:
    return msgspec.json.decode(ENCODER.encode(value))


def told(before: TableMoment | None, now: TableMoment) -> bytes:
    """The difference, as it is sent; nothing where there is none."""
    found = [*differences(before, now)]
    patches = tuple(
        Patch(path=e.pointer, kind=e.kind, value=UNSET if e.kind == "removed" else e.after)
        for e in found
    )
    return ENCODER.encode(TableTold(now.game.version, patches)) if found else b""


def differences(before: TableMoment | None, now: TableMoment) -> Iterator[Change]:
    """What has to be changed, in this order."""
    if before is None:
        yield Change((), "changed", None, now.plain())
        return
    for name in ("game", "state"):
        for each in changes(getattr(before, name), getattr(now, name)):
            yield each._replace(path=(name, *each.path))
    for name in ("commands", "pieces"):
        yield from aligned((name,), getattr(before, name), getattr(now, name))


def aligned(path: Path, a: Any, b: Any) -> Iterator[Change]:
    """Between two values of plain JSON. Of a list what is in both stays, wherever it now stands: a
    list of commands loses those of one unit from its middle.
    """
    if isinstance(a, dict) and isinstance(b, dict):
        yield from (Change((*path, name), "removed", a[name], None) for name in a if name not in b)
        for name, value in b.items():
            if name in a:
                yield from aligned((*path, name), a[name], value)
            else:
                yield Change((*path, name), "added", None, value)
    elif isinstance(a, list) and isinstance(b, list):
        yield from _rows(path, a, b)
    elif a != b or type(a) is not type(b):
        yield Change(path, "changed", a, b)


def _rows(path: Path, a: Sequence[Any], b: Sequence[Any]) -> Iterator[Change]:
    """From the end, so that the places before it stay what they are."""
    ours, theirs = [*map(ENCODER.encode, a)], [*map(ENCODER.encode, b)]
    if ours == theirs:
        return
    steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    if all(kind != "equal" for kind, *_ in steps):
        yield Change(path, "changed", a, b)
        return
    for kind, start, end, first, last in reversed(steps):
        if kind == "equal":
            continue
        yield from (
            Change((*path, n), "removed", a[n], None) for n in range(end - 1, start - 1, -1)
        )
        yield from (
            Change((*path, start + n), "added", None, each) for n, each in enumerate(b[first:last])
        )

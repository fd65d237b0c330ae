"""What a player has before him, as one document, and what a step changes of it.

Whoever shows a game asks for the game, its view, what may be done and why a piece may do nothing:
after each step nearly all of it is what it was. So a stream tells the whole once, and then what is
different. Nothing here knows what is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.codec import full

from .differences import Change, Kind, Path, changes
from .follow import Document

_ENCODER = msgspec.json.Encoder()


class Table(NamedTuple):
    """A table at a version of the game: the game as everybody knows it, the rest as one seat does.

    game, state       positions: compared part by part, at a glance where they share one
    commands, pieces  plain JSON, or None where there are none yet
    """

    version: int
    game: msgspec.Struct
    state: Any
    commands: Any
    pieces: Any


class TableChange(Document, frozen=True):
    """One place of a table that is other than it was told.

    path   RFC 6901 pointer into the table, which begins with `/game`, `/state`, `/commands` or
           `/pieces`; "" is the whole
    kind   "changed", "removed", or "added": into a list at that place, before what stands there.
           The whole is "changed", though nothing was told before it
    value  the value now, at the path "" a `TableWhole`; absent where it is removed
    """

    path: str
    kind: Kind
    value: Any | UnsetType = UNSET


class TableTold(Document, frozen=True):
    """The difference of a table from what was told of it before.

    version  of the game now
    changes  made in their order, each in what the one before has left, they give the table of now;
             the first that is told has one alone, at the path ""
    """

    version: int
    changes: tuple[TableChange, ...]


def plain(value: Any) -> Any:
    """An answer as the JSON that it is sent as."""
    return msgspec.json.decode(_ENCODER.encode(value))


def told(before: Table | None, now: Table) -> bytes:
    """The difference, as it is sent; nothing where there is none."""
    found = tuple(
        TableChange(path=e.pointer, kind=e.kind, value=UNSET if e.kind == "removed" else e.after)
        for e in differences(before, now)
    )
    return _ENCODER.encode(TableTold(version=now.version, changes=found)) if found else b""


def differences(before: Table | None, now: Table) -> Iterator[Change]:
    """What has to be changed, in this order."""
    if before is None:
        whole = {"game": now.game, "state": full(now.state)}
        yield Change((), "changed", None, {**whole, "commands": now.commands, "pieces": now.pieces})
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
    ours, theirs = [*map(_ENCODER.encode, a)], [*map(_ENCODER.encode, b)]
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

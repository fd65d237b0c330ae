"""What is different between two positions of a game, exactly, and by which events.

A difference is a list of changes of the state's plain JSON, each at an RFC 6901 pointer:
``apply(full(a), changes(a, b)) == full(b)``. It knows nothing of any ruleset. Positions are
immutable and share what they have in common, so that a part that both have is passed over at a
glance.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, Literal, NamedTuple

import msgspec

from domain.kernel.codec import full
from domain.kernel.form import step as deeper

_BAD_ESCAPE = re.compile("~(?![01])")

Step = str | int
Path = tuple[Step, ...]
Kind = Literal["changed", "added", "removed"]


class Change(NamedTuple):
    """One place where two positions differ.

    path           names and list places from the top of the state
    before, after  plain JSON; None too where there is nothing (``kind`` tells)
    """

    path: Path
    kind: Kind
    before: Any
    after: Any

    @property
    def pointer(self) -> str:
        """The place as an RFC 6901 pointer."""
        return pointer_of(self.path)


def pointer_of(path: Path) -> str:
    """A path as an RFC 6901 pointer."""
    return reduce(deeper, path, "")


def changes(before: Any, after: Any) -> list[Change]:
    """What has to be changed, in this order, to make ``after`` of ``before``."""
    return list(_between((), before, after))


def _between(path: Path, a: Any, b: Any) -> Iterator[Change]:
    if a is b:
        return
    if isinstance(a, msgspec.Struct) and type(a) is type(b):
        yield from _structs(path, a, b)
    elif isinstance(a, dict) and isinstance(b, dict):
        yield from _dicts(path, a, b)
    elif isinstance(a, tuple | list) and isinstance(b, tuple | list):
        yield from _lists(path, a, b)
    elif a != b or type(a) is not type(b):
        yield Change(path, "changed", full(a), full(b))


def _structs(path: Path, a: msgspec.Struct, b: msgspec.Struct) -> Iterator[Change]:
    names = zip(a.__struct_fields__, a.__struct_encode_fields__, strict=True)
    for name, encoded in names:
        one, two = getattr(a, name), getattr(b, name)
        if one is two:
            continue
        if (one is msgspec.UNSET) != (two is msgspec.UNSET):
            kind: Kind = "added" if one is msgspec.UNSET else "removed"
            yield Change((*path, encoded), kind, _told(one), _told(two))
        else:
            yield from _between((*path, encoded), one, two)


def _told(value: Any) -> Any:
    return None if value is msgspec.UNSET else full(value)


def _dicts(path: Path, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Change]:
    for name in a:
        if name not in b:
            yield Change((*path, name), "removed", full(a[name]), None)
    for name, item in b.items():
        if name in a:
            if a[name] is not item:
                yield from _between((*path, name), a[name], item)
        else:
            yield Change((*path, name), "added", None, full(item))


def _lists(path: Path, a: Sequence[Any], b: Sequence[Any]) -> Iterator[Change]:
    """Item by item where that reads well: as many items, or some more or less at the end."""
    shared = min(len(a), len(b))
    if len(a) != len(b) and tuple(a[:shared]) != tuple(b[:shared]):
        yield Change(path, "changed", full(a), full(b))
        return
    for place in range(shared):
        if a[place] is not b[place]:
            yield from _between((*path, place), a[place], b[place])
    for place in range(len(a) - 1, shared - 1, -1):
        yield Change((*path, place), "removed", full(a[place]), None)
    for place in range(shared, len(b)):
        yield Change((*path, place), "added", None, full(b[place]))


def apply(plain: Any, differences: Iterable[Change]) -> Any:
    """Plain JSON with the changes made; ``plain`` stays as it is."""
    found = {"": copy.deepcopy(plain)}
    for change in differences:
        within: Any = found
        for step in ("", *change.path)[: len(change.path)]:
            within = within[step]
        last = change.path[-1] if change.path else ""
        if change.kind == "removed":
            del within[last]
        elif isinstance(within, list) and last == len(within):
            within.append(copy.deepcopy(change.after))
        else:
            within[last] = copy.deepcopy(change.after)
    return found[""]


# --- by which events -----------------------------------------------------------------------------


class Causes:
    """Which events touched which places of a state while it was folded."""

    def __init__(self) -> None:
        self._at: dict[Path, list[int]] = {}
        self._beneath: dict[Path, list[int]] = {}

    def note(self, seq: int, before: Any, after: Any) -> None:
        """The event ``seq`` led from one state to the next."""
        for change in _between((), before, after):
            _add(self._at, change.path, seq)
            for length in range(len(change.path) + 1):
                _add(self._beneath, change.path[:length], seq)

    def of(self, path: Path) -> list[int]:
        """The events that touched the place, what it is part of, or a part of it; in order."""
        found = set(self._beneath.get(path, ()))
        for length in range(len(path)):
            found.update(self._at.get(path[:length], ()))
        return sorted(found)


def _add(places: dict[Path, list[int]], path: Path, seq: int) -> None:
    known = places.setdefault(path, [])
    if not known or known[-1] != seq:
        known.append(seq)


def place(pointer: str, state: Any) -> Path:
    """The path that an RFC 6901 pointer names in ``state``. Raises KeyError for a bad form."""
    if not pointer:
        return ()
    if not pointer.startswith("/") or _BAD_ESCAPE.search(pointer):
        raise KeyError(pointer)
    found: list[Step] = []
    within: Any = state
    for part in pointer[1:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        number = isinstance(within, list | tuple) and name.isascii() and name.isdigit()
        step: Step = int(name) if number else name
        found.append(step)
        within = _inside(within, step)
    return tuple(found)


def _inside(within: Any, step: Step) -> Any:
    """What stands there, as it is; None where nothing does."""
    if isinstance(within, msgspec.Struct):
        config = within.__struct_config__
        if config.tag_field and step == config.tag_field:
            return config.tag
        if step not in within.__struct_encode_fields__:
            return None
        name = within.__struct_fields__[within.__struct_encode_fields__.index(str(step))]
        found = getattr(within, name)
        return None if found is msgspec.UNSET else found
    if isinstance(within, dict):
        return within.get(step)
    if isinstance(within, list | tuple) and isinstance(step, int) and step < len(within):
        return within[step]
    return None


def standing(state: Any, path: Path) -> Path:
    """The longest beginning of a path at which something stands in ``state``; null is something."""
    within: Any = state
    for length, step in enumerate(path):
        if step not in names_in(within):
            return path[:length]
        within = _inside(within, step)
    return path


def names_in(within: Any) -> Sequence[Step]:
    """The steps that lead on from a part of a state, as JSON has them; none from a plain value."""
    plain = full(within)
    if isinstance(plain, dict):
        return tuple(plain)
    return range(len(plain)) if isinstance(plain, list | tuple) else ()


def value_at(state: Any, path: Path) -> Any:
    """The plain JSON at a path; None where there is nothing."""
    within: Any = state
    for step in path:
        within = _inside(within, step)
    return full(within)

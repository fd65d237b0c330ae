"""What is different between two positions of a game, exactly, and by which events.

A difference is a list of changes of the state's plain JSON, each at an RFC 6901 pointer:
``apply(full(a), changes(a, b)) == full(b)``. It knows nothing of any ruleset. Positions are
immutable and share what they have in common, so that a part that both have is passed over at a
glance.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import chain, compress, repeat
from operator import is_not
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import astuple

from domain.kernel.codec import full
from domain.kernel.form import step as deeper

_BAD_ESCAPE = re.compile("~(?![01])")
_NOTHING: Any = object()

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
    found: list[Change] = []
    _between((), before, after, found)
    return [Change(path, kind, _told(a), _told(b)) for path, kind, a, b in found]


def _told(value: Any) -> Any:
    """The value as plain JSON; nothing where there is nothing."""
    return None if value is msgspec.UNSET else full(value)


# Two states of far versions are compared once, but those around an event as often as there are
# events: the four functions below gather the positions' own values, and pass over what both have
# without a step of Python for each (tests/bench/bench_travel.py).


def _between(path: Path, a: Any, b: Any, found: list[Change]) -> None:
    if a is b:
        return
    if isinstance(a, msgspec.Struct) and type(a) is type(b):
        _structs(path, a, b, found)
    elif isinstance(a, dict) and isinstance(b, dict):
        _dicts(path, a, b, found)
    elif isinstance(a, tuple | list) and isinstance(b, tuple | list):
        _lists(path, a, b, found)
    elif a != b or type(a) is not type(b):
        found.append(Change(path, "changed", a, b))


def _structs(path: Path, a: msgspec.Struct, b: msgspec.Struct, found: list[Change]) -> None:
    ours, theirs = astuple(a), astuple(b)
    differ = map(is_not, ours, theirs)
    fields = zip(a.__struct_encode_fields__, ours, theirs, strict=True)
    for encoded, one, two in compress(fields, differ):
        if one is msgspec.UNSET:
            found.append(Change((*path, encoded), "added", one, two))
        elif two is msgspec.UNSET:
            found.append(Change((*path, encoded), "removed", one, two))
        else:
            _between((*path, encoded), one, two, found)


def _dicts(path: Path, a: Mapping[str, Any], b: Mapping[str, Any], found: list[Change]) -> None:
    if a.keys() != b.keys():
        gone = (name for name in a if name not in b)
        found += [Change((*path, name), "removed", a[name], None) for name in gone]
    differ = map(is_not, map(a.get, b, repeat(_NOTHING)), b.values())
    for name in compress(b, differ):
        if name in a:
            _between((*path, name), a[name], b[name], found)
        else:
            found.append(Change((*path, name), "added", None, b[name]))


def _lists(path: Path, a: Sequence[Any], b: Sequence[Any], found: list[Change]) -> None:
    """Item by item where that reads well: as many items, or some more or less at the end."""
    shared = min(len(a), len(b))
    if len(a) != len(b) and tuple(a[:shared]) != tuple(b[:shared]):
        found.append(Change(path, "changed", a, b))
        return
    for place in compress(range(shared), map(is_not, a, b)):
        _between((*path, place), a[place], b[place], found)
    gone = range(len(a) - 1, shared - 1, -1)
    found += [Change((*path, place), "removed", a[place], None) for place in gone]
    come = range(shared, len(b))
    found += [Change((*path, place), "added", None, b[place]) for place in come]


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
        self._beneath: dict[Path, list[Path]] = {}

    def note(self, seq: int, before: Any, after: Any) -> None:
        """The event ``seq`` led from one state to the next."""
        found: list[Change] = []
        _between((), before, after, found)
        for change in found:
            seqs = self._at.get(change.path)
            if seqs is None:
                self._at[change.path] = [seq]
                self._beneath = {}
            else:
                seqs.append(seq)

    def of(self, path: Path) -> list[int]:
        """The events that touched the place, what it is part of, or a part of it; in order."""
        if not self._beneath:
            self._sort_places()
        touched = [self._at[each] for each in self._beneath.get(path, ())]
        touched += [self._at.get(path[:length], []) for length in range(len(path))]
        return sorted(set(chain.from_iterable(touched)))

    def _sort_places(self) -> None:
        """Under every place what was touched there: worked out when the first question comes."""
        for touched in self._at:
            for length in range(len(touched) + 1):
                self._beneath.setdefault(touched[:length], []).append(touched)


def place(pointer: str, state: Any) -> Path:
    """The path that an RFC 6901 pointer names in ``state``. Raises KeyError for a bad form.

    Below a part that is not there a number is taken for a place in a list that was.
    """
    if not pointer:
        return ()
    if not pointer.startswith("/") or _BAD_ESCAPE.search(pointer):
        raise KeyError(pointer)
    found: list[Step] = []
    within: Any = state
    for part in pointer[1:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        listed = within is None or isinstance(within, list | tuple)
        number = listed and name.isascii() and name.isdigit()
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
        return within.get(str(step))
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


def inside(state: Any, path: Path) -> Any:
    """What stands at a path, as the state has it; None where there is nothing."""
    within: Any = state
    for step in path:
        within = _inside(within, step)
    return within


def value_at(state: Any, path: Path) -> Any:
    """The plain JSON at a path; None where there is nothing."""
    return full(inside(state, path))


class PlainStates:
    """Values of many states as plain JSON: a part that several states have is told once for all.

    What it gives is shared: to be read, not to be changed.
    """

    def __init__(self) -> None:
        # The parts are kept beside what was made of them: their ids then stay theirs.
        self._known: dict[int, tuple[Any, Any]] = {}

    def of(self, value: Any) -> Any:
        """The value as ``full`` has it."""
        if isinstance(value, dict):
            return {name: self.of(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(item) for item in value]
        if not isinstance(value, msgspec.Struct):
            return value
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = (value, full(value))
        return known[1]

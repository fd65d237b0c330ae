"""What each event may change of the state: a fold that changes something else is named.

What was recorded stays what it is while a fold does a little more than its event says, for a game
is decided by the very states that the fold makes. So what the events of played games change is
learned once, kept, and compared: a field more is either the purpose of a change, and is taken in by
its author, or a fault.

A place is a field of the state, within it a field of what it holds: ``units[its].damage`` of a
value that the event names (by its key, anywhere in it), ``units[other].damage`` of another; a key
that is new is ``units[its] more``, one that is gone ``units[its] less``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ..conformance import Nonconformance

Touched = dict[str, frozenset[str]]
"""The name of a type of events, and the places that events of it change."""

Happened = tuple[Any, tuple[Any, ...]]
"""A state, and the events that followed on it; None before the first."""

Fold = Callable[[Any, Any], Any]


def learned(evolve: Fold, played: Iterable[Happened]) -> Touched:
    """What the events of played games change. The opening, which makes a state, changes none."""
    found: dict[str, set[str]] = {}
    for before, events in played:
        state = before
        for event in events:
            after = evolve(state, event)
            if state is not None:
                found.setdefault(event.NAME, set()).update(places(state, event, after))
            state = after
    return {name: frozenset(each) for name, each in found.items()}


def places(before: Any, event: Any, after: Any) -> set[str]:
    """What of the state is otherwise after an event."""
    names = frozenset(_names(msgspec.to_builtins(event)))
    fields = before.__struct_fields__
    return {
        place
        for name in fields
        if getattr(before, name) is not getattr(after, name)
        for place in _differing(name, getattr(before, name), getattr(after, name), names)
    }


def _names(value: Any) -> Iterator[str]:
    """Every word in an event, keys of mappings among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key)
            yield from _names(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _names(each)


def _differing(place: str, before: Any, after: Any, names: frozenset[str]) -> Iterator[str]:
    """The places at which two values differ."""
    if before is after or before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _entries(place, before, after, names)
    elif isinstance(before, msgspec.Struct) and type(before) is type(after):
        for name in before.__struct_fields__:
            yield from _differing(
                f"{place}.{name}", getattr(before, name), getattr(after, name), names
            )
    else:
        yield place


def _entries(
    place: str, before: Mapping[Any, Any], after: Mapping[Any, Any], names: frozenset[str]
) -> Iterator[str]:
    for key in before.keys() | after.keys():
        at = f"{place}[{'its' if str(key) in names else 'other'}]"
        if key not in before:
            yield f"{at} more"
        elif key not in after:
            yield f"{at} less"
        else:
            yield from _differing(at, before[key], after[key], names)


def strange(kept: Mapping[str, frozenset[str]], found: Touched) -> list[str]:
    """What events change that they are not known to change, and events that are not known."""
    return [
        f"event {name} changes {place}"
        for name in sorted(found)
        for place in sorted(found[name] - kept.get(name, frozenset()))
    ] + [f"event {name} is not known" for name in sorted(found.keys() - kept.keys())]


def check_touched(
    evolve: Fold, played: Iterable[Happened], kept: Mapping[str, frozenset[str]]
) -> None:
    """Raises Nonconformance with all that a fold changes and is not known to change."""
    found = strange(kept, learned(evolve, played))
    if found:
        raise Nonconformance("\n".join(found))

"""A step that is taken back: what the position before it has that the one after it has not.

It is written with the event, so that whoever folds a game needs nothing else to go back. It is only
done where nobody has a secret, so that every viewer's position is the same and goes back alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.kernel.codec import canonical

Path = tuple[str, ...]
"""The keys from a document's top to a place in it."""


def back_from(after: bytes, before: bytes) -> str:
    """What makes ``before`` of ``after``, both canonical JSON: an array of places in order.

    Each is an array: the keys that lead to the place, and what stands there; where nothing does,
    the keys alone.
    """
    was, came = msgspec.json.decode(before), msgspec.json.decode(after)
    found = [[list(path), *value] for path, value in _places(came, was, ())]
    return canonical(found).decode()


def _places(after: Any, before: Any, path: Path) -> Iterator[tuple[Path, list[Any]]]:
    if not (isinstance(after, dict) and isinstance(before, dict)):
        if canonical(after) != canonical(before):  # true is not 1
            yield path, [before]
        return
    for key in sorted(after.keys() | before.keys()):
        if key not in before:
            yield (*path, key), []
        elif key not in after:
            yield (*path, key), [before[key]]
        else:
            yield from _places(after[key], before[key], (*path, key))


def put_back(after: bytes, back: str) -> Any:
    """The position before, as plain JSON. Raises ValueError where that is no way back from it."""
    found = {"": msgspec.json.decode(after)}
    for entry in _entries(back):
        (keys, *value) = entry
        at, last = found, ""
        for key in keys:
            at, last = _below(at, last), key
        if value:
            at[last] = value[0]
        elif last not in at:
            raise ValueError("nothing stands at a place that is to be empty")
        else:
            del at[last]
    return found[""]


def _entries(back: str) -> list[tuple[list[str], *tuple[Any, ...]]]:
    try:
        entries: list[Any] = msgspec.json.decode(back, type=list[list[Any]])
        for entry in entries:
            if len(entry) not in (1, 2) or not isinstance(entry[0], list):
                raise ValueError("a place is its keys, and at most one value")
        return entries
    except msgspec.MsgspecError as error:
        raise ValueError(f"it is no list of places: {error}") from None


def _below(at: Any, key: str) -> dict[str, Any]:
    found = at.get(key)
    if not isinstance(found, dict):
        raise ValueError("a place is not there")
    return found

"""Where two documents differ: each place by its JSON pointer, with what either says there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

MOST = 12
"""Places that are told; more are counted."""

LONGEST = 160
"""Characters of a value."""

MISSING = "nothing"


class Apart(NamedTuple):
    """A place where two documents differ, and what they have there, as short JSON."""

    pointer: str
    old: str
    new: str


def apart(old: Any, new: Any, pointer: str = "") -> Iterator[Apart]:
    """The deepest places in which two plain documents differ, in order of their keys."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            below = f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
            yield from _member(old, new, key, below)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from apart(one, other, f"{pointer}/{number}")
    elif not _alike(old, new):
        yield Apart(pointer, short(old), short(new))


def _member(old: dict[str, Any], new: dict[str, Any], key: str, pointer: str) -> Iterator[Apart]:
    if key not in new:
        yield Apart(pointer, short(old[key]), MISSING)
    elif key not in old:
        yield Apart(pointer, MISSING, short(new[key]))
    else:
        yield from apart(old[key], new[key], pointer)


def _alike(old: Any, new: Any) -> bool:
    """Equal, and of one kind: JSON's true is not 1."""
    return type(old) is type(new) and bool(old == new)


def short(value: Any) -> str:
    text = msgspec.json.encode(value, order="sorted").decode()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."

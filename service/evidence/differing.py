"""Where two documents differ: each place by its JSON pointer, with what either says there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec

MOST = 12
"""Places that are told."""

LONGEST = 160
"""Characters of a value."""

MISSING = "nothing"


class Apart(NamedTuple):
    """A place where two documents differ, and what they have there, as short JSON.

    Of a judge ``old`` is what he expects, and ``new`` what the record has.

    reason  label and rule of the reason that it is in, where it is in a tally
    """

    pointer: str
    old: str
    new: str
    reason: str = ""

    def text(self) -> str:
        """The place on a line."""
        within = f" ({self.reason})" if self.reason else ""
        return f"{self.pointer or '/'}{within}: {self.old} -> {self.new}"


def between(old: bytes, new: bytes) -> tuple[Apart, ...]:
    """The first places in which two JSON texts differ; none where one is no JSON."""
    try:
        found = apart(msgspec.json.decode(old), msgspec.json.decode(new))
        return tuple(islice(found, MOST))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ()


def apart(old: Any, new: Any, pointer: str = "", reason: str = "") -> Iterator[Apart]:
    """The deepest places in which two plain documents differ, in order of their keys."""
    if isinstance(old, dict) and isinstance(new, dict):
        within = _reason(old) or reason
        for key in sorted(old.keys() | new.keys()):
            below = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
            if key in old and key in new:
                yield from apart(old[key], new[key], below, within)
            else:
                yield _one(old.get(key), new.get(key), below, within, key in old)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _items(old, new, pointer, reason)
    elif _text(old) != _text(new):
        yield Apart(pointer, short(old), short(new), reason)


def _items(old: list[Any], new: list[Any], pointer: str, reason: str) -> Iterator[Apart]:
    """Of two lists; what one has more of stands between what both begin and end with."""
    ours, theirs = list(map(_text, old)), list(map(_text, new))
    shorter = min(len(ours), len(theirs))
    head = next((n for n in range(shorter) if ours[n] != theirs[n]), shorter)
    rest = shorter - head
    tail = next((n for n in range(rest) if ours[-1 - n] != theirs[-1 - n]), rest)
    for at in range(head, max(len(old), len(new)) - tail):
        below, left, right = f"{pointer}/{at}", at < len(old) - tail, at < len(new) - tail
        if left and right:
            yield from apart(old[at], new[at], below, reason)
        else:
            only = old[at] if left else new[at]
            yield _one(only, only, below, _reason(only) or reason, left)


def _one(old: Any, new: Any, pointer: str, reason: str, is_old: bool) -> Apart:
    """What only one of the two has."""
    if is_old:
        return Apart(pointer, short(old), MISSING, reason)
    return Apart(pointer, MISSING, short(new), reason)


def _reason(plain: Any) -> str:
    """Label and rule of a tally's reason, "" for anything else."""
    if isinstance(plain, dict) and {"label", "rule", "value"} <= plain.keys():
        return f"{plain['label']}, {plain['rule']}"
    return ""


def _text(value: Any) -> bytes:
    """By which two values are told apart: true is not 1."""
    return msgspec.json.encode(value, order="sorted")


def short(value: Any) -> str:
    text = _text(value).decode()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."

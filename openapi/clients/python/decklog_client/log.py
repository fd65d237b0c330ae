"""The service's public log: whether it goes on from the head that was kept of it.

Its leaves stand in a tree of hashes (RFC 6962), whose parts are files (C2SP tlog-tiles). Both roots
are made again out of the same subtrees: no signature is checked here, and none is needed for that.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import NamedTuple

_NOTE = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n(?:.+\n)+")
HASH, WIDTH = 32, 256

Place = tuple[int, int]
"""A complete subtree: its level, 0 for leaves, and its number there."""


class Checkpoint(NamedTuple):
    """A head of a log: how many leaves, and the root over them; ``text``: as it is signed."""

    log: str
    size: int
    root: str
    text: str

    def __str__(self) -> str:
        return f"{self.size} leaves of {self.log} under {self.root}"


class OtherLog(Exception):
    """The log does not go on from what it was: keep both heads, and ask why.

    kept   what was kept
    found  what is there now; None where there is no log any more
    """

    def __init__(self, kept: Checkpoint, found: Checkpoint | None) -> None:
        now = f"it has {found}" if found else "there is none"
        super().__init__(f"The public log had {kept}; now {now}, which does not go on from it.")
        self.kept, self.found = kept, found


def read(text: str) -> Checkpoint | None:
    """A head as the log gives it; None for what is none."""
    found = _NOTE.fullmatch(text)
    return Checkpoint(found[1], int(found[2]), found[3], text) if found else None


def contradict(kept: Checkpoint, found: Checkpoint) -> bool:
    """Whether no file is needed to see that the two are not of one log."""
    shrunk = found.size < kept.size
    other = found.size == kept.size and found.root != kept.root
    return found.log != kept.log or shrunk or other


def places(old: int, new: int) -> set[Place]:
    """The subtrees out of which both roots are made."""
    found: set[Place] = set()

    def noted(level: int, number: int) -> bytes:
        found.add((level, number))
        return b""

    _roots(old, new, noted)
    return found


def goes_on(kept: Checkpoint, found: Checkpoint, hashes: Mapping[Place, bytes]) -> bool:
    """Whether the larger tree begins with the smaller one, by the hashes of their subtrees."""
    made = _roots(kept.size, found.size, lambda level, number: hashes[level, number])
    return [base64.b64encode(root).decode() for root in made] == [kept.root, found.root]


def tile_of(place: Place, size: int) -> tuple[str, str]:
    """The file in which a subtree's hashes are in a tree of ``size`` leaves; the same when full."""
    tiled, above = divmod(place[0], 8)
    number = (place[1] << above) // WIDTH
    width = min(WIDTH, (size >> 8 * tiled) - number * WIDTH)
    groups = [f"{number % 1000:03}"]
    while number >= 1000:
        number //= 1000
        groups.append(f"x{number % 1000:03}")
    full = f"tile/{tiled}/{'/'.join(reversed(groups))}"
    return (full if width == WIDTH else f"{full}.p/{width}"), full


def hash_in(place: Place, tile: bytes) -> bytes:
    """A subtree's hash, made of its part of the file."""
    above = place[0] % 8
    first = (place[1] << above) % WIDTH
    row = [tile[at : at + HASH] for at in range(0, len(tile), HASH)][first : first + (1 << above)]
    while len(row) > 1:
        row = [_joined(*row[at : at + 2]) for at in range(0, len(row) - 1, 2)]
    return row[0] if row else b""


def _roots(old: int, new: int, node: Callable[[int, int], bytes]) -> list[bytes]:
    return [_root(0, old, old, node), _root(0, new, old, node)]


def _root(first: int, end: int, old: int, node: Callable[[int, int], bytes]) -> bytes:
    """Of these leaves; what reaches over the old tree's end is made of its own subtrees."""
    count = end - first
    if count & (count - 1) == 0 and (end <= old or first >= old):
        level = count.bit_length() - 1
        return node(level, first >> level)
    middle = first + (1 << (count - 1).bit_length() - 1)
    return _joined(_root(first, middle, old, node), _root(middle, end, old, node))


def _joined(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()

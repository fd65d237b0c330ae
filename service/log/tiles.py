"""Tiles: the tree's hashes and leaves in files that never change, by the paths of C2SP tlog-tiles.

A tile of level L has up to 256 hashes of the tree's level 8L. One that is not full bears its width
in its path (``.p/W``), so that a path always means the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .tree import HASH, Nodes, node_hash

HEIGHT = 8
WIDTH = 1 << HEIGHT
"""Hashes of a full tile."""

ENTRIES = -1
"""The level under which the leaves themselves lie."""

MEDIA = {"checkpoint": "text/plain; charset=utf-8"}
"""Kind of a file; of every tile it is bytes."""

_PATH = re.compile(
    r"tile/(?P<level>entries|0|[1-9][0-9]?)/(?P<number>(?:x[0-9]{3}/)*[0-9]{3})"
    r"(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)

Fetch = Callable[[str], bytes]
"""Gives the file of a path below the log's address."""


class TileWrong(Exception):
    """A file that is no tile, or not the one that its path says."""


class Tile(NamedTuple):
    """One file: level (or ENTRIES), number, and how many hashes or leaves are in it."""

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Below the log's address."""
        level = "entries" if self.level == ENTRIES else str(self.level)
        part = "" if self.width == WIDTH else f".p/{self.width}"
        return f"tile/{level}/{_spelt(self.number)}{part}"


def _spelt(number: int) -> str:
    """In groups of three digits, all but the last after an x: 1234067 is x001/x234/067."""
    groups = [f"{number % 1000:03}"]
    while number >= 1000:
        number //= 1000
        groups.append(f"x{number % 1000:03}")
    return "/".join(reversed(groups))


def read_path(path: str) -> Tile | None:
    """The tile of a path; None where the path is none, or is spelt as it never is."""
    found = _PATH.fullmatch(path)
    if found is None:
        return None
    level = ENTRIES if found["level"] == "entries" else int(found["level"])
    number = int(found["number"].replace("x", "").replace("/", ""))
    tile = Tile(level, number, int(found["width"] or WIDTH))
    return tile if tile.path == path else None


def tiles_of(old: int, new: int) -> Iterator[Tile]:
    """What is written when a tree grows from ``old`` leaves to ``new``: hashes of every level."""
    level = 0
    while old < new:
        yield from _grown(level, old, new)
        level, old, new = level + 1, old >> HEIGHT, new >> HEIGHT


def entries_of(old: int, new: int) -> Iterator[Tile]:
    """The same of the leaves themselves."""
    return _grown(ENTRIES, old, new)


def _grown(level: int, old: int, new: int) -> Iterator[Tile]:
    for number in range(old >> HEIGHT, (new - 1 >> HEIGHT) + 1):
        yield Tile(level, number, min(WIDTH, new - (number << HEIGHT)))


def bundle(leaves: list[bytes]) -> bytes:
    """A tile of leaves: each after its length in two bytes."""
    return b"".join(len(leaf).to_bytes(2, "big") + leaf for leaf in leaves)


def unbundled(tile: Tile, data: bytes) -> list[bytes]:
    """The leaves of a tile. Raises TileWrong."""
    found, at = [], 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2], "big")
        if end > len(data) or at + 2 > len(data):
            raise TileWrong(f"{tile.path} ends within a leaf")
        found.append(data[at + 2 : end])
        at = end
    if len(found) != tile.width:
        raise TileWrong(f"{tile.path} has {len(found)} leaves")
    return found


def hashes(tile: Tile, data: bytes) -> list[bytes]:
    """The hashes of a tile. Raises TileWrong."""
    if len(data) != tile.width * HASH:
        raise TileWrong(f"{tile.path} has {len(data)} bytes")
    return [data[at : at + HASH] for at in range(0, len(data), HASH)]


def tile_of(level: int, index: int, size: int) -> Tile:
    """The tile in which the hash of a level that tiles have lies, in a tree of ``size`` leaves."""
    number = index >> HEIGHT
    width = min(WIDTH, (size >> (HEIGHT * level)) - (number << HEIGHT))
    return Tile(level, number, width)


def nodes_from(fetch: Fetch, size: int) -> Nodes:
    """The subtrees of a tree of ``size`` leaves, out of its tiles; each is fetched once."""
    read: dict[Tile, list[bytes]] = {}

    def of(tile: Tile) -> list[bytes]:
        if tile not in read:
            read[tile] = fetched_hashes(fetch, tile)
        return read[tile]

    def nodes(level: int, index: int) -> bytes:
        tiled, above = divmod(level, HEIGHT)
        first = index << above
        row = of(tile_of(tiled, first, size))[first % WIDTH : first % WIDTH + (1 << above)]
        return joined(row)

    return nodes


def fetched_hashes(fetch: Fetch, tile: Tile) -> list[bytes]:
    """The hashes of a tile: of the full one, where its part is no longer kept.

    Raises TileWrong, and KeyError where there is neither.
    """
    try:
        return hashes(tile, fetch(tile.path))
    except KeyError:
        full = tile._replace(width=WIDTH)
        return hashes(full, fetch(full.path))[: tile.width]


def fetched_leaves(fetch: Fetch, first: int, end: int) -> Iterator[bytes]:
    """The leaves from ``first`` to before ``end``, as the log gives them.

    Raises TileWrong, and KeyError where a tile is missing.
    """
    for tile in entries_of(first, end):
        try:
            found = unbundled(tile, fetch(tile.path))
        except KeyError:
            full = tile._replace(width=WIDTH)
            found = unbundled(full, fetch(full.path))[: tile.width]
        begin = tile.number << HEIGHT
        yield from found[max(0, first - begin) :]


def joined(row: list[bytes]) -> bytes:
    """The root of a complete subtree, by the hashes of one of its levels."""
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]

"""A store with leaves of games that were played, and a log kept by hand: no thread, no waiting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from service.following.follower import Follower
from service.log import tiles, tree
from service.log.checkpoint import Checkpoint, open_checkpoint
from service.log.leaf import Leaf, read_leaf
from service.log.note import Signer, VerifyKey
from service.publishing.appender import Appender, Head
from service.publishing.folder import CHECKPOINT, LogFolder, write
from service.publishing.leaves import Leaves
from service.store.database import Database
from tests.service.following.kit import MEANINGS

SIGNER = Signer("example.org/log", bytes(range(32)))

Hand = Callable[[Path, bytes], None]


def follow(recorder: Database, limit: int = 500) -> None:
    """Take in all events there are."""
    follower = Follower(recorder, Leaves(recorder), 0, MEANINGS)
    while follower.step(recorder.settled(), limit):
        pass


def appender(recorder: Database, folder: Path, hand: Hand = write) -> Appender:
    """Of the log in a folder; its second place lies beside it."""
    head = Head(folder.with_name(folder.name + ".head"))
    return Appender(recorder, LogFolder(folder / "log", hand), head, SIGNER)


def sign_all(of: Appender, limit: int = 5_000) -> int:
    """How many checkpoints that took."""
    of.open()
    steps = 0
    while of.step(limit):
        steps += 1
    return steps


def published(folder: Path, key: VerifyKey = SIGNER.public) -> tuple[Checkpoint, list[Leaf]]:
    """The log as a stranger reads it, every hash made again."""
    files = LogFolder(folder / "log")
    _, checkpoint = open_checkpoint(files.text(CHECKPOINT), key)
    found: list[bytes] = []
    for tile in tiles.entries_of(0, checkpoint.size):
        found += tiles.unbundled(tile, files.fetch(tile.path))
    grown = tree.Frontier(map(tree.leaf_hash, found))
    assert (grown.size, grown.root()) == (checkpoint.size, checkpoint.root)
    nodes = tiles.nodes_from(files.fetch, checkpoint.size)
    assert tree.root(checkpoint.size, nodes) == checkpoint.root
    return checkpoint, list(map(read_leaf, found))

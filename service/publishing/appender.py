"""Signs checkpoints, and never one that takes anything back.

The last head is kept in a second place, a file outside of folder and database, which is written
before the checkpoint is published: whoever puts an older database or folder in place is found out.
Order of a step: tiles, signature, second place, checkpoint. After a crash between any two, the next
start finds leaves that are not signed, or a signed head that is not published, and goes on from it.
"""

from __future__ import annotations

import logging
from pathlib import Path

from ..log.checkpoint import Checkpoint, open_checkpoint
from ..log.note import Note, NoteWrong, Signer
from ..log.tree import Frontier, leaf_hash
from ..store.database import Database
from .folder import CHECKPOINT, KEY, LogFolder, Rows, read, write
from .leaves import leaves

log = logging.getLogger(__name__)

BATCH = 5_000
"""Leaves that are read at once."""


class LogDisagrees(Exception):
    """Store, folder and second place do not tell of one tree: nothing is signed."""


class Head:
    """The second place: the last signed checkpoint, in a file of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def text(self) -> str:
        """The note; "" where there is none yet."""
        return read(self.path)

    def put(self, text: str) -> None:
        """Durable when this returns."""
        write(self.path, text.encode())


class Appender:
    """Of one log. For one thread at a time, in the one process that has the office.

    size     leaves that are signed
    checkpoint  the note that was signed last; None where the log is empty
    """

    def __init__(self, recorder: Database, folder: LogFolder, head: Head, signer: Signer) -> None:
        self._recorder = recorder
        self.folder = folder
        self._head = head
        self._signer = signer
        self.size = 0
        self.checkpoint: Note | None = None
        self._last = b""
        self._tree = Frontier()
        self._rows = Rows()

    def check(self) -> None:
        """Compare the three places. Raises LogDisagrees, StoreUnavailable."""
        self._open(mend=False)

    def open(self) -> None:
        """Compare the three places, and publish a head that a crash left unpublished.

        Raises LogDisagrees, StoreUnavailable.
        """
        self._open(mend=True)
        self.folder.put({KEY: f"{self._signer.public}\n".encode()})

    def step(self, limit: int = BATCH) -> bool:
        """Sign what is new, up to so many leaves; whether there was any.

        Raises LogDisagrees where the store has other leaves than those that were signed.
        """
        self._still_there()
        found = leaves(self._recorder, self.size, limit)
        if not found:
            return False
        files: dict[str, bytes] = {}
        full = []
        for number, leaf in found:
            if number != self._tree.size:
                raise LogDisagrees(f"leaf {self._tree.size} is missing in the store")
            self._tree.add(leaf_hash(leaf))
            for tile, data in self._rows.add(leaf):
                files[tile.path] = data
                full.append(tile)
        files.update((tile.path, data) for tile, data in self._rows.begun())
        self.folder.put(files)
        self._sign(found[-1].leaf)
        for tile in full:
            self.folder.tidy(tile)
        return True

    def attach(self, note: Note) -> None:
        """Publish the newest head with the signatures of others; an older one changes nothing."""
        if self.checkpoint is not None and note.text == self.checkpoint.text:
            self.checkpoint = note
            self.folder.say(CHECKPOINT, str(note))

    def _sign(self, last: bytes) -> None:
        checkpoint = Checkpoint(self._signer.public.name, self._tree.size, self._tree.root())
        note = Note(checkpoint.text, (self._signer.sign(checkpoint.text),))
        self._head.put(str(note))
        self.folder.say(CHECKPOINT, str(note))
        self.size, self.checkpoint, self._last = checkpoint.size, note, last

    def _still_there(self) -> None:
        """A database that went back lacks its last leaves, or has others in their place."""
        if self.size:
            found = leaves(self._recorder, self.size - 1, 1)
            if not found or found[0] != (self.size - 1, self._last):
                raise LogDisagrees(f"leaf {self.size - 1} was signed and is not in the store")

    def _open(self, *, mend: bool) -> None:
        # In this order: the second place is written first, so that it is never behind.
        published = self._read("the folder", self.folder.text(CHECKPOINT))
        kept = self._read("the second place", self._head.text())
        if published is not None:
            self._compare(published[1], kept[1] if kept is not None else None)
        self._grow([each[1] for each in (published, kept) if each is not None], mend=mend)
        newest = published if published is not None and published[1].size == self.size else kept
        self.checkpoint = newest[0] if newest is not None else None
        if mend and newest is not None and newest is not published:
            log.warning("a head of %d leaves was signed and not published: it is now", self.size)
            self.folder.say(CHECKPOINT, str(self.checkpoint))

    def _read(self, place: str, text: str) -> tuple[Note, Checkpoint] | None:
        try:
            return open_checkpoint(text, self._signer.public) if text else None
        except NoteWrong as error:
            raise LogDisagrees(f"the head in {place} is not ours: {error}") from None

    def _compare(self, published: Checkpoint, kept: Checkpoint | None) -> None:
        if kept is None or kept.size < published.size:
            has = "nothing" if kept is None else f"a head of {kept.size} leaves"
            raise LogDisagrees(
                f"the second place ({self._head.path}) has {has}, the folder "
                f"({self.folder.path}) one of {published.size}"
            )
        if kept.size == published.size and kept.root != published.root:
            raise LogDisagrees("folder and second place have two trees of one size")

    def _grow(self, heads: list[Checkpoint], *, mend: bool) -> None:
        """Make the signed tree again out of the store, and meet the heads on the way."""
        self._tree, self._rows, self._last = Frontier(), Rows(), b""
        aims = {head.size: head.root for head in heads}
        self.size = max(aims, default=0)
        while self._tree.size < self.size:
            files: dict[str, bytes] = {}
            for leaf in self._stored(self.size - self._tree.size):
                self._tree.add(leaf_hash(leaf))
                files.update((tile.path, data) for tile, data in self._rows.add(leaf))
                self._last = leaf
                self._meet(aims)
            if mend:
                self.folder.put(files)
        if mend:
            self.folder.put({tile.path: data for tile, data in self._rows.begun()})

    def _stored(self, missing: int) -> list[bytes]:
        """The leaves that come next in a tree that was signed."""
        found = leaves(self._recorder, self._tree.size, min(BATCH, missing))
        dense = all(number == self._tree.size + at for at, (number, _) in enumerate(found))
        if not found or not dense:
            raise LogDisagrees(
                f"{self.size} leaves are signed, and the store has no leaf "
                f"{self._tree.size}, or lacks one after it"
            )
        return [leaf for _, leaf in found]

    def _meet(self, aims: dict[int, bytes]) -> None:
        expected = aims.get(self._tree.size)
        if expected is not None and expected != self._tree.root():
            raise LogDisagrees(
                f"the first {self._tree.size} leaves of the store are not those that were signed"
            )

"""Checkpoints: the log's name, how many leaves it has, its root, as the text of a signed note."""

from __future__ import annotations

import re
from typing import NamedTuple

from .note import Note, NoteWrong, VerifyKey, holding, read_note
from .proof import decoded, encoded
from .tree import HASH

_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")


class Checkpoint(NamedTuple):
    """What a log says of itself. ``more``: lines below, which others may ignore."""

    origin: str
    size: int
    root: bytes
    more: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The note's text."""
        lines = (self.origin, str(self.size), encoded(self.root), *self.more)
        return "".join(f"{line}\n" for line in lines)


def read_text(text: str) -> Checkpoint:
    """Raises NoteWrong."""
    origin, *rest = text.removesuffix("\n").split("\n")
    if len(rest) < 2 or not origin or not _SIZE.fullmatch(rest[0]) or "" in rest:
        raise NoteWrong("this is no checkpoint")
    root = decoded(rest[1])
    if len(root) != HASH:
        raise NoteWrong("this is no checkpoint: its root is no hash")
    return Checkpoint(origin, int(rest[0]), root, tuple(rest[2:]))


def read_checkpoint(text: str) -> tuple[Note, Checkpoint]:
    """A signed checkpoint, as it is written. Raises NoteWrong."""
    note = read_note(text)
    return note, read_text(note.text)


def open_checkpoint(text: str, log: VerifyKey) -> tuple[Note, Checkpoint]:
    """A checkpoint that this log has signed. Raises NoteWrong."""
    note, found = read_checkpoint(text)
    if found.origin != log.name:
        raise NoteWrong(f"the checkpoint is of {found.origin}, not of {log.name}")
    if not holding(note, [log]):
        raise NoteWrong(f"the checkpoint is not signed by {log.name}")
    return note, found

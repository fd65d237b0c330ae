"""Puts into a bundle the proof that the public log has its last event."""

from __future__ import annotations

import logging

from ..evidence.bundle import head_in, with_log
from ..log.checkpoint import read_checkpoint
from ..log.note import NoteWrong
from ..log.proof import GrownProof, LoggedProof, Tree
from ..log.stamp import StampWrong
from ..log.tiles import TileWrong, nodes_from
from ..log.tree import consistency, inclusion, root
from ..store.database import Database
from .folder import CHECKPOINT, COSIGNED, LogFolder
from .leaves import leaf_of
from .stamping import stamped_head

log = logging.getLogger(__name__)


def settled(folder: LogFolder, *, cosigned: bool) -> int:
    """How many leaves nobody can take back: those of the newest head that is signed.

    cosigned  whether it has to have the cosignatures of the policy as well
    """
    text = folder.text(COSIGNED if cosigned else CHECKPOINT)
    return read_checkpoint(text)[1].size if text else 0


def proved(recorder: Database, folder: LogFolder, data: bytes, known: int = 0) -> bytes:
    """The bundle with the proof; as it is where no signed head covers its last event yet.

    The head is the newest that has the cosignatures of the policy, if that has the event, else the
    newest of all. With it comes the proof that it is of one log with the head that the asker has
    kept, of ``known`` leaves; 0: with the newest cosigned one, where it is another.
    """
    game, seq = head_in(data)
    found = leaf_of(recorder, game, seq)
    if found is None:
        return data
    try:
        for name in (COSIGNED, CHECKPOINT):
            text = folder.text(name)
            if text and (size := read_checkpoint(text)[1].size) > found.number:
                proof = _proof(folder, found.number, text)
                grown = _grown(folder, Tree(size, read_checkpoint(text)[1].root), known)
                return with_log(data, text, str(proof), grown, _stamped(folder, found.number))
    except (KeyError, NoteWrong, TileWrong, OSError) as error:
        log.error("a proof of the public log cannot be given: %s", error)
    return data


def _proof(folder: LogFolder, number: int, text: str) -> LoggedProof:
    size = read_checkpoint(text)[1].size
    hashes = inclusion(number, size, nodes_from(folder.fetch, size))
    return LoggedProof(number, tuple(hashes), text)


def _stamped(folder: LogFolder, number: int) -> tuple[str, bytes] | None:
    """The proof that a stamped head has the leaf, and the stamp; None where there is none yet.

    A file goes out without it where those files are damaged: it is true all the same.
    """
    try:
        if (found := stamped_head(folder, number)) is None:
            return None
        text, token = found
        return str(_proof(folder, number, text)), token
    except (KeyError, NoteWrong, StampWrong, TileWrong, OSError, ValueError) as error:
        log.error("a time stamp of the public log cannot be given: %s", error)
        return None


def _grown(folder: LogFolder, head: Tree, known: int) -> str:
    """The proof of consistency with a head of so many leaves; "" where there is nothing to prove.

    Of more leaves than are signed nothing can be said: whoever holds such a head has caught us.
    """
    cosigned, newest = settled(folder, cosigned=True), settled(folder, cosigned=False)
    size = known or cosigned
    if size in (0, head.size) or size > newest:
        return ""
    nodes = nodes_from(folder.fetch, newest)
    old, new = sorted((head, Tree(size, root(size, nodes))))
    return str(GrownProof(old, new, tuple(consistency(old.size, new.size, nodes))))

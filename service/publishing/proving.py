"""Puts into a bundle the proof that the public log has its last event."""

from __future__ import annotations

import logging

from ..evidence.bundle import head_in, with_log
from ..log.checkpoint import read_checkpoint
from ..log.note import NoteWrong
from ..log.proof import LoggedProof
from ..log.tiles import TileWrong, nodes_from
from ..log.tree import inclusion
from ..store.database import Database
from .folder import CHECKPOINT, COSIGNED, LogFolder
from .leaves import leaf_of

log = logging.getLogger(__name__)


def settled(folder: LogFolder, *, cosigned: bool) -> int:
    """How many leaves nobody can take back: those of the newest head that is signed.

    cosigned  whether it has to have the cosignatures of the policy as well
    """
    text = folder.text(COSIGNED if cosigned else CHECKPOINT)
    return read_checkpoint(text)[1].size if text else 0


def proved(recorder: Database, folder: LogFolder, data: bytes) -> bytes:
    """The bundle with the proof; as it is where no signed head covers its last event yet.

    The head is the newest that has the cosignatures of the policy, if that has the event, else the
    newest of all.
    """
    game, seq = head_in(data)
    found = leaf_of(recorder, game, seq)
    if found is None:
        return data
    try:
        for name in (COSIGNED, CHECKPOINT):
            text = folder.text(name)
            if text and (size := read_checkpoint(text)[1].size) > found.number:
                hashes = inclusion(found.number, size, nodes_from(folder.fetch, size))
                proof = LoggedProof(found.number, tuple(hashes), text)
                return with_log(data, text, str(proof))
    except (KeyError, NoteWrong, TileWrong, OSError) as error:
        log.error("a proof of the public log cannot be given: %s", error)
    return data

"""An auditing witness, by C2SP tlog-witness: cosigns heads of logs that take nothing back.

It reads every new leaf besides, and makes the tree's root of them itself: whoever asks for a
cosignature has to serve the very leaves that were signed, and no event of a game twice.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from ..threads import SYSTEM as THREADS
from . import conviction
from .checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from .conviction import Conviction, NotProven, file_bytes
from .leaf import LeafWrong
from .ledger import Ledger, Repeated
from .note import NoteWrong, Signer, VerifyKey, holding, with_signatures
from .proof import lines, read_hashes
from .remote import RemoteLog, Unreachable
from .tiles import TileWrong, fetched_leaves
from .tree import ProofWrong, check_consistency

log = logging.getLogger(__name__)

LARGEST = 1 << 16
"""Bytes of a request, at most."""

TEXT = "text/plain; charset=utf-8"
SIZE = "text/x.tlog.size"

_OLD = re.compile(r"old (0|[1-9][0-9]{0,17})")


class WatchedLog(NamedTuple):
    """A log that it knows: its key, and where it is read."""

    key: VerifyKey
    files: RemoteLog


class Reply(NamedTuple):
    """An answer of HTTP."""

    status: int
    body: str
    media: str = TEXT


class _Asked(NamedTuple):
    old: int
    proof: tuple[bytes, ...]
    text: str


class Witness:
    """``convictions``: the folder for what it finds. Threads may ask at the same time."""

    def __init__(
        self,
        signer: Signer,
        logs: Mapping[str, WatchedLog],
        ledger: Ledger,
        convictions: Path,
        now: Callable[[], float],
    ) -> None:
        """``logs``: by their names; ``now``: the time in seconds since 1970."""
        self._signer = signer
        self._logs = logs
        self._ledger = ledger
        self._convictions = convictions
        self._now = now
        self._one = THREADS.lock()

    def add_checkpoint(self, body: bytes) -> Reply:
        """``POST /add-checkpoint``: the cosignature, or why not."""
        try:
            asked = _read(body)
            note, head = read_checkpoint(asked.text)
        except (NoteWrong, UnicodeDecodeError) as error:
            return Reply(400, f"{error}\n")
        known = self._logs.get(head.origin)
        if known is None:
            return Reply(404, f"The log {head.origin} is not known here.\n")
        try:
            signed = holding(note, [known.key])
        except NoteWrong:
            signed = []
        if not signed:
            return Reply(403, f"The checkpoint is not signed by {known.key}.\n")
        if asked.old > head.size:
            return Reply(400, f"A tree of {head.size} leaves begins with none of {asked.old}.\n")
        with self._one:
            return self._judged(asked, head, known)

    def newest(self, name: str) -> Reply:
        """``GET /checkpoint/NAME``: the head that it cosigned last, for monitors to compare.

        name  SHA-256 of the log's name, in hex
        """
        for origin in self._logs:
            if hashlib.sha256(origin.encode()).hexdigest() == name:
                with self._one:
                    note = self._ledger.known(origin).note
                return Reply(200, note) if note else Reply(404, "Nothing was cosigned yet.\n")
        return Reply(404, "No such log is known here.\n")

    def _judged(self, asked: _Asked, head: Checkpoint, log_: WatchedLog) -> Reply:
        known = self._ledger.known(head.origin)
        size, top = known.tree.size, known.tree.root()
        if asked.old != size:
            return Reply(409, f"{size}\n", SIZE)
        try:
            check_consistency(size, top, head.size, head.root, asked.proof)
        except ProofWrong as error:
            self._convict(lambda: conviction.split_view(
                log_.key, known.note, asked.text, log_.files.fetch
            ))  # fmt: skip
            if size == head.size:
                return Reply(409, f"{size}\n", SIZE)
            return Reply(422, f"{error}\n")
        try:
            leaves = fetched_leaves(log_.files.fetch, size, head.size)
            seen = self._ledger.audited(head.origin, known.tree, leaves)
        except (KeyError, Unreachable, TileWrong) as error:
            return Reply(503, f"The new leaves cannot be read: {error}\n")
        except LeafWrong as error:
            return Reply(422, f"{error}\n")
        except Repeated as error:
            number = error.number
            self._convict(lambda: conviction.repeated(
                log_.key, asked.text, number, log_.files.fetch
            ))  # fmt: skip
            return Reply(422, f"{error}\n")
        if seen.tree.root() != head.root:
            return Reply(422, "The leaves that are served are not those that were signed.\n")
        signature = self._signer.cosign(head.text, int(self._now()))
        note = with_signatures(open_checkpoint(asked.text, log_.key)[0], [signature])
        self._ledger.keep(head.origin, seen, str(note))
        return Reply(200, str(signature))

    def _convict(self, make: Callable[[], Conviction]) -> None:
        try:
            told = make()
        except (NotProven, NoteWrong, Unreachable, ProofWrong) as error:
            log.error("a log was caught, but nothing proves it to others yet: %s", error)
            return
        keep_conviction(self._convictions, told)


def keep_conviction(folder: Path, told: Conviction) -> Path:
    """Write a file of it, named by its content."""
    data = file_bytes(told)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(data).hexdigest()[:16]}.json"
    path.write_bytes(data)
    log.error("a log has lied: %s says it, and shows it to anybody", path)
    return path


def _read(body: bytes) -> _Asked:
    head, empty, text = body.decode().partition("\n\n")
    first, *hashes = head.split("\n")
    old = _OLD.fullmatch(first)
    if old is None or not empty:
        raise NoteWrong("A request is a line with the old size, a proof, an empty line, a head")
    return _Asked(int(old[1]), read_hashes(hashes), text)


def request(old: int, proof: list[bytes], checkpoint: str) -> bytes:
    """The body by which a witness is asked."""
    return f"old {old}\n{lines(proof)}\n{checkpoint}".encode()

"""Witnesses are asked for their cosignatures, each by a thread of its own: none waits for another.

Who was offline is asked again with the newest head; what a witness has seen, it says itself (409).
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..log.checkpoint import read_text
from ..log.note import Note, NoteSignature, NoteWrong, holding, read_signatures
from ..log.policy import Policy, Witness
from ..log.remote import SECONDS, Unreachable, bounded
from ..log.tiles import TileWrong, nodes_from
from ..log.tree import consistency
from ..log.witness import request
from ..threads import MakesThreads
from .folder import LogFolder

if TYPE_CHECKING:  # imported where it is used: that takes a tenth of the service's start
    import httpx

log = logging.getLogger(__name__)

AGAIN = 5.0
"""Seconds after which a witness that did not cosign is asked again, if nothing new is signed."""


class Cosigned(NamedTuple):
    """What a witness has answered about the head of so many leaves."""

    size: int
    signatures: tuple[NoteSignature, ...]


class AskedWitness:
    """One witness. ``trouble``: why it did not cosign the last time; "" where it did."""

    def __init__(self, witness: Witness, folder: LogFolder, http: httpx.Client) -> None:
        self.witness = witness
        self.trouble = ""
        self._folder = folder
        self._http = http
        self._seen = 0

    def ask(self, note: Note) -> Cosigned | None:
        """Its cosignature of this head; None where it gives none now."""
        import httpx

        size = read_text(note.text).size
        try:
            status, text = self._post(note, size)
            if status == 409:
                self._seen = int(text)
                if self._seen > size:
                    raise Unreachable(f"it has seen {self._seen} leaves, and {size} are signed")
                status, text = self._post(note, size)
            if status != 200:
                raise Unreachable(f"status {status}: {text[:200].strip()}")
            found = self._signatures(note, text)
        except (Unreachable, NoteWrong, KeyError, TileWrong, ValueError, httpx.HTTPError) as error:
            self._troubled(str(error) or type(error).__name__)
            self._seen = 0  # what it has said may be wrong: it is asked again
            return None
        self._seen, self.trouble = size, ""
        return Cosigned(size, found)

    def _post(self, note: Note, size: int) -> tuple[int, str]:
        proof = consistency(self._seen, size, nodes_from(self._folder.fetch, size))
        address = f"{self.witness.url.rstrip('/')}/add-checkpoint"
        body = request(self._seen, proof, str(note))
        with self._http.stream("POST", address, content=body) as answer:
            return answer.status_code, bounded(answer).decode("utf-8", "replace")

    def _signatures(self, note: Note, text: str) -> tuple[NoteSignature, ...]:
        found = read_signatures(text)
        if not holding(Note(note.text, found), [self.witness.key]):
            raise NoteWrong("it has answered without a cosignature of its key")
        return tuple(each for each in found if each.is_of(self.witness.key))

    def _troubled(self, why: str) -> None:
        if why != self.trouble:
            log.warning("the witness %s does not cosign: %s", self.witness.name, why)
        self.trouble = why


class Cosigners:
    """All witnesses of a policy that have an address, asked from ``start`` to ``stop``."""

    def __init__(
        self, policy: Policy, folder: LogFolder, threads: MakesThreads, http: httpx.Client
    ) -> None:
        self.policy = policy
        self.found = threads.queue()
        self.asked = tuple(
            AskedWitness(each, folder, http) for each in policy.witnesses.values() if each.url
        )
        self._http = http
        self._newest: Note | None = None
        self._woken = [threads.event() for _ in self.asked]
        self._stopping = False
        self._threads = [
            threads.thread(partial(self._run, at), f"decklog-witness-{at}")
            for at in range(len(self.asked))
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ask nobody any more; waits for who is being asked. Harmless when repeated."""
        self._stopping = True
        self._wake()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self._http.close()

    def sign(self, note: Note) -> None:
        """This is the newest head. From any thread."""
        self._newest = note
        self._wake()

    def _wake(self) -> None:
        for event in self._woken:
            event.set()

    def _run(self, at: int) -> None:
        asked, woken = self.asked[at], self._woken[at]
        while not self._stopping:
            woken.wait(AGAIN if asked.trouble else None)
            woken.clear()
            note = self._newest
            if note is None or self._stopping:
                continue
            cosigned = asked.ask(note)
            if cosigned is not None:
                self.found.put(cosigned)


def client() -> httpx.Client:
    """By which witnesses are asked: none can keep a thread for long, or lead it elsewhere."""
    import httpx

    return httpx.Client(timeout=SECONDS, follow_redirects=False, trust_env=False)

"""That this worker is at work on the store, and whether an operator has drained it."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable

import msgspec

from ..build import service_version
from ..entropy import SYSTEM, drawn
from ..errors import ServiceError
from ..store import acts, workers
from ..store.bulk import Statement
from ..store.store import Store
from ..store.workers import Worker

log = logging.getLogger(__name__)

SHARED_SECONDS = 10.0
ALONE_SECONDS = 60.0
"""How often it is said where others work on the store as well, and where none may: an idle disk
has its rest."""

Frozen = Callable[[], tuple[str, ...]]
"""Which games this worker plays no more, for what their rules did."""

Busy = Callable[[], tuple[int, int]]
"""How many streams are open, and how many commands wait."""


class Presence:
    """Of one life of a worker. ``look`` runs on another thread, all else on the event loop."""

    def __init__(self, store: Store) -> None:
        self.id = drawn(SYSTEM, 8)
        self.name = store.worker or socket.gethostname()
        self.draining = False
        self._store = store
        self._every = SHARED_SECONDS if store.shared else ALONE_SECONDS
        self._said: Worker | None = None
        self._again = 0.0
        self._told = False
        self._wanted: bytes | None = None
        self._asked: bytes = b""
        self._again_by: Callable[[], None] = lambda: None
        self._busy: Busy = lambda: (0, 0)
        self._drain: Callable[[bool], None] = lambda draining: None
        self._frozen: Frozen = lambda: ()
        self._thaw: Callable[[str], None] = lambda game: None
        self._to_thaw: list[str] = []

    def serving(self, busy: Busy, drain: Callable[[bool], None]) -> None:
        """Who serves tells how busy it is, and is told when to take nothing new, or again."""
        self._busy, self._drain = busy, drain

    def playing(self, frozen: Frozen, thaw: Callable[[str], None]) -> None:
        """Who plays tells which games stand still for their rules, and tries one again."""
        self._frozen, self._thaw = frozen, thaw

    @property
    def frozen(self) -> tuple[str, ...]:
        """Which games stand still here for their rules."""
        return self._frozen()

    def reading(self, again: Callable[[], None]) -> None:
        """What reads settings and keys again, when an operator wants that of every worker."""
        self._again_by = again

    def look(self) -> None:
        """Learn what the operator wants, and put down that the worker is there. Raises
        ServiceError where the store cannot be asked."""
        self.draining, self._asked = workers.wanted(self._store.recorder, self.id)
        if found := workers.to_thaw(self._store.recorder, self.id):
            self._to_thaw += found
            self._put(workers.thawed(self.id, found))
        streams, waiting = self._busy() if self.draining else (0, 0)
        worker = Worker(
            self.id, self.name, "", self._every, service_version(), self.draining, streams, waiting,
            self._store.box.names, self.frozen,
        )  # fmt: skip
        if worker != self._said or self._store.monotonic() >= self._again:
            self._say(worker)

    def _say(self, worker: Worker) -> None:
        """Where it cannot be put down nobody is kept from playing for it."""
        recorder = self._store.recorder
        now = acts.time_of(recorder)
        old = (
            []
            if self._said is not None
            else workers.dead(recorder, now, alone=not self._store.shared)
        )
        stamped = msgspec.structs.replace(worker, at=now)
        if self._put([*old, workers.said(stamped)]):
            self._said, self._again = worker, self._store.monotonic() + self._every

    def _put(self, statements: Iterable[Statement]) -> bool:
        try:
            self._store.recorder.put((), list(statements))
        except ServiceError as error:
            log.debug("that this worker is there cannot be put down: %s", error)
            return False
        return True

    def tell(self) -> None:
        """Whoever serves is told what ``look`` has learnt."""
        if self._wanted is None:  # what was wanted before it was started it has read
            self._wanted = self._asked
        self._try_again()
        if self._asked != self._wanted:
            self._wanted = self._asked
            self._again_by()
        if self.draining == self._told:
            return
        self._told = self.draining
        log.warning(
            "drained by an operator: this worker takes nothing new"
            if self.draining
            else "this worker takes work again, as an operator wants"
        )
        self._drain(self.draining)

    def _try_again(self) -> None:
        games, self._to_thaw = self._to_thaw, []
        for game in games:
            log.warning("game %s is tried again, as an operator wants", game)
            self._thaw(game)

    def leave(self) -> None:
        """It stops."""
        self._put(workers.left(self.id))

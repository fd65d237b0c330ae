"""The public log at work: a thread that signs, in one process of a store at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..clock import SYSTEM, Clock
from ..entropy import Entropy
from ..errors import ServiceError, StoreRefused
from ..log.note import NoteWrong, PublicKey, Signer
from ..settings import Settings
from ..store.box import secret_of
from ..store.database import Database
from ..store.store import Store
from ..threads import SYSTEM as THREADS
from ..threads import MakesThreads
from .appender import Appender, Head, LogDisagrees
from .folder import LogFolder
from .leaves import Leaves, count

log = logging.getLogger(__name__)

OFFICE = "decklog-public-log"
EVERY = 1.0
"""Seconds between two checkpoints, unless a game has ended."""

REST = 5.0
"""Seconds for which a log that disagrees is left alone before it is looked at again."""


class Waiting(NamedTuple):
    """What is not signed yet: how many leaves, and for how long the first of them has waited."""

    leaves: int = 0
    seconds: float = 0.0


class PublicLog:
    """Runs from ``start`` to ``stop``.

    leaves   follows the games for it
    refuses  why nothing is signed; "" where all is well
    """

    def __init__(
        self,
        recorder: Database,
        appender: Appender,
        key: PublicKey,
        clock: Clock = SYSTEM,
        threads: MakesThreads = THREADS,
    ) -> None:
        self.leaves = Leaves(recorder)
        self.key = key
        self.refuses = ""
        self.signed: Callable[[Appender], None] = lambda appender: None
        self._recorder = recorder
        self._appender = appender
        self._monotonic = clock.monotonic
        self._woken = threads.event()
        self._stopping = self._opened = False
        self._unsigned = 0
        self._since: float | None = None
        self._rested = self._next = float("-inf")
        self._thread = threads.thread(self._run, "decklog-public-log")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Sign what there is. Waits for it; harmless when repeated."""
        self._stopping = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def wake(self) -> None:
        """There are leaves. From any thread."""
        if self.leaves.urgent:
            self._woken.set()

    @property
    def waiting(self) -> Waiting:
        """For who cannot wait."""
        since = self._since
        return Waiting() if since is None else Waiting(self._unsigned, self._monotonic() - since)

    def _run(self) -> None:
        while not self._stopping:
            self._woken.wait(EVERY)
            self._woken.clear()
            self.look()
        self.look()

    def look(self) -> None:
        """One round: sign what is new, if this process is the one to do it."""
        urgent, self.leaves.urgent = self.leaves.urgent, False
        now = self._monotonic()
        try:
            self._count(now)
            if now < self._rested or (not urgent and now < self._next and not self._stopping):
                return
            if not self._recorder.lead(OFFICE):
                self._opened = False
                return
            with self._appender.folder.alone():
                self._sign(now)
        except LogDisagrees as error:
            self._refuse(str(error), now)
        except BlockingIOError:
            self._refuse("another process is at work on the folder", now)
        except ServiceError as error:
            log.warning("the public log cannot be written now: %s", error)
        except Exception as error:
            log.exception("writing the public log failed")
            self._refuse(str(error), now)

    def _sign(self, now: float) -> None:
        if not self._opened:
            self._appender.open()
            self._opened = True
        self.refuses = ""
        moved = False
        while self._appender.step():
            moved = True
        if moved:
            self._next, self._since = now + EVERY, None  # what waits now has not waited long
            self.signed(self._appender)
        self._count(self._monotonic())

    def _count(self, now: float) -> None:
        signed = self._appender.size if self._opened else None
        newest = count(self._recorder)
        self._unsigned = newest - signed if signed is not None else 0
        if self.refuses or self._unsigned > 0:
            self._since = now if self._since is None else self._since
        else:
            self._since = None

    def _refuse(self, why: str, now: float) -> None:
        """What was read may be half a step: everything is read anew at the next attempt."""
        log.error("the public log signs nothing: %s", why)
        self.refuses, self._opened, self._rested = why, False, now + REST
        self._since = now if self._since is None else self._since


def open_public_log(
    settings: Settings,
    store: Store,
    clock: Clock = SYSTEM,
    threads: MakesThreads = THREADS,
) -> PublicLog | None:
    """The log of the settings; None where they name no folder.

    Raises StoreRefused where store, folder and second place do not tell of one tree, or a name, a
    key or a file is none. Raises StoreUnavailable.
    """
    if not settings.log_dir:
        return None
    try:
        signer = Signer(settings.log_origin, _key(settings, store.entropy))
        head = settings.log_second_place
        if head is None:
            raise LogDisagrees("beside a PostgreSQL, DECKLOG_LOG_HEAD has to name its second place")
        folder = LogFolder(Path(settings.log_dir))
        appender = Appender(store.recorder, folder, Head(head), signer)
        appender.check()
    except (LogDisagrees, NoteWrong, OSError, ValueError) as error:
        raise StoreRefused("log.disagrees", f"The public log is not opened: {error}.") from None
    return PublicLog(store.recorder, appender, signer.public, clock, threads)


def _key(settings: Settings, entropy: Entropy) -> bytes:
    if settings.store and not settings.log_key:
        raise ValueError("beside a PostgreSQL, DECKLOG_LOG_KEY has to be set, for every worker")
    path = settings.database.with_name(settings.database.name + ".log-key")
    return secret_of(path, settings.log_key, entropy)

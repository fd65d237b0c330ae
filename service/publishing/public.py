"""The public log at work: a thread that signs, in one process of a store at a time."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..clock import SYSTEM, Clock
from ..entropy import Entropy
from ..errors import ServiceError, StoreRefused, StoreUnavailable
from ..log.checkpoint import Checkpoint, read_checkpoint, read_text
from ..log.note import Note, NoteWrong, Signer, VerifyKey, holding, with_signatures
from ..log.policy import Policy, PolicyWrong, read_policy
from ..log.stamp import StampUnread, StampWrong
from ..settings import Settings, variable
from ..store.box import secret_of
from ..store.database import Database
from ..store.places import unusable, unwritable
from ..store.store import Store
from ..threads import SYSTEM as THREADS
from ..threads import Empty, MakesThreads
from .appender import Appender, Head, LogDisagrees
from .asking import Cosigned, Cosigners, client
from .folder import CHECKPOINT, COSIGNED, LogFolder
from .leaves import Leaves, count, leaf_of
from .proving import proved, settled
from .stamping import Stamper, authority_of, stamper

log = logging.getLogger(__name__)

OFFICE = "decklog-public-log"
EVERY = 1.0
"""Seconds between two checkpoints, unless a game has ended."""

KEPT_HEADS = 64
"""Heads whose cosignatures may still come."""

_NOT_OPENED = (LogDisagrees, NoteWrong, PolicyWrong, StampWrong, StampUnread)

REST = 5.0
"""Seconds for which a log that disagrees is left alone before it is looked at again."""


class Waiting(NamedTuple):
    """What is not signed yet: how many leaves, and for how long the first of them has waited."""

    leaves: int = 0
    seconds: float = 0.0


class Newest(NamedTuple):
    """The newest checkpoint, and since when it has stood as it does, in seconds since 1970."""

    checkpoint: Checkpoint
    at: float


class PublicLog:
    """Runs from ``start`` to ``stop``.

    leaves   follows the games for it
    refuses  why nothing is signed; "" where all is well
    """

    def __init__(
        self,
        recorder: Database,
        appender: Appender,
        key: VerifyKey,
        clock: Clock = SYSTEM,
        threads: MakesThreads = THREADS,
        cosigners: Cosigners | None = None,
        stamps: Stamper | None = None,
    ) -> None:
        self.leaves = Leaves(recorder)
        self.key = key
        self.refuses = ""
        self.cosigning = Cosigning(cosigners, appender) if cosigners is not None else None
        self._stamps = stamps
        self._recorder = recorder
        self._appender = appender
        self._now = clock.now
        self._monotonic = clock.monotonic
        self._woken = threads.event()
        self._stopping = self._opened = False
        self._unsigned = 0
        self._since: float | None = None
        self._rested = self._next = float("-inf")
        self._thread = threads.thread(self._run, "decklog-public-log")

    def start(self) -> None:
        if self.cosigning is not None:
            self.cosigning.cosigners.start()
        if self._stamps is not None:
            self._stamps.start()
        self._thread.start()

    def stop(self) -> None:
        """Sign what there is. Waits for it; harmless when repeated."""
        self._stopping = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()
        if self.cosigning is not None:
            self.cosigning.cosigners.stop()
        if self._stamps is not None:
            self._stamps.stop()

    def wake(self) -> None:
        """There are leaves. From any thread."""
        if self.leaves.urgent:
            self._woken.set()

    @property
    def waiting(self) -> Waiting:
        """For who cannot wait."""
        since = self._since
        return Waiting() if since is None else Waiting(self._unsigned, self._monotonic() - since)

    @property
    def uncosigned(self) -> float | None:
        """Seconds for which the newest head lacks its cosignatures; None: nobody is asked."""
        return None if self.cosigning is None else self.cosigning.uncosigned(self._monotonic())

    @property
    def unstamped(self) -> float | None:
        """Seconds for which the last head of a day lacks its stamp; None: no authority is asked."""
        return None if self._stamps is None else self._stamps.unstamped

    def settled(self) -> int:
        """How many leaves nobody can take back, by what is published. Any thread, any worker.

        Raises StoreUnavailable.
        """
        try:
            return settled(self._appender.folder, cosigned=self.cosigning is not None)
        except (NoteWrong, OSError) as error:
            raise StoreUnavailable(f"The public log cannot be read: {error}.") from None

    def newest(self) -> Newest | None:
        """What is published; None where nothing is yet. Any thread, any worker.

        Raises StoreUnavailable.
        """
        try:
            found = self._appender.folder.published(CHECKPOINT)
            return found and Newest(read_checkpoint(found.text)[1], found.at)
        except (NoteWrong, OSError, UnicodeDecodeError) as error:
            raise StoreUnavailable(f"The public log cannot be read: {error}.") from None

    def has(self, game: str, seq: int) -> bool:
        """Whether an event is among those leaves. Raises StoreUnavailable."""
        found = leaf_of(self._recorder, game, seq)
        return found is not None and found.number < self.settled()

    def proved(self, data: bytes, known: int = 0) -> bytes:
        """A bundle with the proof of its last event, if a head covers that. Any thread.

        known  leaves of the head that the asker has kept; 0: none

        Raises StoreUnavailable.
        """
        return proved(self._recorder, self._appender.folder, data, known)

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
            if self._opened and self.cosigning is not None:
                self.cosigning.take(now)
            if now < self._rested or (not urgent and now < self._next and not self._stopping):
                return
            if not self._recorder.lead(OFFICE):
                self._opened = False
                if self._stamps is not None:
                    self._stamps.rest()
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
            self._hand_on(now)
        self.refuses = ""
        if self._stamps is not None:
            self._stamps.turn(self._appender.checkpoint, self._now().date())
        moved = False
        while self._appender.step():
            moved = True
        if moved:
            self._next, self._since = now + EVERY, None  # what waits now has not waited long
            self._hand_on(now)
        self._count(self._monotonic())

    def _hand_on(self, now: float) -> None:
        note = self._appender.checkpoint
        if self.cosigning is not None and note is not None:
            self.cosigning.hand_on(note, now)

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


class Cosigning:
    """What witnesses have said of the latest heads. For the thread that signs.

    cosigned  the leaves of the newest head that has what the policy asks for
    """

    def __init__(self, cosigners: Cosigners, appender: Appender) -> None:
        self.cosigners = cosigners
        self.cosigned = 0
        self._appender = appender
        self._heads: dict[int, Note] = {}
        self._since: float | None = None

    def uncosigned(self, now: float) -> float:
        """Seconds for which the newest head has lacked what the policy asks for."""
        since = self._since
        return 0.0 if since is None else now - since

    def hand_on(self, note: Note, now: float) -> None:
        """A head was signed: have it cosigned."""
        size = read_text(note.text).size
        self._heads[size] = note
        for old in sorted(self._heads)[:-KEPT_HEADS]:
            del self._heads[old]
        if self._since is None:
            self._since = now
        self.cosigners.sign(note)

    def take(self, now: float) -> None:
        """Publish the cosignatures that have come."""
        with suppress(Empty):
            while True:
                self._met(self.cosigners.found.get_nowait(), now)

    def _met(self, cosigned: Cosigned, now: float) -> None:
        note = self._heads.get(cosigned.size)
        if note is None:
            return
        note = self._heads[cosigned.size] = with_signatures(note, cosigned.signatures)
        self._appender.attach(note)
        keys = [each.witness.key for each in self.cosigners.asked]
        met = self.cosigners.policy.met([each.key for each in holding(note, keys)])
        if met and cosigned.size >= self.cosigned:
            self.cosigned = cosigned.size
            self._appender.folder.say(COSIGNED, str(note))
            self._since = None if cosigned.size == self._appender.size else now


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
    check_public_log(settings)
    try:
        signer = Signer(settings.log_origin, _key(settings, store.entropy))
        head = _second_place(settings)
        folder = LogFolder(Path(settings.log_dir))
        appender = Appender(store.recorder, folder, Head(head), signer)
        appender.check()
        cosigners = _cosigners(settings, folder, threads)
        stamps = stamper(settings, folder, clock, threads)
    except (*_NOT_OPENED, OSError, ValueError) as error:
        raise _not_opened(error) from None
    return PublicLog(store.recorder, appender, signer.public, clock, threads, cosigners, stamps)


def check_public_log(settings: Settings) -> None:
    """Whether the log could be opened, as far as the store is not asked; nothing is made.

    Raises StoreRefused, with the name of the variable. A log that cannot be written would say so
    every few seconds for as long as the service runs.
    """
    if not settings.log_dir:
        return
    for name, check in _CHECKS.items():
        try:
            check(settings)
        except (*_NOT_OPENED, OSError, ValueError) as error:
            raise _not_opened(f"{variable(name)}: {error}") from None


def _not_opened(why: object) -> StoreRefused:
    return StoreRefused("log.disagrees", f"The public log is not opened: {why}.")


def _check_folder(settings: Settings) -> None:
    if why := unwritable(Path(settings.log_dir)):
        raise LogDisagrees(f"nothing can be written into {settings.log_dir}: {why}")


def _check_head(settings: Settings) -> None:
    head = _second_place(settings)
    if why := unwritable(head.parent) or unusable(head):
        raise LogDisagrees(f"{head} cannot be written: {why}")


def _check_key(settings: Settings) -> None:
    _need_key(settings)
    if not settings.log_key and (why := unusable(_key_path(settings), os.R_OK)):
        raise LogDisagrees(f"the key cannot be read: {why}")


def _second_place(settings: Settings) -> Path:
    head = settings.log_second_place
    if head is None:
        raise LogDisagrees("beside a PostgreSQL, DECKLOG_LOG_HEAD has to name its second place")
    return head


def _policy(settings: Settings) -> Policy | None:
    if not settings.witnesses:
        return None
    return read_policy(Path(settings.witnesses).read_text("utf-8"))


_CHECKS: Mapping[str, Callable[[Settings], object]] = {
    "log_name": lambda settings: Signer(settings.log_origin, bytes(32)),
    "log_dir": _check_folder,
    "log_head": _check_head,
    "log_key": _check_key,
    "witnesses": _policy,
    "tsa_root": authority_of,
}


def _cosigners(settings: Settings, folder: LogFolder, threads: MakesThreads) -> Cosigners | None:
    policy = _policy(settings)
    return None if policy is None else Cosigners(policy, folder, threads, client())


def _key(settings: Settings, entropy: Entropy) -> bytes:
    _need_key(settings)
    return secret_of(_key_path(settings), settings.log_key, entropy)


def _need_key(settings: Settings) -> None:
    if settings.store and not settings.log_key:
        raise ValueError("beside a PostgreSQL, DECKLOG_LOG_KEY has to be set, for every worker")


def _key_path(settings: Settings) -> Path:
    return settings.database.with_name(settings.database.name + ".log-key")

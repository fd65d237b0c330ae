"""The last head of each day is stamped by a time-stamping authority (RFC 3161), in a thread apart.

Heads and stamps are files beside the tiles. A stamp is the one file of the log that nobody can make
again, so that it is kept as it came, once it is checked: nonce, imprint, the chain of certificates.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from traceback import format_tb
from typing import TYPE_CHECKING, NamedTuple

from ..clock import SYSTEM, Clock
from ..log.checkpoint import read_checkpoint, read_text
from ..log.note import Note, NoteWrong
from ..log.remote import SECONDS
from ..log.stamp import (
    CHECKPOINT,
    INDEX,
    MEDIA,
    TOKEN,
    Stamped,
    StampedDay,
    StampUnread,
    StampWrong,
    check,
    day_path,
    read_index,
    read_roots,
    request,
)
from ..settings import Settings
from ..threads import SYSTEM as THREADS
from ..threads import MakesThreads
from . import folder as files
from .asking import client
from .folder import LogFolder
from .posting import Answer, Question, TooLong, post

if TYPE_CHECKING:
    import httpx
    from cryptography.x509 import Certificate

log = logging.getLogger(__name__)

AGAIN = 300.0
"""Seconds after which an authority that did not stamp is asked again."""

LARGEST = 1 << 16
"""Bytes of an answer, at most."""

UNREAD = "unread.tsr"
"""Of a day: an answer that could not be read here. It is no stamp; the operator may look at it."""


class Authority(NamedTuple):
    """Whom the operator has named: where it is asked, and whose word it has to be."""

    url: str
    roots: Sequence[Certificate]


class DailyHeads:
    """Keeps the last head of each day. For the thread that signs.

    ``turn`` is called before anything new is signed: what stands then on a new day was the last
    of the day before.
    """

    def __init__(self, folder: LogFolder) -> None:
        self._folder = folder
        self._day: date | None = None
        self._over: tuple[date, Note] | None = None

    def turn(self, head: Note | None, today: date) -> date | None:
        """The day that is over now, if a new head was its last one; else None.

        Where that head cannot be kept now, the next call keeps it, whatever is signed meanwhile.
        Raises OSError, NoteWrong, ValueError.
        """
        if head is None:
            return None
        if self._day is None:
            self._day = self._since(today)
        if today > self._day:
            self._over, self._day = (self._day, head), today
        if self._over is None:
            return None
        day, last = self._over
        found = day if self._keep(day, last) else None
        self._over = None
        return found

    def rest(self) -> None:
        """Another process signs now: what stood here is no day's last head."""
        self._day = self._over = None

    def _keep(self, day: date, head: Note) -> bool:
        """Whether it has leaves that no kept head has."""
        kept = kept_days(self._folder)
        if kept and read_text(head.text).size <= self._size(kept[-1]):
            return False
        self._folder.put({day_path(day, CHECKPOINT): str(head).encode()})
        return True

    def _size(self, day: date) -> int:
        return read_checkpoint(self._folder.text(day_path(day, CHECKPOINT)))[1].size

    def _since(self, today: date) -> date:
        """The day of the head that stood before this process began."""
        found = self._folder.published(files.CHECKPOINT)
        return today if found is None else datetime.fromtimestamp(found.at, UTC).date()


def kept_days(folder: LogFolder) -> list[date]:
    """Those whose last head is kept, stamped or not."""
    found = []
    for path in (folder.path / "time").glob(f"*/{CHECKPOINT}"):
        try:
            found.append(date.fromisoformat(path.parent.name))
        except ValueError:
            continue  # whoever made that folder did not mean a day
    return sorted(found)


class Stamper:
    """Asks the authority from ``start`` to ``stop``, about the newest day that is over.

    An older day that was missed is not asked about any more: its events are in the newer head, too.

    trouble  why there is no stamp; "" where there is one, or nothing to stamp
    """

    def __init__(
        self, authority: Authority, folder: LogFolder, http: Callable[[], httpx.Client],
        clock: Clock = SYSTEM, threads: MakesThreads = THREADS,
    ) -> None:  # fmt: skip
        self.authority = authority
        self.trouble = ""
        self.heads = DailyHeads(folder)
        self._folder = folder
        self._http = http
        self._threads = threads
        self._question: Question | None = None
        self._monotonic = clock.monotonic
        self._day: date | None = None
        self._since: float | None = None
        self._failing: float | None = None
        self._stopping = False
        self._woken = threads.event()
        self._thread = threads.thread(self._run, "decklog-stamps")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ask no more; waits for nobody's answer. Harmless when repeated."""
        self._stopping = True
        self._woken.set()
        if self._question is not None:
            self._question.end()
        if self._thread.is_alive():
            self._thread.join()

    def turn(self, head: Note | None, today: date) -> None:
        """From the thread that signs, before it does: what is wrong here keeps it from nothing."""
        try:
            over = self.heads.turn(head, today) is not None
            if over or self._day is None or self._failing is not None:
                self._hand_on()
        except (NoteWrong, StampWrong, OSError, ValueError) as error:
            if self._failing is None:
                self._failing = self._monotonic()
            self._troubled(today, f"the files of stamps: {error}")
            return
        if self._failing is not None:
            self._failing, self.trouble = None, ""

    def rest(self) -> None:
        """Another process signs now, and has its days stamped."""
        self.heads.rest()
        self._day = self._since = self._failing = None

    @property
    def unstamped(self) -> float:
        """Seconds for which the newest day that is over has waited for its stamp.

        So long as the files of stamps fail, nobody knows that it has one.
        """
        since = [each for each in (self._since, self._failing) if each is not None]
        return self._monotonic() - min(since) if since else 0.0

    def _hand_on(self) -> None:
        days = kept_days(self._folder)
        if not days or days[-1] == self._day:
            return
        stamped = any(each.day == days[-1] for each in stamped_days(self._folder))
        self._day = days[-1]
        if stamped:
            self._since = None
            return
        self._since = self._monotonic() if self._failing is None else self._failing
        self._woken.set()

    def _run(self) -> None:
        while not self._stopping:
            self._woken.wait(None if self._since is None else AGAIN)
            self._woken.clear()
            if not self._stopping:
                self.ask()

    def ask(self) -> Stamped | None:
        """One attempt; None where there is nothing to stamp, or none came."""
        import httpx

        day = self._day
        if day is None or self._since is None:
            if self._failing is None:
                self.trouble = ""
            return None
        try:
            found = self._stamped(day, self._folder.text(day_path(day, CHECKPOINT)))
        except (StampWrong, StampUnread, TooLong, httpx.HTTPError, OSError, ValueError) as error:
            self._troubled(day, str(error) or type(error).__name__)
            return None
        except Exception as error:  # nothing that somebody answers ends this thread
            if self._stopping:
                return None  # what a client says that is closed beneath it
            # Its words may hold the address, with a password: who and where is told.
            where = "".join(format_tb(error.__traceback__))
            log.error("asking for a time stamp failed: %s\n%s", type(error).__name__, where)
            self._troubled(day, type(error).__name__)
            return None
        self.trouble = ""
        if day == self._day:
            self._since = None
        log.info("the head of %s is stamped by %s at %s", day, found.by, found.at)
        return found

    def _stamped(self, day: date, text: str) -> Stamped:
        found = self._there(day, text) or self._asked(day, text)
        known = [each for each in stamped_days(self._folder) if each.day != day]
        lines = [*known, StampedDay(day, read_checkpoint(text)[1].size)]
        self._folder.say(INDEX, "".join(f"{each}\n" for each in lines))
        return found

    def _there(self, day: date, text: str) -> Stamped | None:
        """What a token says that is kept already: this process was stopped before the index told.

        It is served as what never changes, so that no other one takes its place.
        """
        try:
            token = self._folder.fetch(day_path(day, TOKEN))
            return check(token, text, self.authority.roots)
        except (KeyError, StampWrong, StampUnread):
            return None

    def _asked(self, day: date, text: str) -> Stamped:
        query, nonce = request(text)
        token = self._post(query)
        try:
            found = check(token, text, self.authority.roots, nonce)
        except StampUnread:
            self._folder.say(day_path(day, UNREAD), token)
            raise
        self._folder.say(day_path(day, TOKEN), token)
        return found

    def _post(self, query: bytes) -> bytes:
        """The answer, if it is short and comes in time.

        Raises StampWrong, TooLong, httpx.HTTPError.
        """
        headers = {"Content-Type": MEDIA, "Accept-Encoding": "identity"}

        def ask(http: httpx.Client) -> Answer:
            return post(http, self.authority.url, query, headers, LARGEST)

        self._question = question = Question(self._http(), ask, self._threads)
        if self._stopping:
            question.end()
        answer = question.answer(SECONDS)
        if answer.status != 200:
            raise StampWrong(f"status {answer.status}")
        return answer.body

    def _troubled(self, day: date, why: str) -> None:
        if self._stopping:
            return  # who is freed by a stop has no trouble
        if why != self.trouble:
            log.warning("the head of %s is not stamped: %s", day, why)
        self.trouble = why


def stamped_days(folder: LogFolder) -> list[StampedDay]:
    """In the order of the days. Raises StampWrong."""
    return read_index(folder.text(INDEX))


def stamped_head(folder: LogFolder, number: int) -> tuple[str, bytes] | None:
    """The first stamped head that has a leaf, and its stamp; None where there is none yet.

    Raises StampWrong, KeyError, OSError.
    """
    for each in stamped_days(folder):
        if each.size > number:
            text = folder.fetch(day_path(each.day, CHECKPOINT)).decode()
            return text, folder.fetch(day_path(each.day, TOKEN))
    return None


def authority_of(settings: Settings) -> Authority | None:
    """The one of the settings, or None. Raises StampWrong, StampUnread, OSError."""
    if not settings.tsa:
        return None
    if not settings.tsa_root:
        raise StampWrong(
            "DECKLOG_TSA needs DECKLOG_TSA_ROOT, the root certificate of the authority"
        )
    roots = read_roots(Path(settings.tsa_root).read_bytes())
    request("whether the library is there")
    return Authority(settings.tsa, roots)


def stamper(
    settings: Settings, folder: LogFolder, clock: Clock, threads: MakesThreads
) -> Stamper | None:
    """The one of the settings; None where they name no authority.

    Raises StampWrong, StampUnread, OSError.
    """
    authority = authority_of(settings)
    if authority is None:
        return None
    return Stamper(authority, folder, client, clock, threads)

"""The processes in which one engine is asked, and the threads that ask them.

One is enough while its answers are quick. Where it is busy another is begun, so that rules which
come to no end in one game take nothing from the others: of a game, one question is at work at a
time. A process that was late or has ended is followed by another; an engine that did not begin is
tried again after a while.
"""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import NamedTuple

from ..clock import SYSTEM
from ..threads import Empty, MakesThreads, Queue
from . import wall
from .outside import Ended, Failed, NotBegun, Outside
from .room import Room

log = logging.getLogger(__name__)

MOST = 4
"""Processes of one engine. Each takes about 28 MB, 512 at most."""

LOOKING = 2
"""Of them at work for those who look and for games that begin, at most: orders have the others."""

IDLE = 60.0
"""Seconds after which a process that nobody asks is ended."""

WORKED = 300.0
"""Seconds of work after which a process is ended between two questions: it may use the processor
for twice as long (``host.py``), and the game in which that was over would pay for all others."""

AGAIN = 30.0
"""Seconds after which an engine that did not begin is tried again, by whoever asks next."""

FORGOTTEN = 600.0
"""Seconds for which a question without an answer is not asked again: it would cost as much."""

ROOM_SECONDS = 10.0
"""For which a ruleset waits for room among the others: twice as long as any answer takes."""

LOOK_SECONDS = 0.02
"""How often it looks."""

FAILURES = 256
"""Such questions that are remembered."""

Answer = bytes | Failed
Tell = Callable[[Answer], None]
Wanted = Callable[[], bool]

STOPPING = "the service is stopping"

NO_ROOM = "all {} processes of rules are at work (DECKLOG_RULES_PROCESSES): try again in a moment"

NO_MEMORY = b'{"crashed":"MemoryError'
"""How an answer begins where there was none left, for this question or for those before it."""


class _Question:
    """What is asked, for which games ("": for none), and who waits for it.

    game  that it is asked for when its turn comes: the first one that is not held up
    """

    def __init__(self, request: bytes, key: bytes) -> None:
        self.request = request
        self.key = key
        self.game = ""
        self.games: list[str] = []
        self.waiting: list[tuple[Tell, Wanted]] = []


class _Until(NamedTuple):
    """Why there is no answer, and up to when nobody tries."""

    why: Failed
    time: float


class Processes:
    """Any thread may hand a question in.

    archive  the engine; ``shown``: what is laid over it, b"" for nothing
    name     what the rules are called
    seconds  for an answer
    room     that other rulesets have a share in; a ruleset alone has room for ``MOST``
    """

    def __init__(
        self,
        archive: Callable[[], bytes],
        shown: Callable[[], bytes],
        name: str,
        threads: MakesThreads,
        seconds: Callable[[], float],
        room: Room | None = None,
    ) -> None:
        self._archive = archive
        self._shown = shown
        self._name = name
        self._threads = threads
        self._seconds = seconds
        self._lock = threads.lock()
        self._wake: Queue[None] = threads.queue()
        self._open: dict[bytes, _Question] = {}
        self._queued: list[_Question] = []
        self._at_work: Counter[str] = Counter()
        self._threads_begun = 0
        self.resting: list[tuple[Outside, float]] = []
        """Those that wait for a question, and since when; the last one is asked first."""
        self._busy: set[Outside] = set()
        self._failed: OrderedDict[bytes, _Until] = OrderedDict()
        self._unbegun: _Until | None = None
        self._over = False
        self._room = room or Room(MOST, threads)
        self._room.share(self)

    @property
    def alive(self) -> int:
        """Processes that rest or are at work."""
        return len(self.resting) + len(self._busy)

    def give_way(self) -> bool:
        """End one that rests, for another ruleset; whether there was any."""
        with self._lock:
            if not self.resting:
                return False
            process = self.resting.pop(0)[0]
        process.end()
        return True

    def hand_in(self, request: bytes, tell: Tell, wanted: Wanted, game: str = "") -> None:
        """Have it asked, and tell who handed it in. Who asks the same meanwhile gets the same.

        wanted  whether anybody still waits for it, when its turn comes
        game    for which it is asked; "" for none
        """
        key = blake2b(request).digest()
        with self._lock:
            refused = self._refused(key)
            if refused is None:
                question = self._queue(request, key)
                question.games.append(game)
                question.waiting.append((tell, wanted))
                self._wake.put(None)
                return
        tell(refused)

    def ask_again(self) -> None:
        """Ask whatever had no answer, and begin whatever did not begin, as if it were new."""
        with self._lock:
            self._failed.clear()
            self._unbegun = None

    def end(self) -> None:
        """End the processes, and answer nobody any more."""
        with self._lock:
            self._over = True
            left, self._queued = self._queued, []
            resting, self.resting = self.resting, []
            for process in self._busy:
                process.kill()
            for _ in range(self._threads_begun):
                self._wake.put(None)
        for process, _ in resting:
            process.end()
        for question in left:
            self._settle(question, Failed(STOPPING))

    def _refused(self, key: bytes) -> Failed | None:
        """Why a question is not asked at all."""
        now = SYSTEM.monotonic()
        if self._over:
            return Failed(STOPPING)
        if (failed := self._failed.get(key)) is not None:
            if now < failed.time:
                return failed.why
            del self._failed[key]
        unbegun = self._unbegun
        if unbegun is None or now >= unbegun.time or self.resting or self._busy:
            return None
        return unbegun.why

    def _queue(self, request: bytes, key: bytes) -> _Question:
        if key in self._open:
            return self._open[key]
        question = self._open[key] = _Question(request, key)
        self._queued.append(question)
        if self._threads_begun < min(MOST, len(self._open)):
            self._threads_begun += 1
            self._threads.thread(self._run, "decklog-rules").start()
        return question

    def _run(self) -> None:
        while not self._over:
            try:
                self._wake.get(timeout=IDLE)
            except Empty:
                self._end_resting()
                continue
            while (question := self._next()) is not None:
                answer = self._answer(question)
                if answer is None:
                    break  # whoever has a process goes on with it
                with self._lock:
                    self._at_work[question.game] -= 1
                    self._wake.put(None)  # what waited for this game may go on, whoever has it
                self._end_resting()  # also where one of them is asked all the time
                self._settle(question, answer)

    def _may(self, game: str) -> bool:
        """Whether another question for it may be asked now."""
        return self._at_work[game] < (1 if game else LOOKING)

    def _next(self) -> _Question | None:
        """The first one that may be asked now."""
        with self._lock:
            for question in self._queued:
                if (game := next(filter(self._may, question.games), None)) is not None:
                    question.game = game
                    self._queued.remove(question)
                    self._at_work += Counter({question.game: 1})  # and those at nought are gone
                    return question
        return None

    def _settle(self, question: _Question, answer: Answer) -> None:
        with self._lock:
            self._close(question)
        for tell, _ in question.waiting:
            tell(answer)

    def _close(self, question: _Question) -> None:
        """Who asks the same from now on asks anew."""
        if self._open.get(question.key) is question:
            del self._open[question.key]

    def _answer(self, question: _Question) -> Answer | None:
        """None where it has to wait for a process that is busy, and is queued again."""
        with self._lock:
            if not any(wanted() for _, wanted in question.waiting):
                self._close(question)
                return Failed("nobody waits for it any more")
        anew = False
        while True:
            try:
                process = self._taken(question, anew=anew)
            except NotBegun as failed:
                return failed
            if process is None:
                return None
            answer, anew = self._said(question, process)
            if not anew:
                return answer
            log.warning("the rules %s are asked again, in a process of its own", self._name)

    def _said(self, question: _Question, process: Outside) -> tuple[Answer, bool]:
        """Its answer; and whether it counts for nothing, since the process may have come to that by
        what it was asked before, for other games.
        """
        used = process.worked > 0
        try:
            answer = process.ask(question.request)
        except Ended as failed:
            if used and not self._over:
                with self._lock:
                    self._busy.discard(process)
                return failed, True
            return self._unanswered(question, process, failed), False
        except Failed as failed:
            return self._unanswered(question, process, failed), False
        except Exception as error:
            log.exception("the rules %s cannot be asked", self._name)
            process.end()
            told = Failed(f"they cannot be asked: {type(error).__name__}")
            return self._unanswered(None, process, told), False
        exhausted = answer.startswith(NO_MEMORY)
        self._rest(process, over=exhausted or process.worked >= WORKED)
        return answer, exhausted and used

    def _taken(self, question: _Question, *, anew: bool) -> Outside | None:
        """A process that waits for a question. What one did to itself after its last answer, in
        whichever game that was, is no fault of who asks next. Raises NotBegun.

        anew  whether it has to be one that was asked nothing yet
        None where another one does not begin and the question waits for one that is busy.
        """
        while not anew:
            with self._lock:
                if not self.resting:
                    break
                process = self.resting.pop()[0]
                self._busy.add(process)
            if process.waits():
                return process
            log.error("the rules %s ended, or spoke unasked: they begin anew", self._name)
            process.end()
            with self._lock:
                self._busy.discard(process)
        try:
            self._check_that_they_begin()
            self._find_room()
        except NotBegun:
            if self._queued_again(question):
                return None
            raise
        try:
            return self._begun_at_work()
        except NotBegun:
            if self._queued_again(question):
                return None
            raise
        finally:
            self._room.begun()

    def _find_room(self) -> None:
        """Room for another process, which is waited for where this ruleset has none that could be
        asked instead. Raises NotBegun.
        """
        if self._room.take():
            return
        until = SYSTEM.monotonic() + ROOM_SECONDS
        self._room.wait(True)
        try:
            while not (self._over or self.alive) and SYSTEM.monotonic() < until:
                self._threads.event().wait(LOOK_SECONDS)
                if self._room.take():
                    return
        finally:
            self._room.wait(False)
        raise NotBegun(STOPPING if self._over else NO_ROOM.format(self._room.most))

    def _begun_at_work(self) -> Outside:
        """Another process. Raises NotBegun."""
        process = self._begun()
        with self._lock:
            self._unbegun = None
            if not self._over:
                self._busy.add(process)
                return process
        process.end()
        raise NotBegun(STOPPING)

    def _check_that_they_begin(self) -> None:
        """Raises NotBegun where one has just not begun, which may have taken a minute."""
        with self._lock:
            unbegun = self._unbegun
            if self._over:
                raise NotBegun(STOPPING)
        if unbegun is not None and SYSTEM.monotonic() < unbegun.time:
            raise NotBegun(str(unbegun.why))

    def _queued_again(self, question: _Question) -> bool:
        """Whether there is a process at work that it can wait for."""
        with self._lock:
            if self._over or not (self._busy or self.resting):
                return False
            self._queued.insert(0, question)
            self._at_work[question.game] -= 1
            if self.resting:
                self._wake.put(None)
            return True

    def _begun(self) -> Outside:
        """Another process. Raises NotBegun."""
        try:
            return self._started()
        except Exception as error:  # a program that is gone, an archive that is none
            reason = str(error) if isinstance(error, Failed) else type(error).__name__
            log.error("the rules %s do not begin: %s", self._name, reason, exc_info=error)
        failed = NotBegun(f"they do not begin ({reason}); after {AGAIN:.0f} s they are tried again")
        with self._lock:
            self._unbegun = _Until(failed, SYSTEM.monotonic() + AGAIN)
        raise failed

    def _started(self) -> Outside:
        start = wall.walled() or wall.plain()
        archive, shown = self._archive(), self._shown()  # before there is what would be left over
        process = Outside(start, archive, seconds=self._seconds())
        process.lay(shown)
        if not (start.walled or process.fence or process.closed):
            log.warning("nothing but a process is between the rules %s and files", self._name)
        return process

    def _unanswered(self, question: _Question | None, process: Outside, failed: Failed) -> Failed:
        log.error("the rules %s gave no answer: %s", self._name, failed)
        with self._lock:
            self._busy.discard(process)
            if self._over:
                return Failed(STOPPING)
            if question is not None:
                self._failed[question.key] = _Until(failed, SYSTEM.monotonic() + FORGOTTEN)
            if len(self._failed) > FAILURES:
                self._failed.popitem(last=False)
        return failed

    def _rest(self, process: Outside, *, over: bool) -> None:
        """``over``: it is asked nothing any more."""
        with self._lock:
            self._busy.discard(process)
            if not (self._over or over or self._room.wanted):
                self.resting.append((process, SYSTEM.monotonic()))
                return
        process.end()

    def _end_resting(self) -> None:
        """Those that nobody has asked for a while."""
        last = SYSTEM.monotonic() - IDLE
        with self._lock:
            idle = [process for process, since in self.resting if since <= last]
            self.resting = [each for each in self.resting if each[1] > last]
        for process in idle:
            process.end()

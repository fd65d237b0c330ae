"""Rules that are not of this build are asked in a process of their own, over interface 1.

There is no file, no socket and no key there. Whoever works on several games does not wait for them:
the work is put off until there is an answer. What is asked is ``apart.py``.
"""

from __future__ import annotations

import asyncio
import builtins
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

import msgspec

from ..errors import EngineMissing
from ..threads import MakesThreads
from . import said
from .outside import Failed
from .processes import Answer, Processes
from .room import Room

log = logging.getLogger(__name__)

T = TypeVar("T")

SECONDS = 5.0
"""For an answer; usual ones take a thousandth of that. Nobody waits for it but the game itself."""

OURS = "domain."
"""What all rules of this build stand below (``closure.in_tree``)."""

Answers = dict[Any, Any]
"""What was answered so far, by who was asked and what; and what is made once (``once``)."""


class Asked(Protocol):
    """Who can be asked for what is not here yet."""

    def later(self, answers: Answers, request: bytes, wanted: Callable[[], bool],
              told: Callable[[], None], game: str = "") -> None:  # fmt: skip
        """Ask, and say when the answer is among ``answers``; ``game``: for which, if for one."""
        ...


class Postponed(BaseException):
    """The answer is not here yet. No ``except Exception`` on the way has it.

    asked  who is to be asked for it, and ``request`` what
    """

    def __init__(self, asked: Asked, request: bytes) -> None:
        super().__init__("the rules are asked elsewhere")
        self.asked = asked
        self.request = request


_ANSWERS: ContextVar[Answers | None] = ContextVar("answers", default=None)


def once(name: str, make: Callable[[], T]) -> T:
    """What is made once for a piece of work, however often that is put off and begun anew: chance
    would fall otherwise each time, and what is asked with it would never be the same.
    """
    answers = _ANSWERS.get()
    if answers is None:
        return make()
    if name not in answers:
        answers[name] = make()
    found: T = answers[name]
    return found


class Unanswered(EngineMissing):
    """Who waited for rules has no answer; ``failed`` says why."""

    def __init__(self, name: str, failed: Failed) -> None:
        super().__init__(f"The rules of this game ({name}) fail: {failed}.")
        self.failed = failed


class _Elsewhere:
    """Work that waits for rules again and again, on a thread of its own."""

    def __init__(self, work: Callable[[], Any], threads: MakesThreads) -> None:
        self._work = work
        self._threads = threads

    def later(self, answers: Answers, request: bytes, wanted: Callable[[], bool],
              told: Callable[[], None], game: str = "") -> None:  # fmt: skip
        """As :meth:`Outsider.later`; what it raises is an answer as well."""

        def run() -> None:
            try:
                answers[request] = (self._work(), None)
            except Exception as error:
                answers[request] = (None, error)
            told()

        self._threads.thread(run, "decklog-rules-load").start()


def elsewhere(name: str, work: Callable[[], T], threads: MakesThreads) -> T:
    """What it gives; where rules would have to be waited for, which may be many times, it is begun
    anew on a thread that waits, and the whole is put off until that has done it.
    """
    answers, request = _ANSWERS.get(), name.encode()
    if answers is None:
        return work()
    if request not in answers:
        try:
            return work()
        except Postponed:
            raise Postponed(_Elsewhere(work, threads), request) from None
    found, error = answers.pop(request)
    if isinstance(error, Unanswered):
        raise again(error.failed)  # the game of an order is frozen, as where nobody else waited
    if error is not None:
        raise error
    given: T = found
    return given


def at_once(work: Callable[[], T]) -> T | None:
    """What it gives where no rules have to be waited for; else None."""
    try:
        with putting_off({}):
            return work()
    except Postponed:
        return None


MOST_ASKED = 256
"""Questions for one piece of work, which is begun anew after each."""

MOST_BYTES = 64 << 20
"""Of their answers."""


def _check_that_it_ends(answers: Answers) -> None:
    """Raises Failed. Each answer may be quick, and lead to another question for ever."""
    sizes = [len(each) for each in answers.values() if isinstance(each, bytes)]
    if len(sizes) >= MOST_ASKED or sum(sizes) > MOST_BYTES:
        raise Failed(f"they come to no end: {len(sizes)} answers for one order")


def _check_that_one_may_wait() -> None:
    """Raises RuntimeError on an event loop, where everybody would wait."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("rules in a process of their own were asked on the event loop")


@contextmanager
def putting_off(answers: Answers) -> Iterator[None]:
    """Within it nobody waits for rules: what has not been answered yet raises :class:`Postponed`"""
    before = _ANSWERS.set(answers)
    try:
        yield
    finally:
        _ANSWERS.reset(before)


class Outsider:
    """An engine in processes of its own (``processes.py``). Any thread may ask."""

    def __init__(
        self,
        archive: Callable[[], bytes],
        name: str,
        threads: MakesThreads,
        shown: Callable[[], bytes] = bytes,
        room: Room | None = None,
    ) -> None:
        """``archive``: the engine; ``shown``: what is laid over it, b"" for nothing; ``room``: that
        rulesets share for their processes."""
        self._name = name
        self._threads = threads
        self.processes = Processes(archive, shown, name, threads, lambda: SECONDS, room)

    @property
    def name(self) -> str:
        """What the rules are called."""
        return self._name

    def ask(self, request: bytes) -> bytes:
        """The answer. Raises Postponed within :func:`putting_off`, where it is not there yet, and
        Failed where there is none; to anybody else EngineMissing.
        """
        answers = _ANSWERS.get()
        if answers is None:
            return self._waited(request)
        answer = answers.get((id(self), request))
        if answer is None:
            _check_that_it_ends(answers)
            raise Postponed(self, request)
        if isinstance(answer, Failed):
            raise again(answer)
        return bytes(answer)

    def later(self, answers: Answers, request: bytes, wanted: Callable[[], bool],
              told: Callable[[], None], game: str = "") -> None:  # fmt: skip
        """Ask, and say when the answer is among ``answers``.

        wanted  whether anybody still waits for it, when its turn comes
        game    for which it is asked; "" for none
        """

        def tell(answer: Answer) -> None:
            answers[id(self), request] = answer
            told()

        self.processes.hand_in(request, tell, wanted, game)

    def end(self) -> None:
        """End the processes, and answer nobody any more."""
        self.processes.end()

    def _waited(self, request: bytes) -> bytes:
        _check_that_one_may_wait()
        done, found = self._threads.event(), list[Answer]()

        def tell(answer: Answer) -> None:
            found.append(answer)
            done.set()

        self.processes.hand_in(request, tell, lambda: True)
        done.wait()
        if isinstance(found[0], Failed):
            raise Unanswered(self._name, found[0])
        return found[0]


def again(failed: Failed) -> Failed:
    """The same, to be raised where it may have been raised before."""
    return type(failed)(str(failed))


class Broken(EngineMissing):
    """The rules stumbled. What over stands in the log alone: it may name what somebody hides."""


_WITHOUT = said.decoder(said.Without)


def why_not(text: bytes, name: str) -> Exception:
    """What stands in place of an answer of the rules of that name."""
    try:
        without = _WITHOUT.decode(text)
    except (msgspec.DecodeError, RecursionError):
        without = said.Without(malformed="no answer that can be read")
    if without.refused is not None:
        return without.refused.read()
    told = without.crashed or without.malformed or "no answer at all"
    return _stumbled(told, _kind(told) if without.crashed else NOT_AS_ASKED, name)


def unread(error: Exception, name: str) -> Broken:
    """An answer of those rules has not the form that was asked for: so it came to that."""
    return _stumbled(f"{type(error).__name__}: {error}", NOT_AS_ASKED, name)


NOT_AS_ASKED = "they do not answer as they should"
TOLD = 500
"""Characters of what rules say of themselves, at most."""


def _stumbled(told: str, kind: str, name: str) -> Broken:
    log.error("the rules %s stumbled: %s", name, told[:TOLD])
    return Broken(f"The rules of this game ({name}) fail: {kind}.")


def _kind(told: str) -> str:
    """The kind of a fault, where Python has it. One that the rules name themselves is told to
    nobody: its name may be what somebody hides.
    """
    kind = told.partition(":")[0]
    known = getattr(builtins, kind, None)
    return kind if isinstance(known, type) and issubclass(known, Exception) else OF_THEIR_OWN


OF_THEIR_OWN = "an exception of their own"

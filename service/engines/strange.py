"""Rules that are not of this build decide in a process of their own, asked over interface 1.

What an operator installs is imported here, since it shows its games and folds their events; but
what it decides, it decides elsewhere, where there is no file, no socket and no secret of a game.
Whoever works on several games does not wait for it: the work is put off until there is an answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeVar, Union

import msgspec

from domain.kernel.chance import Faces
from domain.kernel.codec import Codec, canonical
from domain.kernel.game import Game
from domain.kernel.options import Pending
from domain.kernel.rules import Refused

from ..errors import EngineMissing
from ..threads import Empty, MakesThreads, Queue
from . import said, wall
from .outside import Failed, Outside

log = logging.getLogger(__name__)

AnyGame = Game[Any, Any, Any]
T = TypeVar("T")

SECONDS = 5.0
"""For an answer; usual ones take a thousandth of that. Nobody waits for it but games of the same
engine."""

IDLE = 60.0
"""After which a process that nobody asks is ended."""

OURS = "domain."
"""What all rules of this build stand below (``closure.in_tree``)."""

Answer = bytes | Failed
Answers = dict[tuple[int, bytes], Answer]
"""What was answered so far, by who was asked and what."""

Tell = Callable[[Answer], None]


class Postponed(BaseException):
    """The answer is not here yet. No ``except Exception`` on the way has it.

    asked  who is to be asked for it, and ``request`` what
    """

    def __init__(self, asked: Outsider, request: bytes) -> None:
        super().__init__("the rules are asked elsewhere")
        self.asked = asked
        self.request = request


_ANSWERS: ContextVar[Answers | None] = ContextVar("answers", default=None)


@contextmanager
def putting_off(answers: Answers) -> Iterator[None]:
    """Within it nobody waits for rules: what has not been answered yet raises :class:`Postponed`"""
    before = _ANSWERS.set(answers)
    try:
        yield
    finally:
        _ANSWERS.reset(before)


class Outsider:
    """An engine in a process of its own, and the thread that asks it. Both begin when they are
    needed; a process that was late or has ended is followed by another. Any thread may ask.
    """

    def __init__(self, archive: Callable[[], bytes], name: str, threads: MakesThreads) -> None:
        self._archive = archive
        self._name = name
        self._threads = threads
        self._lock = threads.lock()
        self._queue: Queue[tuple[bytes, Tell, Callable[[], bool]] | None] = threads.queue()
        self._begun = self._over = False
        self._process: Outside | None = None

    def ask(self, request: bytes) -> bytes:
        """The answer. Raises Postponed within :func:`putting_off`, where it is not there yet, and
        Failed where there is none; to anybody else EngineMissing.
        """
        answers = _ANSWERS.get()
        if answers is None:
            return self._waited(request)
        answer = answers.get((id(self), request))
        if answer is None:
            raise Postponed(self, request)
        if isinstance(answer, Failed):
            raise Failed(str(answer))
        return answer

    def later(self, answers: Answers, request: bytes, wanted: Callable[[], bool],
              told: Callable[[], None]) -> None:  # fmt: skip
        """Ask, and say when the answer is among ``answers``.

        wanted  whether anybody still waits for it, when its turn comes
        """

        def tell(answer: Answer) -> None:
            answers[id(self), request] = answer
            told()

        self._hand_in(request, tell, wanted)

    def end(self) -> None:
        """End the process, and answer nobody any more."""
        with self._lock:
            self._over = True
            if self._begun:
                self._queue.put(None)

    def _waited(self, request: bytes) -> bytes:
        done, found = self._threads.event(), list[Answer]()

        def tell(answer: Answer) -> None:
            found.append(answer)
            done.set()

        self._hand_in(request, tell, lambda: True)
        done.wait()
        if isinstance(found[0], Failed):
            raise EngineMissing(f"The rules of this game ({self._name}) fail: {found[0]}.")
        return found[0]

    def _hand_in(self, request: bytes, tell: Tell, wanted: Callable[[], bool]) -> None:
        with self._lock:
            if not self._over:
                self._queue.put((request, tell, wanted))
                if not self._begun:
                    self._begun = True
                    self._threads.thread(self._run, "decklog-rules").start()
                return
        tell(Failed("the service is stopping"))

    def _run(self) -> None:
        while True:
            try:
                asked = self._queue.get(timeout=IDLE)
            except Empty:
                self._stop()
                continue
            if asked is None:
                return self._leave()
            request, tell, wanted = asked
            tell(self._answer(request) if wanted() else Failed("nobody waits for it any more"))

    def _leave(self) -> None:
        """Nothing is handed in any more; who still waits hears of it."""
        self._stop()
        try:
            while (asked := self._queue.get_nowait()) is not None:
                asked[1](Failed("the service is stopping"))
        except Empty:
            pass

    def _answer(self, request: bytes) -> Answer:
        try:
            if self._process is None:
                self._process = self._started()
            return self._process.ask(request)
        except Failed as failed:
            log.error("the rules %s gave no answer: %s", self._name, failed)
            self._process = None
            return failed
        except Exception as error:
            log.exception("the rules %s cannot be asked", self._name)
            self._stop()
            return Failed(f"they cannot be asked: {type(error).__name__}")

    def _started(self) -> Outside:
        start = wall.walled() or wall.plain()
        process = Outside(start, self._archive(), seconds=SECONDS)
        if not (start.walled or process.fence or process.closed):
            log.warning("nothing but a process is between the rules %s and files", self._name)
        return process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


class _Decided(said.Said, frozen=True):
    events: tuple[tuple[str, int, msgspec.Raw], ...]


_DECIDED = said.decoder(_Decided)
_USUAL = said.decoder(said.CommandSaid)
_WITHOUT = said.decoder(said.Without)
_ENCODE = msgspec.json.Encoder(order="sorted").encode


class Broken(Exception):
    """The rules stumbled over an order."""


def decided_outside(game: AnyGame, outsider: Outsider) -> AnyGame:
    """The game, with ``decide`` and ``usual`` asked of that process."""
    codec = Codec(game)
    commands = msgspec.json.Decoder(Union[game.commands])  # noqa: UP007

    def asked(decoder: msgspec.json.Decoder[T], call: str, state: Any, **brought: Any) -> T:
        plain = {"call": call, "state": msgspec.Raw(canonical(state)), **brought}
        text = outsider.ask(_ENCODE(plain))
        try:
            return decoder.decode(text)
        except msgspec.DecodeError:
            raise _why(text) from None

    def decide(state: Any, seat: str, command: Any) -> tuple[Any, ...]:
        if isinstance(command, Faces):
            given: dict[str, Any] = {"label": command.label, "faces": command.faces}
        else:
            given = {"command": msgspec.Raw(canonical(command))}
        answer = asked(_DECIDED, "decide", state, seat=seat, **given)
        return tuple(codec.decode(*each) for each in answer.events)

    def usual(state: Any, question: Pending) -> Any:
        raw = msgspec.Raw(canonical(question))
        return commands.decode(asked(_USUAL, "usual", state, question=raw).command)

    return replace(game, decide=decide, usual=usual)


def _why(text: bytes) -> Exception:
    """What stands in place of an answer."""
    try:
        without = _WITHOUT.decode(text)
    except msgspec.DecodeError:
        return Broken("no answer that can be read")
    if without.refused is not None:
        refused = without.refused
        return Refused(refused.code, refused.rule, refused.hint, refused.pointer)
    return Broken(without.crashed or without.malformed or "no answer at all")

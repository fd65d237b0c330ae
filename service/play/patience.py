"""A step of a game that takes over a second is ended, and its game is frozen: the others go on.

One thread decides in all games. The watch looks at it from the event loop: where rules are at work
for too long, it lets an exception come up in them (CPython does so between two of its own steps),
so that the next game has its turn. What is in the middle of one long call into C cannot be ended
so: it is named in the log all the same.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import time
from collections.abc import Callable
from typing import NoReturn, TypeVar

from ..dice.nwd1 import DiceError
from ..engines.outside import Failed, NotBegun
from ..errors import EngineMissing, ServiceError, WrongDice
from ..threads import effort, this_thread

log = logging.getLogger(__name__)

STEP_SECONDS = 1.0
"""Of the processor's time that the rules of a game may take for a step: usual ones take a
thousandth of that. It is the thread's own: nobody is frozen because the machine is busy."""

LOOK_SECONDS = 0.1
"""How often the watch looks."""

LOOKS = 100
"""At which a step may be found at work, whatever it takes of the processor: rules wait for nothing.
They are counted, and no clock is asked: on a busy machine the watch comes as late as the rules."""

T = TypeVar("T")


class Frozen(ServiceError):
    """The rules of the game do not come to an end: it is played no more until somebody looks."""

    CODE = "game.damaged"


class Interrupted(BaseException):
    """Comes up in rules that are at work for too long. No ``except Exception`` of theirs has it."""


class Step:
    """Rules at work on a game, in a thread.

    used     of the processor by the thread when the watch first looked; None: it has not yet
    looks    that the watch has taken at it
    ended    the watch wants it to end; ``settled``: whether an exception is on its way, as soon as
             that is known; it is not any more when it has come
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self.thread = this_thread()
        self.used: float | None = None
        self.looks = 0
        self.ended = False
        self.settled: bool | None = None


class Patience:
    """With the rules of one engine. ``frozen``: the games that are played no more."""

    def __init__(self) -> None:
        self.frozen: set[str] = set()
        self._wrong: dict[str, str] = {}
        """Of the frozen ones those that asked for wrong dice: what was wrong, as NWD-1 calls it."""
        self._now: Step | None = None

    def check(self, game: str) -> None:
        """Raises :class:`Frozen`."""
        if game in self._wrong:
            raise Frozen(_wrong(self._wrong[game]), code=WrongDice.CODE)
        if game in self.frozen:
            raise Frozen("The rules of the game did not come to an end: it is frozen.")

    def thaw(self, game: str) -> None:
        """Try its rules again: an operator wants it."""
        self.frozen.discard(game)
        self._wrong.pop(game, None)

    def during(self, game: str, work: Callable[[], T]) -> T:
        """What the rules say. Raises :class:`Frozen` where they take too long, or did before."""
        self.check(game)
        step = Step(game)
        try:
            try:
                self._now = step
                return work()
            except Interrupted:
                step.settled = False
                raise
            finally:
                self._now = None
                _arrived(step)
        except Interrupted:
            self._now = None
            self.frozen.add(game)
            self.check(game)
            raise
        except Failed as failed:  # of rules in a process of their own
            self.give_up(game, failed)
        except DiceError as error:
            self.refuse(game, error)

    def refuse(self, game: str, error: DiceError) -> NoReturn:
        """The game's rules asked for dice that no record can have; "" for a game that has not
        begun. Raises Frozen, else WrongDice.
        """
        if not game:
            log.error("no game begins: its rules asked for dice that there are not: %s", error)
            raise WrongDice(_wrong(error.code)) from None
        log.error("game %s is frozen: its rules asked for dice that there are not: %s", game, error)
        self.frozen.add(game)
        self._wrong[game] = error.code
        self.check(game)
        raise error

    def give_up(self, game: str, failed: Failed) -> NoReturn:
        """The game's rules gave no answer; "" for a game that has not begun. Raises Frozen, else
        EngineMissing: so also where they could not be asked, which is no fault of the game.
        """
        if not game or isinstance(failed, NotBegun):
            raise EngineMissing(f"The rules of the game fail: {failed}.") from None
        log.error("game %s is frozen: its rules gave no answer: %s", game, failed)
        self.frozen.add(game)
        raise Frozen(f"The rules of the game gave no answer ({failed}): it is frozen.") from None

    async def watch(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Name and end the step that takes too long, if there is one."""
        step = self._now
        if step is None or step.ended or not _too_long(step):
            return
        log.error("the rules of game %s come to no end: it is frozen", step.game)
        self.frozen.add(step.game)
        step.ended = True
        if self._now is step:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(step.thread), ctypes.py_object(Interrupted)
            )
            step.settled = True
        else:
            step.settled = False


def _wrong(code: str) -> str:
    """What players hear. For which dice stands in the log alone: a label may name what is hidden"""
    return f"The rules of the game asked for dice that no record can have ({code})."


def _too_long(step: Step) -> bool:
    now = effort(step.thread)
    if step.used is None:
        step.used = now
    step.looks += 1
    return now - step.used >= STEP_SECONDS or step.looks >= LOOKS


PAST = 200
"""Turns of a thousandth of a second in which an exception that is on its way arrives."""


def _arrived(step: Step) -> None:
    """Where the watch has just ended the step, its exception comes up here and nowhere later."""
    if not step.ended:
        return
    for _ in range(PAST):
        if step.settled is False:
            return
        time.sleep(0.001)

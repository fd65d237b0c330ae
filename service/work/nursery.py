"""Where workers come from: a process that is forked off before there is any thread, and forks.

So a worker is there in a moment, with every ruleset that the service has, however it was given
them; and whoever ends it by force is its own parent, which no other process's id can confuse.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from domain.kernel.game import Game

from . import worker

AnyGame = Game[Any, Any, Any]

_FORK = b"+"
_END = b"-"

ENOUGH = 64
"""Bytes of a message between a nursery and who asks it."""


class Child:
    """A worker: a line to it, and its number."""

    def __init__(self, line: Connection, pid: int) -> None:
        self.line = line
        self.pid = pid


class Nursery:
    """Made before the first thread (:meth:`forked`); from then on any thread may ask, one a time.

    It ends when this process ends or calls ``close``, and so do the workers.
    """

    def __init__(self, control: socket.socket, pid: int) -> None:
        self._control = control
        self._ended = False
        self.pid = pid

    @property
    def alive(self) -> bool:
        """Whether it can still make workers. It cannot be made again: this process has threads."""
        if not self._ended:
            try:
                self._ended = os.waitpid(self.pid, os.WNOHANG)[0] == self.pid
            except ChildProcessError:  # who asked at the same moment has heard of its end
                self._ended = True
        return not self._ended

    @classmethod
    def forked(cls, games: Mapping[str, AnyGame]) -> Nursery | None:
        """A nursery whose workers know these rulesets; None where the system cannot fork."""
        if not hasattr(os, "fork") or not hasattr(socket, "send_fds"):
            return None
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if not pid:
            ours.close()
            _rule(theirs, games)
        theirs.close()
        return cls(ours, pid)

    def child(self) -> Child:
        """A new worker. Raises OSError when the nursery is gone."""
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self._control, [_FORK], [theirs.fileno()])
            told = self._control.recv(ENOUGH)
        finally:
            theirs.close()
        if not told:
            ours.close()
            raise OSError("the nursery of the workers is gone")
        return Child(Connection(ours.detach()), int(told))

    def end(self, pid: int) -> None:
        """End a worker by force, whatever it is at. Harmless when it has ended."""
        with suppress(OSError):
            self._control.send(_END + str(pid).encode())
            self._control.recv(ENOUGH)

    def close(self) -> None:
        """End the nursery and all of its workers."""
        self._control.close()
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def _rule(control: socket.socket, games: Mapping[str, AnyGame]) -> NoReturn:
    """The nursery's own life, from the fork on."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is meant for the service
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        gc.freeze()
        _serve(control, games)
        code = 0
    finally:
        os._exit(code)


def _serve(control: socket.socket, games: Mapping[str, AnyGame]) -> None:
    alive: set[int] = set()
    while True:
        message, lines, _, _ = socket.recv_fds(control, ENOUGH, 1)
        if message.startswith(_FORK):
            pid = os.fork()
            if not pid:
                control.close()
                worker.live(Connection(lines[0]), games)
            os.close(lines[0])
            alive.add(pid)
            control.send(str(pid).encode())
        elif message.startswith(_END):
            pid = int(message[len(_END) :])
            if pid in alive:
                alive.remove(pid)
                _ended(pid)
            control.send(_END)
        else:
            for pid in alive:
                _ended(pid)
            return


def _ended(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)

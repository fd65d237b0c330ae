"""Servers of the tests that are forked off one process in which everything is read already.

    with nest() as hatched:
        start(folder, "installed", nest=hatched)

To read the modules takes a server some two seconds of processor; forked, it is up in a tenth. It is
a process of its own all the same: it has its own memory and files, and is killed as any other.
Nothing runs in the nest but its own loop, so there is no thread and no lock to be forked with. The
server ends when the nest does, and the nest with whoever made it.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
ENOUGH = 1 << 16
"""Bytes that are read at once."""

LOOK_SECONDS = 0.01


class Hatched:
    """A server's process, as far as ``subprocess.Popen`` is asked for by those who start one."""

    def __init__(self, nest: Nest, pid: int, printed: int) -> None:
        self._nest = nest
        self.pid = pid
        self.returncode: int | None = None
        self.stdout: IO[str] = os.fdopen(printed, "r", encoding="utf-8")

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._nest.ended(self.pid)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired(f"server {self.pid}", timeout or 0.0)
            time.sleep(LOOK_SECONDS)
        return code

    def send_signal(self, number: int) -> None:
        """To nobody else: its number is taken until it has been waited for."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nest:
    """The process that forks; any thread may ask it, one at a time."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        self._lock = threading.Lock()
        program = [sys.executable, "-m", "tests.support.nest", str(theirs.fileno())]
        self._process = subprocess.Popen(program, cwd=ROOT, pass_fds=[theirs.fileno()])
        theirs.close()

    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> Hatched:
        """``python -m tests.support.server`` with these arguments."""
        reading, writing = os.pipe()
        message = _written([list(arguments), dict(environment)])
        try:
            pid = self._ask(message, [writing])
        finally:
            os.close(writing)
        return Hatched(self, int(pid), reading)

    def ended(self, pid: int) -> int | None:
        """With which code a server has ended, as ``Popen`` tells it; None: it has not."""
        code: int | None = self._ask(_written(pid), [])
        return code

    def _ask(self, message: bytes, files: list[int]) -> Any:
        with self._lock:
            sent = socket.send_fds(self._line, [message], files)
            self._line.sendall(message[sent:])
            told, _ = _line_of(self._line)
        if not told:
            raise OSError("the nest is gone")
        return json.loads(told)

    def close(self) -> None:
        """End it, and the servers that still run with it."""
        self._line.close()
        self._process.wait()


def _written(message: Any) -> bytes:
    """As it goes through a line: JSON has no line break in it."""
    return json.dumps(message).encode() + b"\n"


def _line_of(control: socket.socket) -> tuple[bytes, list[int]]:
    """The next message, and the file that came with it; b"" when nobody sends any more."""
    message, files, _, _ = socket.recv_fds(control, ENOUGH, 1)
    while message and not message.endswith(b"\n"):
        more = control.recv(ENOUGH)
        message = message + more if more else b""
    return message, files


@contextmanager
def nest() -> Iterator[Nest]:
    made = Nest()
    try:
        yield made
    finally:
        made.close()


# --- in the nest ---------------------------------------------------------------------------------


def read_everything() -> None:
    """All that a server would read while it starts."""
    import psycopg  # noqa: F401
    import redis.asyncio  # noqa: F401

    import service.serve
    import service.store.postgres  # noqa: F401
    from domain.kernel.finder import games
    from tests.support import harm, orphans, pennant, server, soundings, stuck  # noqa: F401

    games()


def main(control: socket.socket) -> int:
    """Fork a server for each that is asked for, and tell how those ended; until nobody asks."""
    import gc

    from service.collector import look_rarely

    look_rarely()
    read_everything()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    alive: set[int] = set()
    while True:
        message, files = _line_of(control)
        if not message:
            break
        asked = json.loads(message)
        told = _hatch(control, alive, files[0], asked) if files else _ended(alive, asked)
        control.sendall(_written(told))
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return 0


def _hatch(control: socket.socket, alive: set[int], printed: int, asked: Any) -> int:
    pid = os.fork()
    if not pid:
        control.close()
        _live(printed, *asked)
    os.close(printed)
    alive.add(pid)
    return pid


def _ended(alive: set[int], pid: int) -> int | None:
    done, status = os.waitpid(pid, os.WNOHANG)
    if not done:
        return None
    alive.remove(pid)
    return os.waitstatus_to_exitcode(status)


def _live(printed: int, arguments: list[str], environment: dict[str, str]) -> NoReturn:
    """A server's own life, from the fork on."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number in (1, 2):
            os.dup2(printed, number)
        os.close(printed)
        faulthandler.enable()
        os.environ.clear()
        os.environ.update(environment)
        sys.argv[1:] = arguments
        from tests.support import server

        code = server.main()
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    sys.exit(main(socket.socket(fileno=int(sys.argv[1]))))

"""An engine in a process of its own: asked with a limit of time and of answer, ended whole."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import select
import signal
import struct
import subprocess
from base64 import b64encode
from types import TracebackType

import msgspec

from ..clock import SYSTEM
from ..entropy import SYSTEM as ENTROPY
from .host import HEAD
from .wall import Start

log = logging.getLogger(__name__)

MOST = 8 << 20
"""Bytes of an answer, at most."""

SECONDS = 10.0
"""For an answer."""

START = 60.0
"""For the first one: Python starts, the engine is loaded and plays its sample."""


class Failed(Exception):
    """The engine gave no answer: late, dead, too much, another's. Its process has been ended."""


class Ended(Failed):
    """Its process has ended: by what it did, by what it did before, or by somebody else."""


class NotBegun(Failed):
    """There is no process that could be asked: no fault of the question."""


class Ready(msgspec.Struct, frozen=True):
    """What a process says when it has begun; ``failed``: why it has not."""

    fence: int = 0
    closed: bool = False
    failed: str | None = None


READY = msgspec.json.Decoder(Ready)
TOLD = 500
"""Characters of what a process says of itself, at most."""


class Outside:
    """A process that answers for one engine; a context, at whose end the process is ended.

    start    how it begins
    archive  the engine
    seconds  for each answer, SECONDS unless it is given
    fence    the version of the fence inside it (``fence.py``); 0: there is none
    closed   whether calls that no engine needs are closed to it (``calls.py``)
    """

    def __init__(self, start: Start, archive: bytes, *, seconds: float = 0) -> None:
        self._seconds = seconds or SECONDS
        self.worked = 0.0
        """Seconds in which it was asked: it has not used the processor for longer."""
        self._process = subprocess.Popen(
            start.line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={}, bufsize=0, start_new_session=True, cwd="/",
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        ready = self._ready(self._asked(archive, START))
        self.fence, self.closed = ready.fence, ready.closed

    def __enter__(self) -> Outside:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.end()

    def ask(self, request: bytes) -> bytes:
        """The answer. Raises Failed, once and for all."""
        began = SYSTEM.monotonic()
        try:
            return self._asked(request, self._seconds)
        finally:
            self.worked += SYSTEM.monotonic() - began

    def waits(self) -> bool:
        """Whether it is there and has said nothing that nobody asked for: that would be taken for
        the answer to what is asked next.
        """
        return not _can(self._from, select.POLLIN, SYSTEM.monotonic())

    def lay(self, shown: bytes) -> None:
        """Lay what shows the game over the engine; b"" for nothing. Raises Failed."""
        if not shown:
            return
        request = {"call": "lay", "document": b64encode(shown).decode()}
        answer = self._asked(json.dumps(request).encode(), START)
        if b'"laid"' not in answer:
            log.warning(
                "what shows an engine is not used: %s", answer[:500].decode(errors="replace")
            )

    def kill(self) -> None:
        """End the process, from any thread: whoever asks it hears that it has ended."""
        if self._process.returncode is not None:
            return  # its number may be another's by now
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """End the process and all that it began."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _ready(self, text: bytes) -> Ready:
        """What it says when it has begun. Raises Failed where it has not."""
        try:
            ready = READY.decode(text)
        except (msgspec.DecodeError, RecursionError):
            ready = Ready(failed="it began with nonsense")
        if ready.failed is None:
            return ready
        self.end()
        raise Failed(ready.failed[:TOLD])

    def _asked(self, text: bytes, seconds: float) -> bytes:
        if self._process.returncode is not None:
            raise Failed("it has been ended")
        number = _new_number()
        until = SYSTEM.monotonic() + seconds
        try:
            self._send(struct.pack(">IQ", len(text), number) + text, until)
            size, echoed = struct.unpack(">IQ", self._taken(HEAD, until))
            if echoed != number:
                raise Failed("it gave the answer to another request")
            if size > MOST:
                raise Failed(f"its answer has {size} bytes; {MOST} are the most")
            return self._taken(size, until)
        except OSError as error:
            self.end()
            raise Ended(f"its process has ended: {error.strerror}") from None
        except Failed:
            self.end()
            raise

    def _send(self, data: bytes, until: float) -> None:
        rest = memoryview(data)
        while rest:
            if not _can(self._to, select.POLLOUT, until):
                raise Failed("it was late: it did not even read the question")
            rest = rest[os.write(self._to, rest[: 1 << 16]) :]

    def _taken(self, count: int, until: float) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            if not _can(self._from, select.POLLIN, until):
                raise Failed("it was late with its answer")
            part = os.read(self._from, min(count - len(parts), 1 << 16))
            if not part:
                raise Ended("its process has ended")
            parts += part
        return bytes(parts)


def _can(fd: int, what: int, until: float) -> bool:
    """Whether it comes to that in time. ``select`` would know no descriptor above 1,023, and a
    service has thousands.
    """
    waiting = select.poll()
    waiting.register(fd, what)
    return bool(waiting.poll(max(0.0, until - SYSTEM.monotonic()) * 1000))


def _new_number() -> int:
    """Of a question; never 0, which is none. Nobody can tell it from the ones before: what was said
    ahead of a question, as the answer to it, is not taken for that.
    """
    return int.from_bytes(ENTROPY.draw(8), "big") or 1

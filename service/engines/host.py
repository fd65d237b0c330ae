"""The process of one engine: frames in, frames out, nothing else.

A frame is a length in four bytes, the number of the request in eight, and its text. The first one
brings the archive; it is answered once the engine is loaded and has reproduced its sample. Every
answer carries the number of its request: of a child that the engine forked, none is taken for it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import struct
import sys

HEAD = 12
MEMORY = 512 << 20
FILES = 32
PDEATHSIG = 1
LIBRARIES = ("/usr", "/lib", "/lib64")
SECONDS = 600
"""Of the processor, for all that one process is ever asked."""


def main() -> None:
    """Serve on standard input and output until nobody asks any more."""
    _end_with_parent()
    _limit()
    read, write = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)  # what an engine prints is no answer
    from .calls import close_calls
    from .fence import raise_fence
    from .load import Unloadable, load
    from .wire import Wire
    from .wire_shown import CALLS

    fenced, closed = raise_fence(_needed()), close_calls()
    number, archive = _frame(read)
    try:
        loaded = load(archive)
        tried = loaded.try_sample()
        wire = Wire(loaded, CALLS)
    except (Unloadable, AttributeError) as error:
        _send(write, number, json.dumps({"failed": str(error)}).encode())
        return
    ready = {"ready": loaded.digest, "sample": tried, "fence": fenced, "closed": closed}
    _send(write, number, json.dumps(ready).encode())
    while True:
        number, text = _frame(read)
        if not number:
            return
        _send(write, number, wire.answer(text))


def _needed() -> list[str]:
    """Where Python reads modules: its own, those of msgspec, and what answers."""
    return [*sys.path, *sys.argv[1:2], sys.prefix, sys.base_prefix, *LIBRARIES]


def _limit() -> None:
    import resource  # there is none under Windows, where others of this module's names are read

    for kind, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, SECONDS),
    ):
        resource.setrlimit(kind, (most, most))


def _end_with_parent() -> None:
    """Whoever asked is killed, and whatever answered it is ended: it may be at no end (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PDEATHSIG, signal.SIGKILL)
        asked = select.poll()
        asked.register(0, 0)
        if asked.poll(0):  # it hung up: that was before this could be wished for
            os._exit(1)


def _frame(fd: int) -> tuple[int, bytes]:
    """Number and text of the next request; the number 0 where there is none any more."""
    head = _taken(fd, HEAD)
    if len(head) < HEAD:
        return 0, b""
    size, number = struct.unpack(">IQ", head)
    return number, _taken(fd, size)


def _taken(fd: int, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = os.read(fd, min(count - len(parts), 1 << 16))
        if not part:
            break
        parts += part
    return bytes(parts)


def _send(fd: int, number: int, text: bytes) -> None:
    rest = memoryview(struct.pack(">IQ", len(text), number) + text)
    while rest:
        rest = rest[os.write(fd, rest) :]

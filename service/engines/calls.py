"""A third fence inside the process of an engine: seccomp, where kernel and processor have it.

What no engine needs is refused as not permitted: other processes, programs, sockets, tracing,
keys and modules of the kernel. It stands beside Landlock (``fence.py``), which knows files and TCP
only: sockets of any kind, forks and doors into the kernel are closed here. No privileges needed.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2
"""Of prctl: what has to be so first, what is asked for, and its kind."""

ALLOW, NOT_PERMITTED, NO_SUCH_CALL = 0x7FFF0000, 0x00050001, 0x00050026
"""What becomes of a call: it is made, or fails with EPERM or ENOSYS."""

LOAD, EQUAL, AT_LEAST, ANSWER = 0x20, 0x15, 0x35, 0x06
"""Instructions of the filter: a word of the call, comparisons, and the end."""

NUMBER, PROCESSOR = 0, 4
"""Where in a call its number and its processor stand."""

FOREIGN = 0x40000000
"""From here on numbers are those of another interface of the same processor (x32)."""

CLONE3 = 435
"""Of every processor. The C library asks for ``clone`` where it hears that there is none."""

ALIKE = (424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 442, 448, 457, 463)
"""Numbers that all processors share: signals by descriptor, io_uring, mounts, descriptors of other
processes, and changes of other files' attributes."""

CLOSED: dict[str, tuple[int, tuple[int, ...]]] = {
    "x86_64": (0xC000003E, (
        41, 42, 43, 49, 50, 53,  # socket, connect, accept, bind, listen, socketpair
        56, 57, 58, 59, 322,  # clone, fork, vfork, execve, execveat
        62, 200, 234, 129, 297,  # kill and its kin
        101, 310, 311, 312,  # ptrace, memory of other processes
        155, 161, 165, 166, 167, 168, 272, 308,  # roots, mounts, swap, namespaces
        169, 170, 171, 172, 173, 175, 176, 246, 313, 320,  # the machine, its modules, kexec
        248, 249, 250, 298, 303, 304, 321, 323,  # keys, counters, handles, bpf, userfaultfd
    )),
    "aarch64": (0xC00000B7, (
        198, 199, 200, 201, 202, 203, 242,
        220, 221, 281,
        129, 130, 131, 138, 240,
        117, 270, 271, 272,
        39, 40, 41, 51, 97, 224, 225, 268,
        104, 105, 106, 142, 161, 162, 273, 294,
        217, 218, 219, 241, 264, 265, 280, 282,
    )),
}  # fmt: skip
"""By processor: how the kernel names it, and the calls that are refused."""


def close_calls() -> bool:
    """Let this process make none of these calls, for ever; whether that could be had."""
    machine = os.uname().machine if sys.platform == "linux" else ""
    if machine not in CLOSED:
        return False
    text = program(*CLOSED[machine])
    instructions = ctypes.create_string_buffer(text, len(text))
    # How many there are, and where: padded, as the kernel's struct is.
    given = struct.pack("HxxxxxxP", len(text) // 8, ctypes.addressof(instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return int(libc.prctl(SECCOMP, FILTER, given, 0, 0)) == 0


def program(processor: int, closed: tuple[int, ...]) -> bytes:
    """The filter: calls of another processor or interface are refused too."""
    numbers = sorted({*closed, *ALIKE})
    lines = [(LOAD, 0, 0, PROCESSOR), (EQUAL, 1, 0, processor), (ANSWER, 0, 0, NOT_PERMITTED)]
    lines += [(LOAD, 0, 0, NUMBER), (AT_LEAST, len(numbers) + 2, 0, FOREIGN)]
    lines += [(EQUAL, len(numbers) - place + 1, 0, each) for place, each in enumerate(numbers)]
    lines += [(EQUAL, 2, 0, CLONE3), (ANSWER, 0, 0, ALLOW), (ANSWER, 0, 0, NOT_PERMITTED)]
    lines += [(ANSWER, 0, 0, NO_SUCH_CALL)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)

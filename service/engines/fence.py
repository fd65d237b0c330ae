"""A second fence inside the process of an engine: Landlock, where the kernel has it.

It needs no privileges and no program, so an engine of ours that runs without a wall has it too:
nothing is read but Python and what answers, nothing is written or executed, no TCP is spoken.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable

CREATE, ADD, RESTRICT = 444, 445, 446
"""System calls, of one number on every processor."""

NO_NEW_PRIVILEGES = 38
ASK_VERSION = 1
BENEATH = 1

READING = 1 << 2 | 1 << 3
"""Reading files and folders."""

KINDS_OF_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many kinds of access to files a version knows; the later ones one more."""

TCP = 0b11
"""Binding and connecting, from version 4 on."""

SCOPES = 0b11
"""Abstract sockets of others, and signals to them, from version 6 on."""


def raise_fence(folders: Iterable[str]) -> int:
    """Let this process read beneath the folders and do nothing else with files or TCP, for ever.

    The version of Landlock; 0 where there is none, and nothing has changed.
    """
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    version = int(libc.syscall(CREATE, None, 0, ASK_VERSION))
    if version < 1:
        return 0
    rules = libc.syscall(CREATE, *_sized(_handled(version)), 0)
    if rules < 0:
        return 0
    try:
        for folder in sorted(set(folders)):
            _let_read(libc, rules, folder)
        closed = libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
        return version if closed and libc.syscall(RESTRICT, rules, 0) == 0 else 0
    finally:
        os.close(rules)


def _handled(version: int) -> bytes:
    """All that a version can forbid."""
    files = (1 << KINDS_OF_ACCESS.get(version, 16)) - 1
    more = [TCP] if version >= 4 else []
    more += [SCOPES] if version >= 6 else []
    return struct.pack(f"={1 + len(more)}Q", files, *more)


def _sized(attributes: bytes) -> tuple[bytes, int]:
    return attributes, len(attributes)


def _let_read(libc: ctypes.CDLL, rules: int, folder: str) -> None:
    if not os.path.isdir(folder):
        return
    place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        libc.syscall(ADD, rules, BENEATH, struct.pack("=Qi", READING, place), 0)
    finally:
        os.close(place)

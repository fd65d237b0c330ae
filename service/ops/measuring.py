"""What the machine gives: how long the disk takes, how much room there is, whether Redis answers.

Measured without leaving anything behind: the file that the disk is tried with has no name.
"""

from __future__ import annotations

import os
import shutil
import statistics
import time
from pathlib import Path
from typing import NamedTuple

SYNCS = 20
"""Writes that are timed."""

BLOCK = b"\0" * 4_096

IN_MEMORY = ("tmpfs", "ramfs")
"""File systems that a power cut empties."""

REDIS_SECONDS = 1.0


def nearest(path: Path) -> Path:
    """The folder, or the one in which it will be made."""
    return next(each for each in (path, *path.parents) if each.is_dir())


def fsync_seconds(folder: Path) -> float | None:
    """The median of some writes that are waited for; None where the folder takes none."""
    try:
        file = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600)
    except (OSError, AttributeError):  # a system, or a file system, without nameless files
        return None
    try:
        return statistics.median(_synced(file, number) for number in range(SYNCS))
    except OSError:
        return None
    finally:
        os.close(file)


def _synced(file: int, number: int) -> float:
    os.pwrite(file, BLOCK, number * len(BLOCK))
    begun = time.perf_counter()
    os.fsync(file)
    return time.perf_counter() - begun


def room(folder: Path) -> int | None:
    """Bytes that are free there."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def file_system(folder: Path, mounts: Path = Path("/proc/self/mounts")) -> str:
    """The kind of file system that the folder is in; "" where the system does not say."""
    try:
        lines = mounts.read_text("utf-8").splitlines()
    except OSError:
        return ""
    kinds = {Path(line.split()[1]): line.split()[2] for line in lines}
    place = folder.resolve()
    return next((kinds[each] for each in (place, *place.parents) if each in kinds), "")


class RedisSeen(NamedTuple):
    """A Redis that was asked for an answer.

    answer  seconds; None where none came, and ``why`` not
    """

    answer: float | None
    why: str = ""


def redis_seen(address: str) -> RedisSeen:
    """How quickly the Redis at the address answers."""
    try:
        from redis import Redis, RedisError
    except ImportError as error:
        return RedisSeen(None, f"{error}: install Decklog with its extra, decklog[redis]")
    client = Redis.from_url(
        address, socket_connect_timeout=REDIS_SECONDS, socket_timeout=REDIS_SECONDS
    )
    try:
        client.ping()
        begun = time.perf_counter()
        client.ping()
        return RedisSeen(time.perf_counter() - begun)
    except (RedisError, OSError) as error:
        return RedisSeen(None, " ".join(str(error).split()))
    finally:
        client.close()

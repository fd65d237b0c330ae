"""Whether files can be written in a place: found out by looking, and nothing is left there."""

from __future__ import annotations

import errno
import os
from pathlib import Path

FULL = (errno.ENOSPC, errno.EDQUOT)
"""No reason to refuse a place: there will be room again, and the store says so until then."""

NO_NAMELESS = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT)
"""What a system, or a file system, without nameless files answers."""


def unwritable(folder: Path) -> str:
    """Why no file can be made in the folder, or in what it would be made in; "" where one can."""
    place = folder.absolute()
    try:
        there = next(each for each in (place, *place.parents) if each.exists())
        if not there.is_dir():
            return f"{there} is no folder"
        _try(there)
    except OSError as error:
        return f"{error.filename or place}, {(error.strerror or str(error)).lower()}"
    return ""


def unusable(file: Path, mode: int = os.R_OK | os.W_OK) -> str:
    """Why a file that is there is none that may be used so; "" for one that is not there."""
    try:
        if not file.exists():
            return ""
        if not file.is_file():
            return f"{file} is no file"
    except OSError as error:
        return f"{file}, {(error.strerror or str(error)).lower()}"
    return "" if os.access(file, mode) else f"{file}, permission denied"


def _try(folder: Path) -> None:
    """Raises OSError where the folder takes no file; the one that it is tried with has no name."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except AttributeError:
        _ask(folder)
    except OSError as error:
        if error.errno in FULL:
            return
        if error.errno not in NO_NAMELESS:
            raise
        _ask(folder)


def _ask(folder: Path) -> None:
    """The same by what the system says of it. Where there are no blocks at all, as below /proc,
    nobody may write, whatever the permissions say."""
    if not os.access(folder, os.W_OK | os.X_OK) or os.statvfs(folder).f_blocks == 0:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))

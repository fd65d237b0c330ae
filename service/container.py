"""A container of evidence and of engines: a ZIP with exactly one form for the same files.

Stored, names sorted, dated 1980-01-01, no extra fields. Whoever reads one packs it again and
compares, so no byte of the file is outside what is judged.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import NamedTuple


class Limits(NamedTuple):
    """The most that is read of somebody's file."""

    files: int
    size: int


BUNDLE = Limits(files=64, size=200 * 1024 * 1024)
"""Of a bundle of evidence."""

ENGINE = Limits(files=2_000, size=8 * 1024 * 1024)
"""Of the archive of an engine: many small files."""

_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3


class BadContainer(Exception):
    """Not in the form, damaged on the way, or made to do harm. Says nothing about a game."""


def pack(contents: Mapping[str, bytes]) -> bytes:
    """The files as the one ZIP that they make."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(contents):
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system = _UNIX
            info.external_attr = _MODE
            archive.writestr(info, contents[name])
    return out.getvalue()


def unpack(data: bytes, most: Limits = BUNDLE) -> dict[str, bytes]:
    """The files. Raises BadContainer unless ``data`` is exactly what :func:`pack` makes of them."""
    if len(data) > most.size:
        raise BadContainer(f"the file has {len(data)} bytes; {most.size} are the most")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            contents = _read(archive, most)
    # The library says NotImplementedError to a file of a kind that it cannot read.
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise BadContainer(f"not a whole ZIP file: {error}") from None
    except (RuntimeError, UnicodeDecodeError, OverflowError) as error:
        raise BadContainer(f"a ZIP file that nobody here writes: {error}") from None
    if pack(contents) != data:
        raise BadContainer("the ZIP file is not in the one form that there is")
    return contents


def _read(archive: zipfile.ZipFile, most: Limits) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > most.files:
        raise BadContainer(f"the file has {len(entries)} entries; {most.files} are the most")
    for entry in entries:
        _check(entry, most)
    if len({entry.filename for entry in entries}) != len(entries):
        raise BadContainer("two entries have the same name")
    return {entry.filename: archive.read(entry) for entry in entries}


def _check(entry: zipfile.ZipInfo, most: Limits) -> None:
    """Before anything is read: no compression (bombs), no links, no way out of a folder."""
    name = entry.filename
    if name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/"):
        raise BadContainer(f"the entry name {name!r} leads out of the file")
    if not name.isascii() or not name.isprintable():
        raise BadContainer("an entry name is not plain ASCII")
    if entry.external_attr != _MODE:
        raise BadContainer(f"{name} is not a plain file")
    if entry.compress_type != zipfile.ZIP_STORED or entry.file_size > most.size:
        raise BadContainer(f"{name} is compressed or too large")

"""A container of evidence and of engines: a ZIP with exactly one form for the same files.

Stored, names sorted, dated 1980-01-01, no extra fields. Whoever reads one packs it again and
compares, so no byte of the file is outside what is judged.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Limits(NamedTuple):
    """The most that is read of somebody's file."""

    files: int
    size: int


BUNDLE = Limits(files=64, size=200 * 1024 * 1024)
"""Of a bundle of evidence."""

ENGINE = Limits(files=2_000, size=8 * 1024 * 1024)
"""Of the archive of an engine: many small files."""

_VERSION, _TIME, _DAY = 20, 0, 0x21
"""Of the format that is needed; midnight on the first of January 1980."""

_STRIDE = 1 << 20
"""Bytes that are compared at a time."""

_MODE = 0o100644 << 16
_UNIX = 3

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_LISTED = struct.Struct("<4sBBHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
"""Headers: before a file, in the directory at the end, and after that."""


class BadContainer(Exception):
    """Not in the form, damaged on the way, or made to do harm. Says nothing about a game."""


def pack(contents: Mapping[str, bytes]) -> bytes:
    """The files as the one ZIP that they make."""
    return b"".join(_pieces(contents))


def _pieces(contents: Mapping[str, bytes]) -> Iterator[bytes]:
    """That ZIP from front to back: a large one is compared without being made a second time."""
    place, listed = 0, list[bytes]()
    for name in sorted(contents):
        content, words = contents[name], name.encode("ascii")
        size = len(content)
        kind = (_VERSION, 0, 0, _TIME, _DAY, zlib.crc32(content), size, size, len(words), 0)
        yield _LOCAL.pack(b"PK\3\4", *kind) + words
        yield content
        made = (_VERSION, _UNIX, *kind, 0, 0, 0, _MODE, place)
        listed.append(_LISTED.pack(b"PK\1\2", *made) + words)
        place += _LOCAL.size + len(words) + size
    directory = b"".join(listed)
    count = len(listed)
    yield directory
    yield _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), place, 0)


def _is_packed(contents: Mapping[str, bytes], data: bytes) -> bool:
    """Whether ``data`` is what :func:`pack` makes of the files."""
    place = 0
    for piece in _pieces(contents):
        for start in range(0, len(piece), _STRIDE):
            part = piece[start : start + _STRIDE]
            if data[place : place + len(part)] != part:
                return False
            place += len(part)
    return place == len(data)


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
    if not _is_packed(contents, data):
        raise BadContainer("the ZIP file is not in the one form that there is")
    return contents


def one_of(data: bytes, name: str) -> bytes:
    """A file of what :func:`pack` made just now: nothing else of it is looked at."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


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

"""The container of a bundle: a ZIP with exactly one form for the same files.

Stored, names sorted, dated 1980-01-01, no extra fields. Whoever reads one packs it again and
compares, so no byte of the file is outside what is judged.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

MAX_BYTES = 200 * 1024 * 1024
MAX_FILES = 64
_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3


class BadContainer(Exception):
    """Not a bundle, damaged on the way, or one made to do harm. Says nothing about the game."""


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


def unpack(data: bytes) -> dict[str, bytes]:
    """The files. Raises BadContainer unless ``data`` is exactly what :func:`pack` makes of them."""
    if len(data) > MAX_BYTES:
        raise BadContainer(f"the file has {len(data)} bytes; {MAX_BYTES} are the most")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            contents = _read(archive)
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise BadContainer(f"not a whole ZIP file: {error}") from None
    except (RuntimeError, UnicodeDecodeError, OverflowError) as error:
        raise BadContainer(f"a ZIP file that no bundle is: {error}") from None
    if pack(contents) != data:
        raise BadContainer("the ZIP file is not in the one form that a bundle has")
    return contents


def _read(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MAX_FILES:
        raise BadContainer(f"the file has {len(entries)} entries; {MAX_FILES} are the most")
    for entry in entries:
        _check(entry)
    if len({entry.filename for entry in entries}) != len(entries):
        raise BadContainer("two entries have the same name")
    return {entry.filename: archive.read(entry) for entry in entries}


def _check(entry: zipfile.ZipInfo) -> None:
    """Before anything is read: no compression (bombs), no links, no way out of a folder."""
    name = entry.filename
    if name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/"):
        raise BadContainer(f"the entry name {name!r} leads out of the bundle")
    if not name.isascii() or not name.isprintable():
        raise BadContainer("an entry name is not plain ASCII")
    if entry.external_attr != _MODE:
        raise BadContainer(f"{name} is not a plain file")
    if entry.compress_type != zipfile.ZIP_STORED or entry.file_size > MAX_BYTES:
        raise BadContainer(f"{name} is compressed or too large")

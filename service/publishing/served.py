"""The log's files below ``/log``, as any server of static files would give them.

They are no operations of the API: what they are is said by C2SP tlog-tiles, and they are the same
files where this service no longer runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from ..log import stamp
from ..log.tiles import read_path
from .folder import CHECKPOINT, COSIGNED, KEY, LogFolder

PREFIX = "/log/"
TEMPLATE = "/log/{path}"
"""What is counted and logged: never the path itself."""

TEXT = b"text/plain; charset=utf-8"
DATA = b"application/octet-stream"
FOREVER = b"public, max-age=31536000, immutable"
NEWEST = b"no-cache"

ASGI = Callable[[Any, Any, Any], Awaitable[None]]


def serving(app: ASGI, folder: str) -> ASGI:
    """The application with the folder's files; as it is where there is no folder.

    What the log has no file for, and whatever is no GET, is the application's to answer.
    """
    if not folder:
        return app
    files = LogFolder(Path(folder))

    async def served(scope: Any, receive: Any, send: Any) -> None:
        found = None
        if scope["type"] == "http" and scope["method"] == "GET":
            name = scope["path"].removeprefix(PREFIX)
            if name != scope["path"]:
                found = await asyncio.to_thread(_found, files, name)
        if found is None:
            await app(scope, receive, send)
            return
        scope["path_template"] = TEMPLATE
        body, media, age = found
        headers = [(b"content-type", media), (b"content-length", b"%d" % len(body))]
        headers.append((b"cache-control", age))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return served


def _found(files: LogFolder, name: str) -> tuple[bytes, bytes, bytes] | None:
    """Bytes, kind and age; only what a log consists of is looked for."""
    try:
        if name in (CHECKPOINT, COSIGNED, KEY):
            return files.fetch(name), TEXT, NEWEST
        if stamp.is_path(name):
            kind = DATA if name.endswith(stamp.TOKEN) else TEXT
            return files.fetch(name), kind, NEWEST if name == stamp.INDEX else FOREVER
        if read_path(name) is not None:
            return files.fetch(name), DATA, FOREVER
    except (KeyError, OSError):
        return None
    return None

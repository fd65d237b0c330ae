"""The pages for people at ``/``: one HTML file and ES modules that speak the public API."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Annotated

import msgspec
from litestar import Controller, Response
from litestar.params import PathParameter

import service
from projections import plots, svg
from projections.probes import saved
from service.http import pages
from service.judge import framed, parts, released
from service.lessons import lessons
from service.problems import Refusal

from .access import anybody
from .asked import Asked
from .operation import tells
from .parameters import UNCHECKED
from .reply import Reply, content_tag
from .routes import get

TAG = "service"
INDEX = "index.html"
BOARD = "board.css"
PROBES = "probes.json"
"""Questions that are saved, by ruleset."""
LESSONS = "lessons.json"
"""First battles that explain themselves, by ruleset."""
CSS, SCRIPT = "text/css", "text/javascript"
CLIENT = Path(__file__).resolve().parents[2] / "openapi" / "clients" / "typescript" / "src"
"""The ready-made client's modules, which are files of the pages, too."""
OF_CLIENT = (
    "client.js",
    "dice.js",
    "heads.js",
    "keys.js",
    "log.js",
    "patch.js",
    "stream.js",
    "turns.js",
    "wire.js",
)
WASM, DATA = "application/wasm", "application/octet-stream"
MEDIA = {"html": pages.HTML, "css": CSS, "js": SCRIPT, "svg": svg.MEDIA}
WORKER = parts.WORKER

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; frame-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy: everything comes from this service, and no script is written inline."""

COMPILING = "blob: 'wasm-unsafe-eval'"
"""What the judge's workers need: scripts and WebAssembly out of bytes that they were given."""

HOME = POLICY.replace("script-src 'self'", f"script-src 'self' {framed.hashes()} {COMPILING}")
"""Of the page itself: the frame behind whose wall strange rules are asked has no more than it."""

JUDGING = POLICY.replace("script-src 'self'", f"script-src {COMPILING}").replace(
    "connect-src 'self'", "connect-src 'none'"
)
"""Of the judge's worker: it compiles what it is given in bytes, and can ask nobody for more."""

FOR_EVER = "public, max-age=31536000, immutable"
"""Caching of files by the edition that they are of: a browser asks once for each."""

EDITION = re.compile("[0-9a-f]{16}")

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@cache
def files() -> dict[str, bytes]:
    """Every file of the pages by name: the style of boards among them, and the judge's."""
    folder = resources.files(service) / "web"
    found = {
        entry.name: entry.read_bytes()
        for entry in folder.iterdir()
        if entry.name.rpartition(".")[2] in MEDIA
    }
    shared = {name: (CLIENT / name).read_bytes() for name in OF_CLIENT}
    made = {
        PROBES: msgspec.json.encode(saved()),
        LESSONS: msgspec.json.encode(lessons()),
        BOARD: f"{svg.STYLE}{plots.STYLE}\n".encode(),
        released.NAME: released.released(),
    }
    return {**found, **shared, **made, **parts.built()}


@cache
def edition() -> str:
    """Names all files as they are: of another build it is another."""
    told = "".join(f"{name} {sha256(body).hexdigest()}\n" for name, body in sorted(files().items()))
    return sha256(told.encode()).hexdigest()[:16]


@cache
def home() -> bytes:
    """The page, which asks for files of this edition; what these import is of it too."""
    return files()[INDEX].replace(b'"/pages/', f'"/pages/{edition()}/'.encode())


FileName = Annotated[
    str,
    PathParameter(description="Name of the file, alone or behind the edition that it is of."),
    UNCHECKED,
]


class Web(Controller):
    """The pages."""

    tags = (TAG,)

    @get(
        "/",
        summary="The pages for people",
        guards=[anybody()],
        opt=tells("The page.", "ETag", media=(pages.HTML,)),
    )
    async def get_home(self, request: Asked) -> Response[bytes]:
        """Lobby, table, replay desk and evidence page in one: plain HTML and ES modules over this
        API.
        """
        return _sent(request, INDEX, home())

    @get(
        "/pages/{file:path}",
        summary="A file of the pages",
        guards=[anybody(counted=False)],
        opt=tells(
            "The file.",
            "ETag",
            media=(SCRIPT, CSS, svg.MEDIA, pages.HTML, WASM, DATA),
            problems=("resource.not-found",),
        ),
    )
    async def get_page(self, request: Asked, file: FileName) -> Response[bytes]:
        """Styles, modules and pictures that the page at `/` asks for: by an edition of the pages
        and a name, for ever the same; by a name alone, as they are now.
        """
        held, _, name = str(file).lstrip("/").rpartition("/")
        if name not in files() or not (held == "" or EDITION.fullmatch(held)):
            raise Refusal("resource.not-found", "The pages have no such file.")
        return _sent(request, name, files()[name], FOR_EVER if held == edition() else "")


def _sent(asked: Asked, name: str, body: bytes, cache: str = "") -> Reply:
    policy = {INDEX: HOME, WORKER: JUDGING}.get(name, POLICY)
    headers = {**HEADERS, "Content-Security-Policy": policy}
    return asked.sent(body, _media(name), tag=content_tag(body), headers=headers, cache=cache)


def _media(name: str) -> str:
    """Of a file by the end of its name; parts of the judge are bytes to the page."""
    media = MEDIA.get(name.rpartition(".")[2])
    return f"{media}; charset=utf-8" if media else WASM if name.endswith(".wasm") else DATA

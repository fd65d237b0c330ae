"""The pages for people at ``/``: one HTML file and ES modules that speak the public API."""

from __future__ import annotations

from functools import cache
from importlib import resources

from litestar import Controller, Response

import service
from projections import plots, svg
from service.http import pages
from service.problems import Refusal

from .access import anybody
from .asked import Asked
from .operation import tells
from .parameters import FileName
from .reply import Reply, content_tag
from .routes import get

TAG = "service"
INDEX = "index.html"
BOARD = "board.css"
CSS, SCRIPT = "text/css", "text/javascript"
MEDIA = {"html": pages.HTML, "css": CSS, "js": SCRIPT, "svg": svg.MEDIA}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy: everything comes from this service, and no script is written inline."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@cache
def files() -> dict[str, bytes]:
    """Every file of the pages by name; the style of boards and plots among them."""
    folder = resources.files(service) / "web"
    found = {
        entry.name: entry.read_bytes()
        for entry in folder.iterdir()
        if entry.name.rpartition(".")[2] in MEDIA
    }
    return {**found, BOARD: f"{svg.STYLE}{plots.STYLE}\n".encode()}


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
        return _sent(request, INDEX)

    @get(
        "/pages/{file:str}",
        summary="A file of the pages",
        guards=[anybody(counted=False)],
        opt=tells(
            "The file.",
            "ETag",
            media=(SCRIPT, CSS, svg.MEDIA, pages.HTML),
            problems=("resource.not-found",),
        ),
    )
    async def get_page(self, request: Asked, file: FileName) -> Response[bytes]:
        """Styles, modules and pictures that the page at `/` asks for."""
        if file not in files():
            raise Refusal("resource.not-found", "The pages have no such file.")
        return _sent(request, file)


def _sent(asked: Asked, name: str) -> Reply:
    body = files()[name]
    media = f"{MEDIA[name.rpartition('.')[2]]}; charset=utf-8"
    return asked.sent(body, media, tag=content_tag(body), headers=dict(HEADERS))

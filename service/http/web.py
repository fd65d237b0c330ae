"""The pages for people at ``/``: one HTML file and ES modules that speak the public API."""

from __future__ import annotations

from functools import cache
from importlib import resources

import service
from projections import plots, svg
from service.http import pages
from service.problems import Refusal

from .call import Call
from .operation import Answer, Operation
from .reply import Reply, content_tag

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


def _reply(call: Call, name: str) -> Reply:
    body = files()[name]
    media = f"{MEDIA[name.rpartition('.')[2]]}; charset=utf-8"
    return call.bytes(body, media, tag=content_tag(body), headers=dict(HEADERS))


async def get_home(call: Call) -> Reply:
    return _reply(call, INDEX)


async def get_page(call: Call) -> Reply:
    name = call.param("file")
    if name not in files():
        raise Refusal("resource.not-found", "The pages have no such file.")
    return _reply(call, name)


OPERATIONS = (
    Operation(
        id="getHome",
        method="GET",
        path="/",
        tag=TAG,
        summary="The pages for people",
        description="Lobby, table, replay desk and evidence page in one: plain HTML and ES modules "
        "over this API.",
        run=get_home,
        access="open",
        answers=(Answer(200, "The page.", ((pages.HTML, None),), ("ETag",)),),
    ),
    Operation(
        id="getPage",
        method="GET",
        path="/pages/{file}",
        tag=TAG,
        summary="A file of the pages",
        description="Styles, modules and pictures that the page at `/` asks for.",
        run=get_page,
        access="open",
        answers=(
            Answer(
                200,
                "The file.",
                ((SCRIPT, None), (CSS, None), (svg.MEDIA, None), (pages.HTML, None)),
                ("ETag",),
            ),
        ),
        problems=("resource.not-found",),
        counted=False,
    ),
)

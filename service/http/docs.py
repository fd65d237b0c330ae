"""Documentation for whoever writes a client: its home, the guide, a page to try things."""

from __future__ import annotations

import asyncio
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

import msgspec
from litestar import Controller, Response

from service.http import game_guides, guide, pages
from service.problems import Refusal

from .access import anybody
from .asked import Asked
from .operation import tells
from .parameters import AssetName, PageName
from .reply import Reply, content_tag
from .routes import get

TAG = "service"
CACHE = "public, max-age=3600"
REFERENCE = "reference"
SCRIPT, STYLE = "text/javascript", "text/css"
TRYING = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'"
)
"""Content-Security-Policy of the page with Swagger UI: it talks to this service and nobody else."""

OWN_SCRIPT = b"""// Starts Swagger UI on this service's own document; nothing comes from elsewhere.
// A key by getRandomValues: randomUUID is there on https and on this machine only.
const fresh = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0")).join("");

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  validatorUrl: null,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  deepLinking: true,
  requestInterceptor: (request) => {
    const headers = request.headers || {};
    if (request.method === "POST" && !headers["Idempotency-Key"])
      headers["Idempotency-Key"] = fresh();
    return { ...request, headers };
  },
});
"""

PACKAGED = {
    "swagger-ui.js": ("swagger_bundle.js", SCRIPT),
    "swagger-ui.css": ("swagger_style.css", STYLE),
}
"""Files of Swagger UI, in the package ``offapi`` that carries it."""


class Docs(Controller):
    """The documentation."""

    path = "/docs"
    tags = (TAG,)

    @get(
        summary="The documentation",
        guards=[anybody(counted=False)],
        opt=tells("The page.", "ETag", media=(pages.HTML,)),
    )
    async def get_docs(self, request: Asked) -> Response[bytes]:
        """The home page of client authors: the guide, and this document as a page."""
        document = await asyncio.to_thread(request.http.describe)
        titles = tuple((name, game.title) for name, game in request.desk.games.items())
        return _page(request, _home(document, titles))

    @get(
        "/{page:str}",
        summary="A page of the guide",
        guards=[anybody(counted=False)],
        opt=tells("The page.", "ETag", media=(pages.HTML,), problems=("resource.not-found",)),
    )
    async def get_docs_page(self, request: Asked, page: PageName) -> Response[bytes]:
        """Quick start, clients, bots, events, webhooks, clocks, dice, evidence, time travel, custom
        documents, organisers, errors, secrecy, versioning, limits; the name of a ruleset is its
        page, with phases, questions and commands, as the id of an operation (`listGames`) is its;
        `reference` is a page on which every operation can be tried, `spec` the specification of the
        proofs.
        """
        if page == REFERENCE:
            return _page(request, reference(), TRYING)
        if page in request.desk.games and page not in guide.names():
            document = await asyncio.to_thread(request.http.describe, page)
            return _page(request, _of_game(request.desk.games[page], document))
        if page in (*guide.names(), *guide.specified()):
            return _page(request, guide.page(page))
        found = _of_operation(await asyncio.to_thread(request.http.describe), page)
        if found is None:
            raise Refusal("resource.not-found", "The documentation has no such page.")
        return _page(request, found)

    @get(
        "/assets/{asset:str}",
        summary="A file of the documentation",
        guards=[anybody(counted=False)],
        opt=tells("The file.", "ETag", media=(SCRIPT, STYLE), problems=("resource.not-found",)),
    )
    async def get_docs_asset(self, request: Asked, asset: AssetName) -> Response[bytes]:
        """Scripts and styles of the page on which every operation can be tried."""
        body, media = packaged(asset)
        return request.sent(body, f"{media}; charset=utf-8", tag=content_tag(body), cache=CACHE)


def _page(asked: Asked, body: bytes, policy: str = pages.POLICY) -> Reply:
    media = f"{pages.HTML}; charset=utf-8"
    headers = {"Content-Security-Policy": policy}
    return asked.sent(body, media, tag=content_tag(body), headers=headers)


@lru_cache(maxsize=4)
def _home(document: bytes, titles: tuple[tuple[str, str], ...]) -> bytes:
    """The page of a document: made once, for it takes long and never changes."""
    return pages.docs_page(msgspec.json.decode(document), guide.navigation(dict(titles)))


@lru_cache(maxsize=128)
def _of_operation(document: bytes, name: str) -> bytes | None:
    """The page of an operation: made once."""
    return pages.operation_page(msgspec.json.decode(document), name, guide.navigation())


@lru_cache(maxsize=16)
def _of_game(game: game_guides.AnyGame, document: bytes) -> bytes:
    """The page of a ruleset: made once."""
    return guide.made(game_guides.markdown(game, msgspec.json.decode(document)))


@cache
def reference() -> bytes:
    """A page on which every operation can be tried."""
    body = (
        f'{guide.navigation()}<div id="reference"></div>'
        '<script src="/docs/assets/swagger-ui.js"></script>'
        '<script src="/docs/assets/reference.js"></script>'
    )
    sheet = (
        '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">'
        '<link rel="icon" href="/pages/icon.svg">'
    )
    return pages.page("Try it · Decklog", body, sheet)


@cache
def packaged(name: str) -> tuple[bytes, str]:
    """A file that the reference page needs, and its media type; raises ``resource.not-found``."""
    if name == "reference.js":
        return OWN_SCRIPT, SCRIPT
    spec = find_spec("offapi")
    if name not in PACKAGED or spec is None or spec.origin is None:
        raise Refusal("resource.not-found", "The documentation has no such file.")
    file, media = PACKAGED[name]
    return Path(spec.origin).with_name(file).read_bytes(), media

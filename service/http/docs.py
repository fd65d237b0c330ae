"""Documentation for whoever writes a client: its home, the guide, a page to try things."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

from service.http import guide, pages
from service.problems import Refusal

from .call import Call
from .operation import Answer, Operation
from .reply import Reply, content_tag

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


async def get_docs(call: Call) -> Reply:
    return _page(call, _home(call.http.document))


@lru_cache(maxsize=4)
def _home(document: bytes) -> bytes:
    """The page of a document: made once, for it takes long and never changes."""
    return pages.docs_page(msgspec.json.decode(document), guide.navigation())


async def get_docs_page(call: Call) -> Reply:
    name = call.param("page")
    if name == REFERENCE:
        return _page(call, reference(), TRYING)
    if name not in guide.names():
        raise Refusal("resource.not-found", "The documentation has no such page.")
    return _page(call, guide.page(name))


def _page(call: Call, body: bytes, policy: str = pages.POLICY) -> Reply:
    media = f"{pages.HTML}; charset=utf-8"
    headers = {"Content-Security-Policy": policy}
    return call.bytes(body, media, tag=content_tag(body), headers=headers)


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


async def get_docs_asset(call: Call) -> Reply:
    body, media = asset(call.param("asset"))
    return call.bytes(body, f"{media}; charset=utf-8", tag=content_tag(body), cache=CACHE)


@cache
def asset(name: str) -> tuple[bytes, str]:
    """A file that the reference page needs, and its media type; raises ``resource.not-found``."""
    if name == "reference.js":
        return OWN_SCRIPT, SCRIPT
    spec = find_spec("offapi")
    if name not in PACKAGED or spec is None or spec.origin is None:
        raise Refusal("resource.not-found", "The documentation has no such file.")
    file, media = PACKAGED[name]
    return Path(spec.origin).with_name(file).read_bytes(), media


HTML_ANSWER = (Answer(200, "The page.", ((pages.HTML, None),), ("ETag",)),)

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="getDocs",
        method="GET",
        path="/docs",
        tag=TAG,
        summary="The documentation",
        description="The home of whoever writes a client: the guide, and this document as a page.",
        run=get_docs,
        access="open",
        answers=HTML_ANSWER,
        counted=False,
    ),
    Operation(
        id="getDocsPage",
        method="GET",
        path="/docs/{page}",
        tag=TAG,
        summary="A page of the guide",
        description="Quick start, bots, events, errors, secrecy, versioning, limits; `reference` "
        "is a page on which every operation can be tried.",
        run=get_docs_page,
        access="open",
        answers=HTML_ANSWER,
        problems=("resource.not-found",),
        counted=False,
    ),
    Operation(
        id="getDocsAsset",
        method="GET",
        path="/docs/assets/{asset}",
        tag=TAG,
        summary="A file of the documentation",
        description="Scripts and styles of the page on which every operation can be tried.",
        run=get_docs_asset,
        access="open",
        answers=(Answer(200, "The file.", ((SCRIPT, None), (STYLE, None)), ("ETag",)),),
        problems=("resource.not-found",),
        counted=False,
    ),
)

"""The client developer's guide: Markdown in ``openapi/guide``, served as pages below ``/docs``."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

from . import pages

GUIDE = Path(__file__).resolve().parents[2] / "openapi" / "guide"
ORDER = (
    "quick-start",
    "clients",
    "bots",
    "events",
    "time-travel",
    "errors",
    "secrecy",
    "versioning",
    "limits",
)
"""Pages in reading order; others come after them."""

_SIBLING = re.compile(r'href="([a-z-]+)\.md(#[^"]*)?"')


@cache
def names() -> tuple[str, ...]:
    """Pages that there are; none where the service is installed without its source."""
    found = {path.stem for path in GUIDE.glob("*.md")}
    return (*(name for name in ORDER if name in found), *sorted(found - set(ORDER)))


@cache
def title(name: str) -> str:
    """The page's heading."""
    return (GUIDE / f"{name}.md").read_text("utf-8").split("\n", 1)[0].removeprefix("# ")


@cache
def page(name: str) -> bytes:
    """The page as HTML, with links to the others."""
    from markdown_it import MarkdownIt  # not for each start: few ask for a page

    text = (GUIDE / f"{name}.md").read_text("utf-8")
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    body = _SIBLING.sub(lambda match: f'href="/docs/{match[1]}{match[2] or ""}"', html)
    return pages.page(f"{title(name)} · Decklog", f"{navigation()}{body}")


def navigation() -> str:
    """Links to every page of the documentation."""
    links = [("/docs", "API"), *((f"/docs/{name}", title(name)) for name in names())]
    links += [("/docs/reference", "Try it"), ("/problems", "Problems")]
    items = " · ".join(f'<a href="{path}">{escape(text)}</a>' for path, text in links)
    return f"<nav>{items}</nav>"

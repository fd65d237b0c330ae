"""The client developer's guide and the specification of the proofs, as pages below ``/docs``.

Both are Markdown: ``openapi/guide``, and ``openapi/spec`` with the pages ``spec``, ``spec-dice``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from types import MappingProxyType

from . import pages

GUIDE = Path(__file__).resolve().parents[2] / "openapi" / "guide"
SPEC = GUIDE.with_name("spec")
FIRST = "spec"
"""The page that leads to the others of the specification."""

ORDER = (
    "quick-start",
    "clients",
    "bots",
    "events",
    "webhooks",
    "clocks",
    "dice",
    "evidence",
    "time-travel",
    "custom",
    "organisers",
    "errors",
    "secrecy",
    "versioning",
    "limits",
)
"""Pages in reading order; others come after them."""

_FILE = re.compile(r'<a href="(?:vectors/?|check\.[a-z]+)">(.*?)</a>')
"""What is beside the specification and no page."""

_SIBLING = re.compile(r'href="([a-z-]+)\.md(#[^"]*)?"')


@cache
def names() -> tuple[str, ...]:
    """Pages that there are; none where the service is installed without its source."""
    found = {path.stem for path in GUIDE.glob("*.md")}
    return (*(name for name in ORDER if name in found), *sorted(found - set(ORDER)))


@cache
def specified() -> tuple[str, ...]:
    """Pages of the specification, the one that leads to the others first; none without source."""
    found = sorted(path.stem for path in SPEC.glob("*.md") if path.stem != "README")
    return (FIRST, *(f"{FIRST}-{name}" for name in found)) if found else ()


def _source(name: str) -> str:
    if name == FIRST:
        return (SPEC / "README.md").read_text("utf-8")
    part = name.removeprefix(f"{FIRST}-")
    return (GUIDE / f"{name}.md" if part == name else SPEC / f"{part}.md").read_text("utf-8")


@cache
def title(name: str) -> str:
    """The page's heading."""
    return _source(name).split("\n", 1)[0].removeprefix("# ")


@cache
def page(name: str) -> bytes:
    """The page as HTML, with links to the others."""
    html = _html(_source(name)).replace('href="../spec/README.md"', f'href="/docs/{FIRST}"')
    if name in specified():
        html = _FILE.sub(r"\1", html)
        html = _SIBLING.sub(lambda m: f'href="/docs/{FIRST}-{m[1]}{m[2] or ""}"', html)
    body = _SIBLING.sub(lambda match: f'href="/docs/{match[1]}{match[2] or ""}"', html)
    return pages.page(f"{title(name)} · Decklog", f"{navigation()}{body}")


def made(text: str) -> bytes:
    """A page of Markdown that no file holds."""
    heading = text.split("\n", 1)[0].removeprefix("# ")
    return pages.page(f"{heading} · Decklog", f"{navigation()}{_html(text)}")


def _html(text: str) -> str:
    from markdown_it import MarkdownIt  # not for each start: few ask for a page

    rendered = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return str(rendered)


def navigation(titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """Links to every page of the documentation; ``titles`` of the rulesets that have one."""
    links = [
        ("/docs", "API"),
        *((f"/docs/{name}", title(name)) for name in (*names(), *specified()[:1])),
        *((f"/docs/{name}", text) for name, text in titles.items()),
    ]
    links += [("/docs/reference", "Try it"), ("/problems", "Problems")]
    items = " · ".join(f'<a href="{path}">{escape(text)}</a>' for path, text in links)
    return f"<nav>{items}</nav>"

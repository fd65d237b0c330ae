"""A scene as SVG: self-contained, readable without colour, by screen readers, in dark and light.

Every paint differs from its neighbours by lightness, outline or pattern, so that nothing depends on
colour. One element a line: pictures of one game share most of their lines (see ``film.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import assert_never

from domain.kernel.shown.scene import Box, Disc, Group, Item, Scene, Way, Word

MEDIA = "image/svg+xml"

CLASS = "decklog-board"
"""Every rule of the style is about what is inside this class, so that pictures fit into pages."""

_LIGHT = (
    "--paper:#fbfaf6;--ink:#141a20;--faint:#4b545d;--sea:#e3edf2;--dark:#c3cfd8;--line:#7d8b96;"
    "--land:#d8cba6;--first:#16354f;--first-ink:#fff;--second:#fff;--second-ink:#141a20;"
    "--panel:#f2f0e9;--hot:#a3170c;--way:#145a32;--mark:#141a20;--mark-ink:#fff;--card:#fffdf6"
)
_DARK = (
    "--paper:#12171c;--ink:#eef2f5;--faint:#b4bec7;--sea:#1e2b35;--dark:#0d151b;--line:#6d7f8d;"
    "--land:#5a5132;--first:#a9cdea;--first-ink:#0c1218;--second:#12171c;--second-ink:#eef2f5;"
    "--panel:#1a2127;--hot:#ff9d8f;--way:#8fe0b0;--mark:#eef2f5;--mark-ink:#12171c;--card:#222b33"
)

_RULES = """
text{font-family:system-ui,"DejaVu Sans",sans-serif;fill:var(--ink)}
.sky{fill:var(--paper)}
.sea{fill:var(--sea)}
.dark-sea{fill:url(#night)}
.grid{fill:none;stroke:var(--line);stroke-width:1}
.land{fill:url(#earth);stroke:var(--ink);stroke-width:2}
.shoal{fill:url(#dots);stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3}
.absent{fill:url(#bars);stroke:var(--line)}
.smoke{fill:url(#puffs);stroke:var(--ink);stroke-width:1.5;stroke-dasharray:1 4}
.storm{fill:url(#rain);stroke:var(--ink);stroke-width:1.5;stroke-dasharray:8 4}
.zone{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-dasharray:10 6}
.first{fill:var(--first);stroke:var(--ink);stroke-width:1}
.second{fill:var(--second);stroke:var(--ink);stroke-width:2}
.wake{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-dasharray:3 3}
text.first-ink{fill:var(--first-ink);font-weight:700}
text.second-ink{fill:var(--second-ink);font-weight:700}
.ink{fill:none;stroke:var(--ink);stroke-width:1.5}
.paper{fill:var(--paper);stroke:var(--line)}
.panel{fill:var(--panel);stroke:var(--line)}
text.faint{fill:var(--faint)}
text.strong{font-weight:700}
text.text,text.strong{paint-order:stroke;stroke:var(--paper);stroke-width:2.5px;stroke-linejoin:round}
.badge{fill:var(--mark);stroke:var(--paper);stroke-width:1}
text.badge-ink{fill:var(--mark-ink);font-weight:700}
.grave{fill:none;stroke:var(--hot);stroke-width:3.5;stroke-linecap:round}
.left{fill:var(--ink);stroke:var(--ink);stroke-width:1}
.pending{fill:url(#half);stroke:var(--ink);stroke-width:1}
.lost{fill:var(--paper);stroke:var(--ink);stroke-width:1}
.card{fill:var(--card);stroke:var(--ink);stroke-width:1.5}
.back{fill:url(#weave);stroke:var(--ink);stroke-width:1.5}
.arc{fill:url(#slant);fill-opacity:.35;stroke:var(--ink);stroke-width:1.5;stroke-dasharray:2 5}
.band{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-dasharray:12 5}
.focus>.first,.focus>.second,.focus>.card,.ring.focus{stroke:var(--hot);stroke-width:4}
.move{fill:none;stroke:var(--way);stroke-width:3;stroke-dasharray:9 5}
.shot{fill:none;stroke:var(--hot);stroke-width:3}
.hit{fill:var(--hot);stroke:var(--paper);stroke-width:1}
.miss{fill:none;stroke:var(--hot);stroke-width:2.5;stroke-dasharray:3 3}
.note-plate{stroke-width:1}
text.note{fill:var(--hot);font-weight:700;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.head-move{fill:var(--way)}
.head-shot{fill:var(--hot)}
.p-ink{stroke:var(--ink);fill:none}
.p-dot{fill:var(--ink)}
.p-land{fill:var(--land)}
.p-sea{fill:var(--sea)}
.p-dark{fill:var(--dark)}
.p-paper{fill:var(--paper)}
"""


def _sheet() -> str:
    rules = [line for line in _RULES.split("\n") if line]
    scoped = (
        ",".join(f".{CLASS} {one}" for one in selectors.split(",")) + "{" + body
        for selectors, _, body in (rule.partition("{") for rule in rules)
    )
    dark = f"@media (prefers-color-scheme:dark){{.{CLASS}{{{_DARK}}}}}"
    return f".{CLASS}{{{_LIGHT}}}\n{dark}\n" + "\n".join(scoped) + "\n"


STYLE = _sheet()
"""The style of every picture; pages serve it as a file of its own."""


def _pattern(id_: str, size: int, body: str) -> str:
    return (
        f'<pattern id="{id_}" width="{size}" height="{size}" patternUnits="userSpaceOnUse">'
        f"{body}</pattern>"
    )


def _tile(size: int, paint: str) -> str:
    return f'<rect width="{size}" height="{size}" class="{paint}"/>'


def _stroke(path: str, strength: int) -> str:
    """A line of a pattern, so strong in per cent."""
    return f'<path d="{path}" class="p-ink" stroke-opacity="{strength}%"/>'


def _head(id_: str, paint: str) -> str:
    return (
        f'<marker id="{id_}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5" '
        f'markerHeight="5" orient="auto"><path d="M0 0 10 5 0 10z" class="{paint}"/></marker>'
    )


_PATTERNS = "".join(
    (
        _pattern("night", 8, _tile(8, "p-dark") + _stroke("M0 4h8", 25)),
        _pattern("earth", 9, _tile(9, "p-land") + _stroke("M0 9 9 0", 55)),
        _pattern("dots", 8, '<circle cx="2" cy="2" r="1.3" class="p-dot"/>'),
        _pattern("bars", 6, _tile(6, "p-paper") + _stroke("M0 0 6 6M6 0 0 6", 60)),
        _pattern("puffs", 14, '<circle cx="7" cy="7" r="4.5" class="p-ink" stroke-opacity=".8"/>'),
        _pattern("rain", 9, _stroke("M1 8 4 1", 80)),
        _pattern("half", 4, _tile(4, "p-paper") + _stroke("M0 4 4 0", 100)),
        _pattern("weave", 8, _tile(8, "p-paper") + _stroke("M0 4 4 0 8 4 4 8z", 100)),
        _pattern("slant", 12, _stroke("M0 0 12 12", 100)),
        _head("head-move", "head-move"),
        _head("head-shot", "head-shot"),
    )
)  # fmt: skip

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(scene: Scene) -> str:
    """The whole picture as a document."""
    return "\n".join(("".join(opening(scene, STYLE)), *lines(scene), "</svg>")) + "\n"


def opening(scene: Scene, style: str) -> Iterator[str]:
    """What stands before the shapes: size, title, description, style, patterns."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width} {scene.height}" '
        f'class="{CLASS}" role="img" aria-labelledby="board-title board-about">'
        f'<title id="board-title">{_text(scene.title)}</title>'
        f'<desc id="board-about">{_text(scene.about)}</desc>'
    )
    if style:
        yield f"<style>{style}</style>"
    yield f"<defs>{_PATTERNS}</defs>"
    yield f'<rect width="{scene.width}" height="{scene.height}" class="sky"/>'


def lines(scene: Scene) -> Iterator[str]:
    """One line for each thing in the picture."""
    return (_item(item) for item in scene.items)


def _item(item: Item) -> str:
    match item:
        case Box(x, y, width, height, paint, name, round_):
            corners = f' rx="{round_}"' if round_ else ""
            return (
                f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{corners} '
                f'class="{_classes(paint, name)}"/>'
            )
        case Disc(x, y, radius, paint, name):
            return f'<circle cx="{x}" cy="{y}" r="{radius}" class="{_classes(paint, name)}"/>'
        case Way():
            return _way(item)
        case Word(x, y, text, size, paint, anchor, name):
            at = "" if anchor == "start" else f' text-anchor="{anchor}"'
            return (
                f'<text x="{x}" y="{y}" font-size="{size}"{at} '
                f'class="{_classes(paint, name)}">{_text(text)}</text>'
            )
        case Group():
            return _group(item)
    assert_never(item)


def _way(way: Way) -> str:
    points = " ".join(f"{x},{y}" for x, y in way.points)
    shape = "polygon" if way.closed else "polyline"
    head = f' marker-end="url(#head-{way.paint})"' if way.arrow else ""
    return f'<{shape} points="{points}" class="{_classes(way.paint, way.name)}"{head}/>'


def _group(group: Group) -> str:
    key = f' data-key="{escape(group.key)}"' if group.key else ""
    said = f"<title>{_text(group.title)}</title>" if group.title else ""
    said += f"<desc>{_text(group.about)}</desc>" if group.about else ""
    name = f' class="{escape(group.name)}"' if group.name else ""
    return f"<g{name}{key}>{said}{''.join(map(_item, group.items))}</g>"


def _classes(paint: str, name: str) -> str:
    return escape(f"{paint} {name}".strip())


def _text(text: str) -> str:
    """Text that any XML reader takes; names may be the players' own."""
    return escape(_UNFIT.sub("\N{REPLACEMENT CHARACTER}", text), quote=False)

"""A whole game as one HTML file that plays by itself: no network, no other file.

Pictures of one game share most of their lines. So each line is kept once, and a picture is a list
of numbers: a game of a thousand versions takes little more room than its few dozen boards.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib import resources
from typing import NamedTuple

import msgspec

from domain.kernel.shown.scene import Scene

from . import svg


class Caption(NamedTuple):
    """What is said beside a picture.

    text     the event in words; "" for book-keeping
    actor    whose doing it was
    chapter  turn and phase
    cause    id of the command that led to it: steps of one action share it
    """

    text: str
    actor: str
    chapter: str
    cause: str


class _Shot(NamedTuple):
    """A picture as numbers of lines, with its size; the caption's parts."""

    lines: list[int]
    width: int
    height: int
    text: str
    actor: str
    chapter: int
    action: int


class Film:
    """Collects pictures in order of version."""

    def __init__(self, title: str, about: str) -> None:
        self.title, self.about = title, about
        self._lines: dict[str, int] = {}
        self._chapters: dict[str, int] = {}
        self._shots: list[_Shot] = []
        self._actions = 0
        self._cause: str | None = None

    def add(self, scene: Scene | None, caption: Caption) -> None:
        """The next version; None before there is a board."""
        if caption.cause != self._cause:
            self._actions, self._cause = self._actions + 1, caption.cause
        lines = [] if scene is None else [self._number(line) for line in svg.lines(scene)]
        width, height = (320, 200) if scene is None else (scene.width, scene.height)
        chapter = self._chapters.setdefault(caption.chapter, len(self._chapters))
        self._shots.append(
            _Shot(lines, width, height, caption.text, caption.actor, chapter, self._actions)
        )

    def _number(self, line: str) -> int:
        return self._lines.setdefault(line, len(self._lines))

    def html(self) -> str:
        """The file."""
        empty = Scene(320, 200, self.title, self.about, ())
        data = {
            "lines": list(self._lines),
            "chapters": list(self._chapters),
            "shots": self._shots,
        }
        # Within a script element nothing but its end tag could be taken for HTML.
        text = msgspec.json.encode(data).decode().replace("<", "\\u003c")
        page = (resources.files("projections") / "film.html").read_text("utf-8")
        parts = {
            "TITLE": escape(self.title),
            "ABOUT": escape(self.about),
            "STYLE": svg.STYLE,
            "BOARD": "".join(svg.opening(empty, "")) + '<g id="things"></g></svg>',
            "DATA": text,
        }
        for name, value in parts.items():
            page = page.replace(f"@@{name}@@", value)
        return page


def film(title: str, about: str, shots: Iterable[tuple[Scene | None, Caption]]) -> str:
    """The whole file at once."""
    made = Film(title, about)
    for scene, caption in shots:
        made.add(scene, caption)
    return made.html()

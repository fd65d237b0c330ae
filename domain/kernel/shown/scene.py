"""A picture as a description: shapes in whole numbers, what they are, and how they read aloud.

A game says what lies where; ``projections/svg.py`` says how that looks. So there is no style here:
a shape has a ``paint`` out of a closed vocabulary, and a free ``name``: what it stands for.
x grows to the right, y downwards, both in units of the picture.
"""

from __future__ import annotations

from typing import Literal

from ..values import Value

Paint = Literal[
    "sea", "dark-sea", "grid", "land", "shoal", "absent", "smoke", "storm", "zone",
    "first", "second", "first-ink", "second-ink", "wake",
    "ink", "paper", "panel", "text", "faint", "strong",
    "badge", "badge-ink", "grave", "left", "lost", "pending",
    "card", "back", "focus", "arc", "band",
    "move", "shot", "hit", "miss", "note",
]  # fmt: skip
"""How a shape is drawn.

sea, dark-sea, grid, land, shoal, absent, smoke, storm, zone   the table
first, second      a piece of the first and of any other seat; ``-ink`` for letters upon it
wake               a piece that is there in another way: below the surface, in the air
badge, badge-ink   a marker and its letter; ``grave`` strikes a piece out
left, lost, pending  hull points
card, back         the face of a card, and its back
focus, arc, band   the piece that was asked about, where it may fire, how far
move, shot, hit, miss, note  the last action
"""

Anchor = Literal["start", "middle", "end"]


class Box(Value, frozen=True, tag_field="form", tag="box"):
    """A rectangle by its upper left corner."""

    x: int
    y: int
    width: int
    height: int
    paint: Paint
    name: str = ""
    round: int = 0


class Disc(Value, frozen=True, tag_field="form", tag="disc"):
    """A circle by its middle."""

    x: int
    y: int
    radius: int
    paint: Paint
    name: str = ""


class Way(Value, frozen=True, tag_field="form", tag="way"):
    """A polygon, or a line with or without a head at its end."""

    points: tuple[tuple[int, int], ...]
    paint: Paint
    name: str = ""
    closed: bool = False
    arrow: bool = False


class Word(Value, frozen=True, tag_field="form", tag="word"):
    """A line of text by the start, middle or end of its baseline; ``size`` is its height."""

    x: int
    y: int
    text: str
    size: int
    paint: Paint = "text"
    anchor: Anchor = "start"
    name: str = ""


class Group(Value, frozen=True, tag_field="form", tag="group"):
    """Shapes that are one thing.

    name   what it is, in kebab-case: ``unit``, ``marker-crippled``; several words with spaces
    title  the same for people, with whose it is
    about  more of it, for those who do not see the picture
    key    ID of the piece, where it is one: pages answer a click on it
    """

    items: tuple[Box | Disc | Way | Word | Group, ...]
    name: str = ""
    title: str = ""
    about: str = ""
    key: str = ""


Item = Box | Disc | Way | Word | Group


class Scene(Value, frozen=True):
    """A whole picture; ``items`` are drawn in order, the later above the earlier."""

    width: int
    height: int
    title: str
    about: str
    items: tuple[Item, ...]


_LINE, _LETTER, _MARGIN = 18, 9, 16


def of_text(title: str, text: str) -> Scene:
    """The picture of a board that is drawn in letters only: for games that bring no better one."""
    lines = text.split("\n")
    words = tuple(
        Word(_MARGIN, _MARGIN + _LINE * number, line, 14, "text", name="line")
        for number, line in enumerate(lines, 1)
        if line
    )
    width = max((len(line) for line in lines), default=0) * _LETTER + 2 * _MARGIN
    height = (len(lines) + 1) * _LINE + 2 * _MARGIN
    return Scene(max(width, 320), height, title, text, words)

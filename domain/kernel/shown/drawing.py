"""What pictures of naval games share: markers, hull points, silhouettes, lines of fire."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isqrt
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from .scene import Box, Disc, Group, Item, Paint, Way, Word

Point = tuple[int, int]

S = TypeVar("S")
E = TypeVar("E")

BADGE = 7
"""Radius of a marker."""

PIP = 6
"""Side of the square of a hull point."""


FAR = 100
"""A line as long as this has room for words beside its middle."""

CLEAR = 34
"""How far above a piece words stand clear of its markers."""

MOST_NOTES = 12
"""Places that are tried for words before they may lie on others."""

HEADING = ("title", "when", "last-said")
"""Names of the lines over a picture: what they say was said, and nothing is drawn by it."""

MOVE = "last move"
"""The name of a piece's way: it is drawn below the pieces, results above them."""


class Marker(NamedTuple):
    """A marker: its letters, and what they stand for."""

    letter: str
    text: str


def badge(at: Point, marker: Marker, name: str, radius: int = BADGE) -> Group:
    """A marker as a disc with its letter; never told apart by colour."""
    x, y = at
    size = radius * 10 // 7 if len(marker.letter) < 2 else radius * 8 // 7
    letter = Word(x, y + radius // 2 + 1, marker.letter, size, "badge-ink", "middle")
    return Group(
        (Disc(x, y, radius, "badge"), letter), name=f"marker marker-{name}", title=marker.text
    )


def badges(
    middle: Point, shown: Iterable[tuple[str, Marker]], radius: int = BADGE, per_row: int = 5
) -> Iterator[Item]:
    """Markers beside each other about the middle of a line; further lines grow upwards."""
    every = list(shown)
    x, y = middle
    step = 2 * radius + 1
    for number, (name, marker) in enumerate(every):
        line, place = divmod(number, per_row)
        in_line = min(per_row, len(every) - line * per_row)
        left = x - (in_line - 1) * step // 2
        yield badge((left + place * step, y - line * step), marker, name, radius)


def pips(middle: Point, left: int, pending: int, lost: int, side: int = PIP) -> Iterator[Item]:
    """Hull points as squares about a middle: full, about to go (half), gone (empty)."""
    x, y = middle
    going = min(pending, left)
    counted: tuple[tuple[Paint, int], ...] = (
        ("left", left - going),
        ("pending", going),
        ("lost", lost),
    )
    paints = [paint for paint, many in counted for _ in range(many)]
    start = x - (len(paints) * (side + 1) - 1) // 2
    for number, paint in enumerate(paints):
        yield Box(start + number * (side + 1), y, side, side, paint, f"hull-{paint}")


def hull(at: Point, half_length: int, half_width: int, paint: Paint) -> Way:
    """A ship from above, bow to the right."""
    x, y = at
    shoulder = x + half_length - half_width - 2
    return Way(
        (
            (x - half_length, y - half_width + 2),
            (x - half_length + 4, y - half_width),
            (shoulder, y - half_width),
            (x + half_length, y),
            (shoulder, y + half_width),
            (x - half_length + 4, y + half_width),
            (x - half_length, y + half_width - 2),
        ),
        paint,
        closed=True,
    )


def deck(at: Point, half_length: int, half_width: int, paint: Paint) -> Way:
    """A carrier from above: a flight deck with its angled end."""
    x, y = at
    return Way(
        (
            (x - half_length, y - half_width),
            (x + half_length - 5, y - half_width),
            (x + half_length, y - half_width + 5),
            (x + half_length, y + half_width),
            (x - half_length, y + half_width),
        ),
        paint,
        closed=True,
    )


def boat(at: Point, half_length: int, half_width: int, paint: Paint) -> Way:
    """A submarine from above: pointed at both ends."""
    x, y = at
    tip = half_width + 3
    return Way(
        (
            (x - half_length, y),
            (x - half_length + tip, y - half_width),
            (x + half_length - tip, y - half_width),
            (x + half_length, y),
            (x + half_length - tip, y + half_width),
            (x - half_length + tip, y + half_width),
        ),
        paint,
        closed=True,
    )


def plane(at: Point, half_length: int, half_width: int, paint: Paint) -> Way:
    """An aircraft from above, nose up: wings as wide as a ship is long."""
    x, y = at
    wing, body = half_length - 2, 8
    return Way(
        (
            (x, y - half_width - 2),
            (x + body, y - half_width + 3),
            (x + wing, y - half_width + 5),
            (x + wing, y + half_width - 3),
            (x + body, y + half_width - 2),
            (x + body, y + half_width + 2),
            (x - body, y + half_width + 2),
            (x - body, y + half_width - 2),
            (x - wing, y + half_width - 3),
            (x - wing, y - half_width + 5),
            (x - body, y - half_width + 3),
        ),
        paint,
        closed=True,
    )


def cross(at: Point, reach: int, name: str) -> Group:
    """Two strokes through a piece that is about to leave play."""
    x, y = at
    strokes = (
        Way(((x - reach, y - reach), (x + reach, y + reach)), "grave"),
        Way(((x - reach, y + reach), (x + reach, y - reach)), "grave"),
    )
    return Group(strokes, name=name, title="destroyed")


def towards(start: Point, end: Point, short: int) -> Point:
    """The point of the line that lies ``short`` before its end; its start if it is shorter."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = isqrt(dx * dx + dy * dy)
    if length <= short:
        return start
    return start[0] + dx * (length - short) // length, start[1] + dy * (length - short) // length


def shot(
    start: Point,
    end: Point,
    text: str,
    name: str,
    title: str,
    struck: bool | None,
    lines: Iterable[tuple[Point, ...]] = (),
) -> Group:
    """A line of fire with its result in words: a full star for a hit, a ring for a miss.

    The words stand beside the middle of the line, not on the piece that was shot at; where pieces
    are close to each other, above them.
    lines  which way it is drawn, where it must not go straight
    """
    straight = (towards(end, start, 14), towards(start, end, 10 if struck else 16))
    items: list[Item] = [
        Way(line, "shot", "shot-line", arrow=True) for line in tuple(lines) or (straight,)
    ]
    if struck is not None:
        items.append(star(end, 11) if struck else Disc(*end, 9, "miss", "shot-miss"))
    if text:
        far = max(abs(end[0] - start[0]), abs(end[1] - start[1])) > FAR
        x, y = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        x, y = (x, y + 4) if far else (end[0], min(start[1], end[1]) - CLEAR)
        items.append(Word(x, y, text, 12, "note", "middle", "shot-result"))
    return Group(tuple(items), name=f"last {name}", title=title)


def readable(groups: Iterable[Group]) -> Iterator[Group]:
    """The groups of the last action with their words on plates, none of which lies on another."""
    taken: list[Box] = []
    for group in groups:
        items: list[Item] = []
        for item in group.items:
            if isinstance(item, Word):
                moved = _apart(item, taken)
                taken.append(_plate(moved))
                items += [taken[-1], moved]
            else:
                items.append(item)
        yield replace(group, items=tuple(items))


def _apart(word: Word, taken: Iterable[Box]) -> Word:
    """The word where it is, or a little above or below, where no other one lies."""
    for step in range(MOST_NOTES):
        line = (step + 1) // 2 * (1 if step % 2 == 0 else -1)
        moved = replace(word, y=word.y + line * (word.size + 5))
        if not any(_overlap(_plate(moved), other) for other in taken):
            return moved
    return word


def _plate(word: Word) -> Box:
    """What a word in the middle of its place covers, as wide as bold letters make it."""
    wide, high = len(word.text) * word.size * 7 // 10 + 6, word.size + 4
    left = word.x - (wide // 2 if word.anchor == "middle" else 3)
    return Box(left, word.y - word.size, wide, high, "paper", "note-plate", 3)


def _overlap(one: Box, two: Box) -> bool:
    return (
        one.x < two.x + two.width
        and two.x < one.x + one.width
        and one.y < two.y + two.height
        and two.y < one.y + one.height
    )


def star(at: Point, reach: int, paint: Paint = "hit", name: str = "shot-hit") -> Way:
    """Where a shell burst; in another paint, a place that is worth points."""
    x, y = at
    near = reach // 3
    points = (
        (x, y - reach), (x + near, y - near), (x + reach, y), (x + near, y + near),
        (x, y + reach), (x - near, y + near), (x - reach, y), (x - near, y - near),
    )  # fmt: skip
    return Way(points, paint, name, closed=True)


def travelled(points: tuple[Point, ...], title: str, *more: tuple[Point, ...]) -> Group:
    """The way that a piece has come; ``more`` where something is left out between its parts."""
    ways = tuple(Way(line, "move", "move-line", arrow=True) for line in (points, *more))
    return Group(ways, name=MOVE, title=title)


def legend(at: Point, markers: Mapping[str, Marker], width: int) -> tuple[list[Item], int]:
    """Every marker with its meaning, in columns; and the height that takes."""
    x, y = at
    column = 240
    columns = max(1, width // column)
    items: list[Item] = []
    for number, (name, marker) in enumerate(markers.items()):
        left, top = x + number % columns * column, y + number // columns * 19
        sign = badge((left + BADGE, top + BADGE), marker, name)
        items.append(Group(sign.items, name="legend"))
        items.append(Word(left + 2 * BADGE + 6, top + BADGE + 4, marker.text, 12, "faint"))
    return items, (-(-len(markers) // columns)) * 19


def last_said(
    says: Callable[[S | None, E], str],
    evolve: Callable[[S | None, E], S],
    before: S | None,
    events: Iterable[E],
) -> str:
    """The last sentence that was said of the events; "" when none was."""
    said, now = "", before
    for event in events:
        said = says(now, event) or said
        now = evolve(now, event)
    return said


def heading(left: int, title: str, when: str, said: str, rooms: tuple[int, int]) -> Iterator[Word]:
    """Over a picture: its title, when it is, and what was last said, if anything was.

    rooms  letters that the title and the lines below it may have
    """
    named, when_named, said_named = HEADING
    yield Word(left, 30, cut(title, rooms[0]), 22, "strong", name=named)
    yield Word(left, 54, cut(when, rooms[1]), 14, "text", name=when_named)
    if said:
        yield Word(left, 78, cut(said, rooms[1]), 14, "faint", name=said_named)


def pip_signs(left: int, top: int) -> tuple[list[Item], int]:
    """What the squares of hull points mean, in a line; and where the line ends."""
    items: list[Item] = []
    signs: tuple[tuple[Paint, str, int], ...] = (
        ("left", "hull point", 100),
        ("pending", "about to be lost", 140),
        ("lost", "lost", 70),
    )
    for paint, text, width in signs:
        items += [Box(left, top, 9, 9, paint), Word(left + 14, top + 9, text, 12, "faint")]
        left += width
    return items, left


def cut(text: str, room: int) -> str:
    """A text in at most ``room`` letters."""
    return text if len(text) <= room else text[: room - 1] + "…"


def wrapped(text: str, room: int) -> list[str]:
    """A text in lines of at most ``room`` letters, broken between words."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines

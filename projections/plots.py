"""Luck as a picture: bars for what came and what was expected, and the course of it below.

Told apart by outline and dashes, never by colour alone; the description says it all in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from typing import NamedTuple

CLASS = "decklog-luck"

STYLE = (
    f".{CLASS} text{{font:14px sans-serif;fill:currentColor}}"
    f".{CLASS} .actual{{fill:currentColor}}"
    f".{CLASS} .expected{{fill:none;stroke:currentColor;stroke-dasharray:4 3}}"
    f".{CLASS} .course{{fill:none;stroke:currentColor;stroke-width:2}}"
    f".{CLASS} .axis{{stroke:currentColor;stroke-opacity:.6}}"
)
"""The style of every plot; pages serve it as a file of its own."""

WIDTH, ROW, TOP = 640, 44, 30
LEFT, RIGHT, TALL = 70, 20, 160
DASHES = ("none", "9 4", "2 4", "9 4 2 4", "16 4", "4 4")
"""How the lines of up to six seats are told apart."""


class Bar(NamedTuple):
    """A group of rolls: its name, what it brought, what it should have, how rare that is."""

    name: str
    actual: int
    expected: Fraction
    per_mille: int


class Point(NamedTuple):
    """A seat's luck after the event ``seq``: actual less expected, in thousandths."""

    seq: int
    seat: str
    ahead: int


def drawn(bars: Sequence[Bar], points: Sequence[Point]) -> str:
    """The whole plot as an SVG document."""
    courses = by_seat(points)
    below = TOP + ROW * len(bars) + 10
    height = below + (TOP + TALL + 30 + 22 * len(courses) if courses else 0)
    told = [*map(_bar_words, bars), *(_course_words(*each) for each in courses.items())]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" class="{CLASS}" '
        'role="img" aria-labelledby="luck-title luck-about">'
        f'<title id="luck-title">Luck</title>'
        f'<desc id="luck-about">{escape("; ".join(told) or "no rolls yet")}</desc>'
        f"<style>{STYLE}</style>"
        '<text x="8" y="18">What the dice brought (filled) and were expected to (dashed)</text>'
        f"{''.join(_bars(bars))}{''.join(_courses(courses, below)) if courses else ''}</svg>\n"
    )


def by_seat(points: Sequence[Point]) -> dict[str, list[Point]]:
    """The course of each seat, in order of the seats' names."""
    return {
        seat: [point for point in points if point.seat == seat]
        for seat in sorted({point.seat for point in points})
    }


def thousandths(value: int) -> str:
    """``+1.250``, ``-0.004``, ``0``."""
    if not value:
        return "0"
    whole, rest = divmod(abs(value), 1000)
    return f"{'+' if value > 0 else '-'}{whole}.{rest:03}"


def _bars(bars: Sequence[Bar]) -> Iterator[str]:
    sizes = [abs(value) for bar in bars for value in (Fraction(bar.actual), bar.expected)]
    most = max(sizes, default=Fraction(1)) or Fraction(1)
    for place, bar in enumerate(bars):
        y = TOP + ROW * place
        actual, expected = (
            int(max(Fraction(0), value) * (WIDTH - 220) / most)
            for value in (Fraction(bar.actual), bar.expected)
        )
        yield (
            f'<text x="8" y="{y + 22}">{escape(bar.name)}</text>'
            f'<rect class="actual" x="110" y="{y + 4}" width="{actual}" height="14"/>'
            f'<rect class="expected" x="110" y="{y + 21}" width="{expected}" height="12"/>'
            f'<text x="{WIDTH - 100}" y="{y + 22}">{bar.per_mille} of 1000</text>'
        )


def _courses(courses: dict[str, list[Point]], top: int) -> Iterator[str]:
    """A line for each seat, from nothing at its left; a key to the lines beneath."""
    points = [point for course in courses.values() for point in course]
    low, high = min(0, *(p.ahead for p in points), 0), max(0, *(p.ahead for p in points), 1)
    first, last = min(p.seq for p in points) - 1, max(p.seq for p in points)
    over = top + TOP

    def y(ahead: int) -> int:
        return over + (high - ahead) * TALL // (high - low)

    def x(seq: int) -> int:
        return LEFT + (seq - first) * (WIDTH - LEFT - RIGHT) // (last - first)

    yield f'<text x="8" y="{top + 18}">Ahead of what was expected, event by event</text>'
    for value in sorted({low, 0, high}):
        yield (
            f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value)}" y2="{y(value)}"/>'
            f'<text x="8" y="{y(value) + 5}">{thousandths(value)}</text>'
        )
    for place, (seat, course) in enumerate(courses.items()):
        dash = f'class="course" stroke-dasharray="{DASHES[place % len(DASHES)]}"'
        path, level = f"M{LEFT} {y(0)}", 0
        for point in course:
            path += f"H{x(point.seq)}V{y(point.ahead)}"
            level = point.ahead
        row = over + TALL + 30 + 22 * place
        yield (
            f'<path {dash} d="{path}H{WIDTH - RIGHT}"/><path {dash} d="M{LEFT} {row}h60"/>'
            f'<text x="{LEFT + 70}" y="{row + 5}">{escape(seat)}: {thousandths(level)}</text>'
        )


def _bar_words(bar: Bar) -> str:
    expected = f"{bar.expected.numerator}/{bar.expected.denominator}"
    return f"{bar.name}: {bar.actual}, expected {expected}, worse in {bar.per_mille} of 1000"


def _course_words(seat: str, course: Sequence[Point]) -> str:
    levels = [0, *(point.ahead for point in course)]
    end, most, least = (thousandths(each) for each in (levels[-1], max(levels), min(levels)))
    return f"{seat} was {most} ahead at most, {least} at least, {end} at last"

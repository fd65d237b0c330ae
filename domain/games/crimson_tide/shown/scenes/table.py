"""The open table: land, shallows, storms, objectives, wind; at the end what a unit reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .....kernel.order import ordered
from .....kernel.shown.drawing import Point, star
from .....kernel.shown.scene import Anchor, Box, Disc, Group, Item, Paint, Way, Word
from ...rules.cards import Card
from ...rules.facts import card_of, dark, size_of
from ...rules.geometry.distance import BAND
from ...rules.geometry.fixed import TURN
from ...rules.geometry.hull import base
from ...rules.geometry.pose import offset
from ...rules.state import Land, Objective, State, Unit
from .. import names
from .layout import KLICK, LEFT, TOP, Frame, ray

GRID = 10
"""Klicks between the lines that are drawn on the table."""

QUARTER = TURN // 8
"""45 degrees: arcs begin there on each side of the heading."""

ASIDE = (50, 26)
"""How near an objective a word would be covered by its star, and how far aside it is put."""

ROUND = 12
"""Ticks between the corners of what is drawn round."""


def sheet(state: State, frame: Frame) -> Iterator[Item]:
    """The water with all that lies in it."""
    water: Paint = "dark-sea" if state.turn and dark(state) else "sea"
    yield Box(LEFT, TOP, frame.width, frame.height, water)
    yield from _grid(frame)
    for piece in state.land:
        yield _land(piece, frame, [frame.at(objective.at) for objective in state.objectives])
    for storm in state.storms:
        x, y = frame.at(storm.at)
        yield Group(
            (
                Disc(x, y, frame.length(storm.radius), "storm"),
                Word(x, y, "storm", 13, "text", "middle"),
            ),
            name="storm-disc",
            title=f"storm {storm.id} at {names.spot(state, storm.at)}",
        )
    for objective in state.objectives:
        yield _objective(state, objective, frame)
    if state.wind >= 0:
        yield from _wind(state, frame)
    yield Box(LEFT, TOP, frame.width, frame.height, "ink", "table-edge")


def _grid(frame: Frame) -> Iterator[Item]:
    for east in range(0, frame.width // KLICK + 1, GRID):
        x = LEFT + east * KLICK
        yield Way(((x, TOP), (x, TOP + frame.height)), "grid")
        yield Word(x, TOP + frame.height + 16, str(east), 12, "faint", "middle", "klicks-east")
    for north in range(0, frame.height // KLICK + 1, GRID):
        y = TOP + frame.height - north * KLICK
        yield Way(((LEFT, y), (LEFT + frame.width, y)), "grid")
        yield Word(LEFT - 6, y + 4, str(north), 12, "faint", "end", "klicks-north")


def _land(piece: Land, frame: Frame, stars: Sequence[tuple[int, int]]) -> Group:
    """``stars`` are the objectives: what the land is called stands beside them, not below."""
    outline = tuple(frame.at(corner) for corner in piece.corners)
    x = sum(point[0] for point in outline) // len(outline)
    y = sum(point[1] for point in outline) // len(outline)
    anchor: Anchor = "middle"
    for left, top in stars:
        if abs(x - left) < ASIDE[0] and -ASIDE[1] < y - top < 2 * ASIDE[1]:
            x, anchor = left - ASIDE[1], "end"
    what = "shallows" if piece.shallow else f"{piece.hardness} land"
    low = "" if piece.blocks or piece.shallow else ", low"
    paint: Paint = "shoal" if piece.shallow else "land"
    return Group(
        (
            Way(outline, paint, closed=True),
            Word(x, y, f"{what}{low}", 12, "text", anchor),
        ),
        name=f"terrain {'shallows' if piece.shallow else f'land-{piece.hardness}'}",
        title=f"{piece.id}: {what}{low}",
    )


def _objective(state: State, objective: Objective, frame: Frame) -> Group:
    x, y = frame.at(objective.at)
    held = [f"{seat} {turns}" for seat, turns in ordered(objective.turns) if turns]
    landed = [f"{len(objective.landed)} landed"] if objective.landed else []
    text = ", ".join([f"{objective.points} points", *held, *landed])
    return Group(
        (
            star((x, y), 13, "badge", "objective-star"),
            Disc(x, y, 18, "ink"),
            Word(x, y + 32, text, 12, "strong", "middle"),
        ),
        name=f"objective objective-{objective.kind}",
        title=f"objective {objective.id} ({objective.kind}): {text}",
    )


def _wind(state: State, frame: Frame) -> Iterator[Item]:
    middle = LEFT + frame.width - 40, TOP + 50
    x, y = offset(state.wind % TURN, 28)
    line = ((middle[0] - x, middle[1] + y), (middle[0] + x, middle[1] - y))
    yield Group(
        (
            Disc(*middle, 32, "paper"),
            Way(line, "move", "wind-arrow", arrow=True),
            Word(middle[0], middle[1] + 46, "wind", 12, "text", "middle"),
        ),
        name="wind",
        title=f"the wind blows toward {names.course(state.wind)}",
    )


# --- what a unit reaches -------------------------------------------------------------------------


def reach(state: State, frame: Frame, focus: str) -> Iterator[Item]:
    """Arcs and range bands of the chosen unit, once the battle is over.

    Before that they would measure every shot that nobody has declared yet; of a declared one the
    line of fire says what was measured (CT-FSM-10).
    """
    unit = state.units.get(focus)
    if state.result is None or unit is None or unit.pose is None:
        return
    yield from _arcs(state, unit, frame)
    yield from _bands(state, unit, frame)


def _arcs(state: State, unit: Unit, frame: Frame) -> Iterator[Item]:
    """The four quarters as they begin at the corners of the base."""
    assert unit.pose is not None
    corners = base(unit.pose, size_of(state, unit))
    heading, long = unit.pose.heading, 12 * frame.klick
    turns = (-QUARTER, QUARTER, 3 * QUARTER, 5 * QUARTER)
    names_ = ("forward", "starboard", "aft", "port")
    for number, name in enumerate(names_):
        near, far = corners[number], corners[(number + 1) % 4]
        ends = (
            ray(near, heading + turns[number], long),
            ray(far, heading + turns[(number + 1) % 4], long),
        )
        outline = tuple(frame.inside(frame.at(p)) for p in (near, ends[0], ends[1], far))
        middle = ray(unit.pose.position, heading + 2 * QUARTER * number, 11 * frame.klick)
        x, y = frame.inside(frame.at(middle))
        yield Group(
            (
                Way(outline, "arc" if number % 2 == 0 else "zone", closed=True),
                Word(x, y, name, 12, "strong", "middle"),
            ),
            name=f"arc-{name}",
            title=f"{name} arc of {names.unit_name(state, unit.id)}",
        )


def _bands(state: State, unit: Unit, frame: Frame) -> Iterator[Item]:
    assert unit.pose is not None
    corners = base(unit.pose, size_of(state, unit))
    for number in range(1, _farthest(card_of(state, unit)) + 1):
        outline = tuple(
            frame.inside(frame.at(ray(_corner(corners, tick), tick, number * BAND * frame.klick)))
            for tick in range(0, TURN, ROUND)
        )
        x, y = min(outline, key=lambda point: point[1])
        yield Group(
            (
                Way(outline, "band", closed=True),
                Word(x, y + 14, f"range {number}", 12, "strong", "middle"),
            ),
            name="range-band",
            title=f"range {number} of {names.unit_name(state, unit.id)}",
        )


def _corner(corners: tuple[Point, ...], tick: int) -> Point:
    """The corner that lies farthest in a direction."""
    x, y = offset(tick, 1_000)
    return max(corners, key=lambda corner: corner[0] * x + corner[1] * y)


def _farthest(card: Card) -> int:
    """The last range band in which a weapon of the card has dice."""
    rows = (card.forward, card.aft, card.broadside, card.secondary, card.tertiary, card.torpedo)
    return max((band for row in rows for band, dice in enumerate(row, 1) if dice), default=0)

"""One unit: its base with the hull upon it, hull points, markers, and what it says aloud."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.shown.drawing import Marker, Point, badges, boat, cross, deck, hull, pips, plane
from .....kernel.shown.scene import Group, Item, Paint, Way, Word
from .....kernel.shown.wording import count, join
from ...rules.cards import Card
from ...rules.criticals import TABLE
from ...rules.facts import card_of, crippled, hull_left, sinking
from ...rules.state import State, Unit
from .. import names
from .layout import Frame, corners

LETTERS = {
    "Battleship": "BB",
    "Battlecruiser": "BC",
    "Fleet Carrier": "CV",
    "Light Carrier": "CL",
    "Cruiser": "CA",
    "Destroyer": "DD",
    "Auxiliary": "AX",
    "Submarine": "SS",
    "Fighter": "FI",
    "Dive Bomber": "DB",
    "Torpedo Bomber": "TB",
    "Patrol Bomber": "PB",
    "Reconnaissance": "RE",
    "Land Target": "LT",
}

MARKERS = {
    "crippled": Marker("C", "crippled"),
    "destroyed": Marker("X", "destroyed at the end of the turn"),
    "submerged": Marker("v", "submerged"),
    "detected": Marker("d", "detected"),
    "stopped": Marker("=", "stopped"),
    "reverse": Marker("<", "must go astern"),
    "go-ahead": Marker("^", "must go ahead"),
    "collided": Marker("#", "has collided: half its dice"),
    "aborted": Marker("A", "aborted"),
    "inbound": Marker("T", "torpedoes inbound, how many"),
    "rearming": Marker("R", "rearming"),
    "moved": Marker("m", "has moved"),
    "evaded": Marker("e", "has made evasive maneuvers"),
    "tested": Marker("g", "has tested for grounding"),
    "launched": Marker("L", "has launched aircraft"),
    "fired": Marker("!", "has used a weapon"),
    "tried": Marker("?", "has tried in vain"),
    "mended": Marker("+", "a repair was tried"),
    "active": Marker(">", "is acting"),
    **{
        f"critical-{row.number}": Marker(row.letter, row.name)
        for row in TABLE.values()
        if row.letter
    },
    "pending-critical": Marker("..", "a critical that takes effect later"),
}
"""Markers on units, by the name that they have in the picture."""


def markers(state: State, unit: Unit) -> Iterator[tuple[str, Marker]]:
    """The markers on a unit."""
    afloat = unit.pose is not None
    shown = {
        "destroyed": unit.doomed or (afloat and sinking(state, unit)),
        "crippled": afloat and crippled(state, unit),
        "submerged": unit.submerged,
        "detected": unit.detected,
        "reverse": unit.must_reverse and not unit.away_ahead,
        "go-ahead": unit.must_reverse and unit.away_ahead,
        "stopped": unit.stopped,
        "collided": unit.collided,
        "aborted": unit.aborted,
        "active": unit.id in _acting(state),
        "moved": unit.moved,
        "evaded": unit.evaded,
        "tested": unit.tested,
        "launched": unit.launched,
        "fired": bool(unit.used),
        "tried": bool(unit.tried),
        "mended": bool(unit.mended),
        "pending-critical": bool(unit.pending_criticals),
    }
    yield from ((name, MARKERS[name]) for name, up in shown.items() if up)
    for number in unit.criticals:
        if TABLE[number].letter:
            yield f"critical-{number}", Marker(TABLE[number].letter, TABLE[number].name)
    inbound = sum(each.number for each in unit.inbound)
    if inbound:
        yield "inbound", Marker(f"T{inbound}", count(inbound, "torpedo", "torpedoes"))
    if unit.rearming:
        yield "rearming", Marker(f"R{unit.rearming}", count(unit.rearming, "rearming marker"))


def _acting(state: State) -> tuple[str, ...]:
    order = (state.order.unit,) if state.order is not None else ()
    return (*order, state.shot.attacker) if state.shot is not None else order


def paint_of(state: State, unit: Unit) -> tuple[Paint, Paint]:
    """The first seat's pieces are full, the other's hollow; and the ink upon them."""
    return (
        ("first", "first-ink")
        if state.side(unit.seat) == state.seats[0]
        else ("second", "second-ink")
    )


def afloat(state: State, unit: Unit, frame: Frame, focus: str) -> Group:
    """A ship, submarine or land target on its base."""
    card = card_of(state, unit)
    paint, ink = paint_of(state, unit)
    base = corners(state, unit, frame)
    shape = base if card.kind == "land" else _hull(base, card)
    items: list[Item] = [
        Way(base, "wake" if unit.submerged else "paper", "base", closed=True),
        Way(shape, paint, closed=True),
    ]
    x = sum(point[0] for point in base) // 4
    y = sum(point[1] for point in base) // 4
    items.append(Word(x, y + 5, LETTERS[card.type], 13, ink, "middle"))
    below = max(point[1] for point in base)
    items.append(Word(x, below + 12, unit.id, 12, "strong", "middle", "unit-name"))
    left = hull_left(state, unit)
    items += pips((x, below + 15), left, unit.pending, unit.hull_lost)
    above = min(point[1] for point in base) - 9
    items += badges((x, above), markers(state, unit), per_row=6)
    if unit.doomed or sinking(state, unit):
        items.append(cross((x, y), 13, "cross-destroyed"))
    return _named(state, unit, card, items, focus)


def _hull(base: tuple[Point, ...], card: Card) -> tuple[Point, ...]:
    """The hull upon a base: bow pointed, stern square; carriers square, submarines pointed."""
    port_bow, star_bow, star_stern, port_stern = base
    tip = _along(port_bow, star_bow, 50)
    if card.is_carrier:
        return (
            _along(port_bow, port_stern, 6), _along(port_bow, star_bow, 60),
            _along(star_bow, star_stern, 20), star_stern, port_stern,
        )  # fmt: skip
    shoulders = 35 if card.kind == "submarine" else 25
    front = tip, _along(star_bow, star_stern, shoulders)
    back: tuple[Point, ...] = (star_stern, port_stern)
    if card.kind == "submarine":
        sides = _along(star_bow, star_stern, 65), _along(port_bow, port_stern, 65)
        back = sides[0], _along(port_stern, star_stern, 50), sides[1]
    return (*front, *back, _along(port_bow, port_stern, shoulders))


def _along(a: Point, b: Point, percent: int) -> Point:
    return a[0] + (b[0] - a[0]) * percent // 100, a[1] + (b[1] - a[1]) * percent // 100


def token(state: State, unit: Unit, at: Point, focus: str) -> Group:
    """An aircraft, flying or at its base; or a ship that is not on the table."""
    card = card_of(state, unit)
    paint, ink = paint_of(state, unit)
    x, y = at
    draw = plane if card.kind == "aircraft" else boat if card.kind == "submarine" else hull
    if card.is_carrier:
        draw = deck
    items: list[Item] = [
        draw(at, 18, 8, paint),
        Word(x, y + 5, LETTERS[card.type], 12, ink, "middle"),
        Word(x, y + 22, unit.id, 11, "strong", "middle", "unit-name"),
    ]
    items += badges((x, y - 17), markers(state, unit), per_row=4)
    if unit.doomed:
        items.append(cross(at, 12, "cross-destroyed"))
    return _named(state, unit, card, items, focus)


def _named(state: State, unit: Unit, card: Card, items: list[Item], focus: str) -> Group:
    mission = f" mission-{unit.mission}" if unit.mission else ""
    return Group(
        tuple(items),
        name=f"unit unit-{card.kind} seat-{unit.seat}{mission}"
        + (" focus" if focus == unit.id else ""),
        title=f"{names.unit_name(state, unit.id)}, {card.type} of {unit.seat}",
        about=", ".join(_said(state, unit, card)),
        key=unit.id,
    )


def _said(state: State, unit: Unit, card: Card) -> Iterator[str]:
    """Where it is, which way it points and what is the matter with it, in words."""
    if unit.pose is not None:
        yield names.lies(state, unit.pose)
        yield f"{hull_left(state, unit)} of {card.hull_points} hull points"
    elif unit.at is not None:
        yield f"flying at {names.spot(state, unit.at)}, {unit.mission} mission"
        if unit.beside:
            yield f"{unit.side} of {names.unit_name(state, unit.beside)}"
    else:
        yield f"at {names.base_name(state, unit.base)}"
    if unit.pending:
        yield f"{unit.pending} hull points about to be lost"
    if unit.ahead or unit.astern or unit.turned:
        yield f"{unit.ahead} klicks ahead, {unit.astern} astern" + (
            ", turned" if unit.turned else ""
        )
    for name, marker in markers(state, unit):
        if name == "pending-critical":
            yield join(f"{names.critical_name(n)} to come" for n in unit.pending_criticals)
        else:
            yield marker.text

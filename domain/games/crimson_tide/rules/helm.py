"""Orders ready to post, and the template of all that a unit may be ordered (CT-MOVE-21)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from ....kernel.commands import tag_of
from ....kernel.options import Template, TemplateRefusal
from ....kernel.rules import rule
from ....kernel.values import Seat
from .commands import Move
from .criticals import STEERING
from .facts import has_critical, own, size_of
from .geometry.fixed import RIGHT_ANGLE
from .movement import after_evading, allowance, astern_most, why_not_evade, why_not_mobile
from .state import State, Unit
from .steering import template_angle, why_not_move


def may_be_ordered(state: State, unit: Unit) -> bool:
    """Whether a unit may still have its order this turn; one that cannot move may be let lie."""
    return why_not_mobile(state, unit) is None


@rule("CT-SEQ-06")
def movable(state: State, seat: Seat) -> list[Unit]:
    """The seat's units that may still be ordered."""
    return [unit for unit in own(state, seat) if may_be_ordered(state, unit)]


def ready(state: State, unit: Unit) -> Iterator[Move]:
    """A sensible handful of legal orders: none if the unit may not be ordered now.

    Straight ahead far, half and short; hard and gentle turns both ways; a dog-leg; a stop; astern
    straight and swinging; each of the main ones with evasive maneuvers where a torpedo is inbound.
    """
    if why_not_mobile(state, unit) is not None:
        return
    evading = (False, True) if why_not_evade(state, unit) is None else (False,)
    seen: set[Move] = set()
    for evade in evading:
        for move in _some(state, unit, evade):
            if move not in seen and why_not_move(state, unit, move) is None:
                seen.add(move)
                yield move


def _some(state: State, unit: Unit, evade: bool) -> Iterator[Move]:
    most = allowance(state, unit).total
    left = after_evading(most) if evade else most
    yield from (Move(unit.id, path, evade=evade) for path in _ahead(state, unit, left))
    if left and not unit.stopped:
        yield Move(unit.id, (0,), evade=evade, stop=True)
        yield Move(unit.id, evade=evade, stop=True)
    if unit.stopped:
        back = astern_most(most, evade)
        yield from (Move(unit.id, path, True, evade) for path in _astern(unit, back))
    yield Move(unit.id, evade=evade)


def _ahead(state: State, unit: Unit, most: int) -> Iterator[tuple[int, ...]]:
    """Paths ahead: straight, then turns if the rudder answers."""
    for klicks in sorted({most, (most + 1) // 2, min(most, 1)}, reverse=True):
        if klicks:
            yield (0,) * klicks
    if most < 2 or has_critical(unit, STEERING):
        return
    hard = template_angle(size_of(state, unit))
    for way in (1, -1):
        yield (0, *(way * hard,) * (most - 1))
        yield (0, *(way * (hard // 2),) * (most - 1))
        yield (0, way * hard, *(0,) * (most - 2))
        yield (0, way * hard)
        if most > 2:
            yield (0, way * hard, -way * hard, *(0,) * (most - 3))


def _astern(unit: Unit, most: int) -> Iterator[tuple[int, ...]]:
    """Paths astern: straight, and swung as far as the rules let it."""
    if not most:
        return
    yield (0,) * most
    yield (0,)
    if not has_critical(unit, STEERING):
        for ticks in (RIGHT_ANGLE, -RIGHT_ANGLE, RIGHT_ANGLE // 2, -RIGHT_ANGLE // 2):
            yield (ticks, *(0,) * (most - 1))


def template(state: State, unit: Unit) -> Template:
    """All that the unit may be ordered, as a schema: to go ahead, to go astern, or to stay.

    What it cannot say: that the turns on the way astern come to 90 degrees in all, and whether a
    turn astern, or a ramming, begins against something alongside.
    """
    text = f"Order {unit.id}: ahead or astern klick by klick, each with the ticks turned before it."
    ram = unit.submerged and state.options.deep_ramming == "voluntary"
    evading = (False, True) if why_not_evade(state, unit) is None else (False,)
    ways = tuple(way for evade in evading for way in _ways(state, unit, evade))
    touches = state.options.touching == "no-way"
    return _template(unit.id, text, ways, ram, tuple(_unsaid(ways, ram, touches)))


TOO_SHARP = TemplateRefusal("move.turn-too-sharp", "CT-MOVE-14")
IN_CONTACT = TemplateRefusal("move.in-contact", "CT-AMB-94")


def _unsaid(ways: tuple[Way, ...], ram: bool, touches: bool) -> Iterator[TemplateRefusal]:
    swung = [most for course, _, most, angle, _ in ways if course == "astern" and angle]
    if any(most > 1 for most in swung):
        yield TOO_SHARP
    if touches and (swung or (ram and any(most for _, _, most, _, _ in ways))):
        yield IN_CONTACT


Way = tuple[str, bool, int, int, bool]
"""One kind of order: its course, evading or not, most klicks, most ticks, only with a stop."""


def _ways(state: State, unit: Unit, evade: bool) -> Iterator[Way]:
    """The kinds of orders that are open to a unit, each found by asking the rules."""
    most = allowance(state, unit).total
    ahead, astern = after_evading(most) if evade else most, astern_most(most, evade)
    rudder = not has_critical(unit, STEERING)
    if ahead and why_not_move(state, unit, Move(unit.id, (0,), evade=evade)) is None:
        yield "ahead", evade, ahead, template_angle(size_of(state, unit)) if rudder else 0, False
    backing = [Move(unit.id, (ticks,), True, evade) for ticks in _swings(rudder)]
    if astern and any(why_not_move(state, unit, move) is None for move in backing):
        yield "astern", evade, astern, RIGHT_ANGLE if rudder else 0, False
    for stop in (False, True):
        if why_not_move(state, unit, Move(unit.id, evade=evade, stop=stop)) is None:
            yield "stay", evade, 0, 0, stop


def _swings(rudder: bool) -> tuple[int, ...]:
    return (0, 1, -1) if rudder else (0,)


@lru_cache(maxsize=1024)
def _template(
    unit: str, text: str, ways: tuple[Way, ...], ram: bool, refusals: tuple[TemplateRefusal, ...]
) -> Template:
    schema = {
        "type": "object",
        "required": ["type", "unit"],
        "additionalProperties": False,
        "properties": {
            "type": {"const": tag_of(Move)},
            "unit": {"const": unit},
            "path": _path(max(way[2] for way in ways), max(way[3] for way in ways)),
            "astern": {"enum": sorted({way[0] == "astern" for way in ways})},
            "evade": {"enum": sorted({way[1] for way in ways})},
            "stop": {"type": "boolean"},
            "ram": {"enum": [False, True] if ram else [False]},
        },
        "oneOf": [_way(way) for way in ways],
    }
    return Template(
        tag_of(Move),
        text,
        {name: msgspec.Raw(msgspec.json.encode(value)) for name, value in schema.items()},
        refusals,
    )


def _path(most: int, angle: int) -> dict[str, Any]:
    ticks = {"type": "integer", "minimum": -angle, "maximum": angle}
    return {"type": "array", "maxItems": most, "items": ticks}


@rule("CT-FSM-15")
def _way(way: Way) -> dict[str, Any]:
    """One kind of order as a schema; what is left out has its default, so that one alone fits."""
    course, evade, most, angle, stop = way
    path = _path(most, angle) | ({"minItems": 1} if course != "stay" else {})
    if course == "ahead":
        path["prefixItems"] = [{"const": 0}]
    properties = {
        "path": path,
        "astern": {"const": course == "astern"},
        "evade": {"const": evade},
    }
    required = ["path"] if course != "stay" else []
    required += ["astern"] if course == "astern" else []
    required += ["evade"] if evade else []
    if course == "stay":
        properties["stop"] = {"const": stop}
        required += ["stop"] if stop else []
    return {"title": course, "required": required, "properties": properties}

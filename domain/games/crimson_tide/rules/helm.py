"""Orders ready to post, and the template of all that a unit may be ordered (CT-MOVE-21)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from ....kernel.options import Template
from ..commands import Move
from ..criticals import STEERING
from ..geometry.fixed import RIGHT_ANGLE
from ..state import State, Unit
from .facts import has_critical, size_of
from .movement import after_evading, allowance, astern_most, why_not_evade, why_not_mobile
from .steering import duty, template_angle, why_not_move


def may_be_ordered(state: State, unit: Unit) -> bool:
    """Whether a unit may still have its order this turn; one that cannot move may be let lie."""
    return why_not_mobile(state, unit) is None


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
    """All that the unit may be ordered, as a schema: klicks, ticks of turn, evasion yes or no.

    The order is judged as a whole: how far it goes ahead or astern, and that the first klick ahead
    is straight, is for the rules to say.
    """
    angle = 0 if has_critical(unit, STEERING) else template_angle(size_of(state, unit))
    astern = unit.stopped and astern_most(allowance(state, unit).total, evading=False) > 0
    if astern and angle:
        angle = RIGHT_ANGLE
    return _template(
        unit.id,
        allowance(state, unit).total,
        angle,
        astern,
        why_not_evade(state, unit) is None,
        duty(state, unit) == "astern",
    )


@lru_cache(maxsize=1024)
def _template(
    unit: str, klicks: int, angle: int, astern: bool, evade: bool, reverse: bool
) -> Template:
    ticks = {"type": "integer", "minimum": -angle, "maximum": angle}
    schema = {
        "type": "object",
        "required": ["type", "unit"],
        "additionalProperties": False,
        "properties": {
            "type": {"const": "move"},
            "unit": {"const": unit},
            "path": {"type": "array", "maxItems": klicks, "items": ticks},
            "astern": {"enum": [True] if reverse else [False, True] if astern else [False]},
            "evade": {"enum": [False, True] if evade else [False]},
            "stop": {"type": "boolean"},
        },
    }
    text = f"Order {unit}: up to {klicks} klicks, each with the ticks turned before it."
    return Template(
        "move",
        text,
        {name: msgspec.Raw(msgspec.json.encode(value)) for name, value in schema.items()},
    )

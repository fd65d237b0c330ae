"""Every reading of a game that the service offers, with something for each of its parameters.

The list is made from the service's own operations, so that one that is new is read as well. A
parameter that is not known here stops the test: somebody must say what to ask for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from service.http import registry
from service.http.operation import Operation
from service.http.streams import NDJSON, SSE

BASE = "/v1/games/{game}"
STREAMS = (NDJSON, SSE)
APART = {"getEvidence"}
"""Read on its own: its digests stand for what is sealed."""

AFTERWARDS = {"getReview"}
"""Refused to everybody until the game is over and opened."""

NONE = "0" * 32
"""Id of a game or webhook that is not there."""


@dataclass(frozen=True)
class Look:
    """What somebody may ask about at a moment: all of it is on the table.

    hidden  the seat whose secrets differ
    unit    a ship of that seat
    roll    id of the newest roll that the viewer knows of
    """

    version: int
    hidden: str
    unit: str
    roll: str


@dataclass(frozen=True)
class Reading:
    """One request: the id of its operation, the path below the game's, the form of the answer."""

    operation: str
    path: str
    accept: str = ""


def operations() -> tuple[Operation, ...]:
    """All that can be read of a game."""
    return tuple(
        each
        for each in registry.operations()
        if each.method == "GET" and each.path.startswith(BASE)
    )


def shown() -> set[str]:
    """Ids of the operations that show something to somebody in these worlds: nobody has a hook."""
    return {each.id for each in operations() if "{webhook}" not in each.path} - APART - AFTERWARDS


TOLD_BY_STREAMS = ("moments", "offers", "table")
"""Parameters of which only server-sent events say anything."""


def readings(look: Look) -> Iterator[Reading]:
    """Each operation as it is, in each of its forms, and with each of its parameters."""
    asked = _asked(look)
    for each in operations():
        if each.id in APART:
            continue
        path = each.path.removeprefix(BASE)
        for part, there in {"{roll}": look.roll, "{webhook}": NONE}.items():
            path = path.replace(part, there)
        assert "{" not in path, f"{each.id}: what stands in {path}?"
        for media in sorted({media for answer in each.answers for media, _ in answer.forms}):
            tail = "follow=false" if media in STREAMS else _needed(each, look)
            yield Reading(each.id, _joined(path, tail), media)
        for name in each.query:
            for value in asked[name]:
                pair = f"{name}={value}"
                if name in TOLD_BY_STREAMS:
                    yield Reading(each.id, _joined(path, f"follow=false&{pair}"), SSE)
                    continue
                needed = _needed(each, look) if name in ("as", "at") else ""
                yield Reading(each.id, _joined(path, "&".join(filter(None, (needed, pair)))))


def _joined(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path


def _needed(operation: Operation, look: Look) -> str:
    """What a question must name to be one: why asks after an event, a roll or a value."""
    return f"event={look.version}" if operation.id == "getReasons" else ""


def _asked(look: Look) -> dict[str, tuple[str, ...]]:
    """What is asked for by each parameter, things that are not there or not allowed among them."""
    before = str(max(1, look.version - 9))
    return {
        "after": (before,),
        "as": ("public", look.hidden, "truth"),
        "at": (str(look.version - 1), "99999"),
        "cursor": ("x",),
        "event": (str(look.version - 1), "99999"),
        "follow": ("false",),
        "from": (before,),
        "limit": ("1", "0"),
        "moments": ("true",),
        "offers": ("true",),
        "path": (f"/hands/{look.hidden}", "/deck", f"/ships/{look.unit}", "/nothing"),
        "pictures": ("true",),
        "question": (
            f"when(len(state.hands.{look.hidden}) > 0)",
            "first(state.deck != null)",
            'all(event.type == "cards-drawn")',
            "nonsense(",
        ),
        "role": ("target",),
        "roll": (look.roll, "no-such-roll"),
        "rule": ("NB-DRAW-01",),
        "table": ("true",),
        "to": (str(look.version - 1),),
        "type": ("cards-drawn",),
        "unit": (look.unit,),
        "with": (NONE,),
    }

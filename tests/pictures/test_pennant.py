"""Pictures of Pennant, whose state has no units: every field shows, and each seat's at its ship.

Positions come from random games, as everybody sees them, and one field of them is changed to a
value that it has in another; so a new field need be entered here only if it is not to be seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from domain.examples.pennant.shown.picture import COLOURS, scene
from domain.kernel.codec import canonical, full
from domain.kernel.shown.scene import Group
from projections.svg import svg
from tests.support import pennant, walks

GAMES = 30
UNDRAWN = {"rolls": "it tells one roll from another, in the label of what is awaited"}
"""Fields that are in no picture, with why."""
NEVER = {"seats": ("p2", "p1"), "winners": ("p1",)}
"""Values that no position has that is looked at: games end there, and all have the same seats."""


@cache
def states() -> tuple[Any, ...]:
    """Positions and views of them, no two of which have the same values in all fields by seat."""
    found: dict[Any, Any] = {}
    for seed in range(GAMES):
        for place in walks.random(pennant.GAME, pennant.setup(6), f"drawn {seed}"):
            for state in (place.state, *place.views.values()):
                found.setdefault(tuple(len(each) for _, each in by_seat(state)), []).append(state)
    return tuple(state for kept in found.values() for state in kept[:: 1 + len(kept) // 12])


def by_seat(state: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The fields that have one value for each seat, or none yet."""
    for name in state.__struct_fields__:
        value = getattr(state, name)
        if name != "seats" and isinstance(value, tuple):
            yield name, value


def ships(draw: Callable[..., Any], state: Any) -> dict[str, Group]:
    """What is drawn of each seat."""
    items = draw(state, None, (), "").items
    return {each.key: each for each in items if isinstance(each, Group) and each.key}


def misplaced(draw: Callable[..., Any]) -> list[str]:
    """Fields whose value for one seat changes what is drawn of another."""
    values: dict[tuple[str, int], dict[bytes, Any]] = {}
    for state in states():
        for name, row in by_seat(state):
            for at, value in enumerate(row):
                values.setdefault((name, at), {})[canonical(value)] = value
    found = set()
    for state in states():
        before = ships(draw, state)
        for name, row in by_seat(state):
            for at, seat in enumerate(state.seats if len(row) == len(state.seats) else ()):
                for value in values[name, at].values():
                    changed = (*row[:at], value, *row[at + 1 :])
                    after = ships(draw, replace(state, **{name: changed}))
                    wrong = {key for key in after if after[key] != before.get(key)} - {seat}
                    found |= {f"{name} of {seat} is drawn at {key}" for key in wrong}
    return sorted(found)


def unseen(draw: Callable[..., Any]) -> list[str]:
    """Fields of the state that change nothing in any picture."""
    left = set(pennant.State.__struct_fields__) - UNDRAWN.keys()
    for name in list(left):
        for one, other in zip(states(), states()[1:] + states()[:1], strict=True):
            value = NEVER.get(name, getattr(other, name))
            fits = not isinstance(value, tuple) or len(value) == len(getattr(one, name) or value)
            if fits and draw(one, None, (), "") != draw(_with(one, name, value), None, (), ""):
                left.discard(name)
                break
    return sorted(left)


def _with(state: Any, name: str, value: Any) -> Any:
    return replace(state, **{name: value})


def strange(draw: Callable[..., Any]) -> set[str]:
    """Numbers in a picture that are none of its position, nor of what the colours mean."""
    found = set()
    for state in states():
        written = re.findall(r"(?<![\w.-])\d+(?!\w)", " ".join(_texts(draw(state, None, (), ""))))
        found |= {*written} - {*re.findall(r"\d+", canonical(full(state)).decode())}
    return found - {*re.findall(r"\d+", " ".join(each.text for each in COLOURS.values()))}


def _texts(drawn: Any) -> Iterator[str]:
    """All that is written: in letters on markers, beside ships, above."""
    bare = re.sub(r"<style.*?</style>", "", svg(drawn), flags=re.DOTALL)
    yield from re.findall(r">([^<]+)<", bare)


def test_what_is_of_a_seat_is_drawn_at_its_ship() -> None:
    assert misplaced(scene) == [], "shown/picture.py of Pennant"


def test_every_field_is_to_be_seen_in_pennant() -> None:
    assert unseen(scene) == [], f"shown/picture.py of Pennant, or UNDRAWN of {__name__}"


def test_a_number_in_a_picture_is_one_of_the_position() -> None:
    assert strange(scene) == set(), "shown/picture.py of Pennant"


# --- what is found --------------------------------------------------------------------------------


def exchanged(name: str) -> Callable[..., Any]:
    """A picture that takes a field of the other seat for one's own."""

    def draw(state: Any, *rest: Any) -> Any:
        return scene(replace(state, **{name: getattr(state, name)[::-1]}), *rest)

    return draw


def without(name: str) -> Callable[..., Any]:
    """A picture that has nothing of a field."""
    first = states()[0]

    def draw(state: Any, *rest: Any) -> Any:
        return scene(replace(state, **{name: getattr(first, name)}), *rest)

    return draw


@pytest.mark.parametrize("name", ["choices", "tenders", "points"])
def test_a_field_of_the_wrong_seat_is_found(name: str) -> None:
    assert {each.partition(" ")[0] for each in misplaced(exchanged(name))} == {name}


@pytest.mark.parametrize("name", ["tenders", "left"])
def test_a_field_that_is_not_drawn_is_found(name: str) -> None:
    assert {*unseen(without(name))} - {*unseen(scene)} == {name}


def test_a_strange_number_is_found() -> None:
    def draw(state: Any, *rest: Any) -> Any:
        points = tuple(100 * each for each in state.points)
        return scene(replace(state, points=points), *rest)

    assert "100" in strange(draw)

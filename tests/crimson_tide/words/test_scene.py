"""The picture of the table measures nothing that nobody has declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.game import GAME
from domain.games.crimson_tide.rules.commands import Attack
from domain.games.crimson_tide.rules.state import State
from domain.games.crimson_tide.shown.scenes.whole import scene
from domain.kernel.setup import Result
from domain.kernel.shown.scene import Group, Item
from domain.kernel.values import StepKey
from tests.crimson_tide.seas import position

MEASURES = {"range-band", "arc-forward", "arc-aft", "arc-starboard", "arc-port"}


def groups(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Group):
            yield item.name
            yield from groups(item.items)


def measures(before: State | None, state: State, *events: object, focus: str) -> set[str]:
    drawn = scene(state, before, events, focus)  # type: ignore[arg-type]
    return MEASURES & set(groups(drawn.items))


@pytest.mark.rule("CT-FSM-10")
def test_the_picture_shows_arcs_and_ranges_only_when_the_battle_is_over() -> None:
    units = [
        {"id": "p1-1", "card": "kms-bismarck", "pose": [250_000, 500_000, 0]},
        {"id": "p2-1", "card": "uss-boise", "pose": [400_000, 500_000, 0]},
        {"id": "p2-2", "card": "hms-exeter", "pose": [700_000, 900_000, 0]},
    ]
    quiet = position({"step": StepKey("surface-attack", "first"), "units": units})
    for unit in quiet.units:
        assert not measures(None, quiet, focus=unit)
    events = GAME.decide(quiet, "p1", Attack("p1-1", "primary", "p2-1", "starboard"))
    declared = GAME.fold(events, quiet)
    assert declared.shot is not None
    assert declared.shot.band
    for unit in quiet.units:
        assert not measures(quiet, declared, *events, focus=unit)
    over = replace(quiet, result=Result((), "draw-agreed", "CT-FSM-13"))
    assert measures(None, over, focus="p1-1") == MEASURES

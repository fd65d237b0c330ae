"""The difference of any two positions of a recorded game makes the one of the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.kernel.codec import full
from domain.kernel.values import PUBLIC, TRUTH
from projections.differences import Causes, apply, changes, place, value_at
from tests.support import history
from tests.support.recorded import read
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

PAIRS = 8
EACH = [
    pytest.param(suite, path, id=f"{suite.folder}-{path.stem}")
    for suite in suites().values()
    for path in history.files(suite)
]


def positions(suite: Suite, path: Path, viewer: str) -> Iterator[tuple[Any, Any]]:
    """Every event that was stored, as the viewer knows it, and the state after it."""
    state = None
    for line in read(path)[:-1]:
        data = json.dumps(line["data"]).encode()
        event = suite.codec.decode(line["type"], line["schema"], data)
        event = suite.game.seen(event, viewer)
        state = suite.game.evolve(state, event)
        yield event, state


@pytest.mark.parametrize(("suite", "path"), EACH)
def test_a_difference_applied_gives_the_other_position(suite: Suite, path: Path) -> None:
    chooser = Random(path.stem)
    viewer = chooser.choice([TRUTH, PUBLIC, "p1"])
    states = [state for _, state in positions(suite, path, viewer)]
    for _ in range(PAIRS):
        one, two = chooser.choice(states), chooser.choice(states)
        before, after = full(one), full(two)
        assert apply(before, changes(one, two)) == after
        assert apply(after, changes(two, one)) == before
    assert changes(states[-1], states[-1]) == []


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_every_change_is_laid_to_the_events_that_made_it(suite: Suite) -> None:
    """Along the shortest recorded game: the last event that touched a place left it as it is."""
    path = min(history.files(suite), key=lambda each: each.stat().st_size)
    causes, states, before = Causes(), list[Any](), None
    for seq, (_, state) in enumerate(positions(suite, path, TRUTH), 1):
        assert apply(full(before), changes(before, state)) == full(state)
        if before is not None:
            causes.note(seq, before, state)
        states.append(state)
        before = state
    found = changes(states[0], states[-1])
    assert found
    for change in found:
        seqs = causes.of(change.path)
        assert seqs, change
        where = place(change.pointer, states[-1] if change.kind != "removed" else states[0])
        now = value_at(states[seqs[-1] - 1], where)
        assert now == (None if change.kind == "removed" else change.after)
        was = value_at(states[seqs[0] - 2], where)
        assert was == (None if change.kind == "added" else change.before)

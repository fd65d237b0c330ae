"""Recorded games, one for each way to win or draw, come out as they were played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain.kernel.codec import canonical
from tests.support import recorded
from tests.support.suites import Suite, suites

EACH = [
    pytest.param(suite, path, id=f"{suite.folder}-{path.stem}")
    for suite in suites().values()
    for path in recorded.files(suite)
]


ANEW = "if that is meant: make remake (python -m tests.support.recorded)"


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_every_way_is_recorded(suite: Suite) -> None:
    assert {path.stem for path in recorded.files(suite)} == set(suite.recipes), ANEW


@pytest.mark.parametrize(("suite", "path"), EACH)
def test_a_recorded_game_is_replayed_to_the_same_state(suite: Suite, path: Path) -> None:
    lines = recorded.read(path)
    replayed = recorded.replay(suite, lines)
    for turn, (computed, written) in enumerate(replayed.digests, 1):
        assert computed == written, f"it differs at the start of turn {turn}; {ANEW}"
    assert json.loads(canonical(replayed.end)) == lines[-1], ANEW
    result = suite.game.result(replayed.state)
    assert result is not None
    ends = result.reason, result.rule, len(result.winners)
    assert ends == suite.recipes[path.stem].ends


@pytest.mark.parametrize(("suite", "path"), EACH)
def test_its_stored_events_fold_to_the_same_state(suite: Suite, path: Path) -> None:
    replayed = recorded.replay(suite, recorded.read(path))
    codec = suite.codec
    stored = [(codec.name(e), e.SCHEMA, codec.encode(e)) for e in replayed.events]
    folded = suite.game.fold(codec.decode(*row) for row in stored)
    assert canonical(folded) == canonical(replayed.state)

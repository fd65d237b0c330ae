"""The corpus (tests/campaigns/corpus.py) is the same each time: what differs was changed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.campaigns.corpus import recorded
from tests.support.pennant import GAME


def test_two_runs_of_the_same_service_are_equal(tmp_path: Path) -> None:
    answers = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        answers.append(asyncio.run(recorded(GAME, folder, 120)))
    assert answers[0] == answers[1]
    assert len(set(answers[0])) > 200

"""Recorded battles, one for each way to win or draw, come out as they were played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domain.games.war_at_sea import GAME
from domain.kernel.codec import Codec, canonical
from domain.kernel.rules import Refused
from tests.support import recorded

WAYS = {
    "points-2007": ("victory-points", "WAS-EOT-06", 1),
    "points-2009": ("victory-points", "WAS-EOT-06", 1),
    "elimination-2007": ("elimination", "WAS-VP-05", 1),
    "elimination-2009": ("elimination", "RUL-81", 1),
    "mutual-elimination-2007": ("mutual-elimination", "RUL-80", 1),
    "mutual-elimination-2009": ("mutual-elimination", "RUL-80", 1),
    "mutual-draw-2007": ("mutual-elimination", "RUL-80", 0),
    "stalemate-2007": ("stalemate", "WAS-EOT-08", 1),
    "stalemate-2009": ("stalemate", "WAS-EOT-08", 1),
    "agreed-draw-2009": ("stalemate", "RUL-83", 0),
    "convoy-through-2007": ("convoy-through", "WAS-SCEN-28", 1),
    "convoy-through-2009": ("convoy-through", "WAS-SCEN-28", 1),
    "convoy-sunk-2007": ("convoy-sunk", "WAS-SCEN-28", 1),
    "convoy-sunk-2009": ("convoy-sunk", "WAS-SCEN-28", 1),
    "convoy-late-2009": ("convoy-sunk", "WAS-SCEN-28", 1),
    "major-2009": ("elimination", "RUL-81", 1),
    "resignation-2009": ("resignation", "RUL-89", 1),
}
"""Reason, rule, and how many win."""


def test_every_way_is_recorded() -> None:
    assert {path.stem for path in recorded.files()} == set(WAYS)


@pytest.mark.parametrize("path", recorded.files(), ids=lambda path: path.stem)
def test_a_recorded_battle_is_replayed_to_the_same_state(path: Path) -> None:
    lines = recorded.read(path)
    replayed = recorded.replay(lines)
    for turn, (computed, written) in enumerate(replayed.digests, 1):
        assert computed == written, f"it differs at the start of turn {turn}"
    assert json.loads(canonical(replayed.end)) == lines[-1]
    reason, rule, winners = WAYS[path.stem]
    result = replayed.state.result
    assert result is not None
    assert (result.reason, result.rule, len(result.winners)) == (reason, rule, winners)


@pytest.mark.parametrize("path", recorded.files(), ids=lambda path: path.stem)
def test_its_stored_events_fold_to_the_same_state(path: Path) -> None:
    replayed = recorded.replay(recorded.read(path))
    codec = Codec(GAME)
    stored = [(codec.name(e), e.SCHEMA, codec.encode(e)) for e in replayed.events]
    folded = GAME.fold(codec.decode(*row) for row in stored)
    assert canonical(folded) == canonical(replayed.state)


def test_another_die_is_another_battle() -> None:
    lines = recorded.read(recorded.FOLDER / "points-2009.jsonl")
    at = next(n for n, line in enumerate(lines) if len(line.get("faces", [[]])[0]) > 5)
    pool = lines[at]["faces"][0]
    other = [*lines[:at], {"faces": [[6 if face < 4 else 1 for face in pool]]}, *lines[at + 1 :]]
    assert outcome(lines) == lines[-1]["state"]
    assert outcome(other) != lines[-1]["state"]


def outcome(lines: list[recorded.Line]) -> str:
    """The digest of the last state, or why the battle cannot be replayed."""
    try:
        return str(recorded.replay(lines).end["state"])
    except (Refused, AssertionError) as error:
        return repr(error)

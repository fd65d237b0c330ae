"""The digest of a recorded battle depends on its dice."""

from __future__ import annotations

from domain.kernel.rules import Refused
from tests.support import recorded
from tests.war_at_sea.suite import SUITE


def test_another_die_is_another_battle() -> None:
    lines = recorded.read(SUITE.recorded / "points-2009.jsonl")
    at = next(n for n, line in enumerate(lines) if len(line.get("faces", [[]])[0]) > 5)
    pool = lines[at]["faces"][0]
    other = [*lines[:at], {"faces": [[6 if face < 4 else 1 for face in pool]]}, *lines[at + 1 :]]
    assert outcome(lines) == lines[-1]["state"]
    assert outcome(other) != lines[-1]["state"]


def outcome(lines: list[recorded.Line]) -> str:
    """The digest of the last state, or why the battle cannot be replayed."""
    try:
        return str(recorded.replay(SUITE, lines).end["state"])
    except (Refused, AssertionError) as error:
        return repr(error)

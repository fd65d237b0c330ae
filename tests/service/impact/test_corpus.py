"""The changelog says what today's rules change in recorded games; written by a command only.

``python -m tests.support.impact``, a step of ``make remake``, writes it. The versions are compared
in any run; the games are decided again whenever a file that decides has changed.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from service.impact.impact import Impact, impact
from tests.service.impact.playing import POINTS, compared
from tests.support import impact as writing
from tests.support.impact import (
    BEGIN,
    CHANGELOG,
    END,
    block,
    corpus,
    line,
    merged,
    of,
    pair,
    rulesets,
    written,
)

GRAVE = ("outcome", "refused", "dice")
TEXT = f"# Changes\n\n{BEGIN}\n- old\n{END}\n\nmore\n"


def unraised(found: Impact, old: str, new: str) -> str:
    """Which grave kinds there are though the version is the old one; "" for none."""
    return ", ".join(kind for kind in GRAVE if found.kinds[kind] and old == new)


def test_the_changelog_is_of_the_installed_rules() -> None:
    """By version: a digest moves with what changes nothing. Where this fails: make remake."""
    lines = block(CHANGELOG.read_text("utf-8")).splitlines()
    pairs = [(ruleset, *pair(ruleset)) for ruleset in rulesets()]
    assert pairs
    assert [each.partition(":")[0] for each in lines] == [
        f"- {ruleset} {old.version} -> {ruleset} {new.version}" for ruleset, old, new in pairs
    ]


@pytest.mark.slow("impact")
@pytest.mark.parametrize("ruleset", rulesets())
def test_the_changelog_says_what_they_change(ruleset: str) -> None:
    """Where this fails: make remake."""
    found, both = of(ruleset), pair(ruleset)
    assert line(found) in block(CHANGELOG.read_text("utf-8")).splitlines()
    assert unraised(found, both.old.version, both.new.version) == ""


def test_all_recorded_games_and_the_evidence_of_the_past_are_in_it() -> None:
    files = {history.file for history in corpus("war-at-sea")}
    assert "tests/evidence/history/war-at-sea-6.decklog" in files
    assert "tests/evidence/history/first-battle.decklog" not in files, "older rules decided it"
    assert len([file for file in files if file.startswith("tests/games/war_at_sea/")]) > 10


def test_a_line_has_kinds_rules_and_endings() -> None:
    game = compared({"course.py": ("most = max(", "most = min(")}, seed=4)
    told = line(impact(("a 1 (x)", "a 2 (y)"), [game]))
    assert told.startswith("- a 1 -> a 2: 12 decisions in 1 games; 1 outcome (PEN-6 1)")
    assert told.endswith("; other ends: game.jsonl.")
    assert line(impact(("a", "b"), [compared({})])).endswith("; none differs.")


def test_a_grave_change_needs_another_version() -> None:
    found = impact(("a", "b"), [compared(POINTS)])
    assert unraised(found, "1", "1") == "outcome"
    assert unraised(found, "1", "2") == ""


def test_one_ruleset_leaves_the_lines_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "rulesets", lambda: ["a", "b-c"])
    before = "- a 1 -> a 2: old.\n- gone 1 -> gone 2: old.\n- b-c 1 -> b-c 2: old."
    lines = merged(before, {"b-c": "- b-c 1 -> b-c 3: new."})
    assert lines == ["- a 1 -> a 2: old.", "- b-c 1 -> b-c 3: new."]


def test_what_is_written_stands_between_the_marks() -> None:
    new = written(TEXT, ["- new", "- newer"])
    assert new == f"# Changes\n\n{BEGIN}\n- new\n- newer\n{END}\n\nmore\n"
    assert block(new) == "- new\n- newer"
    with pytest.raises(ValueError, match="no marks"):
        written("# Changes\n", [])


def test_a_game_that_could_not_be_followed_is_counted() -> None:
    game = msgspec.structs.replace(compared({}), stopped="7: it is not of the old rules")
    assert line(impact(("a", "b"), [game])).endswith("; none differs; not to the end: 1.")


def test_the_command_prints_how_fast_it_was_and_writes_it_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = impact(("a 1 (x)", "a 2 (y)"), [compared({})])
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(TEXT, "utf-8")
    monkeypatch.setattr(writing, "CHANGELOG", changelog)
    monkeypatch.setattr(writing, "rulesets", lambda: ["a"])
    monkeypatch.setattr(writing, "of", lambda ruleset: found)
    monkeypatch.setattr(writing, "_effort", iter((1.0, 1.5)).__next__)
    writing.write(["a"])
    first, last = capsys.readouterr().out.splitlines()
    assert first == line(found)
    assert last == f"a 2 (y): {found.decisions * 2} decisions a second"
    assert changelog.read_text("utf-8") == written(TEXT, [first])

"""The version of a game's rules is raised when they decide otherwise, and the changelog says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.event import Event
from domain.kernel.testing.table import Table
from domain.kernel.values import Value
from tests.support import cases, decisions, frozen, option_records
from tests.support.decisions import Answers, Decisions, Recording
from tests.support.recorded import read
from tests.support.suites import Suite, suites

pytestmark = pytest.mark.slow("conformance")

SUITES = pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)


@SUITES
def test_what_was_recorded_is_decided_as_the_version_says(suite: Suite) -> None:
    found = decisions.faults(suite, decisions.load(suite), decisions.decided(suite))
    assert not found, "\n".join(found)


@SUITES
def test_a_raised_version_stands_in_the_changelog(suite: Suite) -> None:
    wanted = decisions.line(suite, suite.game.version)
    told = decisions.announced(suite, decisions.CHANGELOG.read_text("utf-8"))
    assert told, f'CHANGELOG.md needs a line "{wanted} what players will notice."'


def one_recording(suite: Suite) -> tuple[Suite, Decisions]:
    """A suite with the first of its recordings alone, and what is kept of it."""
    kept = decisions.load(suite)
    name = min(kept.recordings, key=lambda name: len(kept.recordings[name].answers))
    kept = msgspec.structs.replace(kept, recordings={name: kept.recordings[name]}, cases={})
    return suite, kept


def changed(suite: Suite, **functions: Any) -> Suite:
    return replace(suite, game=replace(suite.game, **functions))


def answered(suite: Suite, kept: Decisions) -> Answers:
    """The kept recordings and cases as the suite decides them now."""
    return Answers(
        recordings={
            name: decisions._recording(suite, read(suite.recorded / f"{name}.jsonl"))
            for name in kept.recordings
        },
        cases={
            case["id"]: decisions._case(suite, case)
            for case in cases.load(suite.folder)
            if case["id"] in kept.cases
        },
    )


def otherwise(suite: Suite) -> Suite:
    """Rules that give the chance seat's answers another reason."""
    decide = suite.game.decide

    def other(state: Any, seat: str, command: Any) -> tuple[Any, ...]:
        first, *rest = decide(state, seat, command)
        if seat == "chance":
            first = msgspec.structs.replace(first, rules=("NEW-1",))
        return (first, *rest)

    return changed(suite, decide=other)


@SUITES
def test_another_answer_of_the_same_version_is_found_and_told(suite: Suite) -> None:
    suite, kept = one_recording(suite)
    other = otherwise(suite)
    (told,) = decisions.faults(other, kept, answered(other, kept))
    (name,) = kept.recordings
    assert f"{name}.jsonl:" in told
    assert '"faces"' in told
    assert f"raise VERSION in domain/games/{suite.folder}/rules/engine.py" in told
    assert decisions.line(suite, "N") in told
    with pytest.raises(ValueError, match="decides otherwise"):
        decisions.taken(other, kept, answered(other, kept))


def test_a_raised_version_takes_it_in_and_keeps_what_the_old_one_came_to() -> None:
    suite, kept = one_recording(suites()["war_at_sea"])
    raised = changed(otherwise(suite), version="99")
    now = answered(raised, kept)
    assert decisions.faults(raised, kept, now) == [
        "war_at_sea: run make remake (python -m tests.support.decisions): it takes in what is new"
    ]
    taken = decisions.taken(raised, kept, now)
    assert taken.version == "99"
    assert taken.versions.keys() == {*kept.versions, kept.version}
    assert taken.versions.items() > kept.versions.items()
    assert decisions.faults(raised, taken, now) == []
    again = decisions.struck(raised, taken)
    assert again.versions == taken.versions
    assert decisions.taken(raised, again, now) == taken
    unseen = decisions.struck(raised, kept)
    assert decisions.taken(raised, unseen, now) == taken, "it was struck before it was taken in"


def test_going_back_to_a_version_that_was_needs_its_answers() -> None:
    suite, kept = one_recording(suites()["war_at_sea"])
    raised = changed(suite, version="99")
    taken = decisions.taken(raised, kept, answered(suite, kept))
    back = otherwise(suite)
    with pytest.raises(ValueError, match="decides otherwise"):
        decisions.taken(back, taken, answered(back, kept))
    assert decisions.taken(suite, taken, answered(suite, kept)).versions.keys() == {
        *kept.versions, "99",
    }  # fmt: skip


def test_a_recording_that_is_gone_or_was_played_anew_proves_nothing() -> None:
    suite, kept = one_recording(suites()["war_at_sea"])
    (told,) = decisions.faults(suite, kept, Answers(recordings={}))
    assert "the recording is gone" in told
    ((name, recording),) = kept.recordings.items()
    anew = {name: msgspec.structs.replace(recording, orders="0" * 8)}
    (told,) = decisions.faults(suite, kept, Answers(recordings=anew))
    assert "it was played anew" in told


def test_a_new_recording_is_taken_in_freely() -> None:
    suite, kept = one_recording(suites()["war_at_sea"])
    more = {**kept.recordings, "another": Recording("12345678", "12345678")}
    (told,) = decisions.faults(suite, kept, Answers(recordings=more))
    assert told.endswith("it takes in what is new")
    assert decisions.taken(suite, kept, Answers(recordings=more)).recordings == more


@SUITES
def test_every_case_is_kept(suite: Suite) -> None:
    assert decisions.load(suite).cases.keys() == {case["id"] for case in cases.load(suite.folder)}


def one_case(suite: Suite) -> Decisions:
    """What is kept of one case alone, one with dice."""
    kept = decisions.load(suite)
    rolled = (
        case["id"]
        for case in cases.load(suite.folder)
        if any("faces" in entry for entry in case.get("script", ()))
    )
    name = next(rolled)
    return msgspec.structs.replace(kept, recordings={}, cases={name: kept.cases[name]})


def test_a_case_that_comes_out_otherwise_is_named() -> None:
    suite = suites()["naval_battles"]
    kept = one_case(suite)
    other = otherwise(suite)
    played = replace(other, begin=lambda case: Table(other.game, suite.begin(case).state))
    (told,) = decisions.faults(played, kept, answered(played, kept))
    (name,) = kept.cases
    title = next(case["title"] for case in cases.load(suite.folder) if case["id"] == name)
    assert f"  {name} comes out otherwise: {title}" in told
    assert "raise VERSION" in told


def test_a_case_that_is_gone_or_asks_another_thing_proves_nothing() -> None:
    suite = suites()["naval_battles"]
    kept = one_case(suite)
    ((name, came_to),) = kept.cases.items()
    (told,) = decisions.faults(suite, kept, Answers(recordings={}))
    assert f"{name} the case is gone" in told
    anew = {name: "0" * 8 + came_to[8:]}
    (told,) = decisions.faults(suite, kept, Answers(recordings={}, cases=anew))
    assert f"{name} it asks another thing" in told


# A case about an option is kept with it


def about(suite: Suite, *rules: str, **options: Any) -> dict[str, Any]:
    """A case that sets these options."""
    (case,) = (each for each in cases.load(suite.folder) if each["id"] == "NB-C-093")
    return case | {"rules": rules, "setup": case["setup"] | {"options": options}}


@pytest.mark.parametrize(
    ("rules", "options", "wanted"),
    [
        (["NB-RUL-11"], {"carriers": "one"}, "carriers"),
        (["NB-AIR-07"], {"carriers": "one"}, "carriers"),
        (["NB-RUL-12", "NB-RUL-11"], {"carriers": "one", "handicap": "house"}, "handicap"),
        (["NB-RUL-11"], {"carriers": "one", "handicap": "house"}, "carriers"),
        (["NB-AIR-07"], {"carriers": "one", "handicap": "house"}, ""),
        (["NB-RUL-11"], {}, ""),
    ],
)
def test_a_case_is_about_the_option_that_it_sets_and_whose_rule_it_names(
    rules: list[str], options: dict[str, Any], wanted: str
) -> None:
    suite = suites()["naval_battles"]
    assert option_records.option_of(suite.game, about(suite, *rules, **options)) == wanted


def test_a_case_about_an_option_rewrites_the_record_of_that_option_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    suite = suites()["naval_battles"]
    kept, listed = decisions.load(suite), cases.load(suite.folder)
    monkeypatch.setattr(decisions, "file", lambda suite: tmp_path / "decisions.json")
    monkeypatch.setattr(frozen, "file", lambda suite: tmp_path / "frozen.json")
    decisions.store(suite, kept)
    assert decisions.load(suite) == kept
    before = {each: each.read_bytes() for each in tmp_path.rglob("*.json")}
    more = about(suite, "NB-RUL-11", carriers="one") | {"id": "NB-C-9997"}
    monkeypatch.setattr(cases, "load", lambda game: [*listed, more])
    now = Answers(recordings=kept.recordings, cases=kept.cases | {more["id"]: "1 2"})
    assert decisions.faults(suite, kept, now) != []
    decisions.store(suite, decisions.taken(suite, kept, now))
    assert decisions.load(suite).cases == now.cases
    assert decisions.faults(suite, decisions.load(suite), now) == []
    after = {each: each.read_bytes() for each in tmp_path.rglob("*.json")}
    assert after.keys() == before.keys()
    (record,) = (each for each in after if after[each] != before[each])
    assert record == frozen.options_folder(suite) / "carriers.json"


def test_what_is_kept_with_an_option_is_judged_like_all_else() -> None:
    suite = suites()["naval_battles"]
    kept = decisions.load(suite)
    (record,) = (
        each
        for name, each in option_records.load(frozen.options_folder(suite)).items()
        if name == "carriers"
    )
    for name, was in record.cases.items():
        other = kept.cases | {name: f"{was.split()[0]} 00000000"}
        (told,) = decisions.faults(suite, kept, msgspec.structs.replace(kept, cases=other))
        assert f"{name} comes out otherwise" in told
        gone = {each: came_to for each, came_to in kept.cases.items() if each != name}
        (told,) = decisions.faults(suite, kept, msgspec.structs.replace(kept, cases=gone))
        assert f"{name} the case is gone" in told


def test_words_of_a_case_are_no_question() -> None:
    suite = suites()["naval_battles"]
    case = cases.load(suite.folder)[0]
    assert decisions._case(suite, case | {"title": "x", "note": "x", "expect": {}}) == (
        decisions._case(suite, case)
    )


def test_an_order_that_is_refused_now_is_another_answer() -> None:
    suite, kept = one_recording(suites()["war_at_sea"])

    def decide(state: Any, seat: str, command: Any) -> tuple[Any, ...]:
        assert seat == "chance", "refused"
        return suite.game.decide(state, seat, command)

    strict = changed(suite, decide=decide)
    (told,) = decisions.faults(strict, kept, answered(strict, kept))
    assert '"seat"' in told


def test_the_changelog_names_the_version() -> None:
    suite = changed(suites()["war_at_sea"], version="7")
    assert decisions.announced(suite, "- Rules of War at Sea, version 7: the sea is wet.\n")
    for text in (
        "",
        "- Rules of War at Sea, version 7:\n",
        "- Rules of War at Sea, version 77: x\n",
    ):
        assert not decisions.announced(suite, text)


class Part(Value, frozen=True):
    count: int = 0


class More(Value, frozen=True):
    count: int = 0
    side: str = ""


def test_a_default_counts_as_absent_at_any_depth() -> None:
    def moved(part: Any) -> Any:
        kind = msgspec.defstruct(
            "Moved", [("parts", tuple[type(part), ...])], bases=(Event,), kw_only=True  # type: ignore[misc]
        )  # fmt: skip
        return decisions.lean(kind(parts=(part,)))

    assert moved(Part(2)) == moved(More(2)) == {"parts": [{"count": 2}]}
    assert moved(More(2, "p1")) != moved(Part(2))

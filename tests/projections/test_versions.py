"""A projection that makes other documents has another version, and remembers nothing by itself.

What is kept is made by ``make remake`` (``python -m tests.support.followed``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from domain.kernel.shown.roles import PARTS
from projections.finder import found
from projections.follow import DocumentStore, Entry, Projection
from tests.support import followed
from tests.support.followed import (
    COMMAND,
    WHOLE,
    Followed,
    Kept,
    Rows,
    T,
    entries,
    fault,
    load,
    made,
    made_with_stops,
    now,
    refused,
    taken,
)

EVERY = found()
KEPT = load()


@pytest.mark.parametrize("name", sorted({*EVERY, *KEPT.projections}))
def test_what_it_makes_is_kept_beside_its_version(name: str) -> None:
    """Of the log over which it was kept: what is stored since, no version has read."""
    projection = EVERY.get(name)
    is_ = None if projection is None else now(projection, KEPT.log)
    wrong = fault(name, KEPT.projections.get(name), is_)
    assert not wrong, wrong


def test_what_is_kept_is_of_the_whole_log() -> None:
    assert KEPT.log == WHOLE, f"there are stored forms more; run: {COMMAND}"


def test_stored_forms_more_ask_for_no_version_and_hide_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Or a game's new event would raise the version of every projection."""
    file = tmp_path / "projections.json"
    monkeypatch.setattr(followed, "KEPT", file)
    shorter = WHOLE[1:]
    before = Followed(shorter, {name: now(each, shorter) for name, each in EVERY.items()})
    file.write_bytes(msgspec.json.encode(before))
    assert followed.main() == 0
    assert load().log == WHOLE
    assert load().projections != before.projections
    file.write_bytes(msgspec.json.encode(before))
    dice, results = EVERY["dice"], EVERY["results"]
    other = {**EVERY, "results": replace(results, take=dice.take)}
    monkeypatch.setattr(followed, "found", lambda: other)
    assert followed.main() == 1
    assert load() == before


@pytest.mark.parametrize("name", EVERY)
def test_it_makes_something_of_the_log_and_the_same_again(name: str) -> None:
    rows = made(EVERY[name])
    assert rows, f"{name} makes nothing of the log of tests/support/followed.py: add a game to it"
    assert made(EVERY[name]) == rows, f"{name} makes other documents in one process: it remembers"


@pytest.mark.parametrize("name", EVERY)
def test_a_restart_between_two_events_changes_nothing(name: str) -> None:
    """Whatever a module remembers beside its shelf is gone after a restart."""
    assert made_with_stops(name, 25) == made(EVERY[name]), f"{name} remembers beside its shelf"


def test_the_log_has_what_projections_read() -> None:
    log = entries()
    roles = Counter(role.role for entry in log for role in entry.roles)
    assert {"lost", "damaged", "moved", "placed", "attacked"} <= set(roles) <= set(PARTS)
    assert any(entry.opened for entry in log)
    assert len({entry.game for entry in log}) == len({(e.game, e.ruleset) for e in log}) >= 7
    assert {entry.ruleset for entry in log} == {
        "pennant", "soundings", "naval-battles", "war-at-sea",
    }  # fmt: skip


class Count(msgspec.Struct):
    events: int


def test_one_that_remembers_is_found() -> None:
    seen: set[str] = set()

    def take(shelf: DocumentStore, entry: Entry) -> None:
        if entry.game not in seen:
            seen.add(entry.game)
            shelf.write(entry.game, Count(entry.seq), rank=1)

    projection = Projection("remembering", 1, take)
    assert made(projection)
    assert not made(projection)


WAS = Kept(2, "source", "rows")
SAME_ROWS, OTHER_ROWS = Kept(2, "other", "rows"), Kept(2, "other", "others")
RAISED, LOWER = Kept(3, "other", "others"), Kept(1, "source", "rows")


@pytest.mark.parametrize(
    ("is_", "said", "may"),
    [
        (SAME_ROWS, "its source changed, and all documents come out as they did", True),
        (OTHER_ROWS, "raise its version in projections/ to 3", False),
        (RAISED, "version 3 is new", True),
        (LOWER, "raise its version", False),
    ],
)
def test_another_source_is_told_and_other_documents_need_another_version(
    is_: Kept, said: str, may: bool
) -> None:
    assert said in fault("losses", WAS, is_)
    assert refused(WAS, is_) is not may
    if may:
        assert taken({"losses": WAS}, {"losses": is_}) == {"losses": is_}
    else:
        with pytest.raises(ValueError, match="raise its version"):
            taken({"losses": WAS}, {"losses": is_})


class Bent:
    """A shelf on which rows are listed elsewhere, or under another kind."""

    def __init__(self, shelf: DocumentStore, way: str) -> None:
        self.shelf, self.way = shelf, way

    def read(self, key: str, type_: type[T]) -> T | None:
        return self.shelf.read(key, type_)

    def write(self, key: str, document: msgspec.Struct, *, rank: int = 0, kind: str = "") -> None:
        if self.way == "rank" and rank:
            rank += 1
        if self.way == "listed":
            rank = 0 if rank else 1
        if self.way == "kind":
            kind = f"{kind}x"
        self.shelf.write(key, document, rank=rank, kind=kind)


@pytest.mark.parametrize("way", ["rank", "listed", "kind"])
@pytest.mark.parametrize("name", EVERY)
def test_another_place_or_kind_of_a_row_asks_for_another_version(name: str, way: str) -> None:
    """What is listed and stored stays where it is, whatever the documents say."""
    right = EVERY[name]
    bent = replace(right, take=lambda shelf, entry: right.take(Bent(shelf, way), entry))
    kept = now(right)
    assert kept.rows != now(bent).rows, f"{name}: {COMMAND} keeps no {way} of its rows"
    is_ = msgspec.structs.replace(now(bent), source="other")
    assert "raise its version" in fault(name, kept, is_)


@pytest.mark.parametrize("name", EVERY)
def test_a_row_is_of_the_kind_of_its_ruleset_or_none_is(name: str) -> None:
    """By it a list is restricted: who forgets it in one of two places loses rows there."""
    assert misfiled(made(EVERY[name])) == []


def misfiled(rows: Rows) -> list[str]:
    """Listed rows whose kind is not their ruleset, where any has a kind."""
    rulesets = {entry.game: entry.ruleset for entry in entries()}
    listed = {key: row for key, row in rows.items() if row[0]}
    if not any(kind for _, kind, _ in listed.values()):
        return []
    found = []
    for key, (_, kind, document) in listed.items():
        told = msgspec.json.decode(document)
        own = told.get("ruleset") or rulesets.get(told.get("game", ""), "no ruleset")
        found += [f"{key} is of the kind {kind!r}, and of {own}"] * (kind != own)
    return found


def test_a_row_of_another_kind_is_found() -> None:
    rows = made(EVERY["results"])
    key, (rank, _, document) = next((key, row) for key, row in rows.items() if row[0])
    for kind in ("", "chess"):
        assert len(misfiled({**rows, key: (rank, kind, document)})) == 1
    assert misfiled({key: (rank, "", document) for key, (rank, _, document) in rows.items()}) == []


def test_one_that_is_new_or_gone_is_told() -> None:
    assert "new" in fault("losses", None, WAS)
    assert "gone" in fault("losses", WAS, None)
    assert fault("losses", WAS, WAS) == ""

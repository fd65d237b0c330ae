"""Each field of a projection's documents is filled by some game of the log that never changes."""

from __future__ import annotations

import pytest

from projections.finder import found
from projections.follow import Document, DocumentStore, Entry, Projection
from tests.support.followed import filled
from tests.support.values import structs, unfilled

EVERY = found()
NEVER = {
    "RulesetStatistics.draws": "No game of that log is drawn; tests/service/http/test_records.py.",
}
"""Fields that no game of the log fills, with the reason."""


def lacking(projection: Projection) -> list[str]:
    """Fields that no document of the projection fills, nor any struct inside one."""
    shown = [each for _, document in filled(projection).written for each in structs(document)]
    forms = {type(each): [other for other in shown if type(other) is type(each)] for each in shown}
    return sorted(field for form, values in forms.items() for field in unfilled(form, values))


@pytest.mark.parametrize("name", EVERY)
def test_every_field_is_filled_in_some_document(name: str) -> None:
    lack = [field for field in lacking(EVERY[name]) if field not in NEVER]
    module = EVERY[name].take.__module__.rpartition(".")[2]
    assert not lack, (
        f"projections/{module}.py never fills {lack}: fill it there, or add a game that does to "
        "the log of tests/support/followed.py"
    )


def test_what_is_excused_is_never_filled() -> None:
    every = {field for each in EVERY.values() for field in lacking(each)}
    assert every >= NEVER.keys(), f"NEVER excuses what is filled: {sorted(NEVER.keys() - every)}"


class Half(Document, frozen=True):
    """What somebody might add."""

    game: str
    leader: str = ""


def test_a_field_that_is_never_filled_is_found() -> None:
    def take(shelf: DocumentStore, entry: Entry) -> None:
        shelf.write(entry.game, Half(game=entry.game), rank=1)

    assert lacking(Projection("half", 1, take)) == ["Half.leader"]

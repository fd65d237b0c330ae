"""Clauses drawn at random, negated in a copy of the engine: their proofs notice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clauses import negated
from tests.clauses.negated import Negation
from tests.clauses.table import Row

STEERING = "domain/games/crimson_tide/rules/steering.py"
COURSE = 'return "" if not able else "ahead" if unit.away_ahead else "astern"'


class Alone(Negation, frozen=True):
    """A negation of a clause that no table has: what stands for it is CT-C-298."""

    @property
    def row(self) -> Row:
        """Its line."""
        return Row("1.1", "", ("CT-COLL-09",), ("CT-C-298",))


def test_each_clause_that_was_drawn_is_negated() -> None:
    owed = set(negated.drawn()) - set(negated.load())
    assert not owed, "write their opposite in tests/clauses/negated.toml"


def test_what_changed_since_it_was_kept_is_still_noticed() -> None:
    stale = negated.stale(list(negated.load().values()))
    unnoticed = [clause for clause, proof in negated.negate(stale).items() if not proof]
    assert not unnoticed, "python -m tests.clauses.negated says more"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree; each negation puts its file back."""
    return negated.copied(tmp_path_factory.mktemp("copy"))


@pytest.mark.slow("tools")
@pytest.mark.parametrize(
    ("new", "noticed"),
    [
        (COURSE.replace('"astern"', '"ahead"'), True),
        (COURSE.replace('"astern"', "dir(nothing)[0]"), False),
        (f"course = {COURSE.removeprefix('return ')}\n    return course", False),
    ],
    ids=["opposite", "crash", "same"],
)
def test_only_an_opposite_that_a_proof_refutes_is_noticed(
    copy: Path, new: str, noticed: bool
) -> None:
    negation = Alone("009/1.1", STEERING, COURSE, new)
    assert bool(negated.fails(negation, copy)) is noticed
    assert (copy / STEERING).read_text("utf-8").count(COURSE) == 1


def test_words_that_do_not_stand_there_once_are_no_negation() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        _ = Alone("009/1.1", STEERING, "no such words", "").text


def test_a_change_of_the_file_asks_again() -> None:
    told = Alone("009/1.1", STEERING, COURSE, "return ''")
    other = Alone("009/1.1", STEERING, COURSE, "return 'ahead'")
    assert told.key != other.key
    assert negated.stale([told]) == [told]

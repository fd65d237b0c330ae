"""The checks can fail: what they are told of is made up."""

from __future__ import annotations

import pytest

from tests.simulation import checks
from tests.simulation.run import Found, Wish
from tests.simulation.shrink import kind, small
from tests.simulation.town import Said

DONE = Said(200, "", b'{"token":"a"}', {"token": "a"})
OTHER = Said(200, "", b'{"token":"b"}', {"token": "b"})
NO = Said(409, "seat.taken", b"{}", {})

A_GOOD_HISTORY = [(0.0, 1.0, 5, 1), (1.5, 2.0, 5, 0), (2.1, 3.0, 8, 1), (2.2, 2.5, 8, 0)]


def test_histories_that_are_linear_are_taken() -> None:
    checks._register("game", A_GOOD_HISTORY)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ((3.1, 3.2, 5, 0), "read of 5"),
        ((3.1, 3.2, 8, 1), "a place was given twice"),
        ((3.1, 3.2, 7, 1), "write of 7"),
    ],
)
def test_histories_that_are_not_are_noticed(more: tuple[float, float, int, int], why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        checks._register("game", [*A_GOOD_HISTORY, more])


def test_two_answers_under_one_key_are_noticed() -> None:
    checks.alike([DONE, DONE])
    checks.alike([NO, Said(412, "version.stale", b"{}", {})])
    for pair in ([DONE, OTHER], [DONE, NO]):
        with pytest.raises(AssertionError, match="two answers"):
            checks.alike(pair)


def test_of_two_who_contend_one_has_the_seat() -> None:
    assert checks.one_seat([DONE, DONE], [NO, NO]) == "a"
    for first, second, why in (
        ([DONE, DONE], [OTHER, OTHER], "who has the seat"),
        ([NO, NO], [NO, NO], "who has the seat"),
        ([DONE, OTHER], [NO, NO], "who has the seat"),
        ([DONE, NO], [NO, NO], "two minds"),
    ):
        with pytest.raises(AssertionError, match=why):
            checks.one_seat(first, second)


def test_what_has_to_be_refused_has_to_be_for_the_right_reason() -> None:
    checks.refused(NO, {"seat.taken"})
    for said in (DONE, NO):
        with pytest.raises(AssertionError, match="not refused"):
            checks.refused(said, {"version.stale"})


def test_who_is_admitted_more_often_than_his_quota_is_noticed() -> None:
    """A quota of 10 in a minute: ten at once, and one more every six seconds."""
    due = [(0.0, 0.1)] * 10 + [(6.1 * n, 6.1 * n + 0.1) for n in range(1, 10)]
    checks._within("", 10, due)
    with pytest.raises(AssertionError, match="13 admitted, 11 are its due"):
        checks._within("", 10, [*due, *[(0.05, 0.1)] * 3])


def made_up(wish: Wish) -> Found:
    """A world that fails as soon as two of its harms are there, and five commands."""
    harms = tuple(f"here#{n}" for n in range(40))
    happened = tuple(each for each in harms if wish.allowed is None or each in wish.allowed)
    bad = {"here#7", "here#31"} <= set(happened) and wish.commands >= 10
    faults = ("0a1b2c3d4e5f: lost 17 of 20",) if bad else ()
    return Found(wish.seed, wish.commands, 0, 0.0, "", faults, happened, {})


def test_a_world_shrinks_to_the_harms_that_matter() -> None:
    wish = Wish(1, commands=200)
    made = small(wish, made_up(wish), made_up)
    assert made.found.harms == ("here#7", "here#31")
    assert made.wish.commands == 10
    assert made.tries < 60


def test_two_faults_are_of_one_kind_if_only_their_figures_differ() -> None:
    one, two = (made_up(Wish(1))._replace(faults=(text,)) for text in (
        "0a1b2c3d4e5f: lost 17 of 20", "ffffffffffff: lost 3 of 4",
    ))  # fmt: skip
    assert kind(one) == kind(two)
    assert kind(one) != kind(one._replace(faults=("0a1b2c3d4e5f: two answers",)))

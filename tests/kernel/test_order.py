"""What has no order of its own is told by name, numbers as people count."""

from __future__ import annotations

from random import Random

import pytest

from domain.kernel.order import grouped, listed, natural, ordered

NAMES = ["1", "2", "10", "p1", "p1-1", "p1-2", "p1-10", "p2-1", "p2-01", "p10-1", "q"]


@pytest.mark.parametrize("seed", range(20))
def test_names_are_told_in_one_order_however_they_came(seed: int) -> None:
    mixed = Random(seed).sample(NAMES, len(NAMES))
    things = {name: name.upper() for name in mixed}
    known = {"1", "2", "10", "p1", "p1-1", "p1-2", "p1-10", "p10-1", "q"}
    assert [name for name, _ in ordered(things) if name in known] == [
        "1", "2", "10", "p1", "p1-1", "p1-2", "p1-10", "p10-1", "q",
    ]  # fmt: skip
    assert [name for name, _ in ordered(things)] == sorted(NAMES, key=natural)
    assert ordered(things) == [(name, things[name]) for name, _ in ordered(things)]
    assert listed(things) == tuple(thing for _, thing in ordered(things))


def test_two_spellings_of_a_number_have_an_order_too() -> None:
    assert natural("p2-01") != natural("p2-1")
    assert list(map(str, listed({"p2-1": 1, "p2-01": 2}))) == list(
        map(str, listed({"p2-01": 2, "p2-1": 1}))
    )


def test_signs_of_other_scripts_are_letters() -> None:
    assert natural("p\u0661") > natural("p1")


@pytest.mark.parametrize("names", [(), ("p1-1",), ("p1-2", "p1-1")])
def test_however_few_there_are_they_come_as_a_tuple(names: tuple[str, ...]) -> None:
    assert listed({name: name for name in names}) == tuple(sorted(names))


def test_groups_keep_the_order_of_their_members() -> None:
    assert grouped((3, 1, 2, 4), ["a", "b", "a", "a"]) == {"a": (3, 2, 4), "b": (1,)}
    assert grouped((5, 6, 7, 8), ["a", "b", "a", "a"]) == {"a": (5, 7, 8), "b": (6,)}
    assert grouped((), []) == {}

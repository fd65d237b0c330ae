"""Rows of tables, changed one at a time: which tables there are, and what is changed in them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.crimson_tide.rules.geometry import hull
from domain.kernel.rules import HOMES
from tests.rules.audit import audit_game, games
from tests.rules.breaker import functions_of_homes, rowed
from tests.rules.rows import Table, changed_rows, held, put, read_by_homes, tables, takes_from

HALVES = Table("crimson_tide.rules.geometry.hull.HALVES", ("CT-GEOM-07",))
"""Four rows of two figures."""


def named(table: Table) -> str:
    return f"{table.name} {table.rules[0]}"


@pytest.fixture(autouse=True, scope="module")
def fixture_homes() -> None:
    """All games are loaded."""
    for game in games():
        audit_game(game, {})


def test_every_table_that_a_home_reads_is_listed() -> None:
    """With rules that are about its rows, or with why none is."""
    listed = {each.name for each in tables().table} | tables().silent.keys()
    assert sorted(read_by_homes(functions_of_homes()).keys() - listed) == []


@pytest.mark.parametrize("table", tables().table, ids=named)
def test_what_is_listed_is_there_and_has_rows(table: Table) -> None:
    assert set(table.rules) <= HOMES.keys()
    assert next(changed_rows(table)).new != held(table.name)


def test_the_rows_of_every_table_are_tried() -> None:
    assert [named(each) for each in tables().table if each.owed] == []


def test_each_row_is_changed_in_turn_and_left_out() -> None:
    whole = held(HALVES.name)
    found = list(changed_rows(HALVES))
    assert {each.row for each in found} == whole.keys()
    assert sum(each.what == "left out" for each in found) == len(whole)
    for row, _, new in found:
        assert {size for size in whole if new.get(size) != whole[size]} == {row}


def test_where_rows_name_their_rule_those_of_others_stay() -> None:
    """Lists for each edition, of which every row says by which rule it is there."""
    (listed,) = [each for each in tables().table if each.by]
    whole = held(listed.name)
    for rule in listed.rules:
        about = {limit for rows in whole.values() for limit in rows if limit.rule == rule}
        found = list(changed_rows(replace(listed, rules=(rule,))))
        for _, _, new in found:
            gone = {each for rows in whole.values() for each in rows} - {
                each for rows in new.values() for each in rows
            }
            assert len(gone) == 1
            assert gone <= about
        assert sum(each.what == "left out" for each in found) == len(about)


def test_a_changed_table_lies_where_the_old_one_did_and_goes_again() -> None:
    whole = hull.HALVES
    with put(HALVES.name, {}):
        assert hull.HALVES == {}
    assert hull.HALVES is whole


def expects_nothing() -> object:
    return HALVES


def test_a_test_that_reads_the_table_proves_nothing_about_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not takes_from(expects_nothing, HALVES.name)
    monkeypatch.setitem(globals(), "HALVES", hull.HALVES)
    assert takes_from(expects_nothing, "crimson_tide.rules.geometry.hull.HALVES")


def test_what_only_crashes_counts_where_another_change_of_the_row_fails() -> None:
    ends = [
        ("near: one more", "failed"),
        ("near: left out", "crashed"),
        ("far: left out", "crashed"),
        ("gone: one less", "passed"),
    ]
    assert rowed("key", ends).left == ["far: left out only crashes", "gone: one less"]

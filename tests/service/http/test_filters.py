"""Lists of all games: each filter keeps exactly its rows, and the order is the one that is said.

Nobody names a new list here, but its order: :data:`ORDER` says which field of a row it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, get_args

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.http.operation import Operation
from service.http.paging import read_spot
from service.http.registry import operations
from service.settings import Settings
from tests.service.http.table import Table, sunk
from tests.service.http.test_records import LISTS, pages
from tests.support import pennant, soundings
from tests.support.contract import Contract

ORDER = {
    "/v1/games?sort=created&": "createdAt",
    "/v1/games?sort=activity&": "updatedAt",
    "/v1/results?": "finishedAt",
    "/v1/dice?": "at",
}
"""By list, the field of its rows that its description promises, the highest first."""

BY_TIME = "/v1/games?sort=created&"
"""The one list that is no projection's: games as they are stored, by the time of their making."""
RANKED = tuple(path for path in LISTS if path != BY_TIME)
FALLS = 5
"""Places at which a list falls that are looked at."""

BY_CHANCE = ("game", "id")
"""Fields that a few rows may be in the order of, though no list is: an id is drawn."""

INSIDE = {"ruleset": "rules"}
"""Where a row has a filter's field in a part of it."""

NOT_FILTERS = {"cursor", "limit", "sort"}
ASKED = {"ruleset": ("chess", "pennant", "soundings")}
"""Values that are asked besides those of the rows and of a closed list: no row may have one."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    settings = Settings(
        database=tmp_path_factory.mktemp("filters") / "filters.sqlite", rate_limit=0,
        chain_length=64, log_level="ERROR",
    )  # fmt: skip
    app = create_app(settings, {"pennant": pennant.GAME, "soundings": soundings.GAME})
    with TestClient(app) as client:
        made = Table(client, Contract.of(app.state.http.describe()))
        furnish(made)
        yield made


def furnish(table: Table) -> None:
    """Games of two rulesets: some open, some in progress, some finished, the second one first."""
    seats = [{"seat": "p1"}, {"seat": "p2", "hold": "open"}]
    table.create(seats=seats)
    made = [
        table.create(ruleset=ruleset, options={"turns": turns})
        for turns in (9, 4)
        for ruleset in ("pennant", "soundings")
    ]
    table.create(ruleset="soundings", seats=seats)
    table.create()
    sunk(table)
    table.create(grade="A1")
    for match in (made[2], made[1], made[0], made[3]):
        table.play_out(match)


def rows(table: Table, path: str, **filters: str) -> list[dict[str, Any]]:
    asked = "".join(f"{name}={value}&" for name, value in filters.items())
    return pages(table, f"{path}{asked}limit=200")


def operation_of(path: str) -> Operation:
    return next(
        each
        for each in operations()
        if each.method == "GET" and each.path == path.partition("?")[0]
    )


def filters_of(path: str) -> Iterator[tuple[str, list[str]]]:
    """Each filter of a list, and the values that its type closes it to."""
    for name, type_ in operation_of(path).query.items():
        if name not in NOT_FILTERS:
            closed = [value for part in get_args(type_) for value in get_args(part)]
            yield name, [value for value in closed if isinstance(value, str)]


def has(row: dict[str, Any], name: str) -> str:
    """What a row has of a filter's field."""
    found = row[name] if name in row else row.get(INSIDE.get(name, ""), {}).get(name)
    assert found is not None, f"no row has {name!r}: say in INSIDE where it is"
    return str(found)


@pytest.mark.parametrize("path", LISTS)
def test_each_filter_keeps_exactly_its_rows(table: Table, path: str) -> None:
    whole = rows(table, path)
    id_ = operation_of(path).id
    for name, closed in filters_of(path):
        values = {has(row, name) for row in whole}
        asked = {*values, *closed, *ASKED.get(name, ())} - {""}
        assert values, f"{id_}: no rows: furnish() needs games that fill {path}"
        assert asked - values or len(values) > 1, (
            f"{id_}: every row has {name}={values}, so the filter shows nothing: furnish() needs "
            "games of two, or ASKED a value that none has"
        )
        for value in sorted(asked):
            kept = [row for row in whole if has(row, name) == value]
            found = rows(table, path, **{name: value})
            assert found == kept, (
                f"{id_}: GET {path}{name}={value} has {len(found)} rows, and {len(kept)} of its "
                f"{len(whole)} are such: the filter is forgotten (`kind` of the shelf)"
            )


def ordered_by(whole: list[dict[str, Any]], field: str) -> bool:
    return all(one[field] >= two[field] for one, two in pairwise(whole))


@pytest.mark.parametrize("path", LISTS)
def test_each_list_has_the_order_that_it_says(table: Table, path: str) -> None:
    id_ = operation_of(path).id
    assert path in ORDER, f"{id_}: say in ORDER of {__name__} by which field {path} is ordered"
    whole, field = rows(table, path), ORDER[path]
    assert ordered_by(whole, field), f"{id_}: {path} is not by {field}: look at its rank"
    assert len({row[field] for row in whole}) > 1, f"{id_}: every row has one {field}"
    other = sorted(
        name
        for name in whole[0].keys() - {field, *BY_CHANCE}
        if all(type(row[name]) is type(whole[0][field]) for row in whole)
        if len({row[name] for row in whole}) > 1 and ordered_by(whole, name)
    )
    assert not other, f"{id_}: its rows are by {other} as well, so its rank may be that: furnish()"


def ranks(table: Table, path: str, rows: Iterable[int]) -> list[int]:
    """The ranks of some rows, counted from 1: the cursor behind each says it."""
    cursors = [table.get(f"{path}limit={row}").json()["next"] for row in rows]
    return [read_spot(cursor).rank for cursor in cursors]


@pytest.mark.parametrize("path", RANKED)
def test_what_a_list_is_ordered_by_is_in_its_rank(table: Table, path: str) -> None:
    """Rows of one rank are by key, and a few keys may be in any order, the right one too."""
    whole, field = rows(table, path), ORDER[path]
    last = [number for number, (one, two) in enumerate(pairwise(whole), 1)
            if one[field] > two[field] and number + 1 < len(whole)][:FALLS]  # fmt: skip
    assert last, f"{path} has no two rows of another {field} before its last: furnish()"
    for number in last:
        above, below = ranks(table, path, (number, number + 1))
        assert above > below, (
            f"{operation_of(path).id}: rows {number} and {number + 1} of {path} differ in {field} "
            "and are of one rank: their order is by chance"
        )


def test_the_table_of_orders_has_no_lists_that_are_gone() -> None:
    gone = sorted(ORDER.keys() - {*LISTS})
    assert not gone, f"ORDER names lists that no operation has: {gone}"

"""All games together: results, dice, statistics, as the projections have them."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from projections.dice import GameRoll
from projections.results import GameResult
from projections.statistics import RulesetStatistics

from .call import Call
from .operation import Operation, json_answer
from .paging import next_link, read_spot, write_spot
from .reply import Reply
from .rulesets import Cursor, Limit
from .wire import DicePage, ResultPage, Statistics

TAG = "records"
MOST_RULESETS = 200

T = TypeVar("T", bound=msgspec.Struct)


class RecordQuery(msgspec.Struct, frozen=True):
    """Of which games."""

    ruleset: (
        Annotated[str, Meta(max_length=64, description="Only games of this ruleset.")] | UnsetType
    ) = UNSET
    cursor: Cursor = ""
    limit: Limit = 50


async def list_results(call: Call) -> Reply:
    items, cursor = await _page(call, "results", GameResult)
    return call.json(ResultPage(items=items, next=cursor), headers=next_link(call, cursor))


async def list_dice(call: Call) -> Reply:
    items, cursor = await _page(call, "dice", GameRoll)
    return call.json(DicePage(items=items, next=cursor), headers=next_link(call, cursor))


async def _page(call: Call, name: str, type_: type[T]) -> tuple[tuple[T, ...], str | None]:
    query: Any = call.query
    found = await call.desk.records.page(
        name,
        type_,
        kind="" if query.ruleset is UNSET else query.ruleset,
        after=read_spot(query.cursor),
        limit=query.limit + 1,
    )
    page = found[: query.limit]
    cursor = write_spot(page[-1][0]) if len(found) > query.limit else None
    return tuple(document for _, document in page), cursor


async def get_statistics(call: Call) -> Reply:
    found = await call.desk.records.page("statistics", RulesetStatistics, limit=MOST_RULESETS)
    items = tuple(sorted((each for _, each in found), key=lambda each: each.ruleset))
    return call.json(Statistics(items=items), tagged=True)


READING = ("store.unavailable", "service.stopping")

OPERATIONS = (
    Operation(
        id="listResults",
        method="GET",
        path="/v1/results",
        tag=TAG,
        summary="List the results",
        description="Finished games, the latest first: who won, by which rule, after how many "
        "commands.",
        run=list_results,
        access="viewer",
        query=RecordQuery,
        answers=(json_answer(200, "A page of results.", ResultPage, "Link"),),
        problems=("query.invalid", *READING),
    ),
    Operation(
        id="listDice",
        method="GET",
        path="/v1/dice",
        tag=TAG,
        summary="List the dice of all games",
        description="Every roll of every game, the latest first. Faces that one seat alone may "
        "see are told when its game is closed.",
        run=list_dice,
        access="viewer",
        query=RecordQuery,
        answers=(json_answer(200, "A page of rolls.", DicePage, "Link"),),
        problems=("query.invalid", *READING),
    ),
    Operation(
        id="getStatistics",
        method="GET",
        path="/v1/statistics",
        tag=TAG,
        summary="Show the statistics",
        description="By ruleset: games and how they ended, commands, and how often the dice "
        "showed each face. What was stored before the question is in the answer.",
        run=get_statistics,
        access="viewer",
        answers=(json_answer(200, "The statistics.", Statistics, "ETag"),),
        problems=READING,
    ),
)

"""All games together: results, dice, statistics, as the projections have them."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from litestar import Controller, Response

from projections.dice import GameRoll
from projections.lobby import Activity
from projections.results import GameResult
from projections.statistics import GameStatistics, RulesetStatistics, without

from ..following.records import Records as Kept
from .access import viewer
from .asked import Asked
from .operation import tells
from .paging import read_spot, write_spot
from .parameters import Cursor, Limit, OfRuleset
from .routes import get
from .wire import DicePage, ResultPage, Statistics

TAG = "records"
MOST_RULESETS = 200
NAME = "statistics"
READING = ("store.unavailable", "service.stopping")

T = TypeVar("T", bound=msgspec.Struct)


class Records(Controller):
    """What is told of all games."""

    path = "/v1"
    tags = (TAG,)

    @get(
        "/results",
        summary="List the results",
        guards=[viewer()],
        opt=tells("A page of results.", "Link", problems=("query.invalid", *READING)),
    )
    async def list_results(
        self,
        request: Asked,
        ruleset: OfRuleset = None,
        cursor: Cursor = "",
        limit: Limit = 50,
    ) -> Response[ResultPage]:
        """Finished games, the latest first: who won, by which rule, after how many commands."""
        items, more = await _page(request, "results", GameResult, ruleset, cursor, limit)
        return request.told(ResultPage(items=items, next=more), headers=request.next_link(more))

    @get(
        "/dice",
        summary="List the dice of all games",
        guards=[viewer()],
        opt=tells("A page of rolls.", "Link", problems=("query.invalid", *READING)),
    )
    async def list_dice(
        self,
        request: Asked,
        ruleset: OfRuleset = None,
        cursor: Cursor = "",
        limit: Limit = 50,
    ) -> Response[DicePage]:
        """Every roll of every game, the latest first. Faces that one seat alone may see are told
        when its game is closed.
        """
        items, more = await _page(request, "dice", GameRoll, ruleset, cursor, limit)
        return request.told(DicePage(items=items, next=more), headers=request.next_link(more))

    @get(
        "/statistics",
        summary="Show the statistics",
        guards=[viewer()],
        opt=tells("The statistics.", "ETag", problems=READING),
    )
    async def get_statistics(self, request: Asked) -> Response[Statistics]:
        """Figures by ruleset: games and their ends, commands, and the number of times that the dice
        showed each face. All that was stored before the question is in the answer. Games that an
        operator has taken out of the lists do not count.
        """
        records = request.desk.records
        await records.reached(NAME)
        hidden = await records.hidden(NAME, GameStatistics)  # first: so no more than all have
        found = await records.page(NAME, RulesetStatistics, limit=MOST_RULESETS)
        items = [await _shown(records, each, hidden) for _, each in found]
        told = sorted((each for each in items if each is not None), key=lambda each: each.ruleset)
        return request.told(Statistics(items=tuple(told)), tagged=True)


async def _shown(
    records: Kept, figures: RulesetStatistics, hidden: list[GameStatistics]
) -> RulesetStatistics | None:
    """The figures of a ruleset without the games that are hidden."""
    mine = [each for each in hidden if each.figures.ruleset == figures.ruleset]
    if not mine:
        return figures
    newest = await records.page("lobby", Activity, kind=figures.ruleset, limit=1)
    return without(figures, mine, newest[0][1].latest_at if newest else "")


async def _page(
    asked: Asked, name: str, type_: type[T], ruleset: str | None, cursor: str, limit: int
) -> tuple[tuple[T, ...], str | None]:
    found = await asked.desk.records.page(
        name, type_, kind=ruleset or "", after=read_spot(cursor), limit=limit + 1
    )
    page = found[:limit]
    more = write_spot(page[-1][0]) if len(found) > limit else None
    return tuple(document for _, document in page), more

"""Chances: exact odds on demand, and the luck that somebody had."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response
from litestar.params import JSONBody
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.rules import Refused
from domain.kernel.shown.odds_summary import OddsSummary
from projections.fortunes import LuckReport
from projections.odds import Level, Pool, RollReckoned, told
from projections.plots import Bar, Point, drawn
from projections.records import Rules
from projections.rolls import Ratio
from service.models import Answer, GameId, Request
from service.problems import Refusal
from service.work.tasks import CommandReckoned, OddsOfCommand, OddsOfRoll
from service.work.tasks import Luck as LuckTask

from .access import viewer, whole_body
from .asked import AnyGame, Asked
from .commands import decode_command
from .given import Given, Seen, version_of, viewer_of
from .moments import READING, TAG
from .operation import JSON, tells
from .reply import Reply, shown_tag
from .routes import get, post

SVG = "image/svg+xml"

MOST = 60
"""Scores from here on are counted together, unless something lower is asked for."""

Amount = Annotated[int, Meta(ge=0, le=100)]
Face = Annotated[int, Meta(ge=1, le=100)]


class PoolAsked(Request, frozen=True):
    """Dice that are thrown together.

    worth  the worth of each face, from face 1 on
    again  faces that are thrown again, each time they come, and add to the score
    """

    count: Annotated[int, Meta(ge=1, le=100)]
    worth: Annotated[list[Amount], Meta(min_length=2, max_length=100)]
    again: Annotated[list[Face], Meta(max_length=99)] = msgspec.field(default_factory=list)


class OutcomeAsked(Request, frozen=True):
    """A result that every score from ``least`` on has, up to the next result's."""

    outcome: Annotated[str, Meta(min_length=1, max_length=40)]
    least: Annotated[int, Meta(ge=0, le=MOST)]


class RollAsked(Request, frozen=True):
    """A roll of the caller's own, and the outcomes of its scores.

    most  scores from here on are counted together
    """

    pools: Annotated[list[PoolAsked], Meta(min_length=1, max_length=5)]
    most: Annotated[int, Meta(ge=1, le=MOST)] = MOST
    outcomes: Annotated[list[OutcomeAsked], Meta(max_length=20)] = msgspec.field(
        default_factory=list
    )


class OddsAsked(Request, frozen=True):
    """The question about odds: a command in a game, or a roll of the caller's own.

    game     with ``command`` (as for giveCommand), ``at`` a version, ``viewer`` through whose eyes
    """

    game: Annotated[GameId, Meta(max_length=32, pattern="^[0-9a-f]{32}$")] | UnsetType = UNSET
    command: dict[str, Any] | UnsetType = UNSET
    at: Annotated[int, Meta(ge=1, le=2**53 - 1)] | UnsetType = UNSET
    viewer: Annotated[str, Meta(max_length=16, pattern="^[a-z0-9]+$")] | UnsetType = UNSET
    roll: RollAsked | UnsetType = UNSET


class OddsAnswer(Answer, frozen=True):
    """The odds.

    game, version  that they hold for; "" and 0 for a roll of one's own
    rules          by which they were reckoned; null for a roll of one's own
    text           the command in words; "" for a roll of one's own
    odds           the ruleset's own account of an attack; null for a roll of one's own
    odds_summary   the same in one shape for every game, as beside an offer
    roll           the odds of a roll of one's own; null for a command
    """

    game: str
    version: int
    rules: Rules | None
    text: str
    odds: dict[str, Any] | None
    roll: RollReckoned | None
    odds_summary: OddsSummary | UnsetType = UNSET


RECKONED = msgspec.json.Decoder(RollReckoned)
COMMAND = msgspec.json.Decoder(CommandReckoned)
REPORT = msgspec.json.Decoder(LuckReport)


class Odds(Controller):
    """Odds on demand."""

    path = "/v1/odds"
    tags = (TAG,)

    @post(
        status_code=200,
        summary="Ask for odds",
        guards=[viewer(whole_body)],
        opt=tells(
            "The odds.",
            # They are in the body.
            later=(
                ("game.not-found", "odds.unclear"),
                ("viewer.not-entitled", "odds.unclear"),
                ("version.unknown", "odds.unclear"),
                ("command.unknown-type", "odds.unclear"),
            ),
            problems=(
                "odds.unclear",
                "game.not-found",
                "viewer.not-entitled",
                "version.unknown",
                "command.unknown-type",
                "odds.none",
                "odds.unmeasured",
                "game.damaged",
                "ruleset.not-installed",
            ),
            rules=True,
        ),
    )
    async def get_odds(self, request: Asked, data: JSONBody[OddsAsked]) -> Response[OddsAnswer]:
        """Exact odds, without throwing a die: of a `command` in a `game` as the rules would play
        it, at any version; or of a `roll` of one's own (what each face is worth, which faces are
        thrown again, what scores lead to). Where the rules forbid to measure before declaring, a
        running game answers `odds.unmeasured`.
        """
        if data.roll is not UNSET and data.game is UNSET and data.command is UNSET:
            found = RECKONED.decode(await request.work(_task(data.roll)))
            body = OddsAnswer(game="", version=0, rules=None, text="", odds=None, roll=found)
            return request.told(body)
        if data.game is UNSET or data.command is UNSET or data.roll is not UNSET:
            raise Refusal("odds.unclear")
        return await _odds_of_command(request, data)


class Luck(Controller):
    """Who was lucky."""

    path = "/v1/games/{game:str}/luck"
    tags = (TAG,)

    @get(
        summary="Show who was lucky",
        guards=[viewer()],
        opt=tells("The luck.", "ETag", media=(JSON, SVG), problems=READING),
    )
    async def get_luck(self, request: Asked, seen: Given[Seen]) -> Response[LuckReport]:
        """The scores that the dice brought each seat, beside those to be expected: in all, by phase
        and by weapon, with their rarity, and their course over the game. The faces are tested too:
        would fair
        dice look like these? `image/svg+xml` gives bars and the course of it, with all of it in
        words as its description.
        """
        summary, viewer, version, _ = seen
        found = await request.work(LuckTask(summary.id, viewer, version))
        if request.media == SVG:
            picture = _plot(REPORT.decode(found)).encode()
            return request.sent(picture, SVG, tag=shown_tag(version, picture))
        return request.told(found, version=version)


def _task(asked: RollAsked) -> OddsOfRoll:
    pools = tuple(Pool(pool.count, pool.worth, pool.again) for pool in asked.pools)
    levels = tuple(Level(each.outcome, each.least) for each in asked.outcomes)
    return OddsOfRoll(pools, asked.most, levels)


async def _odds_of_command(asked: Asked, wanted: OddsAsked) -> Reply:
    summary = await asked.summary_of(str(wanted.game), asked.identity)
    viewer = viewer_of(asked, summary, "" if wanted.viewer is UNSET else wanted.viewer)
    version = version_of(summary, wanted.at)
    game = asked.played_by(summary.rules_at(version))
    command = _command_in(asked, game, wanted)
    over = summary.status == "finished" or summary.fork is not None
    sent = msgspec.Raw(msgspec.json.encode(command))
    task = OddsOfCommand(game.ruleset, summary.id, viewer, version, sent, over)
    try:
        found = COMMAND.decode(await asked.work(task))
    except Refused as refused:
        if refused.code == "odds.unmeasured":
            raise Refusal(refused.code, refused.hint, rule=refused.rule) from None
        at = refused.pointer and f"{INSIDE}{refused.pointer}"
        raise Refused(refused.code, refused.rule, refused.hint, at) from None
    return asked.told(
        OddsAnswer(
            game=summary.id, version=version, rules=summary.rules_at(version), text=found.text,
            odds=told(game, found.odds), roll=None,
            odds_summary=game.short_of(found.odds, found.pointless) or UNSET,
        )
    )  # fmt: skip


INSIDE = "/command"
"""Where the command stands in the body: what is wrong in it is wrong there."""


def _command_in(asked: Asked, game: AnyGame, wanted: OddsAsked) -> Any:
    """The command of the question; a refusal points at where it stands in the body."""
    try:
        return decode_command(asked, game, msgspec.json.encode(wanted.command))
    except Refusal as refusal:
        refusal.errors = tuple(
            msgspec.structs.replace(each, pointer=f"{INSIDE}{each.pointer}")
            for each in refusal.errors
        )
        raise


def _plot(report: LuckReport) -> str:
    """The seats as bars, and the course of it."""
    bars = [
        Bar(each.seat, each.actual, _fraction(each.expected), each.per_mille)
        for each in report.seats
    ]
    return drawn(bars, [Point(each.seq, each.seat, each.ahead) for each in report.series])


def _fraction(ratio: Ratio) -> Fraction:
    return Fraction(int(ratio.numerator), int(ratio.denominator))

"""Chances: exact odds on demand, and the luck that somebody had."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.rules import Refused
from projections.fortunes import LuckReport
from projections.odds import Level, Pool, RollReckoned
from projections.plots import Bar, Point, drawn
from projections.records import Rules
from projections.rolls import Ratio
from service.models import Answer, GameId, Request
from service.problems import Refusal
from service.work.tasks import CommandReckoned, Luck, OddsOfCommand, OddsOfRoll

from .call import AnyGame, Call
from .commands import decode_command
from .moments import READING, TAG
from .operation import JSON, Operation, json_answer
from .operation import Answer as Form
from .perspective import Perspective, version_of, viewer_of
from .reply import Reply, content_tag

SVG = "image/svg+xml"

MOST = 60
"""Scores from here on are counted together, unless something lower is asked for."""

Amount = Annotated[int, Meta(ge=0, le=100)]
Face = Annotated[int, Meta(ge=1, le=100)]


class PoolAsked(Request, frozen=True):
    """Dice that are thrown together.

    worth  what each face is worth, from face 1 on
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
    """A roll of one's own, and what its scores lead to.

    most  scores from here on are counted together
    """

    pools: Annotated[list[PoolAsked], Meta(min_length=1, max_length=5)]
    most: Annotated[int, Meta(ge=1, le=MOST)] = MOST
    outcomes: Annotated[list[OutcomeAsked], Meta(max_length=20)] = msgspec.field(
        default_factory=list
    )


class OddsAsked(Request, frozen=True):
    """What to reckon: a command in a game, or a roll of one's own.

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
    roll           the odds of a roll of one's own; null for a command
    """

    game: str
    version: int
    rules: Rules | None
    text: str
    odds: dict[str, Any] | None
    roll: RollReckoned | None


ODDS = msgspec.json.Decoder(OddsAsked)
RECKONED = msgspec.json.Decoder(RollReckoned)
COMMAND = msgspec.json.Decoder(CommandReckoned)
REPORT = msgspec.json.Decoder(LuckReport)


class LuckQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Through whose eyes: only dice that these may see are counted."""

    as_: Perspective = ""


async def get_odds(call: Call) -> Reply:
    asked = await call.body(ODDS)
    if asked.roll is not UNSET and asked.game is UNSET and asked.command is UNSET:
        found = RECKONED.decode(await call.work(_task(asked.roll)))
        return call.json(OddsAnswer(game="", version=0, rules=None, text="", odds=None, roll=found))
    if asked.game is UNSET or asked.command is UNSET or asked.roll is not UNSET:
        raise Refusal("odds.unclear")
    return await _odds_of_command(call, asked)


def _task(asked: RollAsked) -> OddsOfRoll:
    pools = tuple(Pool(pool.count, pool.worth, pool.again) for pool in asked.pools)
    levels = tuple(Level(each.outcome, each.least) for each in asked.outcomes)
    return OddsOfRoll(pools, asked.most, levels)


async def _odds_of_command(call: Call, asked: OddsAsked) -> Reply:
    summary = await call.summary_of(str(asked.game))
    game = await call.ruleset(summary.id)
    viewer = viewer_of(call, summary, "" if asked.viewer is UNSET else asked.viewer)
    version = version_of(summary, asked.at)
    command = _command_in(call, game, asked)
    over = summary.status == "finished" or summary.fork is not None
    sent = msgspec.Raw(msgspec.json.encode(command))
    task = OddsOfCommand(game.ruleset, summary.id, viewer, version, sent, over)
    try:
        found = COMMAND.decode(await call.work(task))
    except Refused as refused:
        if refused.code == "odds.unmeasured":
            raise Refusal(refused.code, refused.hint, rule=refused.rule) from None
        at = refused.pointer and f"{INSIDE}{refused.pointer}"
        raise Refused(refused.code, refused.rule, refused.hint, at) from None
    return call.json(
        OddsAnswer(
            game=summary.id, version=version, rules=summary.rules, text=found.text,
            odds=found.odds, roll=None,
        )
    )  # fmt: skip


INSIDE = "/command"
"""Where the command stands in the body: what is wrong in it is wrong there."""


def _command_in(call: Call, game: AnyGame, asked: OddsAsked) -> Any:
    """The command of the question; a refusal points at where it stands in the body."""
    try:
        return decode_command(call, game, msgspec.json.encode(asked.command))
    except Refusal as refusal:
        refusal.errors = tuple(
            msgspec.structs.replace(each, pointer=f"{INSIDE}{each.pointer}")
            for each in refusal.errors
        )
        raise


async def get_luck(call: Call) -> Reply:
    summary = await call.summary()
    viewer = viewer_of(call, summary, call.query.as_)
    found = await call.work(Luck(summary.id, viewer, summary.version))
    if call.media == SVG:
        picture = _plot(REPORT.decode(found)).encode()
        return call.bytes(picture, SVG, tag=content_tag(picture))
    return call.json(found, tagged=True)


def _plot(report: LuckReport) -> str:
    """The seats as bars, and the course of it."""
    bars = [
        Bar(each.seat, each.actual, _fraction(each.expected), each.per_mille)
        for each in report.seats
    ]
    return drawn(bars, [Point(each.seq, each.seat, each.ahead) for each in report.series])


def _fraction(ratio: Ratio) -> Fraction:
    return Fraction(int(ratio.numerator), int(ratio.denominator))


OPERATIONS = (
    Operation(
        id="getOdds",
        method="POST",
        path="/v1/odds",
        tag=TAG,
        summary="Ask for odds",
        description="Exact odds, without throwing a die: of a `command` in a `game` as the rules "
        "would play it, at any version; or of a `roll` of one's own (what each face is worth, "
        "which faces are thrown again, what scores lead to). Where the rules forbid to measure "
        "before declaring, a running game answers `odds.unmeasured`.",
        run=get_odds,
        access="viewer",
        body=OddsAsked,
        answers=(json_answer(200, "The odds.", OddsAnswer),),
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
    Operation(
        id="getLuck",
        method="GET",
        path="/v1/games/{game}/luck",
        tag=TAG,
        summary="Show who was lucky",
        description="What the dice brought each seat against what they were expected to: in all, "
        "by phase and by weapon, with how rare that is, and the course of it. The faces are "
        "tested too: would fair dice look like these? `image/svg+xml` gives bars and the course "
        "of it, with all of it in words as its description.",
        run=get_luck,
        access="viewer",
        query=LuckQuery,
        answers=(Form(200, "The luck.", ((JSON, LuckReport), (SVG, None)), ("ETag",)),),
        problems=READING,
    ),
)

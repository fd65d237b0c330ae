"""Chances: exact odds on demand, and the luck that somebody had."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import UNSET

from domain.kernel.rules import Refused
from domain.kernel.values import PUBLIC, TRUTH, Seat, Viewer
from projections.luck import Fallen, Luck, calibration, grouped
from projections.plots import Bar, Point, drawn
from projections.records import Rules
from projections.timeline import Chapter
from service.models import Answer, Ratio, RollRecord
from service.problems import Refusal
from service.views.odds import OddsAnswer, OddsAsked, of_command, reckon

from .call import AnyGame, Call
from .commands import decode_command
from .moments import READING, TAG, chaptered
from .operation import JSON, Operation, json_answer
from .operation import Answer as Form
from .perspective import Perspective, version_of, viewer_of
from .reply import Reply, content_tag

SVG = "image/svg+xml"
ODDS = msgspec.json.Decoder(OddsAsked)


class LuckQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Through whose eyes: only dice that these may see are counted."""

    as_: Perspective = ""


class LuckOf(Answer, frozen=True):
    """Actual against expected, of one group of rolls.

    seat       for whom high scores are good
    name       phase or weapon of the group; "" for all of the seat's rolls
    actual     what the dice brought, ``expected`` what they bring on average
    per_mille  in how many of a thousand like games it would have been worse; ties count half
    """

    seat: Seat
    name: str
    rolls: int
    dice: int
    actual: int
    expected: Ratio
    per_mille: int


class LuckPoint(Answer, frozen=True):
    """A seat's luck so far, after a roll: actual less expected, in thousandths, rounded down."""

    seq: int
    seat: Seat
    ahead: int


class DiceTrial(Answer, frozen=True):
    """A test of the dice: ``millionths`` is how often fair dice would look as odd as these."""

    what: str
    count: int
    cells: tuple[int, ...]
    millionths: int
    verdict: str


class LuckReport(Answer, frozen=True):
    """The luck of a game: rolls of which a score is kept, and whether all its dice look fair.

    seats, phases, weapons  groups of rolls
    series   the course of it, roll by roll
    trials   of the faces of all open dice; one for each kind of die with enough of them
    """

    game: str
    ruleset: str
    rules: Rules
    viewer: Viewer
    version: int
    seats: tuple[LuckOf, ...]
    phases: tuple[LuckOf, ...]
    weapons: tuple[LuckOf, ...]
    series: tuple[LuckPoint, ...]
    trials: tuple[DiceTrial, ...]


async def get_odds(call: Call) -> Reply:
    asked = await call.body(ODDS)
    if asked.roll is not UNSET and asked.game is UNSET and asked.command is UNSET:
        found = await asyncio.to_thread(reckon, asked.roll)
        return call.json(OddsAnswer(game="", version=0, rules=None, text="", odds=None, roll=found))
    if asked.game is UNSET or asked.command is UNSET or asked.roll is not UNSET:
        raise Refusal("odds.unclear")
    return await _odds_of_command(call, asked)


async def _odds_of_command(call: Call, asked: OddsAsked) -> Reply:
    summary = await call.summary_of(str(asked.game))
    game = await call.ruleset(summary.id)
    viewer = viewer_of(call, summary, "" if asked.viewer is UNSET else asked.viewer)
    version = version_of(summary, asked.at)
    command = _command_in(call, game, asked)
    view = await call.desk.reader.view(summary.id, viewer, version)
    if view.state is None:
        raise Refusal("version.unknown", "Nobody has a command before the opening.")
    seat = viewer if viewer not in (PUBLIC, TRUTH) else _asked(game, view.state)
    over = summary.status == "finished" or summary.fork is not None

    def work() -> OddsAnswer:
        odds = of_command(game, view.state, seat, command, measured=over)
        if odds is None:
            raise Refusal("odds.none")
        text = game.describe(view.state, command).text
        return OddsAnswer(
            game=summary.id, version=version, rules=summary.rules, text=text, odds=odds, roll=None
        )

    try:
        return call.json(await asyncio.to_thread(work))
    except Refused as refused:
        if refused.code == "odds.unmeasured":
            raise Refusal(refused.code, refused.hint, rule=refused.rule) from None
        at = refused.pointer and f"{INSIDE}{refused.pointer}"
        raise Refused(refused.code, refused.rule, refused.hint, at) from None


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


def _asked(game: AnyGame, state: Any) -> Seat:
    """Whose command an onlooker means: that of the seat that is asked first."""
    return next((question.seat for question in game.pending(state)), "")


async def get_luck(call: Call) -> Reply:
    summary = await call.summary()
    viewer = viewer_of(call, summary, call.query.as_)
    rolls = await call.desk.reader.rolls(summary.id, viewer)
    events = await call.desk.reader.events(summary.id, viewer, 0, summary.version)

    def work() -> LuckReport:
        fallen = fallen_of(rolls, chaptered(events))
        return LuckReport(
            game=summary.id,
            ruleset=summary.rules.ruleset,
            rules=summary.rules,
            viewer=viewer,
            version=summary.version,
            seats=_groups(fallen, lambda roll: ""),
            phases=_groups(fallen, lambda roll: roll.phase),
            weapons=_groups(fallen, lambda roll: roll.weapon),
            series=_series(fallen),
            trials=trials_of(rolls),
        )

    report = await asyncio.to_thread(work)
    if call.media == SVG:
        picture = _plot(report).encode()
        return call.bytes(picture, SVG, tag=content_tag(picture))
    return call.json(report, tagged=True)


def fallen_of(rolls: Sequence[RollRecord], chapters: Sequence[Chapter]) -> list[Fallen]:
    """The rolls of which a score is kept and whose faces are seen, with their phases."""
    found, place = list[Fallen](), 0
    for roll in rolls:
        if roll.odds is None or roll.score is None:
            continue
        while place + 1 < len(chapters) and chapters[place].last < roll.seq:
            place += 1
        phase = chapters[place].phase if chapters else ""
        odds = roll.odds
        weapon = odds.weapon or odds.kind
        found.append(Fallen(roll.seq, odds.seat, odds.worth, roll.faces, phase, weapon))
    return found


def trials_of(rolls: Sequence[RollRecord]) -> tuple[DiceTrial, ...]:
    """Whether the faces that are seen look like those of fair dice."""
    thrown = [
        (pool.sides, faces)
        for roll in rolls
        for pool, faces in zip(roll.pools, roll.faces, strict=False)
    ]
    return tuple(
        DiceTrial(
            what=trial.what,
            count=trial.many,
            cells=trial.cells,
            millionths=trial.millionths,
            verdict=trial.verdict,
        )
        for trial in calibration(thrown)
    )


def _groups(rolls: Sequence[Fallen], name: Callable[[Fallen], str]) -> tuple[LuckOf, ...]:
    found = grouped(rolls, lambda roll: f"{roll.seat}\n{name(roll)}")
    names = (key.partition("\n") for key in found)
    return tuple(
        _luck_of(seat, rest, luck)
        for (seat, _, rest), luck in zip(names, found.values(), strict=True)
    )


def _luck_of(seat: str, name: str, luck: Luck) -> LuckOf:
    return LuckOf(
        seat=seat,
        name=name,
        rolls=luck.rolls,
        dice=luck.dice,
        actual=luck.actual,
        expected=Ratio.of(luck.expected),
        per_mille=luck.per_mille,
    )


def _series(rolls: Sequence[Fallen]) -> tuple[LuckPoint, ...]:
    ahead: dict[str, Any] = {}
    found: list[LuckPoint] = []
    for roll in rolls:
        now = ahead[roll.seat] = ahead.get(roll.seat, 0) + roll.score - roll.expected
        found.append(LuckPoint(seq=roll.seq, seat=roll.seat, ahead=int(now * 1000 // 1)))
    return tuple(found)


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

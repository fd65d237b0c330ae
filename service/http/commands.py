"""Commands: what the caller may do now, doing it, and asking first whether it would be accepted."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.commands import tag_of
from domain.kernel.options import Options
from domain.kernel.rules import Refused
from domain.kernel.values import PUBLIC, TRUTH, Seat
from service.models import GameSummary, View
from service.problems import FieldError, Refusal, by_rule

from .call import AnyGame, Call
from .decoding import decode_body
from .games import replay_header
from .operation import Operation, json_answer
from .paging import bad_cursor, next_link, read_cursor, write_cursor
from .perspective import Perspective, Version, version_of, viewer_of
from .reply import Reply
from .rulesets import Cursor, Limit
from .wire import CheckPassed, CommandDone, CommandList, ReadyCommand, event_bytes

TAG = "commands"
SHOWN = 100
"""Legal commands are shown in the hint of a refusal until it has so many characters."""
UNKNOWN_TAG = "Invalid value "


class CommandQuery(msgspec.Struct, frozen=True, rename={"as_": "as"}):
    """Which part of the list, at which version, and whose."""

    cursor: Cursor = ""
    limit: Limit = 200
    at: Version = UNSET
    as_: Perspective = ""


async def list_commands(call: Call) -> Reply:
    summary = await call.summary()
    seat = viewer_of(call, summary, call.query.as_)
    game = await call.ruleset(summary.id)
    view = await call.desk.reader.view(summary.id, seat, version_of(summary, call.query.at))
    if view.state is None:
        raise Refusal("version.unknown", "Nobody has a command before the opening.")
    offset = _offset(call.query.cursor, view.version)
    body = await asyncio.to_thread(_offer, game, summary, view, offset, call.query.limit)
    return call.json(body, version=view.version, headers=next_link(call, body.next))


def _offer(game: AnyGame, summary: GameSummary, view: View, offset: int, limit: int) -> CommandList:
    """One page of what the viewer may do; the odds of a page can take a while to work out."""
    seat = "" if view.viewer in (PUBLIC, TRUTH) else view.viewer
    given_up = summary.abandoned and view.version == summary.version
    options: Options[Any] = game.legal(view.state, seat) if seat and not given_up else Options()
    end = offset + limit
    more = end < len(options.commands)
    return CommandList(
        game=summary.id,
        seat=seat,
        version=view.version,
        rules=summary.rules,
        next_batch=view.next_batch,
        pending=() if given_up else game.pending(view.state),
        due=summary.due if summary.version == view.version else {},
        items=tuple(ready(game, view.state, c) for c in options.commands[offset:end]),
        templates=options.templates,
        next=write_cursor(f"{view.version}.{end}") if more else None,
        concessions=tuple(ready(game, view.state, c) for c in options.concessions),
    )


def _offset(cursor: str, version: int) -> int:
    """The place in the list that the cursor names; a list of another version is gone."""
    text = read_cursor(cursor)
    if not text:
        return 0
    made, _, place = text.partition(".")
    if not (made.isdigit() and place.isdigit() and len(text) < 30):
        raise bad_cursor()
    if int(made) != version:
        raise Refusal("cursor.stale", version=version)
    return int(place)


def ready(game: AnyGame, state: Any, command: Any) -> ReadyCommand:
    """``command`` as an item of the list."""
    words = game.describe(state, command)
    odds = game.odds(state, command)
    return ReadyCommand(
        command=command,
        text=words.text,
        unit=words.unit,
        target=words.target,
        rule=words.rule,
        parts=words.parts,
        odds=UNSET if odds is None else odds,
        pointless=words.pointless or UNSET,
    )


async def read_command(call: Call, game: AnyGame) -> Any:
    """The body as a command of the game's own ruleset."""
    return decode_command(call, game, await call.raw_body())


def decode_command(call: Call, game: AnyGame, body: bytes) -> Any:
    """The bytes as a command of the game's own ruleset."""
    try:
        return decode_body(call.http.decoders[game.ruleset], body)
    except Refusal as refusal:
        if _names_no_type(refusal):
            raise _unknown_type(game, refusal) from None
        raise


def _names_no_type(refusal: Refusal) -> bool:
    return any(
        error.pointer == "/type" and error.message.startswith(UNKNOWN_TAG)
        for error in refusal.errors
    )


def _unknown_type(game: AnyGame, refusal: Refusal) -> Refusal:
    known = ", ".join(sorted(tag_of(command) for command in game.commands))
    return Refusal(
        "command.unknown-type",
        f"The commands of {game.ruleset} are: {known}.",
        errors=tuple(FieldError(e.pointer, e.code, e.message) for e in refusal.errors),
    )


async def give_command(call: Call) -> Reply:
    game_id, seat = call.game_id(), call.acting
    rules = await call.judged_by(game_id)
    game = call.played_by(rules)
    key = call.key()
    expected = call.expected()
    link, tip = call.dice_link(), call.dice_tip()
    command = await read_command(call, game)
    assert call.identity is not None, "the guard lets only tokens through"
    try:
        outcome = await call.desk.writer.command(
            game_id,
            seat,
            command,
            expected=expected,
            key=key,
            fingerprint=fingerprint(game_id, seat, command),
            caller=call.identity.token_id,
            link=link,
            tip=tip,
        )
    except Refused as refused:
        raise await _with_what_is_legal(call, game, command, refused) from None
    if not outcome.replayed:
        call.http.metrics.commands.inc()
    body = CommandDone(
        game=game_id,
        version=outcome.version,
        rules=rules,
        command=outcome.command,
        next_batch=outcome.next_batch,
        events=tuple(msgspec.Raw(event_bytes(event)) for event in outcome.events),
    )
    return call.json(
        body, version=outcome.version, headers=replay_header(outcome.replayed), cache="no-store"
    )


def fingerprint(game: str, seat: Seat, command: Any) -> bytes:
    """What makes two requests under one key the same one: game, seat and command."""
    return hashlib.sha256(b"\0".join((game.encode(), seat.encode(), canonical(command)))).digest()


async def _with_what_is_legal(call: Call, game: AnyGame, command: Any, refused: Refused) -> Refusal:
    """The refusal with the likest commands that would be accepted.

    They are taken from what the seat itself may see, so they tell nothing else.
    """
    view = await call.desk.reader.view(call.game_id(), call.acting, None)

    def work() -> tuple[str, Any]:
        every = game.legal(view.state, call.acting).commands
        return likest(game, view.state, every, command), nearest(every, command)

    legal, near = await asyncio.to_thread(work)
    body = None if near is None else dict(msgspec.to_builtins(near))
    return by_rule(refused, call.http.rule_titles, legal, body)


def nearest(every: Sequence[Any], command: Any) -> Any:
    """The legal command that is most like one that is not; None where nothing is legal.

    Of the same type if there is any; then of the same unit; then with most fields alike.
    """

    def likeness(other: Any) -> tuple[bool, bool, int]:
        if type(other) is not type(command):
            return (False, False, 0)
        alike = [f for f in other.__struct_fields__ if getattr(other, f) == getattr(command, f)]
        return (True, "unit" in alike, len(alike))

    return max(every, key=likeness, default=None)


def likest(game: AnyGame, state: Any, every: Sequence[Any], command: Any) -> str:
    """Some legal commands in words: of the same type and unit, if there are any; "" for none."""
    alike = [c for c in every if type(c) is type(command)]
    unit = getattr(command, "unit", None)
    same = [c for c in alike if getattr(c, "unit", None) == unit]
    found = same or alike or every
    texts: list[str] = []
    while len(texts) < len(found) and sum(map(len, texts)) < SHOWN:
        texts.append(game.describe(state, found[len(texts)]).text)
    rest = len(found) - len(texts)
    return "; ".join([*texts, f"{rest} more"] if rest else texts)


async def check_command(call: Call) -> Reply:
    game_id, seat = call.game_id(), call.acting
    game = await call.ruleset(game_id)
    command = await read_command(call, game)
    try:
        await call.desk.reader.check(game_id, seat, command)
    except Refused as refused:
        raise await _with_what_is_legal(call, game, command, refused) from None
    summary, view = await call.summary(), await call.desk.reader.view(game_id, seat, None)
    return call.json(_passed(game, summary, view, command), version=view.version)


def _passed(game: AnyGame, summary: GameSummary, view: View, command: Any) -> CheckPassed:
    return CheckPassed(
        game=summary.id,
        version=view.version,
        rules=summary.rules,
        legal=True,
        item=ready(game, view.state, command),
        preview=game.preview(view.state, command),
    )


SEAT_PROBLEMS = ("token.missing", "game.not-found", "token.wrong-game", "token.not-a-seat")
NOT_ASKABLE = ("game.damaged", "ruleset.not-installed")

OPERATIONS = (
    Operation(
        id="listCommands",
        method="GET",
        path="/v1/games/{game}/commands",
        tag=TAG,
        summary="List what may be done now",
        description="Every command that the caller's seat may give now: bodies ready to post, "
        "each in words and, where dice would roll, with the exact odds. Commands that have to be "
        "built (a fleet) come as templates too. Post an item's `command` with `If-Match` set to "
        "the ETag of this list. An onlooker gets an empty list. With `at` it is what could be "
        "done at that version, with `as` what that seat could do: nothing to post any more.",
        run=list_commands,
        access="viewer",
        query=CommandQuery,
        answers=(json_answer(200, "The commands.", "CommandList", "ETag", "Link"),),
        problems=(
            "query.invalid",
            "game.not-found",
            "viewer.not-entitled",
            "version.unknown",
            "cursor.stale",
            "game.damaged",
            "ruleset.not-installed",
        ),
    ),
    Operation(
        id="giveCommand",
        method="POST",
        path="/v1/games/{game}/commands",
        tag=TAG,
        summary="Give a command",
        description="Does it: one atomic batch of events is stored, then answered. `If-Match` "
        "names the version that it was decided on; an older one is refused with 412 and nothing "
        "happens. Where seats act at the same time, a command that only other seats' "
        "independent commands overtook is accepted. Repeating the request with the same "
        "Idempotency-Key gives the first answer again.\n\n"
        "A command rolls one dice batch for each domain that it needs: `pub` for open dice, "
        "`side:p3` for dice that only p3 sees. A seat with a dice tip sends one link that is good "
        "for all of them, the one for batch `nextBatch + linkCredit - 1` (of the game). When the "
        "chains are spent (event `decklog.chain-renewed`), it sends the tip of a new chain with "
        "its next command that rolls.",
        run=give_command,
        access="seat",
        body="Command",
        headers=("Idempotency-Key", "If-Match", "Decklog-Dice-Link", "Decklog-Dice-Tip"),
        answers=(json_answer(200, "It is done.", "CommandDone", "ETag", "Idempotency-Replayed"),),
        problems=(
            *SEAT_PROBLEMS,
            "precondition.required",
            "precondition.malformed",
            "dice-link.malformed",
            "command.unknown-type",
            *NOT_ASKABLE,
            "version.lost",
            "version.stale",
            "game.over",
            "dice.tip-copied",
            "dice.link-unexpected",
            "dice.link-missing",
            "dice.link-wrong",
            "dice.exhausted",
        ),
        rules=True,
        writes=True,
    ),
    Operation(
        id="checkCommand",
        method="POST",
        path="/v1/games/{game}/commands/check",
        tag=TAG,
        summary="Ask whether a command would be accepted",
        description="A dry run: writes nothing, rolls no dice, and is decided on what the seat "
        "itself may see. The answer is the command in words and its odds, or the problem that "
        "giving it would meet: with the rule that refuses and, as `nearest`, the likest command "
        "that would be accepted.",
        run=check_command,
        access="seat",
        body="Command",
        answers=(json_answer(200, "It would be accepted now.", "CheckPassed", "ETag"),),
        problems=(*SEAT_PROBLEMS, "command.unknown-type", *NOT_ASKABLE, "game.over"),
        rules=True,
    ),
)

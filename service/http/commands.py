"""Commands: what the caller may do now, doing it, and asking first whether it would be accepted."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Controller, Response
from litestar.params import JSONBody, SkipValidation
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.commands import tag_of
from domain.kernel.options import Options
from domain.kernel.rules import Refused
from domain.kernel.values import PUBLIC, TRUTH, Seat
from projections.odds import told
from service.errors import ServiceError
from service.models import GameSummary, View
from service.play.deciding import command_decoder
from service.problems import FieldError, Refusal, by_rule

from .accept import takes_gzip
from .access import good_links, known_game, needs_key, needs_version, seat, viewer, whole_body
from .asked import NO_STORE, AnyGame, Asked
from .decoding import decode_body
from .games import replay_header
from .given import Given, Seen, version_of
from .operation import RECEIPT, tells
from .paging import bad_cursor, read_cursor, write_cursor
from .parameters import (
    At,
    Cursor,
    DiceLink,
    DiceTip,
    GameId,
    IdempotencyKey,
    IfMatch,
    Limit,
    OrderSignature,
)
from .reply import named_version
from .routes import get, post
from .wire import CheckPassed, CommandDone, CommandList, ReadyCommand, event_bytes

TAG = "commands"
LARGE = 1_024
"""Bytes of the answer to an order from which on it is compressed, for who takes that."""
SHOWN = 100
"""Legal commands are shown in the hint of a refusal until it has so many characters."""
UNKNOWN_TAG = "Invalid value "
SEAT_PROBLEMS = ("token.missing", "game.not-found", "token.wrong-game", "token.not-a-seat")
NOT_ASKABLE = ("game.damaged", "ruleset.not-installed")


class Command(msgspec.Struct, frozen=True, tag_field="type"):
    """A command of some ruleset, by its `type`: each ruleset has its own."""


Ordered = SkipValidation[JSONBody[Command]]
"""What Litestar takes as it is: it knows no ruleset."""


def of_the_game(asked: Asked, body: bytes) -> Any:
    """A body that is a command of the ruleset by which the game of the path is played.

    Raises ``body.malformed``, ``body.invalid``, ``command.unknown-type``.
    """
    assert asked.rules is not None, "the guard knows the game"
    return decode_command(asked, asked.played_by(asked.rules), body)


def decode_command(asked: Asked, game: AnyGame, body: bytes) -> Any:
    """The bytes as a command of the game's own ruleset."""
    try:
        return decode_body(command_decoder(game), body)
    except Refusal as refusal:
        if _names_no_type(refusal):
            raise _unknown_type(game, refusal) from None
        raise


async def known_version(asked: Asked) -> None:
    """By which rules a command is read that is asked of an earlier version. Raises
    ``version.unknown``.
    """
    at = asked.query_params.get("at")
    if at is not None:
        summary = await asked.summary_of(asked.game_id(), asked.identity)
        asked.rules = summary.rules_at(version_of(summary, int(at)))


class Commands(Controller):
    """What may be done, and doing it."""

    path = "/v1/games/{game:str}/commands"
    tags = (TAG,)

    @get(
        summary="List the legal commands",
        guards=[viewer()],
        opt=tells(
            "The commands.",
            "ETag",
            "Link",
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
    )
    async def list_commands(
        self,
        *,
        request: Asked,
        cursor: Cursor = "",
        limit: Limit = 200,
        moment: Given[Seen],
    ) -> Response[CommandList]:
        """Every command that the caller's seat may give now: bodies ready to post, each in words
        and, where dice would roll, with the exact odds. Commands that have to be built (a fleet)
        come as templates too. Post an item's `command` with `If-Match` set to the ETag of this
        list. An onlooker gets an empty list. With `at` the list is that of an earlier version, with
        `as` that of another seat: these commands cannot be posted any more.
        """
        summary, viewer, version, _ = moment
        game = request.played_in(summary)
        view = await request.desk.reader.view(summary.id, viewer, version)
        if view.state is None:
            raise Refusal("version.unknown", "Nobody has a command before the opening.")
        offset = _offset(cursor, view.version)
        body = await asyncio.to_thread(offer, game, summary, view, offset, limit)
        return request.told(body, version=view.version, headers=request.next_link(body.next))

    @post(
        status_code=200,
        summary="Give a command",
        reads=of_the_game,
        guards=[seat(known_game, needs_key, needs_version, good_links, whole_body)],
        opt=tells(
            "It is done.",
            "ETag",
            "Idempotency-Replayed",
            RECEIPT,
            problems=(
                *SEAT_PROBLEMS,
                "precondition.required",
                "precondition.malformed",
                "signature.malformed",
                "dice-link.malformed",
                "command.unknown-type",
                *NOT_ASKABLE,
                "engine.missing",
                "engine.wrong-dice",
                "version.lost",
                "version.stale",
                "game.over",
                "game.frozen",
                "signature.missing",
                "signature.unexpected",
                "signature.wrong",
                "dice.tip-copied",
                "dice.link-unexpected",
                "dice.link-missing",
                "dice.link-wrong",
                "dice.exhausted",
                "dice.awaited",
            ),
            rules=True,
        ),
    )
    async def give_command(
        self,
        request: Asked,
        game: GameId,
        data: Ordered,
        key: IdempotencyKey,
        if_match: IfMatch,
        link: DiceLink = "",
        tip: DiceTip = "",
        signature: OrderSignature = "",
    ) -> Response[CommandDone]:
        """Does it: one atomic batch of events is stored, then answered. `If-Match` names the
        version that it was decided on; an older one is refused with 412 and nothing happens. Where
        seats act at the same time, a command that only other seats' independent commands overtook
        is accepted. Repeating the request with the same Idempotency-Key gives the first answer
        again. `version`, `head`, `standing` and the last of `events` are of one moment, when all
        was stored that the command led to. `standing` says whose turn it is then, so that nobody
        has to ask.

        A command rolls one dice batch for each domain that it needs: `pub` for open dice, `side:p3`
        for dice that only p3 sees. A seat with a dice tip sends one link that is good for all of
        them, the one for batch `nextBatch + linkCredit - 1` (of the game). When the chains are
        spent (event `decklog.chain-renewed`), it sends the tip of a new chain with its next command
        that rolls.

        Where the seat has registered a key (`orderKey` of `takeSeat` or of a seat of `createGame`),
        each command carries its signature in `Decklog-Signature`: Ed25519, 64 bytes in hexadecimal
        digits, over `DSSEv1 37 application/vnd.decklog.order.v2+json N ` and the `N` bytes of the
        JSON `{"after":last,"chains":...,"command":...,"game":...,"question":...,"rules":...,
        "seat":...,"subject":...,"v":2}` without spaces and with sorted names, in the command too,
        which is as `checkCommand` shows it. `last` is that of the seat in `getGame`; `rules` is the
        digest of the game's rules there, `chains` its `chainParams`, or `params` where it has none.
        Question and subject are those of the seat's entry in `toMove`, or "".
        """
        who, rules = request.identity, request.rules
        assert who is not None, "the guard lets only tokens through"
        assert rules is not None, "the guard knows the game"
        try:
            done = await request.desk.writer.command(
                game,
                request.acting,
                data,
                expected=named_version(if_match),
                key=key,
                fingerprint=fingerprint(game, request.acting, data),
                caller=who.token_id,
                link=bytes.fromhex(link) if link else None,
                tip=bytes.fromhex(tip) if tip else None,
                signature=bytes.fromhex(signature) if signature else None,
            )
        except Refused as refused:
            await request.look(game)
            raise await _with_what_is_legal(request, game, data, refused) from None
        except ServiceError:
            await request.look(game)
            raise
        known = await request.summary_of(game, who) if done.replayed else None
        request.reached(done.version, done.head)
        request.http.metrics.commands.inc(not done.replayed)
        body = CommandDone(
            game=game,
            version=done.version,
            head=done.head,
            rules=known.rules_at(done.version) if known else rules,
            command=done.command,
            next_batch=done.next_batch,
            standing=done.standing,
            events=tuple(msgspec.Raw(event_bytes(event)) for event in done.events),
        )
        headers = replay_header(done.replayed, done.receipt)
        reply = request.told(body, version=done.version, headers=headers, cache=NO_STORE)
        # No secret is in it beside what came. Not so of every answer to a write: a token may be.
        reply.packed = len(reply.body) >= LARGE and takes_gzip(request.header("accept-encoding"))
        return reply

    @post(
        "/check",
        status_code=200,
        summary="Ask whether a command would be accepted",
        reads=of_the_game,
        guards=[seat(known_game, known_version, whole_body)],
        opt=tells(
            "It would be accepted now, or would have been then.",
            "ETag",
            problems=(
                *SEAT_PROBLEMS,
                "version.unknown",
                "command.unknown-type",
                *NOT_ASKABLE,
                "game.over",
                "game.frozen",
            ),
            rules=True,
        ),
    )
    async def check_command(
        self, request: Asked, game: GameId, data: Ordered, at: At = None
    ) -> Response[CheckPassed]:
        """A dry run: writes nothing, rolls no dice, and is decided on what the seat itself may see.
        The answer is the command in words and its odds, or the problem that giving it would meet:
        with the rule that refuses and, as `nearest`, the likest command that would be accepted.
        With `at` it is asked of an earlier version, as the seat saw it then and by the rules that
        it had: why a command was not possible, also once the game is over.
        """
        try:
            await request.desk.reader.check(game, request.acting, data, at)
        except Refused as refused:
            raise await _with_what_is_legal(request, game, data, refused, at) from None
        summary = await request.summary_of(game, request.identity)
        view = await request.desk.reader.view(game, request.acting, at)
        body = await asyncio.to_thread(_passed, request.played_in(summary), summary, view, data)
        return request.told(body, version=view.version)


def offer(game: AnyGame, summary: GameSummary, view: View, offset: int, limit: int) -> CommandList:
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
        rules=summary.rules_at(view.version),
        next_batch=view.next_batch,
        to_move=() if given_up else game.pending(view.state),
        due=summary.due if summary.version == view.version else {},
        items=tuple(ready(game, view.state, seat, c) for c in options.commands[offset:end]),
        templates=options.templates,
        next=write_cursor(f"{view.version}.{end}") if more else None,
        concessions=tuple(ready(game, view.state, seat, c) for c in options.concessions),
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


def ready(game: AnyGame, state: Any, seat: Seat, command: Any) -> ReadyCommand:
    """``command`` as an item of the seat's list."""
    words = game.describe(state, command)
    odds = game.odds_beside(state, seat, command)
    worth = game.worthwhile(state, command)
    return ReadyCommand(
        command=command,
        text=words.text,
        unit=words.unit,
        target=words.target,
        rule=words.rule,
        parts=words.parts,
        odds=UNSET if odds is None else told(game, odds),
        odds_summary=game.short_beside(state, command, odds) or UNSET,
        pointless=words.pointless or UNSET,
        worthwhile=UNSET if worth is None else told(game, worth),
    )


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


def fingerprint(game: str, seat: Seat, command: Any) -> bytes:
    """What makes two requests under one key the same one: game, seat and command."""
    return hashlib.sha256(b"\0".join((game.encode(), seat.encode(), canonical(command)))).digest()


async def _with_what_is_legal(
    asked: Asked, game: str, command: Any, refused: Refused, at: int | None = None
) -> Refusal:
    """The refusal with the likest commands that would be accepted.

    They are taken from what the seat itself may see, so they tell nothing else.
    """
    assert asked.rules is not None, "the guard knows the game"
    ruleset, acting = asked.played_by(asked.rules), asked.acting
    view = await asked.desk.reader.view(game, acting, at)

    def work() -> tuple[str, Any]:
        every = ruleset.legal(view.state, acting).commands
        return likest(ruleset, view.state, every, command), nearest(every, command)

    legal, near = await asyncio.to_thread(work)
    body = None if near is None else dict(msgspec.to_builtins(near))
    return by_rule(refused, asked.http.rule_titles(), legal, body)


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


def _passed(game: AnyGame, summary: GameSummary, view: View, command: Any) -> CheckPassed:
    preview = game.preview(view.state, command)
    return CheckPassed(
        game=summary.id,
        version=view.version,
        rules=summary.rules_at(view.version),
        legal=True,
        item=ready(game, view.state, view.viewer, command),
        preview=None if preview is None else told(game, preview),
    )

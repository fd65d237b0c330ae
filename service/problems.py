"""Every way in which the service says no: stable codes, their HTTP status, and RFC 9457 documents.

The table is written in order of precedence: where a request deserves several refusals, the one that
stands first is given. ``GET /problems`` serves this table and a test walks it.
"""

from __future__ import annotations

from typing import Any

import msgspec

MEDIA_TYPE = "application/problem+json"


class Kind(msgspec.Struct, frozen=True, rename="camel"):
    """One kind of refusal.

    code    stable name; never reused for another meaning
    status  HTTP status that it travels with
    title   the same in a few words, equal for every occurrence (RFC 9457 section 3.1.3)
    meaning when it is given
    hint    what a client does about it, where the occurrence does not say something better
    """

    code: str
    status: int
    title: str
    meaning: str
    hint: str


class FieldError(msgspec.Struct, frozen=True, rename="camel"):
    """One field to blame: an RFC 6901 pointer into the body, or ``#name`` of a parameter."""

    pointer: str
    code: str
    message: str


class Problem(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """An RFC 9457 problem document.

    type      address of the page that explains ``code``, relative to the service
    title     the kind of problem in a few words
    status    HTTP status
    code      stable, machine-readable code
    detail    this occurrence, in a sentence
    hint      what would be accepted instead
    instance  path of the request that was refused
    rule      ID of the rule or ruling that refused
    version   present version of the game, where a stale one was refused
    errors    the fields to blame
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    hint: str
    instance: str = ""
    rule: str = ""
    version: int | None = None
    errors: tuple[FieldError, ...] = ()


KINDS: tuple[Kind, ...] = (
    Kind(
        "request.malformed",
        400,
        "The request cannot be read",
        "The HTTP request itself is broken, for example its Host header.",
        "Send a well-formed HTTP/1.1 request.",
    ),
    Kind(
        "route.not-found",
        404,
        "No such address",
        "No operation of the service has this path.",
        "The document at /openapi.json lists every path.",
    ),
    Kind(
        "method.not-allowed",
        405,
        "Not a method of this address",
        "The path exists, with other methods; the Allow header names them.",
        "Use a method that the Allow header names.",
    ),
    Kind(
        "rate.exceeded",
        429,
        "Too many requests",
        "The caller's quota for this window is spent; RateLimit-Policy states it.",
        "Wait as many seconds as Retry-After says; streams do not count as polls.",
    ),
    Kind(
        "accept.not-acceptable",
        406,
        "No acceptable form",
        "The operation has no answer in a media type that the Accept header allows.",
        "Accept one of the media types that the document names for this operation.",
    ),
    Kind(
        "token.invalid",
        401,
        "The token is not valid",
        "The Authorization header is no bearer token of this service, or the token was revoked.",
        "Send 'Authorization: Bearer <token>' with a token that the service gave out.",
    ),
    Kind(
        "token.missing",
        401,
        "A token is needed",
        "The operation acts for a seat, and the request names none.",
        "Send the token of the seat in 'Authorization: Bearer <token>'.",
    ),
    Kind(
        "query.invalid",
        422,
        "A query parameter is wrong",
        "A query parameter is unknown, repeated, of the wrong type or out of its range.",
        "errors[] names the parameter; the document lists those of the operation.",
    ),
    Kind(
        "resource.not-found",
        404,
        "No such thing",
        "The path is right, but nothing has the identifier in it.",
        "List the collection above it to see the identifiers that exist.",
    ),
    Kind(
        "game.not-found",
        404,
        "No such game",
        "No game has this identifier, or the caller may not know of it.",
        "Use the id of the answer that created the game, or one of the lobby.",
    ),
    Kind(
        "token.wrong-game",
        403,
        "The token is for another game",
        "A seat's token opens its own game and no other.",
        "Use the token of a seat in this game.",
    ),
    Kind(
        "token.not-a-seat",
        403,
        "The token is not a seat's",
        "Spectators, organisers, auditors and invitations do not act for a seat.",
        "Use a seat's token; take a seat to get one.",
    ),
    Kind(
        "version.not-found",
        404,
        "No such version",
        "The version asked for lies beyond the newest one of the game.",
        "Ask for a version from 1 to the game's version.",
    ),
    Kind(
        "idempotency.key-missing",
        400,
        "Idempotency-Key is missing",
        "Every POST that writes needs an Idempotency-Key, so that repeating it is harmless.",
        "Send a fresh random key, such as a UUID, with each new request.",
    ),
    Kind(
        "idempotency.key-malformed",
        400,
        "Idempotency-Key is malformed",
        "The key is not 16 to 255 visible ASCII characters.",
        "Send a UUID or another random text of 16 to 255 visible ASCII characters.",
    ),
    Kind(
        "precondition.required",
        428,
        "If-Match is missing",
        "A command must say which version of the game it was decided on.",
        "Send 'If-Match' with the ETag of the game, view or command list you looked at.",
    ),
    Kind(
        "precondition.malformed",
        400,
        "If-Match is malformed",
        "The header is not one strong entity tag.",
        'Send the ETag as it was given, for example: If-Match: "12".',
    ),
    Kind(
        "dice-link.malformed",
        400,
        "Decklog-Dice-Link is malformed",
        "The header is not 32 bytes in hexadecimal digits.",
        "Send the link of batch nextBatch as 64 hexadecimal digits.",
    ),
    Kind(
        "content.unsupported",
        415,
        "Not JSON",
        "The body's Content-Type is not application/json, or the body is compressed.",
        "Send 'Content-Type: application/json' and an uncompressed UTF-8 body.",
    ),
    Kind(
        "body.too-large",
        413,
        "The body is too large",
        "The body is longer than the limit that GET /v1 states.",
        "Send a smaller body; no operation needs one of that size.",
    ),
    Kind(
        "body.malformed",
        400,
        "The body is not readable JSON",
        "The body is not UTF-8 JSON, is nested too deeply, or names a field twice.",
        "Send one JSON object without repeated names, at most 32 levels deep.",
    ),
    Kind(
        "body.invalid",
        422,
        "The body does not fit",
        "A field is missing, unknown, of the wrong type or out of its bounds.",
        "errors[] points at the field; the document describes the body.",
    ),
    Kind(
        "command.unknown-type",
        422,
        "No such command",
        "The ruleset of this game has no command of that type.",
        "GET the game's commands: each item holds a body that is ready to post.",
    ),
    Kind(
        "ruleset.unknown", 422, "No such ruleset",
        "The service has no ruleset of that name.",
        "GET /v1/rulesets lists those there are.",
    ),
    Kind(
        "edition.unknown", 422, "No such edition of the ruleset",
        "The ruleset has no edition of that name.",
        "GET the ruleset: it lists its editions.",
    ),
    Kind(
        "options.invalid", 422, "Options that the ruleset does not have",
        "An option is unknown to the ruleset, or its value is.",
        "GET the ruleset: it lists its options and their defaults.",
    ),
    Kind(
        "seats.invalid", 422, "Seats that the ruleset does not have",
        "The seats are too many, too few, named twice, or their wishes contradict each other.",
        "GET the ruleset: it says how many seats a game has; they are p1, p2 and so on.",
    ),
    Kind(
        "dice.tip-malformed", 422, "The dice tip is malformed",
        "A dice tip is 32 bytes in hexadecimal digits.",
        "Send the first link of your dice chain as 64 lower-case hexadecimal digits.",
    ),
    Kind(
        "idempotency.key-reused", 422, "The key was used for another request",
        "The same Idempotency-Key of this caller came before with another body or path.",
        "Use a fresh key for a new request, and the old one only to repeat the old request.",
    ),
    Kind(
        "idempotency.key-busy", 409, "The first request is still running",
        "A request with the same Idempotency-Key is being worked on at this moment.",
        "Repeat the request in a second; it will give the first one's answer.",
    ),
    Kind(
        "game.damaged", 503, "The game is under review",
        "The record of the game does not hash to what it says; the game is frozen.",
        "Tell the operator; the game can still be exported for a dispute.",
    ),
    Kind(
        "ruleset.not-installed", 503, "The ruleset of this game is not installed",
        "The game was made with a ruleset that this installation lacks.",
        "Ask the operator to install the ruleset.",
    ),
    Kind(
        "seat.unknown", 404, "No such seat",
        "The game has no seat of that name.",
        "GET the game: it lists its seats.",
    ),
    Kind(
        "seat.invitation-needed", 403, "The seat waits for an invitation",
        "The seat is kept for whoever has its invitation.",
        "Send the invitation, or take an open seat.",
    ),
    Kind(
        "seat.invitation-wrong", 403, "The invitation is not for this seat",
        "The invitation is unknown, was used, or is for another seat.",
        "Send the invitation of this seat as the game's creator was given it.",
    ),
    Kind(
        "seat.taken", 409, "The seat is taken",
        "Somebody holds the seat already.",
        "GET the game: it shows which seats are open.",
    ),
    Kind(
        "version.stale", 412, "The game has moved on",
        "If-Match names another version than the game's present one; nothing was done.",
        "Read the commands again and decide on the version that this problem names.",
    ),
    Kind(
        "game.over", 409, "The game is over",
        "The game has ended; its record is closed.",
        "GET the game for its result, or create another one.",
    ),
    Kind(
        "dice.tip-copied", 422, "The dice tip is another seat's",
        "Two seats may not share one dice chain.",
        "Make a dice chain of your own.",
    ),
    Kind(
        "dice.link-unexpected", 422, "The seat has no dice tip",
        "A dice link came from a seat that never gave a tip.",
        "Leave Decklog-Dice-Link out.",
    ),
    Kind(
        "dice.link-missing", 422, "The seat's dice link is missing",
        "The seat gave a dice tip, so each of its commands carries the link of the next batch.",
        "Send the link of batch nextBatch in Decklog-Dice-Link.",
    ),
    Kind(
        "dice.link-wrong", 422, "The dice link does not lead to the seat's tip",
        "Hashing the link down to the last known one does not give that one.",
        "Send the link of exactly the batch nextBatch.",
    ),
    Kind(
        "dice.exhausted", 409, "The dice chain of the game is used up",
        "The game rolled as often as its dice chain is long.",
        "Create another game.",
    ),
    Kind(
        "evidence.unavailable", 503, "The evidence cannot be made now",
        "The bundle cannot be put together at the moment.",
        "Repeat the request after Retry-After seconds.",
    ),
    Kind(
        "store.full", 507, "The disk is full",
        "The disk took no more; nothing of the request was kept. Reading goes on.",
        "Repeat the request with the same key once the operator has made room.",
    ),
    Kind(
        "store.unavailable", 503, "The store cannot be written",
        "The store refused the write; nothing of the request was kept.",
        "Repeat the request with the same key after Retry-After seconds.",
    ),
    Kind(
        "service.overloaded", 503, "Too much is waiting",
        "More commands are waiting than the service queues.",
        "Repeat the request with the same key after Retry-After seconds.",
    ),
    Kind(
        "service.stopping", 503, "The service is stopping",
        "The service takes no new work because it is being stopped.",
        "Repeat the request with the same key after Retry-After seconds.",
    ),
    Kind(
        "service.not-ready", 503, "The service is not ready",
        "A part of the service does not work; errors[] names it.",
        "Ask again after Retry-After seconds.",
    ),
    Kind(
        "service.deadline", 503, "The answer took too long",
        "The service did not manage within its deadline. A write may or may not have happened.",
        "Repeat the request with the same key after Retry-After seconds.",
    ),
    Kind(
        "internal.error",
        500,
        "The service failed",
        "A fault of the service; it was logged. A write may or may not have happened.",
        "Repeat the request with the same Idempotency-Key to learn its outcome.",
    ),
)
"""Refusals of the service itself, first one first. Refusals by the rules come after
:data:`RULES_COME_AFTER` and have the codes of their ruleset."""

BY_CODE: dict[str, Kind] = {kind.code: kind for kind in KINDS}

RULES_COME_AFTER = "dice.exhausted"

NOT_NOW = ("turn.", "game.")
"""A rule's refusal whose code starts so is about the moment (409), any other about the command."""


def status_of(code: str) -> int:
    """HTTP status of a code, of the service or of a ruleset."""
    kind = BY_CODE.get(code)
    if kind is not None:
        return kind.status
    return 409 if code.startswith(NOT_NOW) else 422


def page_of(code: str) -> str:
    """Path of the page that explains ``code``."""
    return f"/problems/{code}"


class Refusal(Exception):
    """A refusal on its way to the caller. Raise it anywhere below the HTTP layer's pipeline.

    headers  header fields that belong to it, such as Retry-After
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        hint: str = "",
        rule: str = "",
        version: int | None = None,
        errors: tuple[FieldError, ...] = (),
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.hint = hint
        self.rule = rule
        self.version = version
        self.errors = errors
        self.headers = headers or {}

    @property
    def status(self) -> int:
        return status_of(self.code)

    def document(self, instance: str) -> Problem:
        """The problem document; ``instance`` is the path of the request."""
        kind = BY_CODE.get(self.code)
        return Problem(
            type=page_of(self.code),
            title=kind.title if kind else title_from(self.code),
            status=self.status,
            code=self.code,
            detail=self.detail or (kind.meaning if kind else title_from(self.code) + "."),
            hint=self.hint or (kind.hint if kind else "GET the game's commands for what is legal."),
            instance=instance,
            rule=self.rule,
            version=self.version,
            errors=self.errors,
        )


def title_from(code: str) -> str:
    """A title for a ruleset's code: ``attack.out-of-range`` becomes ``Attack: out of range``."""
    words = code.replace("-", " ").replace(".", ": ", 1)
    return words[:1].upper() + words[1:]


def encode(problem: Problem) -> bytes:
    """The document's bytes."""
    return msgspec.json.encode(problem)


def as_builtins(problem: Problem) -> dict[str, Any]:
    """The document as plain JSON values, for examples."""
    return dict(msgspec.to_builtins(problem))

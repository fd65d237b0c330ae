"""Every way in which the service says no: stable codes, their HTTP status, and RFC 9457 documents.

The table is written in order of precedence: where a request deserves several refusals, the one that
stands first is given. ``GET /problems`` serves this table and a test walks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from domain.kernel.custom import Unfit
from domain.kernel.form import Fault
from domain.kernel.rules import Refused
from domain.kernel.shown.rulebook import RuleText
from projections.records import Rules

MEDIA_TYPE = "application/problem+json"


MOST_FAULTS = 100
"""Faults of a document that one answer names, at most."""


class Kind(msgspec.Struct, frozen=True, rename="camel"):
    """One kind of refusal.

    code    stable name; never reused for another meaning
    status  HTTP status that it travels with
    title   the same in a few words, equal for every occurrence (RFC 9457 section 3.1.3)
    meaning when it is given
    hint    the client's remedy, where the occurrence does not say something better
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
    hint      the remedy: a command or value that would be accepted
    instance  path of the request that was refused
    rule      ID of the rule or ruling that refused
    rules     where rules refused: of which ruleset, in which edition and version
    version   present version of the game, where a stale one was refused
    errors    the fields to blame
    nearest   where rules refused a command: the likest one that would be accepted, ready to post
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
    nearest: dict[str, Any] | None = None
    rules: Rules | None = None


class _Table(msgspec.Struct):
    kind: tuple[Kind, ...]


KINDS: tuple[Kind, ...] = msgspec.toml.decode(
    files(__package__).joinpath("problems.toml").read_bytes(), type=_Table
).kind
"""Refusals of the service itself, first one first. Refusals by the rules come after
:data:`RULES_COME_AFTER` and have the codes of their ruleset."""

BY_CODE: dict[str, Kind] = {kind.code: kind for kind in KINDS}

RULES_COME_AFTER = "dice.exhausted"

NOT_NOW = ("turn.", "game.")
"""A rule's refusal whose code starts so is about the moment (409), any other about the command."""


class Explained(NamedTuple):
    """What the page of a code says: the refusal, and the rules that are known to refuse so."""

    kind: Kind
    rules: tuple[RuleText, ...] = ()


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
        nearest: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.hint = hint
        self.rule = rule
        self.version = version
        self.errors = errors
        self.headers = headers or {}
        self.nearest = nearest
        self.rules: Rules | None = None
        """By which it was judged: set where it is told, and only where rules refused."""

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
            nearest=self.nearest,
            rules=self.rules,
        )


def by_rule(
    error: Refused,
    titles: Mapping[str, str],
    legal: str = "",
    nearest: dict[str, Any] | None = None,
) -> Refusal:
    """What the rules refused. They say one sentence: what is wrong, or what would be right.

    titles  of the rules, by ID
    legal   the remedy: a command or value that would be accepted, where somebody worked it out: the
            hint is that, then
    nearest the likest command of those, ready to post
    """
    fields = (FieldError(error.pointer, error.code, error.hint),) if error.pointer else ()
    if isinstance(error, Unfit):
        return _faulty(error)
    title = titles.get(error.rule, "")
    cited = [f"Rule {error.rule}" + (f', "{title}".' if title else ".")] if error.rule else []
    said = [error.hint] if legal else []
    detail = " ".join((f"{title_from(error.code)}.", *said, *cited))
    hint = f"Legal: {legal}." if legal else error.hint
    return Refusal(error.code, detail, hint=hint, rule=error.rule, errors=fields, nearest=nearest)


def _faulty(error: Unfit) -> Refusal:
    """A document with all that is wrong with it."""
    fields = tuple(
        FieldError(fault.pointer, fault.code, _said(fault)) for fault in error.faults[:MOST_FAULTS]
    )
    return Refusal(
        error.code, error.hint, hint=error.faults[0].hint, rule=error.rule, errors=fields
    )


def _said(fault: Fault) -> str:
    cited = f"Rule {fault.rule}." if fault.rule else ""
    return " ".join(part for part in (fault.text, fault.hint, cited) if part)


def title_from(code: str) -> str:
    """A title for a ruleset's code: ``attack.out-of-range`` becomes ``Attack: out of range``."""
    words = code.replace("-", " ").replace(".", ": ", 1)
    return words[:1].upper() + words[1:]


def judged(refusal: Refusal, error: BaseException) -> bool:
    """Whether rules refused, and not the service: then the problem names them."""
    return bool(refusal.rule) or isinstance(error, Refused) or refusal.code not in BY_CODE


def encode(problem: Problem) -> bytes:
    """The document's bytes."""
    return msgspec.json.encode(problem)


def as_builtins(problem: Problem) -> dict[str, Any]:
    """The document as plain JSON values, for examples."""
    return dict(msgspec.to_builtins(problem))

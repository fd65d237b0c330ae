"""What became of a task, as bytes: what it made, or why it was refused.

Refusals cross the border between processes as what they say, never as objects of Python.
"""

from __future__ import annotations

import traceback
from typing import Any

import msgspec

from domain.kernel.custom import Unfit
from domain.kernel.form import Fault
from domain.kernel.rules import Refused

from ..errors import Damaged, ServiceError
from ..problems import FieldError, Refusal


class Failed(Exception):
    """A task that ended in a fault of ours; its traceback is the message."""


class Made(msgspec.Struct, frozen=True, tag=True):
    """What it made."""

    body: bytes


class OfRules(msgspec.Struct, frozen=True, tag=True):
    """The rules refused; ``faults``: of a document that is unfit."""

    code: str
    rule: str
    hint: str
    pointer: str
    faults: tuple[Fault, ...] = ()


class OfService(msgspec.Struct, frozen=True, tag=True):
    """The service refused: ``ServiceError``."""

    code: str
    hint: str
    pointer: str


class OfRequest(msgspec.Struct, frozen=True, tag=True):
    """The request was refused: ``Refusal``."""

    code: str
    detail: str
    hint: str
    rule: str
    version: int | None
    errors: tuple[FieldError, ...]


class Broken(msgspec.Struct, frozen=True, tag=True):
    """A fault of ours."""

    trace: str


Outcome = Made | OfRules | OfService | OfRequest | Broken

_DECODER = msgspec.msgpack.Decoder(Outcome)


def made(body: bytes) -> bytes:
    """A task that came to its end."""
    return msgspec.msgpack.encode(Made(body))


def refused(error: Exception) -> bytes:
    """A task that was refused, or broke."""
    return msgspec.msgpack.encode(_told(error))


def _told(error: Exception) -> Outcome:
    if isinstance(error, Unfit):
        return OfRules(error.code, error.rule, error.hint, error.pointer, tuple(error.faults))
    if isinstance(error, Refused):
        return OfRules(error.code, error.rule, error.hint, error.pointer)
    if isinstance(error, ServiceError):
        return OfService(error.code, error.hint, error.pointer)
    if isinstance(error, Refusal):
        return OfRequest(
            error.code, error.detail, error.hint, error.rule, error.version, error.errors
        )
    return Broken("".join(traceback.format_exception(error)))


def opened(outcome: bytes) -> bytes:
    """What the task made. Raises Refused, Refusal, ServiceError, Damaged, :class:`Failed`."""
    found = _DECODER.decode(outcome)
    if isinstance(found, Made):
        return found.body
    raise _error(found)


def _error(found: Any) -> Exception:
    match found:
        case OfRules():
            if found.faults:
                return Unfit(found.faults)
            return Refused(found.code, found.rule, found.hint, found.pointer)
        case OfService():
            kind = Damaged if found.code == Damaged.CODE else ServiceError
            return kind(found.hint, code=found.code, pointer=found.pointer)
        case OfRequest():
            return Refusal(
                found.code, found.detail, hint=found.hint, rule=found.rule,
                version=found.version, errors=found.errors,
            )  # fmt: skip
        case _:
            return Failed(found.trace)

"""Strict reading of what callers send: JSON bodies and query strings.

Litestar's own conversion is lax: "5" passes for 5, and the last of two that have one name counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, TypeVar, get_args

import msgspec

from domain.kernel.form import step as deeper
from service.problems import FieldError, Refusal

T = TypeVar("T")

MAX_DEPTH = 32
MAX_TEXT = 4096
MAX_ITEMS = 2000
MAX_INTEGER = 2**53 - 1

_PATH = re.compile(r" - at `(?:key in )?\$([^`]*)`$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[(\.\.\.)\]")
_UNKNOWN = re.compile(r"unknown field `([^`]*)`")
_MISSING = re.compile(r"missing required field `([^`]*)`")
_DIGITS = re.compile(r"-?[0-9]{1,16}")


def guard_json(body: bytes) -> Any:
    """``body`` as plain JSON, or a Refusal where no client can have meant it.

    Refused: text that is not UTF-8 JSON, a name given twice in one object, more than MAX_DEPTH
    levels, numbers that are no integers within 2**53 - 1, strings over MAX_TEXT characters, lists
    or objects over MAX_ITEMS entries.
    """
    try:
        value = _PLAIN.decode(body.decode("utf-8"))
    except Refusal:
        raise
    except UnicodeDecodeError:
        raise Refusal("body.malformed", "The body is not UTF-8.") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise Refusal("body.malformed", f"Not JSON: {error}.") from None
    _measure(value, "", 1)
    return value


class _Float(str):
    """A number with a fraction or exponent, kept as text until its place is known."""

    __slots__ = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refusal("body.malformed", f"The name {name[:80]!r} is given twice in one object.")
        found[name] = value
    return found


def _no_constant(text: str) -> Any:
    raise Refusal("body.malformed", f"{text} is not JSON.")


def _integer(text: str) -> int:
    """The integer, cut to a bound that is refused later, so that long digits cost nothing."""
    return int(text) if len(text) <= 17 else MAX_INTEGER + 1


_PLAIN = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=_Float,
    parse_constant=_no_constant,
    parse_int=_integer,
)


def _too_deep() -> Refusal:
    return Refusal("body.malformed", f"The body is nested more than {MAX_DEPTH} levels deep.")


def _measure(value: Any, pointer: str, depth: int) -> None:
    if isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise _too_deep()
        if len(value) > MAX_ITEMS:
            raise unfit(pointer, "too-long", f"at most {MAX_ITEMS} entries are taken")
        pairs: Iterable[tuple[Any, Any]] = (
            value.items() if isinstance(value, dict) else enumerate(value)
        )
        for key, item in pairs:
            if isinstance(key, str) and len(key) > MAX_TEXT:
                raise unfit(pointer, "too-long", f"a name has at most {MAX_TEXT} characters")
            _measure(item, deeper(pointer, key), depth + 1)
    elif isinstance(value, _Float):
        raise unfit(pointer, "wrong-type", "numbers are integers here")
    elif isinstance(value, str):
        _measure_text(value, pointer)
    elif isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise unfit(pointer, "out-of-range", "integers go up to 2^53 - 1")


def _measure_text(value: str, pointer: str) -> None:
    if len(value) > MAX_TEXT:
        raise unfit(pointer, "too-long", f"text has at most {MAX_TEXT} characters")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise unfit(pointer, "not-text", "a lone surrogate is not text")


def unfit(pointer: str, code: str, message: str) -> Refusal:
    """Refusal ``body.invalid``: what stands at the pointer does not fit."""
    told = f"{pointer or 'the body'}: {message}."
    return Refusal("body.invalid", told, errors=(FieldError(pointer, code, message),))


def decode_body(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    """The body as the decoder's type; raises Refusal ``body.malformed`` or ``body.invalid``."""
    guard_json(body)
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise Refusal("body.invalid", _sentence(error), errors=(field_error(error),)) from None
    except msgspec.DecodeError as error:
        raise Refusal("body.malformed", f"{error}.") from None


def field_error(error: msgspec.ValidationError) -> FieldError:
    """Which field msgspec's message blames, as a JSON pointer with a code of ours."""
    text = str(error)
    pointer = reduce(deeper, _steps(text), "")
    message = _PATH.sub("", text)
    for pattern, code in ((_UNKNOWN, "unknown-field"), (_MISSING, "missing-field")):
        named = pattern.search(message)
        if named:
            return FieldError(deeper(pointer, named[1]), code, message)
    if message.startswith(("Invalid value", "Invalid enum value")):
        return FieldError(pointer, "unknown-value", message)
    wrong_type = ", got " in message or message in ("Expected `str`", "Expected `int`")
    return FieldError(pointer, "wrong-type" if wrong_type else "out-of-range", message)


def _steps(text: str) -> list[str]:
    path = _PATH.search(text)
    if path is None:
        return []
    return [name or index or "*" for name, index, _ in _STEP.findall(path[1])]


def _sentence(error: msgspec.ValidationError) -> str:
    return str(error).replace("`", "'") + "."


def decode_query(types: Mapping[str, Any], pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """The query, typed; unknown, repeated, ill-typed and out-of-range ones are refused.

    types  of each parameter, annotated with its bounds
    """
    found: dict[str, Any] = {}
    for name, text in pairs:
        if name not in types:
            raise bad_query(name, "unknown-parameter", "no such parameter")
        if name in found:
            raise bad_query(name, "repeated-parameter", "given twice")
        found[name] = _typed(name, text, get_args(types[name])[0])
    for name, value in found.items():
        try:
            msgspec.convert(value, types[name])
        except msgspec.ValidationError as error:
            blamed = field_error(error)
            raise bad_query(name, blamed.code, blamed.message) from None
    return found


def _typed(name: str, text: str, type_: Any) -> Any:
    """Query text as the JSON value it stands for: digits, true or false, or the text itself."""
    if type_ is int:
        if not _DIGITS.fullmatch(text):
            raise bad_query(name, "wrong-type", "an integer is wanted")
        return int(text)
    if type_ is bool:
        if text not in ("true", "false"):
            raise bad_query(name, "wrong-type", "true or false is wanted")
        return text == "true"
    if "\0" in text:  # PostgreSQL has no text with NUL
        raise bad_query(name, "unknown-value", "no such text")
    return text


def bad_header(name: str, code: str, message: str) -> Refusal:
    """The refusal of what stands in a header field."""
    told = FieldError(f"#{name}", code, message)
    return Refusal("query.invalid", f"{name}: {message}.", errors=(told,))


def bad_query(name: str, code: str, message: str) -> Refusal:
    plain = message.replace("`", "'")
    return Refusal(
        "query.invalid",
        f"Query parameter {name[:80]!r}: {plain}.",
        errors=(FieldError(f"#{name[:80]}", code, plain),),
    )

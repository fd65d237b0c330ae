"""Strict reading of canonical JSON: the bytes must be the one form of the value they hold. Times,
which are compared as texts, have one form too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from domain.kernel.codec import canonical

MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1
MAX_LENGTH = 4 << 20
"""Bytes of one JSON text: some hundred times the longest that there is. A text of nothing but empty
lists takes thirty times its length when it is read."""

STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
T = TypeVar("T")
_PARTS = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
"""A string, or a bracket outside of one. A string that never ends goes to the end of the text, and
nothing is ever tried again: one scan, however hostile the text."""


class BadForm(Exception):
    """Text that is not canonical JSON of the kind that was expected."""


class TooDeep(BadForm):
    """JSON nested deeper, or longer, than any record is: not read at all."""


def is_stamp(text: str) -> bool:
    """Whether that is a time, in the form of stamps, of a day that there is."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return STAMP.fullmatch(text) is not None


def check_depth(text: bytes) -> None:
    """Raises TooDeep for more than MAX_DEPTH levels, without parsing."""
    if text.count(b"[") + text.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for part in _PARTS.finditer(text):
        found = part[0]
        depth += (found in (b"[", b"{")) - (found in (b"]", b"}"))
        if depth > MAX_DEPTH:
            raise TooDeep(f"nested deeper than {MAX_DEPTH} levels")


def check_canonical(text: bytes) -> None:
    """Raises BadForm unless ``text`` is canonical: sorted keys, integers, ASCII keys, no floats."""
    if len(text) > MAX_LENGTH:
        raise TooDeep(f"longer than {MAX_LENGTH} bytes in one piece")
    check_depth(text)
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadForm(f"not JSON: {error}") from None
    _check_value(value)
    if canonical(value) != text:
        raise BadForm("not in canonical form")


def _check_value(value: Any) -> None:
    kind = type(value)
    if kind is dict:
        for key, part in value.items():
            if not key.isascii():
                raise BadForm(f"the key {key!r} is not ASCII")
            _check_value(part)
    elif kind is list:
        for part in value:
            _check_value(part)
    elif kind is float:
        raise BadForm(f"{value} is not an integer")
    elif kind is int and not -MAX_INTEGER <= value <= MAX_INTEGER:
        raise BadForm(f"{value} is larger than 2**53 - 1")


def read(text: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """The value of canonical ``text``. Raises BadForm."""
    check_canonical(text)
    try:
        return decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise BadForm(str(error)) from None


def lines(text: bytes) -> Iterator[bytes]:
    """The lines of a JSONL file; each, the last included, ends with a line feed."""
    if text and not text.endswith(b"\n"):
        raise BadForm("the last line is cut off")
    return _cut(text)


def _cut(text: bytes) -> Iterator[bytes]:
    """One line after the other: never all of them at once."""
    start = 0
    while start < len(text):
        end = text.index(b"\n", start)
        yield text[start:end]
        start = end + 1

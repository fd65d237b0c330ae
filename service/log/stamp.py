"""A head of the log with the time that somebody else vouches for: RFC 3161, by rfc3161-client.

The token is kept as it came. Where it cannot be read here, ``openssl ts -verify`` may read it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # imported where it is used: most commands need none
    from cryptography.x509 import Certificate

INDEX = "time/stamps"
"""Below the log's address: the days whose last head is stamped, a line each."""

CHECKPOINT, TOKEN = "checkpoint", "stamp.tsr"
"""Of a day: its last head, and the answer of the authority about that very text."""

MEDIA = "application/timestamp-query"
_PATH = re.compile(r"time/(stamps|[0-9]{4}-[0-9]{2}-[0-9]{2}/(?:checkpoint|stamp\.tsr))")
_LINE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}) ([1-9][0-9]{0,17})")
_SEQUENCE, _SET, _OID, _TAGGED = 0x30, 0x31, 0x06, 0xA0


class StampWrong(Exception):
    """A token of another head, of another request, or of nobody whom the roots vouch for."""


class StampUnread(Exception):
    """A token that this program cannot read, or no library that reads one."""


class Stamped(NamedTuple):
    """at: by when the head was there at the latest, a whole second: the time of the token and what
    its clock may be off by; by: who says so, the name in the authority's certificate."""

    at: datetime
    by: str


class StampedDay(NamedTuple):
    """A line of the index: the day, and the leaves of its last head."""

    day: date
    size: int

    def __str__(self) -> str:
        return f"{self.day} {self.size}"


def day_path(day: date, name: str) -> str:
    """Of ``CHECKPOINT`` or ``TOKEN``, below the log's address."""
    return f"time/{day.isoformat()}/{name}"


def is_path(path: str) -> bool:
    """Whether a file of stamps is called so."""
    return _PATH.fullmatch(path) is not None


def read_index(text: str) -> list[StampedDay]:
    """In the order of the days. Raises StampWrong."""
    found = []
    for line in text.splitlines():
        if (match := _LINE.fullmatch(line)) is None:
            raise StampWrong(f"{INDEX} has a line that is none: {line[:80]!r}")
        try:
            found.append(StampedDay(date.fromisoformat(match[1]), int(match[2])))
        except ValueError:
            raise StampWrong(f"{INDEX} names no day: {match[1]}") from None
    return found


def read_roots(pem: bytes) -> list[Certificate]:
    """Certificates of authorities, one after the other. Raises StampWrong."""
    from cryptography.x509 import load_pem_x509_certificates

    try:
        return load_pem_x509_certificates(pem)
    except ValueError as error:
        raise StampWrong(f"no certificate in PEM: {error}") from None


def library() -> Any:
    """rfc3161-client, which is an extra. Raises StampUnread."""
    try:
        return importlib.import_module("rfc3161_client")
    except ImportError:
        raise StampUnread("install Decklog with its extra, decklog[stamps]") from None


def request(text: str) -> tuple[bytes, int]:
    """What an authority is asked about a text, and the nonce that has to be in its answer."""
    made = library().TimestampRequestBuilder().data(text.encode()).build()
    return made.as_bytes(), made.nonce


def check(
    token: bytes, text: str, roots: Sequence[Certificate], nonce: int | None = None
) -> Stamped:
    """What an answer says of a text. Raises StampWrong, StampUnread.

    The certificates have to have been valid at the time that it names; ``nonce``: of the request,
    for who has asked.
    """
    answer, leaf = _read(token)
    builder = library().VerifierBuilder(roots=list(roots), nonce=nonce)
    try:
        builder.build().verify_message(answer, text.encode())
        return Stamped(_latest(answer.tst_info), leaf.subject.rfc4514_string())
    except Exception as error:  # the library names only some of them
        raise StampWrong(str(error) or type(error).__name__) from None


def _latest(info: Any) -> datetime:
    """Rounded up: verdicts tell whole seconds. A token that tells no accuracy adds nothing."""
    at: datetime = info.gen_time.astimezone(UTC)
    if (rough := info.accuracy) is not None:
        millis, micros = rough.millis or 0, rough.micros or 0
        at += timedelta(seconds=rough.seconds or 0, milliseconds=millis, microseconds=micros)
    return at if not at.microsecond else at.replace(microsecond=0) + timedelta(seconds=1)


def _read(token: bytes) -> tuple[Any, Certificate]:
    """The answer, and the certificate of who signed it. Raises StampUnread, StampWrong."""
    from cryptography.x509 import load_der_x509_certificate

    decode = library().decode_timestamp_response
    try:
        answer = decode(in_order(token))
        if answer.status not in (0, 1):
            raise StampWrong(f"refused, status {answer.status}: {' '.join(answer.status_string)}")
        signers = {(one.issuer, one.serial_number) for one in answer.signed_data.signer_infos}
        given = map(load_der_x509_certificate, answer.signed_data.certificates)
        own = [each for each in given if (each.issuer, each.serial_number) in signers]
    except StampWrong:
        raise
    except Exception as error:
        raise StampUnread(f"it cannot be read: {error}") from None
    if len(own) != 1:
        raise StampWrong("it carries no certificate of who signed it")
    return answer, own[0]


def in_order(token: bytes) -> bytes:
    """The answer with its certificates in the order of DER; as it is where that fails.

    Some authorities, OpenSSL's among them, write them in an order of their own, and the library
    reads none such. No signature covers their order.
    """
    try:
        start, end = _certificates(token)
        parts = sorted(token[first:last] for _, first, _, last in _children(token, start, end))
    except (IndexError, ValueError):
        return token
    return token[:start] + b"".join(parts) + token[end:]


def _certificates(token: bytes) -> tuple[int, int]:
    """Where they lie: TimeStampResp, ContentInfo, SignedData, [0].

    Raises ValueError, IndexError.
    """
    _, _, start, end = _children(token, 0, len(token))[0]
    _, _, start, end = _children(token, start, end)[1]
    _, _, start, end = _children(token, start, end)[1]
    _, _, start, end = _children(token, start, end)[0]
    tagged = [each for each in _children(token, start, end) if each[0] == _TAGGED]
    return tagged[0][2:]


def _children(data: bytes, start: int, end: int) -> list[tuple[int, int, int, int]]:
    """Tag, begin, content and end of each element. Raises ValueError, IndexError."""
    found = []
    while start < end:
        size, content = data[start + 1], start + 2
        if size & 0x80:
            many = size & 0x7F
            size, content = int.from_bytes(data[content : content + many], "big"), content + many
        if content + size > end:
            raise ValueError("an element is longer than what it lies in")
        found.append((data[start], start, content, content + size))
        start = content + size
    return found

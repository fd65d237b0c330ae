"""Heads and signatures, taken out of answers of two worlds before these are compared.

An event's hash is over what is sealed in it, and seals are salted by the game's master: of two
worlds in which anything hidden differs the heads differ, and tell nothing. That they are there, and
how long they are, is compared. So it is of receipts and of what signs a bundle: both are over
heads. An entity tag that is the hash of a body with heads becomes that of the body without them.
Nothing else is taken out: a hash anywhere else is a leak.
"""

from __future__ import annotations

import hashlib
import re

BLANK = "#" * 64

_FIELD = re.compile(rb'("(?:hash|head)":)"[0-9a-f]{64}"')
_HEADER = re.compile(r'(hash=)"[0-9a-f]{64}"')
_SIGNED = re.compile(rb'("(?:payload|sig)":)"([A-Za-z0-9+/=]*)"')
HEADER = "decklog-head"
RECEIPT = "decklog-receipt"
TAG = "etag"

_TAG = re.compile(r'"(\d+-)?([0-9a-f]{16,32})(-gzip)?"')
_TAGS: dict[str, str] = {}
"""Tags of bodies with heads that were seen, and those of the bodies without: a 304 has no body."""


def without_heads(body: bytes) -> bytes:
    """A body in JSON, NDJSON or of server-sent events with its heads blanked."""
    return _FIELD.sub(rb'\1"%b"' % BLANK.encode(), body)


def header_without(name: str, value: str, body: bytes = b"") -> str:
    """The value of a header field; of the one that names a head, with its hash blanked, of a
    receipt its length, and of the tag of a body with heads that of the body without them.

    The tag is worked out of ``body``: one that is over anything else stays, and is compared.
    """
    if name.lower() == TAG:
        return _tag_without(value, body)
    if name.lower() == RECEIPT:
        return "#" * len(value)
    return _HEADER.sub(rf'\1"{BLANK}"', value) if name.lower() == HEADER else value


def _tag_without(value: str, body: bytes) -> str:
    found = _TAG.fullmatch(value)
    if found and hashlib.sha256(body).hexdigest().startswith(found[2]):
        bare = hashlib.sha256(without_heads(body)).hexdigest()[: len(found[2])]
        _TAGS[value] = f'"{found[1] or ""}{bare}{found[3] or ""}"'
    return _TAGS.get(value, value)


def without_signatures(envelope: bytes) -> bytes:
    """A signed envelope with what is signed and the signatures blanked."""
    return _SIGNED.sub(lambda found: b'%b"%b"' % (found[1], b"#" * len(found[2])), envelope)

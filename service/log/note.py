"""Signed notes of C2SP: a text, and below it a line for each who vouches for it.

Keys are Ed25519, in two kinds: of a log, which signs the text as it is, and of a witness, which
signs it with the time (cosignature/v1). A line of an unknown key says nothing and harms nothing.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from typing import NamedTuple

ED25519 = 1
COSIGNATURE = 4

LARGEST = 1 << 20
"""Bytes of a note, at most."""

MOST_LINES = 100
"""Signatures of a note, at most."""

_NAME = re.compile(r"[^\s+\x00-\x20\x7f]{1,255}")
_HEAD = "\u2014 "


class NoteWrong(Exception):
    """A text that is no signed note, a key that is none, a signature that does not hold."""


class PublicKey(NamedTuple):
    """Who may sign: a name, and a key of one kind. ``str`` is its vkey, one line."""

    name: str
    kind: int
    key: bytes

    @property
    def id(self) -> bytes:
        """Four bytes by which a signature names it."""
        text = self.name.encode() + b"\n" + bytes([self.kind]) + self.key
        return hashlib.sha256(text).digest()[:4]

    def __str__(self) -> str:
        material = base64.b64encode(bytes([self.kind]) + self.key).decode()
        return f"{self.name}+{self.id.hex()}+{material}"


class Signature(NamedTuple):
    """A line below a note; ``signed`` is what stands after the key's four bytes."""

    name: str
    id: bytes
    signed: bytes

    def __str__(self) -> str:
        return f"{_HEAD}{self.name} {base64.b64encode(self.id + self.signed).decode()}\n"


class Note(NamedTuple):
    """A text, which ends with a line feed, and its signatures."""

    text: str
    signatures: tuple[Signature, ...] = ()

    def __str__(self) -> str:
        return self.text + "\n" + "".join(map(str, self.signatures))

    def with_signatures(self, more: Iterable[Signature]) -> Note:
        """The same text with these lines below it, each once."""
        return Note(self.text, tuple(dict.fromkeys((*self.signatures, *more))))


class Signed(NamedTuple):
    """A signature that holds; ``at`` is a cosignature's time, in seconds since 1970."""

    key: PublicKey
    at: int | None


def read_key(vkey: str) -> PublicKey:
    """Raises NoteWrong."""
    name, _, rest = vkey.strip().partition("+")
    id_, _, material = rest.partition("+")
    raw = decoded(material)
    if not _NAME.fullmatch(name) or len(raw) != 33 or raw[0] not in (ED25519, COSIGNATURE):
        raise NoteWrong(f"{vkey[:200]!r} is no key of a log or a witness")
    found = PublicKey(name, raw[0], raw[1:])
    if found.id.hex() != id_:
        raise NoteWrong(f"the key of {name} does not fit its number")
    return found


def read_note(text: str) -> Note:
    """A note as it is written; whether its signatures hold, ``holds`` says. Raises NoteWrong."""
    body, empty, below = text.rpartition("\n\n")
    if len(text) > LARGEST or not empty or not body or not below.endswith("\n"):
        raise NoteWrong("this is no signed note")
    if any(ord(each) < 0x20 and each != "\n" for each in text):
        raise NoteWrong("a note has no control characters")
    lines = below[:-1].split("\n")
    if len(lines) > MOST_LINES:
        raise NoteWrong(f"a note has {MOST_LINES} signatures at most")
    return Note(body + "\n", tuple(map(read_signature, lines)))


def read_signature(line: str) -> Signature:
    """Raises NoteWrong."""
    name, _, material = line.removeprefix(_HEAD).partition(" ")
    raw = decoded(material)
    if not line.startswith(_HEAD) or not _NAME.fullmatch(name) or len(raw) < 5:
        raise NoteWrong(f"{line[:200]!r} is no signature")
    return Signature(name, raw[:4], raw[4:])


def holding(note: Note, keys: Iterable[PublicKey]) -> list[Signed]:
    """The signatures of these keys, each key once. Raises NoteWrong where one does not hold."""
    known = {(key.name, key.id): key for key in keys}
    found: dict[PublicKey, Signed] = {}
    for each in note.signatures:
        key = known.get((each.name, each.id))
        if key is not None and key not in found:
            found[key] = Signed(key, _check(note.text, key, each.signed))
    return list(found.values())


def _check(text: str, key: PublicKey, signed: bytes) -> int | None:
    at, message, signature = None, text.encode(), signed
    if key.kind == COSIGNATURE:
        at, signature = int.from_bytes(signed[:8], "big"), signed[8:]
        message = timed(text, at)
    if len(signature) != 64 or not is_signed(key.key, signature, message):
        raise NoteWrong(f"the signature of {key.name} does not hold")
    return at


def timed(text: str, at: int) -> bytes:
    """What a witness signs."""
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def is_signed(key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether an Ed25519 signature holds."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


class Signer:
    """A key of one's own. ``public`` is what others know of it."""

    def __init__(self, name: str, seed: bytes, kind: int = ED25519) -> None:
        """``seed``: 32 secret bytes. Raises NoteWrong for a name that no key has."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if not _NAME.fullmatch(name):
            raise NoteWrong(f"{name!r} is no name of a key: no space, no plus, and not empty")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = PublicKey(name, kind, self._key.public_key().public_bytes_raw())

    def sign(self, text: str) -> Signature:
        """As a log does."""
        assert self.public.kind == ED25519
        return self._signature(self._key.sign(text.encode()))

    def cosign(self, text: str, at: int) -> Signature:
        """As a witness does, at the time ``at``, in seconds since 1970."""
        assert self.public.kind == COSIGNATURE
        return self._signature(at.to_bytes(8, "big") + self._key.sign(timed(text, at)))

    def _signature(self, signed: bytes) -> Signature:
        return Signature(self.public.name, self.public.id, signed)


def decoded(material: str) -> bytes:
    """Base64 as it is always written; no bytes for anything else."""
    try:
        raw = base64.b64decode(material, validate=True)
    except (binascii.Error, ValueError):
        return b""
    return raw if base64.b64encode(raw).decode() == material else b""

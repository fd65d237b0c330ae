"""Signed notes of a log (C2SP): what a log signs, and what a witness signs with the time.

Keys and notes are those of :mod:`service.evidence.signing`; what is added here is the cosignature
(cosignature/v1), whose key is of a kind of its own. A line of an unknown key says nothing and harms
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..evidence import signing
from ..evidence.signing import BadKey, BadSignature, Note, NoteSignature, SigningKey, VerifyKey

COSIGNATURE = 4
"""The kind of a witness's key."""

KINDS = (signing.ED25519, COSIGNATURE)

LARGEST = 1 << 20
"""Characters of a note, at most."""

LATEST = 253_402_300_799
"""The last second of the year 9999: no calendar here goes further."""

__all__ = ["COSIGNATURE", "Note", "NoteSignature", "VerifyKey"]


class NoteWrong(Exception):
    """A text that is no signed note, a key that is none, a signature that does not hold."""


class Signed(NamedTuple):
    """A signature that holds; ``at`` is a cosignature's time, in seconds since 1970."""

    key: VerifyKey
    at: int | None


def read_key(vkey: str) -> VerifyKey:
    """The key of a log or a witness. Raises NoteWrong."""
    try:
        found = signing.read_vkey(vkey)
    except BadKey as error:
        raise NoteWrong(str(error)) from None
    if found.kind not in KINDS:
        raise NoteWrong(f"the key of {found.name} is of no kind that a log or a witness has")
    return found


def read_note(text: str) -> Note:
    """A note as it is written; whether its signatures hold, ``holding`` says. Raises NoteWrong."""
    if len(text) > LARGEST:
        raise NoteWrong("a note is not as long as this")
    try:
        return signing.read_note(text)
    except BadSignature as error:
        raise NoteWrong(str(error)) from None


def read_signatures(lines: str) -> tuple[NoteSignature, ...]:
    """Lines as they stand below a note. Raises NoteWrong."""
    return read_note(f"text\n\n{lines}").signatures


def with_signatures(note: Note, more: Iterable[NoteSignature]) -> Note:
    """The same text with these lines below it, each once."""
    return Note(note.text, tuple(dict.fromkeys((*note.signatures, *more))))


def holding(note: Note, keys: Iterable[VerifyKey]) -> list[Signed]:
    """The signatures of these keys, each key once. Raises NoteWrong where one does not hold."""
    found = list[Signed]()
    for key in keys:
        own = next((each for each in note.signatures if each.is_of(key)), None)
        if own is not None:
            found.append(Signed(key, _check(note.text, key, own.signature)))
    return found


def _check(text: str, key: VerifyKey, signature: bytes) -> int | None:
    at, message = None, text.encode()
    if key.kind == COSIGNATURE:
        at, signature = int.from_bytes(signature[:8], "big"), signature[8:]
        if at > LATEST:
            raise NoteWrong(f"the cosignature of {key.name} is of no time that there is")
        message = timed(text, at)
    if not key.verifies(message, signature):
        raise NoteWrong(f"the signature of {key.name} does not hold")
    return at


def timed(text: str, at: int) -> bytes:
    """What a witness signs."""
    return f"cosignature/v1\ntime {at}\n{text}".encode()


class Signer:
    """A key of one's own. ``public`` is what others know of it."""

    def __init__(self, name: str, seed: bytes, kind: int = signing.ED25519) -> None:
        """``seed``: 32 secret bytes. Raises NoteWrong for a name that no key has."""
        self._key = SigningKey(name, seed, kind)
        try:
            self.public = self._key.verify_key
        except BadKey as error:
            raise NoteWrong(str(error)) from None

    def sign(self, text: str) -> NoteSignature:
        """As a log does."""
        assert self.public.kind == signing.ED25519
        return self._signature(self._key.sign(text.encode()))

    def cosign(self, text: str, at: int) -> NoteSignature:
        """As a witness does, at the time ``at``, in seconds since 1970."""
        assert self.public.kind == COSIGNATURE
        return self._signature(at.to_bytes(8, "big") + self._key.sign(timed(text, at)))

    def _signature(self, signed: bytes) -> NoteSignature:
        return NoteSignature(self.public.name, self.public.id, signed)

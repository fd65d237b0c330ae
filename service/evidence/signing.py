"""Signatures: keys with names, signed notes, and envelopes (DSSE).

A key has the two texts of C2SP's signed notes: a `vkey` that anybody may read, a secret `skey`.
A note is a text for people with signatures below it (checkpoints of a log, the list of keys); an
envelope carries any bytes with their media type (receipts, manifests, orders). All of them are
Ed25519.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import msgspec

from domain.kernel.codec import canonical

from . import ed25519

ED25519: Final = 0x01
"""The kind of a key, in its texts: a signature over the note's text alone."""

MAX_SIGNATURES: Final = 100
_SECRET: Final = "PRIVATE+KEY+"
_DASH: Final = "\N{EM DASH} "
_CONTROLS: Final = frozenset(map(chr, (*range(10), *range(11, 32), 127)))


class BadKey(ValueError):
    """A text that is no key."""


class BadSignature(ValueError):
    """What is signed is not in its form, or a signature that was asked for is missing or wrong."""


@dataclass(frozen=True)
class VerifyKey:
    """A key's public half: anybody may check by it.

    name  what the key belongs to: no space, no "+"; "decklog.example/receipts"
    kind  ED25519, or another number of signed notes: what is signed then is not the text alone
    """

    name: str
    public: bytes
    kind: int = ED25519

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise BadKey(f"{self.name!r} is no name of a key")
        if not ed25519.is_key(self.public):
            raise BadKey("that is no public key of Ed25519")

    @cached_property
    def id(self) -> bytes:
        """Four bytes that tell keys of one name apart."""
        told = self.name.encode() + b"\n" + bytes([self.kind]) + self.public
        return hashlib.sha256(told).digest()[:4]

    @property
    def hint(self) -> str:
        """Name and id: how an envelope names the key."""
        return f"{self.name}+{self.id.hex()}"

    def __str__(self) -> str:
        """The `vkey`."""
        return f"{self.hint}+{_base64(bytes([self.kind]) + self.public)}"

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether the bare signature is this key's, of just these bytes."""
        return ed25519.verify(self.public, message, signature)


@dataclass(frozen=True)
class SigningKey:
    """A key with its secret half; ``seed`` is 32 secret bytes."""

    name: str
    seed: bytes = field(repr=False)
    kind: int = ED25519

    @cached_property
    def verify_key(self) -> VerifyKey:
        raw = self._key.public_key().public_bytes_raw()
        return VerifyKey(self.name, raw, self.kind)

    @property
    def secret(self) -> str:
        """The `skey`: whoever has it signs as this key."""
        body = _base64(bytes([self.kind]) + self.seed)
        return f"{_SECRET}{self.verify_key.hint}+{body}"

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of a bare signature."""
        return bytes(self._key.sign(message))

    @cached_property
    def _key(self) -> Any:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if len(self.seed) != ed25519.KEY_BYTES:
            raise BadKey("a secret key has 32 bytes")
        return Ed25519PrivateKey.from_private_bytes(self.seed)


def is_name(text: str) -> bool:
    """Whether a key may be called so."""
    return bool(text) and "+" not in text and not any(c.isspace() or c in _CONTROLS for c in text)


def read_vkey(text: str) -> VerifyKey:
    """The key of a `vkey`. Raises BadKey."""
    name, told, kind, body = _parts(text.strip())
    key = VerifyKey(name, body, kind)
    if key.id.hex() != told:
        raise BadKey(f"the key of {name} has the id {key.id.hex()}, not {told}")
    return key


def read_skey(text: str) -> SigningKey:
    """The key of an `skey`. Raises BadKey."""
    text = text.strip()
    if not text.startswith(_SECRET):
        raise BadKey("that is no secret key")
    name, told, kind, body = _parts(text.removeprefix(_SECRET))
    key = SigningKey(name, body, kind)
    if key.verify_key.id.hex() != told:
        raise BadKey(f"the secret key of {name} does not belong to the id {told}")
    return key


def _parts(text: str) -> tuple[str, str, int, bytes]:
    """Name, id, kind and body."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not is_name(parts[0]):
        raise BadKey("a key is name+id+base64")
    body = _bytes(parts[2])
    if body is None or len(body) != 1 + ed25519.KEY_BYTES:
        raise BadKey(f"the key of {parts[0]} is no key of Ed25519")
    return parts[0], parts[1], body[0], body[1:]


# Notes (C2SP signed-note)


class NoteSignature(msgspec.Struct, frozen=True):
    """A line below a note: whose it says it is, and what it gives.

    id  four bytes that tell keys of one name apart
    """

    name: str
    id: bytes
    signature: bytes

    def __str__(self) -> str:
        """The line."""
        return f"{_DASH}{self.name} {_base64(self.id + self.signature)}\n"

    def is_of(self, key: VerifyKey) -> bool:
        """Whether it names this key: which says nothing of its being right."""
        return (self.name, self.id) == (key.name, key.id)


class Note(msgspec.Struct, frozen=True):
    """A text, ending with a line break, and all its signatures, right or wrong."""

    text: str
    signatures: tuple[NoteSignature, ...]

    def __str__(self) -> str:
        """As it is written."""
        return self.text + "\n" + "".join(map(str, self.signatures))

    def signers(self, keys: Iterable[VerifyKey]) -> tuple[VerifyKey, ...]:
        """Which of the keys have signed it. Raises BadSignature where one of them names itself and
        is wrong; signatures of other keys are left alone."""
        found: list[VerifyKey] = []
        for key in keys:
            own = [each for each in self.signatures if each.is_of(key)]
            if any(not key.verifies(self.text.encode(), each.signature) for each in own):
                raise BadSignature(f"the signature of {key.name} is not of this text")
            if own:
                found.append(key)
        return tuple(found)


def write_note(text: str, keys: Sequence[SigningKey]) -> str:
    """The text, signed by each key."""
    _check_text(text)
    lines = (_note_line(k.verify_key, k.sign(text.encode())) for k in keys)
    return f"{text}\n{''.join(lines)}"


def add_signature(note: str, key: VerifyKey, signature: bytes) -> str:
    """The note with one more line below it."""
    return note + _note_line(key, signature)


def read_note(note: str) -> Note:
    """Text and signatures, none of them checked. Raises BadSignature where it is no note."""
    text, gap, below = note.rpartition("\n\n")
    lines = below.split("\n")
    if not gap or lines.pop() or not 1 <= len(lines) <= MAX_SIGNATURES:
        raise BadSignature("that is no signed note")
    _check_text(text + "\n")
    return Note(text + "\n", tuple(map(_read_line, lines)))


def _check_text(text: str) -> None:
    if not text.endswith("\n") or not _CONTROLS.isdisjoint(text):
        raise BadSignature("a note is lines of text without control characters")


def _note_line(key: VerifyKey, signature: bytes) -> str:
    return str(NoteSignature(key.name, key.id, signature))


def _read_line(line: str) -> NoteSignature:
    name, _, told = line.removeprefix(_DASH).partition(" ")
    body = _bytes(told)
    if not line.startswith(_DASH) or not is_name(name) or body is None or len(body) < 5:
        raise BadSignature("a line below a note is no signature")
    return NoteSignature(name, body[:4], body[4:])


# Envelopes (DSSE)


class EnvelopeSignature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``keyid`` is a hint (:attr:`VerifyKey.hint`), ``sig`` base64."""

    keyid: str
    sig: str


class SignedEnvelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Any bytes (``payload``, base64) with their media type, and signatures over both."""

    payload_type: str
    payload: str
    signatures: tuple[EnvelopeSignature, ...]

    def content(self) -> bytes:
        """The bytes, whoever signed them. Raises BadSignature."""
        found = _bytes(self.payload)
        if found is None:
            raise BadSignature("the payload of an envelope is base64")
        return found

    def is_signed_by(self, key: VerifyKey) -> bool:
        """Whether one of the signatures is the key's; hints are not believed, either way."""
        signed = signed_bytes(self.payload_type, self.content())
        found = (_bytes(each.sig) for each in self.signatures[:MAX_SIGNATURES])
        return any(each is not None and key.verifies(signed, each) for each in found)

    def is_signed_by_alone(self, key: VerifyKey) -> bool:
        """Whether the key has signed it, says so, and nobody else has: nothing of it is left that
        may be changed."""
        hints = [each.keyid for each in self.signatures]
        return hints == [key.hint] and self.is_signed_by(key)


def signed_bytes(payload_type: str, payload: bytes) -> bytes:
    """What an envelope's signatures are over: DSSE's pre-authentication encoding."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def seal_envelope(payload_type: str, payload: bytes, keys: Sequence[SigningKey]) -> SignedEnvelope:
    """The bytes, signed by each key."""
    signed = signed_bytes(payload_type, payload)
    made = (EnvelopeSignature(k.verify_key.hint, _base64(k.sign(signed))) for k in keys)
    return SignedEnvelope(payload_type, _base64(payload), tuple(made))


def write_envelope(envelope: SignedEnvelope) -> bytes:
    """Its one form as JSON."""
    return canonical(envelope)


def read_envelope(data: bytes) -> SignedEnvelope:
    """The envelope, nothing of it checked. Raises BadSignature where it is none."""
    try:
        return msgspec.json.decode(data, type=SignedEnvelope)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadSignature(f"that is no signed envelope: {error}") from None


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes | None:
    """The bytes of a text in base64; None where it is none in its one form."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return found if _base64(found) == text else None

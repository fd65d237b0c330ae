"""Copies sealed for a key that the server does not hold: what leaves it is of no use to others.

X25519 with a key of the moment, HKDF-SHA256 and ChaCha20-Poly1305 (RFC 7748, 5869, 8439). A file is
sealed in parts, each with its number and whether it is the last one in its nonce: none can be
changed, left out, put elsewhere or cut off.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .copies import Failed, private, settled

MAGIC = b"decklog-sealed-1\n"
PART = 1 << 16
"""Bytes of a part before it is sealed; 16 more afterwards."""
TAG = 16
KEY = 32
END = ".sealed"


def make_pair(private_file: Path) -> str:
    """A private key into a file that is not there yet; the public one in hex."""
    key = X25519PrivateKey.generate()
    try:
        file = os.open(private_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise Failed(f"{private_file} is there: it is not overwritten") from None
    with os.fdopen(file, "w", encoding="ascii") as out:
        out.write(key.private_bytes_raw().hex() + "\n")
        out.flush()
        os.fsync(out.fileno())
    return key.public_key().public_bytes_raw().hex()


def seal(file: Path, folder: Path, public: str) -> Path:
    """The file, sealed for whoever has the private key, into a folder; its path there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = folder / (file.name + END)
    part = private(target.with_name(target.name + ".part"))
    moment = X25519PrivateKey.generate()
    own = moment.public_key().public_bytes_raw()
    other = _key(public, "the public key")
    cipher = _cipher(_shared(moment, other), own, other)
    with file.open("rb") as source, part.open("wb") as out:
        out.write(MAGIC + own)
        for number, last, data in _parts(source, PART):
            out.write(cipher.encrypt(_nonce(number, last), data, None))
    settled(part, target)
    return target


def unseal(file: Path, target: Path, private_file: Path) -> None:
    """The file as it was, under a name that is not there yet. Raises Failed."""
    if target.exists():
        raise Failed(f"{target} is there: move it away first")
    try:
        key = X25519PrivateKey.from_private_bytes(
            _key(private_file.read_text("ascii").strip(), "the private key")
        )
    except (OSError, UnicodeDecodeError) as error:
        raise Failed(f"the private key cannot be read: {error}") from None
    part = private(target.with_name(target.name + ".part"))
    try:
        with file.open("rb") as source, part.open("wb") as out:
            if source.read(len(MAGIC)) != MAGIC or len(own := source.read(KEY)) != KEY:
                raise Failed(f"{file.name} is no sealed copy")
            public = key.public_key().public_bytes_raw()
            cipher = _cipher(_shared(key, own), own, public)
            for number, last, data in _parts(source, PART + TAG):
                out.write(cipher.decrypt(_nonce(number, last), data, None))
        settled(part, target)
    except InvalidTag:
        raise Failed(f"{file.name} was sealed for another key, or changed, or cut off") from None
    finally:
        part.unlink(missing_ok=True)


def _shared(key: X25519PrivateKey, public: bytes) -> bytes:
    try:
        return key.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        raise Failed("the public key is none") from None


def _cipher(shared: bytes, own: bytes, other: bytes) -> ChaCha20Poly1305:
    """Of this copy alone: the key of the moment is part of what it is made of."""
    made = HKDF(SHA256(), KEY, salt=own + other, info=MAGIC).derive(shared)
    return ChaCha20Poly1305(made)


def _nonce(number: int, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _parts(source: BinaryIO, size: int) -> Iterator[tuple[int, bool, bytes]]:
    """Parts with their numbers, and whether nothing comes after; there is one at least."""
    number, data = 0, source.read(size)
    while following := source.read(size):
        yield number, False, data
        number, data = number + 1, following
    yield number, True, data


def _key(text: str, name: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY:
        raise Failed(f"{name} is not {KEY} bytes in hex")
    return key

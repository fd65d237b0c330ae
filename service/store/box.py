"""Encryption at rest: a stolen database shows no dice to come and no usable token.

ChaCha20-Poly1305 (RFC 8439) with a fresh random nonce; what a secret is for is authenticated with
it, so that one game's master cannot be put in the place of another's.
"""

from __future__ import annotations

import contextlib
import hmac
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ..dice.nwd1 import mac
from ..entropy import SYSTEM, Entropy, drawn

KEY_BYTES = 32
NONCE_BYTES = 12


class WrongKey(Exception):
    """The key does not open the secret, or somebody changed it."""


class _Ring(NamedTuple):
    """What is made of the keys, each in their order: ciphers, what marks, names."""

    ciphers: tuple[ChaCha20Poly1305, ...]
    marking: tuple[bytes, ...]
    names: tuple[str, ...]

    @staticmethod
    def of(keys: Sequence[bytes]) -> _Ring:
        return _Ring(
            tuple(ChaCha20Poly1305(each) for each in keys),
            tuple(hmac.digest(each, b"decklog/mark", "sha256") for each in keys),
            tuple(hmac.digest(each, b"decklog/name", "sha256").hex()[:8] for each in keys),
        )


class Box:
    """Seals and opens secrets: what is sealed anew is so under the first key, and all open."""

    def __init__(self, key: bytes, entropy: Entropy = SYSTEM, former: Sequence[bytes] = ()) -> None:
        self._entropy = entropy
        self._ring = _Ring.of((key, *former))

    @property
    def names(self) -> tuple[str, ...]:
        """Of the keys, by which an operator knows them; nothing of a key can be told from it."""
        return self._ring.names

    def take(self, other: Box) -> None:
        """Have the keys of another one from now on, whatever thread uses this one."""
        self._ring = other._ring

    def seal(self, purpose: str, secret: bytes, entropy: Entropy | None = None) -> bytes:
        """Nonce and ciphertext.

        entropy  for the nonce, where it is not the box's own
        """
        nonce = (entropy or self._entropy).draw(NONCE_BYTES)
        return nonce + self._ring.ciphers[0].encrypt(nonce, secret, purpose.encode())

    def mark(self, purpose: str, text: bytes) -> str:
        """HMAC-SHA256 of a text that anybody may read and nobody may change, in hex."""
        return _mark(self._ring.marking[0], purpose, text)

    def marks(self, purpose: str, text: bytes) -> tuple[str, ...]:
        """The marks that are good, by the order of the keys."""
        return tuple(_mark(each, purpose, text) for each in self._ring.marking)

    def marked_by(self, purpose: str, text: bytes, mark: bytes) -> int:
        """The number of the key that made the mark; -1 where none did."""
        found = -1
        for number, each in enumerate(self._ring.marking):
            if hmac.compare_digest(_mark(each, purpose, text).encode(), mark):
                found = number
        return found

    def open(self, purpose: str, sealed: bytes) -> bytes:
        """The secret. Raises WrongKey."""
        return self.opened(purpose, sealed)[0]

    def opened(self, purpose: str, sealed: bytes) -> tuple[bytes, int]:
        """The secret, and the number of the key that opens it. Raises WrongKey."""
        nonce, text = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        for number, cipher in enumerate(self._ring.ciphers):
            try:
                return cipher.decrypt(nonce, text, purpose.encode()), number
            except (InvalidTag, ValueError):
                continue
        raise WrongKey(purpose)


def _mark(marking: bytes, purpose: str, text: bytes) -> str:
    return mac(_marker(marking, purpose), text).hex()


@lru_cache(4_096)
def _marker(marking: bytes, purpose: str) -> bytes:
    """What marks for a purpose: the same for each text of one game."""
    return mac(marking, purpose.encode())


def box_of(database: Path, given: Sequence[str], entropy: Entropy = SYSTEM) -> Box:
    """With the operator's keys, else those of the file. Raises ValueError, OSError."""
    key, *former = keys_in(given or key_path(database).read_text("ascii").split())
    return Box(key, entropy, former)


def keys_in(texts: Sequence[str]) -> tuple[bytes, ...]:
    """Keys out of hex. Raises ValueError where one is none, or there is none."""
    keys = tuple(bytes.fromhex(text) for text in texts)
    if not keys or any(len(key) != KEY_BYTES for key in keys):
        raise ValueError(f"a key is {KEY_BYTES} bytes in hex")
    return keys


def key_path(database: Path) -> Path:
    """Where the key lies when the operator has not set one."""
    return database.with_name(database.name + ".key")


def load_box(database: Path, given: Sequence[str], entropy: Entropy = SYSTEM) -> Box:
    """As ``box_of``; a key file that is missing is made (mode 0600).

    Raises ValueError for a key file that does not hold keys of 32 bytes in hex, one a line.
    """
    path = key_path(database)
    if not given:
        with contextlib.suppress(FileExistsError):
            _make_key(path, entropy)
    try:
        return box_of(database, given, entropy)
    except ValueError:
        raise ValueError(f"{path.name} does not hold {KEY_BYTES} bytes in hex") from None


def secret_of(path: Path, given: str, entropy: Entropy = SYSTEM) -> bytes:
    """32 bytes that were given in hex, else those of the file, which is made if it is missing.

    Raises ValueError for a file that holds anything else.
    """
    if given:
        return bytes.fromhex(given)
    with contextlib.suppress(FileExistsError):
        _make_key(path, entropy)
    key = bytes.fromhex(path.read_text("ascii").strip())
    if len(key) != KEY_BYTES:
        raise ValueError(f"{path.name} does not hold {KEY_BYTES} bytes in hex")
    return key


def _make_key(path: Path, entropy: Entropy) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "w", encoding="ascii") as out:
        out.write(drawn(entropy, KEY_BYTES) + "\n")
        out.flush()
        os.fsync(out.fileno())

"""Encryption at rest: a stolen database shows no dice to come and no usable token.

ChaCha20-Poly1305 (RFC 8439) with a fresh random nonce; what a secret is for is authenticated with
it, so that one game's master cannot be put in the place of another's.
"""

from __future__ import annotations

import contextlib
import hmac
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ..entropy import SYSTEM, Entropy, drawn

KEY_BYTES = 32
NONCE_BYTES = 12


class WrongKey(Exception):
    """The key does not open the secret, or somebody changed it."""


class Box:
    """Seals and opens secrets under one key."""

    def __init__(self, key: bytes, entropy: Entropy = SYSTEM) -> None:
        self._entropy = entropy
        self._cipher = ChaCha20Poly1305(key)
        self._marking = hmac.digest(key, b"decklog/mark", "sha256")

    def seal(self, purpose: str, secret: bytes, entropy: Entropy | None = None) -> bytes:
        """Nonce and ciphertext.

        entropy  for the nonce, where it is not the box's own
        """
        nonce = (entropy or self._entropy).draw(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret, purpose.encode())

    def mark(self, purpose: str, text: bytes) -> str:
        """HMAC-SHA256 of a text that anybody may read and nobody may change, in hex."""
        key = hmac.digest(self._marking, purpose.encode(), "sha256")
        return hmac.digest(key, text, "sha256").hex()

    def open(self, purpose: str, sealed: bytes) -> bytes:
        """The secret. Raises WrongKey."""
        nonce, text = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, text, purpose.encode())
        except (InvalidTag, ValueError):
            raise WrongKey(purpose) from None


def key_path(database: Path) -> Path:
    """Where the key lies when the operator has not set one."""
    return database.with_name(database.name + ".key")


def load_key(database: Path, given: str, entropy: Entropy = SYSTEM) -> bytes:
    """The operator's key, else the one in the key file, which is made (mode 0600) if it is missing.

    Raises ValueError for a key file that does not hold 32 bytes in hex.
    """
    return secret_of(key_path(database), given, entropy)


def secret_of(path: Path, given: str, entropy: Entropy = SYSTEM) -> bytes:
    """32 bytes that were given in hex, else those of the file, as ``load_key``."""
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

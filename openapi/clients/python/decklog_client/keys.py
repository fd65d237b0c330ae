"""A seat's own key (Ed25519): what it signs nobody else can have ordered, and nobody can alter.

It is registered when the seat is taken. Its secret half never leaves whoever holds it: lost, the
seat gives no order any more until the organiser rules on it.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ORDER = "application/vnd.decklog.order.v2+json"
PASSED_ON = "application/vnd.decklog.seat-key.v1+json"
FIELD = "Decklog-Signature"
"""The field of a request in which the signature is sent."""

SECRET = 32
"""Bytes of the secret half."""

ABSENT = "Orders are signed with the package cryptography: pip install 'decklog-client[keys]'."


class SeatKey:
    """The key of a seat; ``secret`` is drawn where it is None. Whoever has it is the seat.

    Raises ImportError where the package cryptography is not installed.
    """

    def __init__(self, secret: bytes | None = None) -> None:
        self.secret = secrets.token_bytes(SECRET) if secret is None else secret
        if len(self.secret) != SECRET:
            raise ValueError(f"a secret has {SECRET} bytes")
        self._key = _private(self.secret)

    @classmethod
    def kept(cls, path: Path | str) -> SeatKey:
        """The key in a file (64 hexadecimal digits); where there is none, a new one that is kept
        there, for its owner alone: whole, or not at all.

        Raises ValueError where the file has no key.
        """
        file = Path(path)
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _put(file, cls().secret.hex() + "\n")
        return cls(bytes.fromhex(file.read_text("ascii").strip()))

    @property
    def public(self) -> str:
        """The public half, in hex."""
        return self._key.public_key().public_bytes_raw().hex()

    @property
    def registered(self) -> dict[str, str]:
        """``orderKey`` of ``takeSeat``, or of a seat that one keeps in a new game."""
        return {"public": self.public, "keeper": "client"}

    def sign(self, summary: Mapping[str, Any], seat: str, command: object) -> str:
        """The signature of an order as the field ``Decklog-Signature`` has it.

        summary  the game as it is now
        command  as the service lists it, or as ``checkCommand`` shows it
        """
        return self._signed(what_is_signed(summary, seat, command))

    def pass_on(self, game: str, seat: str, to: SeatKey) -> str:
        """The signature by which another key takes this one's place, and the grade of the orders
        stays: ``Client.pass_on`` sends it."""
        told = {"v": 1, "game": game, "seat": seat, "key": to.registered}
        return self._signed(_enveloped(PASSED_ON, told))

    def _signed(self, text: bytes) -> str:
        return self._key.sign(text).hex()


def what_is_signed(summary: Mapping[str, Any], seat: str, command: object) -> bytes:
    """The bytes that a seat signs: the order, and the one place of one game that it fits."""
    asked: Mapping[str, Any] = next(
        (each for each in summary["toMove"] if each["seat"] == seat), {}
    )
    last = next(each["last"] for each in summary["seats"] if each["seat"] == seat)
    told = {
        "v": 2,
        "game": summary["id"],
        "rules": summary["rules"]["digest"],
        "chains": summary.get("chainParams") or summary["params"],
        "seat": seat,
        "question": asked.get("question", ""),
        "subject": asked.get("subject", ""),
        "after": last,
        "command": command,
    }
    return _enveloped(ORDER, told)


def _enveloped(kind: str, told: object) -> bytes:
    """What of an envelope (DSSE) is signed; its payload is canonical JSON."""
    text = json.dumps(
        told, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind.encode(), len(text), text)


def _put(file: Path, text: str) -> None:
    """Under the name once it is on the disk; nothing where somebody else was first."""
    handle, name = tempfile.mkstemp(prefix=file.name, dir=file.parent)  # for its owner alone
    try:
        with os.fdopen(handle, "w") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(handle)
        with suppress(FileExistsError):
            os.link(name, file)
    finally:
        os.unlink(name)


def _private(secret: bytes) -> Ed25519PrivateKey:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise ImportError(ABSENT, name="cryptography") from error
    return ed25519.Ed25519PrivateKey.from_private_bytes(secret)

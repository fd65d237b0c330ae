"""The key of a seat: its orders are signed by it, so that nobody else can have given them."""

from __future__ import annotations

import json
import secrets

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .bot import Json

KIND = "application/vnd.decklog.order.v2+json"
PASSED_ON = "application/vnd.decklog.seat-key.v1+json"


class Signer:
    """A key of Ed25519; ``seed`` is its secret half, 32 bytes, drawn where none is given."""

    def __init__(self, seed: bytes = b"") -> None:
        self.seed = seed or secrets.token_bytes(32)
        self._key = Ed25519PrivateKey.from_private_bytes(self.seed)

    @property
    def registered(self) -> Json:
        """``orderKey`` of who takes a seat or keeps one."""
        return {"public": self._key.public_key().public_bytes_raw().hex(), "keeper": "client"}

    def pass_on(self, game: str, seat: str, to: Signer) -> str:
        """The signature by which another key takes this one's place."""
        told = {"v": 1, "game": game, "seat": seat, "key": to.registered}
        return self._signed(PASSED_ON, told)

    def sign(self, summary: Json, seat: str, command: Json) -> str:
        """The signature of an order as the header field has it.

        summary  the game as it is: what the seat is asked, its own last event, rules and chains
        command  as the service lists it, or shows it when it is checked
        """
        asked: Json = next((each for each in summary["toMove"] if each["seat"] == seat), {})
        told = {
            "v": 2, "game": summary["id"], "seat": seat, "question": asked.get("question", ""),
            "subject": asked.get("subject", ""), "command": command,
            "rules": summary["rules"]["digest"],
            "chains": summary.get("chainParams") or summary["params"],
            "after": next(each["last"] for each in summary["seats"] if each["seat"] == seat),
        }  # fmt: skip
        return self._signed(KIND, told)

    def _signed(self, kind: str, told: Json) -> str:
        """As an envelope (DSSE) is signed, in hex."""
        text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        return self._key.sign(
            b"DSSEv1 %d %b %d %b" % (len(kind), kind.encode(), len(text), text)
        ).hex()

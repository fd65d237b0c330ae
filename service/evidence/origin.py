"""Who made the record: the service's signature, by the keys that its root key vouches for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from . import bundle
from .keylist import KeyList, ListedKey, open_list
from .signing import (
    BadSignature,
    SignedEnvelope,
    VerifyKey,
    read_envelope,
    read_vkey,
    write_envelope,
)
from .verdict import need, refute

CHECK = "signature"


class Signed(NamedTuple):
    """A file that is signed: by which key, of which list."""

    key: ListedKey
    keys: KeyList

    def origin(self, root: VerifyKey | None) -> str:
        """What it shows of who made the record."""
        name = self.key.hint
        if root is None:
            return f"not proven: signed by {name}, and no --root was given to vouch for it"
        return (
            f"shown: signed by {name}, for which {root.hint} vouches in its list "
            f"{self.keys.serial} of {self.keys.at}"
        )


def check_origin(
    files: Mapping[str, bytes], manifest: bytes, root: VerifyKey | None, newer: bytes
) -> Signed | None:
    """By whom the file is signed; None for nobody, where no root key is named.

    newer  a list of keys that the caller has, which counts in the place of the file's
    Raises Refuted.
    """
    signature = files.get(bundle.SIGNATURE)
    if signature is None:
        need(root is None, CHECK, 0, "signature", f"by a key of {root and root.hint}", "none")
        return None
    envelope = _envelope(signature)
    need(envelope.content() == manifest, CHECK, 0, "what is signed", "the manifest", "another")
    need(envelope.payload_type == bundle.SIGNED_KIND, CHECK, 0, "media type of what is signed",
         bundle.SIGNED_KIND, envelope.payload_type)  # fmt: skip
    keys = _keys(newer or files.get(bundle.KEYS, b""), root)
    key = keys.signer(envelope, "bundles")
    if key is None or not envelope.is_signed_by_alone(read_vkey(key.key)):
        names = ", ".join(each.hint for each in keys.keys)
        raise refute(
            CHECK, 0, "signature", f"by a key for bundles among: {names}", "by no such key"
        )
    need(not isinstance(key.compromised, str), CHECK, 0, "key", "one that nobody else had",
         f"compromised since {key.compromised}")  # fmt: skip
    return Signed(key, keys)


def check_period(signed: Signed, last: int, at: str) -> None:
    """The game was not played on, by its last event, when the key no longer signed.

    Raises Refuted.
    """
    until = signed.key.until
    need(not until or at <= until, CHECK, last, "time of the last event",
         f"until {until}, when {signed.key.hint} ended", at)  # fmt: skip


def _envelope(data: bytes) -> SignedEnvelope:
    try:
        envelope = read_envelope(data)
        envelope.content()
    except BadSignature as error:
        raise refute(CHECK, 0, bundle.SIGNATURE, "a signed envelope", error) from None
    need(write_envelope(envelope) == data, CHECK, 0, bundle.SIGNATURE, "in its one form", "another")
    return envelope


def _keys(data: bytes, root: VerifyKey | None) -> KeyList:
    try:
        return open_list(data, root)
    except BadSignature as error:
        expected = f"signed by {root.hint}" if root else "a list of keys"
        raise refute(CHECK, 0, bundle.KEYS, expected, error) from None

"""What lies in an evidence file beside its manifest: cosignatures, and receipts of who exported it.

Neither is listed in the manifest, which the service has signed before: whoever holds one adds it.
Each vouches for itself. A cosignature is over the manifest and names its key whole, so that anybody
can check it, and nobody it does not name; a receipt is signed by a key of the service's list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from .. import container
from . import form
from .bundle import COSIGNED, MANIFEST, RECEIPTS, SECRETS, SIGNED_KIND
from .keylist import KeyList
from .receipts import Given, is_contested, read, signer_of
from .signing import (
    MAX_SIGNATURES,
    BadKey,
    BadSignature,
    EnvelopeSignature,
    SigningKey,
    VerifyKey,
    read_envelope,
    read_vkey,
    seal_envelope,
    write_envelope,
)
from .verdict import need, refute

CHECK: Final = "signature"


class InPlay(Exception):
    """The game is not over: who has the digest of a hidden order may guess which it is."""

    def __init__(self) -> None:
        super().__init__("by a receipt others could guess a hidden order")


class TooMany(Exception):
    """With one cosignature more nobody could judge the file."""

    def __init__(self) -> None:
        super().__init__(f"it has {MAX_SIGNATURES} cosignatures, and there may be no more")


def cosign(data: bytes, key: SigningKey) -> bytes:
    """The file with one cosignature more, or the key's own anew. Raises TooMany."""
    files = container.unpack(data)
    (made,) = seal_envelope(SIGNED_KIND, files[MANIFEST], [key]).signatures
    name = str(key.verify_key)
    before = read_envelope(files[COSIGNED]).signatures if COSIGNED in files else ()
    others = [each for each in before if each.keyid != name]
    if len(others) >= MAX_SIGNATURES:
        raise TooMany
    together = sorted((EnvelopeSignature(name, made.sig), *others), key=lambda each: each.keyid)
    bare = seal_envelope(SIGNED_KIND, files[MANIFEST], ())
    envelope = msgspec.structs.replace(bare, signatures=tuple(together))
    return container.pack({**files, COSIGNED: write_envelope(envelope)})


def cosigners(
    files: Mapping[str, bytes], manifest: bytes, asked: Sequence[VerifyKey]
) -> tuple[VerifyKey, ...]:
    """Who has cosigned the manifest. Raises Refuted where one that is asked for has not, or a
    signature is not of the key that it names."""
    found = _cosigners(files[COSIGNED], manifest) if COSIGNED in files else ()
    for each in asked:
        names = ", ".join(key.hint for key in found) or "none"
        need(each in found, CHECK, 0, "cosignature", f"by {each.hint}", names)
    return found


def _cosigners(data: bytes, manifest: bytes) -> tuple[VerifyKey, ...]:
    try:
        envelope = read_envelope(data)
        named = [read_vkey(each.keyid) for each in envelope.signatures]
        need(envelope.content() == manifest, CHECK, 0, "what is cosigned", "the manifest", "other")
    except (BadSignature, BadKey) as error:
        raise refute(CHECK, 0, COSIGNED, "an envelope with cosignatures", error) from None
    names = [each.keyid for each in envelope.signatures]
    one_form = write_envelope(envelope) == data and envelope.payload_type == SIGNED_KIND
    in_order = names == sorted(set(names)) and 0 < len(names) <= MAX_SIGNATURES
    whole = [str(key) for key in named] == names
    need(one_form and in_order and whole, CHECK, 0, COSIGNED, "in its one form", "another")
    for key, each in zip(named, envelope.signatures, strict=True):
        alone = msgspec.structs.replace(envelope, signatures=(each,))
        need(alone.is_signed_by(key), CHECK, 0, "cosignature", f"by {key.hint}", "not by it")
    return tuple(named)


def with_receipts(data: bytes, receipts: Sequence[Given]) -> bytes:
    """The file with these receipts in it besides those that it has. Raises InPlay."""
    files = container.unpack(data)
    if SECRETS not in files:
        raise InPlay
    lines = {write_envelope(given.envelope) for given in receipts}
    lines.update(files.get(RECEIPTS, b"").splitlines())
    return container.pack({**files, RECEIPTS: b"".join(each + b"\n" for each in sorted(lines))})


def receipts_in(files: Mapping[str, bytes]) -> tuple[Given, ...]:
    """The receipts that a file has, whoever signed them. Raises Refuted where one is none, or they
    are not in their one form."""
    if RECEIPTS not in files:
        return ()
    try:
        lines = list(form.lines(files[RECEIPTS]))
        found = tuple(map(read, lines))
    except (form.BadForm, BadSignature) as error:
        raise refute("receipt", 0, RECEIPTS, "receipts, one a line", error) from None
    same = [write_envelope(each.envelope) for each in found]
    in_order = bool(lines) and same == lines == sorted(set(lines))
    need(in_order, "receipt", 0, RECEIPTS, "lines in their one form, sorted", "others")
    return found


def check_own(given: Given, keys: KeyList) -> None:
    """Raises Refuted where a receipt in a file is of no key of the service's. Which keys those are
    says the list that a root has signed: by another, anybody could accuse the service."""
    own = (each for each in keys.keys if each.role == "receipts")
    alone = any(given.envelope.is_signed_by_alone(read_vkey(each.key)) for each in own)
    counted = signer_of(given, keys) is not None or is_contested(given, keys)
    need(alone and counted, "receipt", given.receipt.seq, "signature of a receipt",
         "by a key for receipts of the list, alone", "by no such key")  # fmt: skip


def each_once(receipts: Sequence[Given]) -> list[Given]:
    """Without those that stand in the file and were given besides."""
    found = {hashlib.sha256(write_envelope(g.envelope)).digest(): g for g in receipts}
    return list(found.values())

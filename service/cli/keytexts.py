"""Keys as the command line takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .files import read_bytes
from .mistakes import Mistake

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from service.evidence.logged import LogJudge
    from service.evidence.receipts import Given
    from service.evidence.signing import VerifyKey
    from service.log.border import Border


def verify_key(text: str, option: str) -> VerifyKey | None:
    """The key of a vkey; None where none is given. Raises Mistake."""
    from service.evidence.signing import BadKey, read_vkey

    if not text:
        return None
    try:
        return read_vkey(text)
    except BadKey as error:
        hint = "A vkey reads name+id+base64, as its service publishes it."
        raise Mistake(f"{option}: {error}.", hint, "usage") from None


def verify_keys(texts: Sequence[str], option: str) -> list[VerifyKey]:
    """Those of vkeys. Raises Mistake."""
    return [key for text in texts if (key := verify_key(text, option)) is not None]


def receipts_in(files: Sequence[str]) -> list[Given]:
    """The receipts in files, as a service gave them out. Raises Mistake."""
    from service.evidence.receipts import read
    from service.evidence.signing import BadSignature

    found = []
    for name in files:
        try:
            found.append(read(read_bytes(name)))
        except BadSignature as error:
            hint = "A receipt is what the field Decklog-Receipt of an answer holds, or its JSON."
            raise Mistake(f"{name}: {error}.", hint, "file") from None
    return found


def log_judge(
    policy: str, known: tuple[str, ...], address: str, until: str = "", tsa: str = ""
) -> LogJudge:
    """Reads what a public log says of a game: by a policy, kept heads, tiles, certificates of a
    time-stamping authority. Raises Mistake."""
    from service.log.judging import Judge
    from service.log.policy import PolicyWrong, read_policy
    from service.log.remote import RemoteLog

    texts = [(name, read_bytes(name).decode("utf-8", "replace")) for name in known]
    try:
        read = read_policy(read_bytes(policy).decode("utf-8", "replace")) if policy else None
    except PolicyWrong as error:
        hint = "A policy has lines log, witness, group and one quorum (C2SP tlog-policy)."
        raise Mistake(f"--policy: {error}.", hint, "usage") from None
    fetch = RemoteLog(address).fetch if address else None
    return Judge(read, texts, fetch, _border(until), tsa_roots(tsa))


def tsa_roots(file: str) -> list[Certificate] | None:
    """The certificates in a file; None where none is named. Raises Mistake."""
    from service.log.stamp import StampWrong, read_roots

    if not file:
        return None
    try:
        return read_roots(read_bytes(file))
    except StampWrong as error:
        hint = "It holds the root certificate of the time-stamping authority, in PEM."
        raise Mistake(f"--tsa-root: {error}.", hint, "usage") from None


def _border(until: str) -> Border:
    """A time, or a number of leaves. Raises Mistake."""
    from service.log.border import read_time

    if not until:
        return None
    if until.isascii() and until.isdigit():
        return int(until[:18])
    found = read_time(until)
    if found is None:
        hint = "A time reads 2026-05-01T12:00:00Z, a day 2026-05-01; a size is a number of leaves."
        raise Mistake(f"--until: {until!r} is neither a time nor a size.", hint, "usage")
    return found

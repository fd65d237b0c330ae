"""Keys as the command line takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .files import read_bytes
from .mistakes import Mistake

if TYPE_CHECKING:
    from service.evidence.receipts import Given
    from service.evidence.signing import VerifyKey


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

"""Keys as the command line takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .mistakes import Mistake

if TYPE_CHECKING:
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

"""What a public log has to have of a game: a leaf for each event that an evidence file carries."""

from __future__ import annotations

from collections.abc import Sequence

from ..evidence import chain
from ..evidence.bundle import EVENTS
from ..evidence.casefile import Unreadable, unpack
from ..evidence.receipts import Receipt
from .leaf import Leaf, tag_of


def leaf_of(receipt: Receipt) -> Leaf:
    """The leaf of the last event that what the receipt is for led to."""
    return Leaf(tag_of(receipt.game), receipt.seq, receipt.head)


def leaves_of(data: bytes) -> Sequence[Leaf]:
    """The leaves of a bundle's events, in their order. Raises ValueError where it is none."""
    try:
        _, files = unpack(data)
        bodies = files[EVENTS].splitlines()
        envelopes = [chain.read(body) for body in bodies]
        tag = tag_of(envelopes[0].game)
    except (Unreadable, chain.ChainError, IndexError) as error:
        raise ValueError(f"this is no evidence file ({error})") from None
    return [
        Leaf(tag, envelope.seq, chain.hash_of(body))
        for envelope, body in zip(envelopes, bodies, strict=True)
    ]

"""Public beacons: rounds of randomness that nobody knows before their time (grade A3).

A round is the signature of its number by many parties together, so nobody can choose it, and
whoever has it can prove it by the network's one key. Its time is fixed by the number alone.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from ..clock import stamp
from ..deadlines import later
from ..dice import nwd1
from . import bls


class Network(NamedTuple):
    """Of parties that make a beacon.

    name     in words
    key      its public key, in hex
    genesis  seconds since 1970 at which round 1 came
    period   seconds between two rounds
    """

    name: str
    key: str
    genesis: int
    period: int


QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""drand's quicknet by the hash of its chain: three seconds between rounds."""

NETWORKS: dict[str, Network] = {
    QUICKNET: Network(
        "drand quicknet",
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        1_692_803_367,
        3,
    )
}
"""The networks that this judge knows, by the hash of their chain: so records name them."""

LATEST = 2**53 - 1
"""The number of a round that a record can name."""


def time_of(network: Network, number: int) -> str:
    """When a round comes, and not before; beyond the last time that there is, that one."""
    first = stamp(datetime.fromtimestamp(network.genesis, UTC))
    return later(first, (number - 1) * network.period)


def first_after(network: Network, at: str) -> int:
    """The first round that comes at a time or later."""
    since = datetime.fromisoformat(at) - datetime(1970, 1, 1, tzinfo=UTC)
    ahead = since / timedelta(seconds=1) - network.genesis
    return max(1, -int(-ahead // network.period) + 1)


@lru_cache(4_096)
def is_round(network: Network, number: int, signature: str) -> bool:
    """Whether the signature is that of the round. ``signature`` is hex."""
    try:
        signed = bytes.fromhex(signature)
    except ValueError:
        return False
    if signed.hex() != signature or not 0 < number <= LATEST:
        return False
    message = hashlib.sha256(nwd1.u64(number)).digest()
    return bls.verify(bytes.fromhex(network.key), message, signed)


def entry_of(number: int, signature: str) -> nwd1.Beacon:
    """What a round puts into a batch of dice."""
    return nwd1.Beacon(number, hashlib.sha256(bytes.fromhex(signature)).digest())

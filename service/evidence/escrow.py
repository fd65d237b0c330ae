"""The master in escrow: shares of it, two of three, each sealed for a keeper who plays in no seat.

A service that stalls or is gone is not needed then: two keepers open the master, and with it every
die that is due. What is sealed stands in the game's first event, so whoever has the record has it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from domain.kernel.values import Value

from ..dice import nwd1
from . import shares

if TYPE_CHECKING:  # the page's judge has no such library, and seals nothing
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

KEY_BYTES = 32
MOST_NAME = 100
"""Characters of a keeper's name."""

PRIME = 2**255 - 19
NOBODYS = frozenset(
    {
        0,
        1,
        0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
        0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
        PRIME - 1,
    }
)
"""Keys of a small order: what is sealed for one everybody opens."""

SEALED_BYTES = 32 + 32 + 16
"""A key of the moment, a share, and the tag of its seal."""


class Unusable(Exception):
    """A keeper's key or share that is none, in a sentence."""


class Keeper(NamedTuple):
    """Who keeps a share: a name, and a public key (X25519) in hex."""

    name: str
    key: str


class KeptShare(Value, frozen=True):
    """A share of the master, sealed for its keeper.

    keeper  name of the keeper
    key     its public key (X25519), in hex
    sealed  key of the moment, and the share under ChaCha20-Poly1305
    digest  TH("nwd1/escrow-share", G, u8(number), share): by it nobody passes another share off
    """

    keeper: str
    key: str
    sealed: str
    digest: str


class ShareOpened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A share that its keeper has opened; ``number`` counts from 1."""

    game: str
    number: int
    share: str


def read_keepers(text: str) -> tuple[Keeper, ...]:
    """Of a file with a line for each of the three: name and key. Raises Unusable."""
    lines = [line.split() for line in text.splitlines() if line.strip() and line[0] != "#"]
    keepers = tuple(Keeper(*line) for line in lines if len(line) == 2)
    if len(keepers) != len(lines) or len(keepers) != shares.COUNT:
        raise Unusable(f"{shares.COUNT} keepers are needed, a line for each: NAME KEY")
    if len({keeper.key for keeper in keepers}) < shares.COUNT:
        raise Unusable("each keeper has a key of its own")
    if len({keeper.name for keeper in keepers}) < shares.COUNT:
        raise Unusable("each keeper has a name of its own")
    for keeper in keepers:
        if not _is_name(keeper.name):
            raise Unusable(f"{keeper.name!r} is no name that can be read")
        if not _is_public(keeper.key):
            raise Unusable(f"the key of {keeper.name} is no key of X25519 in its one form, in hex")
    return keepers


def sealed(
    master: bytes, g: bytes, keepers: Sequence[Keeper], drawn: bytes
) -> tuple[KeptShare, ...]:
    """The shares, sealed. ``drawn``: 32 random bytes for them, and 32 for each keeper's seal."""
    made = shares.split(master, drawn[:32])
    found = []
    for number, (keeper, share) in enumerate(zip(keepers, made, strict=True), 1):
        moment = drawn[32 * number : 32 * (number + 1)]
        text = _seal(share, g, number, bytes.fromhex(keeper.key), moment)
        found.append(KeptShare(keeper.name, keeper.key, text.hex(), digest_of(g, number, share)))
    return tuple(found)


def digest_of(g: bytes, number: int, share: bytes) -> str:
    """By which a share is known, in hex."""
    return nwd1.th("nwd1/escrow-share", g, nwd1.u8(number), share).hex()


def opened(kept: Sequence[KeptShare], game: str, g: bytes, secret: bytes) -> ShareOpened:
    """The share that is sealed for a private key. Raises Unusable."""
    from cryptography.exceptions import InvalidTag

    public = public_of(secret)
    number = next((n for n, each in enumerate(kept, 1) if each.key == public.hex()), 0)
    if not number:
        raise Unusable("no share is sealed for this key")
    text = bytes.fromhex(kept[number - 1].sealed)
    cipher = _cipher(secret, text[:32], g, number, text[:32] + public)
    try:
        share = cipher.decrypt(bytes(12), text[32:], None)
    except InvalidTag:
        raise Unusable("what is sealed for this key is no share") from None
    if digest_of(g, number, share) != kept[number - 1].digest:
        raise Unusable("the share is another one than the record names")
    return ShareOpened(game, number, share.hex())


def master_of(
    kept: Sequence[KeptShare], game: str, g: bytes, found: Sequence[ShareOpened]
) -> bytes:
    """The master, of two shares. Raises Unusable for one that is not of the record."""
    pairs = {each.number: _genuine(kept, game, g, each) for each in found}
    if len(pairs) < shares.NEEDED:
        raise Unusable(f"{shares.NEEDED} different shares are needed")
    first, second = sorted(pairs.items())[: shares.NEEDED]
    return shares.joined(first, second)


def _genuine(kept: Sequence[KeptShare], game: str, g: bytes, each: ShareOpened) -> bytes:
    share = _key(each.share, f"share {each.number}")
    if each.game != game or not 0 < each.number <= len(kept):
        raise Unusable(f"share {each.number} is of another game")
    if digest_of(g, each.number, share) != kept[each.number - 1].digest:
        raise Unusable(f"share {each.number} is not that of {kept[each.number - 1].keeper}")
    return share


def well_formed(kept: Sequence[KeptShare], seat_keys: Collection[str]) -> str:
    """Why these are no shares for three keepers of whom nobody plays; "" where they are.

    seat_keys  by which seats sign their orders (Ed25519), in hex
    """
    if len(kept) != shares.COUNT or len({each.key for each in kept}) != shares.COUNT:
        return f"{shares.COUNT} shares, each for a key of its own"
    if len({each.keeper for each in kept if _is_name(each.keeper)}) != shares.COUNT:
        return f"{shares.COUNT} keepers, each with a name of its own"
    for each in kept:
        sizes = [(each.sealed, SEALED_BYTES), (each.digest, KEY_BYTES)]
        if not _is_public(each.key) or any(not _is_hex(text, size) for text, size in sizes):
            return "keys in their one form, shares and digests in hex"
    if any(plays(key, [each.key for each in kept]) for key in seat_keys):
        return "no keeper who plays in a seat"
    return ""


def plays(seat_key: str, keepers: Collection[str]) -> bool:
    """Whether the key by which a seat signs is a keeper's, in the other form of it."""
    return _is_hex(seat_key, KEY_BYTES) and montgomery(bytes.fromhex(seat_key)).hex() in keepers


def montgomery(public: bytes) -> bytes:
    """The key for X25519 of whoever has this one for Ed25519 (RFC 7748, 4.1)."""
    y = int.from_bytes(public, "little") & (2**255 - 1)
    return ((1 + y) * pow(1 - y, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little")


def public_of(secret: bytes) -> bytes:
    """The public half of a keeper's key."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def _seal(share: bytes, g: bytes, number: int, public: bytes, moment: bytes) -> bytes:
    own = public_of(moment)
    cipher = _cipher(moment, public, g, number, own + public)
    return own + cipher.encrypt(bytes(12), share, None)


def _cipher(secret: bytes, other: bytes, g: bytes, number: int, salt: bytes) -> ChaCha20Poly1305:
    """Of this share alone: its key is used once."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    try:
        key = X25519PrivateKey.from_private_bytes(secret)
        both = key.exchange(X25519PublicKey.from_public_bytes(other))
    except ValueError:
        raise Unusable("the public key is none") from None
    info = b"nwd1/escrow" + nwd1.lp(g) + nwd1.u8(number)
    return ChaCha20Poly1305(nwd1.hkdf(both, salt, info))


def _key(text: str, what: str) -> bytes:
    if not _is_hex(text, KEY_BYTES):
        raise Unusable(f"{what} is not {KEY_BYTES} bytes in hex")
    return bytes.fromhex(text)


def _is_public(text: str) -> bool:
    """Whether it is a key of somebody, in the one form of it: others would be one key twice."""
    if not _is_hex(text, KEY_BYTES):
        return False
    number = int.from_bytes(bytes.fromhex(text), "little")
    return number < PRIME and number not in NOBODYS


def _is_name(text: str) -> bool:
    """Whether that is one word that can be read."""
    return 0 < len(text) <= MOST_NAME and text.isprintable() and " " not in text


def _is_hex(text: str, size: int) -> bool:
    try:
        return len(bytes.fromhex(text)) == size and bytes.fromhex(text).hex() == text
    except ValueError:
        return False

"""NWD-1, the naval wargame dice, version 1: every formula as a pure function over bytes.

Integers are unsigned and big-endian. Section numbers are those of the definition. Nothing in here
keeps a secret or draws a random number; that is the vault's part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

PUBLIC_DOMAIN = "pub"
"""The domain of open dice."""

LINK_BYTES = 32
MAX_LABEL = 255
MAX_SIDES = 65_536
MAX_SMALL_DICE = 2_000
"""Dice of up to 256 faces that one roll may have."""
MAX_LARGE_DICE = 1_000
"""Dice of more than 256 faces that one roll may have."""
MAX_STREAM = 255 * 32
"""Bytes that one roll may draw: the most that HKDF-Expand gives."""

Pools = Sequence[tuple[int, int]]
"""(count, sides) of the dice to roll, pool by pool."""

Links = Sequence[bytes | None]
"""One entry for each seat in order: its link r[p,t], or None when it gave none."""


class DiceError(ValueError):
    """Something that NWD-1 does not define: a program or a record is at fault, not a player.

    code  "dice.label", "dice.label-repeated", "dice.domain", "dice.sides", "dice.count",
          "dice.stream" or "dice.link"
    """

    def __init__(self, code: str, hint: str) -> None:
        super().__init__(f"{code}: {hint}")
        self.code = code
        self.hint = hint


class Roll(NamedTuple):
    """The faces of each pool, the bytes taken from the stream, and how many were rejected."""

    faces: tuple[tuple[int, ...], ...]
    used: int
    rejected: int


# 2.2 Encodings and hashes


def u8(value: int) -> bytes:
    return value.to_bytes(1, "big")


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def u64(value: int) -> bytes:
    return value.to_bytes(8, "big")


def lp(value: bytes) -> bytes:
    """LP: the value after its length."""
    return len(value).to_bytes(4, "big") + value


def th(tag: str, *fields: bytes) -> bytes:
    """TH: the tagged hash; no two lists of fields share an input."""
    return hashed(_th_head(tag, len(fields)) + b"".join(map(lp, fields)))


def hashed(text: bytes) -> bytes:
    """SHA-256, also of a long text without letting go of the interpreter's lock: getting it back
    from another thread takes longer than the hash.
    """
    if len(text) <= AT_ONCE:
        return hashlib.sha256(text).digest()
    found, whole = hashlib.sha256(), memoryview(text)
    for start in range(0, len(text), AT_ONCE):
        found.update(whole[start : start + AT_ONCE])
    return found.digest()


AT_ONCE = 2_047
"""Bytes that hashlib takes without letting go of the lock, at most (docs.python.org, hashlib)."""


@cache
def _th_head(tag: str, count: int) -> bytes:
    """What is hashed before the fields: there are as many as the definition has kinds of hashes."""
    return lp(tag.encode("ascii")) + u32(count)


def mac(key: bytes, text: bytes) -> bytes:
    """HMAC with SHA-256 (RFC 2104).

    Not by the library's: its objects take longer than the two hashes, and ``hmac.digest`` lets go
    of the interpreter's lock for each of many short texts.
    """
    block = (key if len(key) <= 64 else hashlib.sha256(key).digest()).ljust(64, b"\0")
    inner = hashed(block.translate(_INNER) + text)
    return hashlib.sha256(block.translate(_OUTER) + inner).digest()


_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""What the two paddings of RFC 2104 make of each byte of a key."""


def hkdf_extract(salt: bytes, ikm: bytes) -> bytes:
    """RFC 5869, 2.2, with SHA-256."""
    return mac(salt or bytes(32), ikm)


def hkdf_expand(key: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869, 2.3, with SHA-256. Raises DiceError beyond 255 blocks."""
    if length > MAX_STREAM:
        raise DiceError("dice.stream", f"At most {MAX_STREAM} bytes can be drawn.")
    out, block = b"", b""
    for counter in range(1, -(-length // 32) + 1):
        block = mac(key, block + info + u8(counter))
        out += block
    return out[:length]


def hkdf(ikm: bytes, salt: bytes, info: bytes, length: int = 32) -> bytes:
    """RFC 5869: extract, then expand."""
    return hkdf_expand(hkdf_extract(salt, ikm), info, length)


# 2.2 Parameters, chains, commitment


def params(game: bytes, rules: bytes, scenario: bytes, seats: int, length: int) -> bytes:
    """G. ``game`` has 16 bytes, the two digests 32; ``length`` is N, the links of each chain."""
    if (len(game), len(rules), len(scenario)) != (16, 32, 32):
        raise ValueError("a game id has 16 bytes, a digest 32")
    return th("nwd1/params", game, rules, scenario, u8(seats), u32(length))


def server_seed(master: bytes, g: bytes, domain: str) -> bytes:
    """s[d,N], the far end of a server chain."""
    return hkdf(master, g, b"nwd1/server-chain" + lp(domain.encode("ascii")))


def player_seed(secret: bytes, g: bytes, place: int) -> bytes:
    """r[p,N]; ``place`` is the seat's number p from 0. A client does this: bots, tests, tools."""
    return hkdf(secret, g, b"nwd1/player-chain" + u8(place))


class Chain(NamedTuple):
    """Which chain a link belongs to. ``who`` is ``b"S"`` or ``b"P"`` and the seat's number."""

    g: bytes
    who: bytes
    domain: bytes

    def down(self, link: bytes, index: int, target: int) -> bytes:
        """The link number ``target`` below the link number ``index``: hashed down step by step."""
        for below in self.below(link, index, target):
            link = below
        return link

    def below(self, link: bytes, index: int, target: int) -> Iterator[bytes]:
        """Every link below the link number ``index``, one after the other, down to ``target``."""
        if len(link) != LINK_BYTES:
            raise DiceError("dice.link", f"A link has {LINK_BYTES} bytes.")
        if not 0 <= target <= index:
            raise DiceError("dice.link", f"Link {target} is not below link {index}.")
        # Everything before the number is the same for each step, so it is hashed only once.
        head = hashlib.sha256(_th_head("nwd1/link", 5) + lp(self.g) + lp(self.who))
        head.update(lp(self.domain) + u32(4))
        for number in range(index, target, -1):
            step = head.copy()
            step.update(number.to_bytes(4, "big") + b"\x00\x00\x00\x20" + link)
            link = step.digest()
            yield link


def server_chain(g: bytes, domain: str) -> Chain:
    return Chain(g, b"S", domain.encode("ascii"))


def player_chain(g: bytes, place: int) -> Chain:
    return Chain(g, b"P" + u8(place), b"")


def server_commitment(g: bytes, tips: Mapping[str, bytes]) -> bytes:
    """C_S over the tips of every domain, domains in byte order."""
    fields: list[bytes] = []
    for domain in sorted(tips, key=lambda name: name.encode("ascii")):
        fields += [domain.encode("ascii"), tips[domain]]
    return th("nwd1/server-commit", g, *fields)


# 2.2 Batches and rolls


class Beacon(NamedTuple):
    """A round of a public beacon (grade A3)."""

    round: int
    randomness: bytes


def batch_context(g: bytes, domain: str, t: int) -> bytes:
    """ctx of batch ``t``."""
    return th("nwd1/batch", g, domain.encode("ascii"), u32(t))


def batch_material(link: bytes, players: Links, beacon: Beacon | None = None) -> bytes:
    """ikm: the server's link, an entry for each seat, an entry for the beacon."""
    parts = [lp(link)]
    parts += [b"\x00" if entry is None else b"\x01" + lp(entry) for entry in players]
    if beacon is None:
        parts.append(b"\x00")
    else:
        parts.append(b"\x01" + u64(beacon.round) + lp(beacon.randomness))
    return b"".join(parts)


def batch_key(context: bytes, material: bytes) -> bytes:
    """K of a batch."""
    return hkdf_extract(context, material)


def check_label(label: str) -> bytes:
    """The label's bytes. Raises DiceError unless it is 1 to 255 ASCII characters."""
    if not label.isascii() or not 1 <= len(label) <= MAX_LABEL:
        raise DiceError("dice.label", f"A label is 1 to {MAX_LABEL} ASCII characters.")
    return label.encode("ascii")


def stream(key: bytes, label: str, length: int) -> bytes:
    """The first ``length`` bytes that belong to a label."""
    return hkdf_expand(key, b"nwd1/roll" + lp(check_label(label)), length)


def roll(key: bytes, label: str, pools: Pools) -> Roll:
    """The faces of a roll: ``pools`` of (count, sides), one after the other on one stream.

    Raises DiceError for a label, a die or a number of dice that NWD-1 does not allow.
    """
    check_pools(pools)
    source = _Source(key, label)
    faces = tuple(tuple(source.die(sides) for _ in range(count)) for count, sides in pools)
    return Roll(faces, source.at, source.rejected)


def check_pools(pools: Pools) -> None:
    """Raises DiceError for dice without two faces, or for more dice than one roll may have."""
    for count, sides in pools:
        if not 2 <= sides <= MAX_SIDES:
            raise DiceError("dice.sides", f"A die has 2 to {MAX_SIDES} faces, not {sides}.")
        if count < 0:
            raise DiceError("dice.count", "A pool has no fewer than 0 dice.")
    dice = sum(count for count, _ in pools)
    large = any(sides > 256 and count for count, sides in pools)
    most = MAX_LARGE_DICE if large else MAX_SMALL_DICE
    if dice > most:
        raise DiceError("dice.count", f"A roll has at most {most} dice, not {dice}.")


class _Source:
    """Reads a label's stream, block by block, as far as the dice need it."""

    __slots__ = ("_block", "_buffer", "_counter", "_info", "_key", "at", "rejected")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._info = b"nwd1/roll" + lp(check_label(label))
        self._block = self._buffer = b""
        self._counter = 0
        self.at = 0
        self.rejected = 0

    def _take(self, width: int) -> int:
        while len(self._buffer) < self.at + width:
            if self._counter == 255:
                raise DiceError("dice.stream", f"A roll draws at most {MAX_STREAM} bytes.")
            self._counter += 1
            text = self._block + self._info + u8(self._counter)
            self._block = mac(self._key, text)
            self._buffer += self._block
        value = int.from_bytes(self._buffer[self.at : self.at + width], "big")
        self.at += width
        return value

    def die(self, sides: int) -> int:
        """A face from 1 up; values that would favour low faces are thrown away."""
        width = 1 if sides <= 256 else 2
        span = 256**width
        limit = span - span % sides
        while (value := self._take(width)) >= limit:
            self.rejected += 1
        return 1 + value % sides

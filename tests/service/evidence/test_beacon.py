"""Rounds of a public beacon: what the key has signed and nothing else; when each comes."""

from __future__ import annotations

import pytest

from service.evidence import bls
from service.evidence.beacon import (
    NETWORKS,
    QUICKNET,
    entry_of,
    first_after,
    is_round,
    time_of,
)
from tests.support.beacon import OWN, RANDOMNESS, REAL, signed

NETWORK = NETWORKS[QUICKNET]

HASHED = {
    "": "052926add2207b76ca4fa57a8734416c8dc95e24501772c8"
    "14278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1",
    "abc": "03567bc5ef9c690c2ab2ecdf6a96ef1c139cc0b2f284dca0"
    "a9a7943388a49a3aee664ba5379a7655d3c68900be2f6903",
}
"""By message: x of the point in RFC 9380, J.9.1."""


@pytest.mark.parametrize("message", HASHED)
def test_messages_are_hashed_onto_the_curve_as_the_standard_has_it(message: str) -> None:
    tag = b"QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_"
    point = bls.onto_curve(message.encode(), tag)
    assert point is not None
    assert f"{point[0]:096x}" == HASHED[message]


@pytest.mark.parametrize("number", REAL)
def test_rounds_that_were_published_are_genuine(number: int) -> None:
    assert is_round(NETWORK, number, REAL[number])
    assert entry_of(number, REAL[number]).randomness.hex() == RANDOMNESS[number]


def test_a_round_is_of_its_own_number_and_network_alone() -> None:
    assert not is_round(NETWORK, 124, REAL[123])
    assert not is_round(OWN, 123, REAL[123])
    assert is_round(OWN, 123, signed(123))
    assert not is_round(OWN, 123, signed(123, secret=7))


def shapes() -> list[str]:
    """What looks like a signature, and is none."""
    point = bls.onto_curve(b"another message")
    turned = bls.compressed(bls.minus(bls._point(bytes.fromhex(REAL[123]))))
    flipped = bytearray.fromhex(REAL[123])
    flipped[20] ^= 1
    beyond = (0x80 << 376 | bls.P).to_bytes(48, "big")
    return [
        "", "00", REAL[123].upper(), REAL[123][:-2], REAL[123] + "00", "zz" * 48, "00" * 48,
        "ff" * 48,
        bls.compressed(None).hex(), bls.compressed(point).hex(), turned.hex(), bytes(flipped).hex(),
        beyond.hex(), outside().hex(),
    ]  # fmt: skip


def outside() -> bytes:
    """A point of the curve that is not of the group."""
    for x in range(1, 100):
        y = pow(x**3 + 4, (bls.P + 1) // 4, bls.P)
        if (y * y - x**3 - 4) % bls.P == 0 and bls.times((x, y), bls.ORDER) is not None:
            return bls.compressed((x, y))
    raise AssertionError("there are as many as others")


@pytest.mark.parametrize("signature", shapes())
def test_what_only_looks_like_one_is_none(signature: str) -> None:
    assert not is_round(NETWORK, 123, signature)


@pytest.mark.parametrize("number", [0, -1, 2**53])
def test_numbers_that_no_round_has(number: int) -> None:
    assert not is_round(NETWORK, number, REAL[123])


def test_keys_that_are_none() -> None:
    signature = bytes.fromhex(REAL[123])
    key = bytes.fromhex(NETWORK.key)
    for other in (
        b"",
        key[:-1],
        bytes(96),
        b"\xc0" + bytes(95),
        b"\x9f" + b"\xff" * 95,
        key[:1] + key,
    ):
        assert not bls.verify(other, b"message", signature)


def test_a_point_of_the_twist_that_is_of_no_group_is_no_key() -> None:
    for x in range(1, 100):
        other = b"\x80" + bytes(94) + bytes([x])
        assert bls._key(other) is None


def test_when_a_round_comes() -> None:
    assert time_of(NETWORK, 1) == "2023-08-23T15:09:27.000Z"
    assert time_of(NETWORK, 123) == "2023-08-23T15:15:33.000Z"


@pytest.mark.parametrize(
    ("at", "number"),
    [
        ("2023-08-23T15:15:33.000Z", 123),
        ("2023-08-23T15:15:33.001Z", 124),
        ("2023-08-23T15:15:30.001Z", 123),
        ("2020-01-01T00:00:00.000Z", 1),
    ],
)
def test_the_first_round_from_a_time_on(at: str, number: int) -> None:
    assert first_after(NETWORK, at) == number

"""NWD-1 beyond its vectors: limits, rejection, independence of labels, fairness of faces."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.dice import nwd1
from service.dice.nwd1 import DiceError

KEY = hashlib.sha256(b"a key for tests").digest()


def test_tagged_hash_spelled_out() -> None:
    text = b"\x00\x00\x00\x03tag" + b"\x00\x00\x00\x02" + b"\x00\x00\x00\x01a" + b"\x00\x00\x00\x00"
    assert nwd1.th("tag", b"a", b"") == hashlib.sha256(text).digest()


@given(st.lists(st.binary(max_size=4), max_size=3), st.lists(st.binary(max_size=4), max_size=3))
def test_tagged_hash_tells_lists_apart(one: list[bytes], other: list[bytes]) -> None:
    assert (nwd1.th("tag", *one) == nwd1.th("tag", *other)) == (one == other)


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_a_mac_is_that_of_the_library(key: bytes, text: bytes) -> None:
    """Keys of more than a block, which are hashed first, among them."""
    assert nwd1.mac(key, text) == hmac.digest(key, text, "sha256")


@pytest.mark.parametrize("size", [0, 63, 64, 65, 128])
def test_a_key_as_long_as_a_block_is_no_longer_one(size: int) -> None:
    key = bytes(range(size))
    assert nwd1.mac(key, b"text") == hmac.digest(key, b"text", "sha256")


def test_hkdf_as_in_rfc_5869_case_1() -> None:
    okm = nwd1.hkdf(b"\x0b" * 22, bytes(range(13)), bytes(range(0xF0, 0xFA)), 42)
    assert okm.hex() == (
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )


def test_hkdf_without_salt_as_in_rfc_5869_case_3() -> None:
    okm = nwd1.hkdf(b"\x0b" * 22, b"", b"", 42)
    assert okm.hex() == (
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    )


def test_params_need_whole_digests() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        nwd1.params(bytes(15), bytes(32), bytes(32), 2, 8)


def test_a_link_leads_down_step_by_step() -> None:
    chain = nwd1.server_chain(KEY, "pub")
    far = bytes(32)
    by_hand = far
    for number in (5, 4, 3):
        by_hand = nwd1.th("nwd1/link", KEY, b"S", b"pub", nwd1.u32(number), by_hand)
    assert chain.down(far, 5, 2) == by_hand


def test_a_link_belongs_to_its_seat_and_game() -> None:
    chains = [
        nwd1.server_chain(KEY, "pub"),
        nwd1.server_chain(KEY, "side:0"),
        nwd1.player_chain(KEY, 0),
        nwd1.player_chain(KEY, 1),
        nwd1.player_chain(bytes(32), 0),
    ]
    assert len({chain.down(bytes(32), 9, 8) for chain in chains}) == len(chains)


@pytest.mark.parametrize(("index", "target"), [(3, 4), (3, -1)])
def test_links_lead_downwards_only(index: int, target: int) -> None:
    with pytest.raises(DiceError, match="not below"):
        nwd1.server_chain(KEY, "pub").down(bytes(32), index, target)


def test_a_link_has_32_bytes() -> None:
    with pytest.raises(DiceError) as caught:
        nwd1.server_chain(KEY, "pub").down(bytes(31), 2, 1)
    assert caught.value.code == "dice.link"


@pytest.mark.parametrize("label", ["", "x" * 256, "Zerstörer"])
def test_labels_are_1_to_255_ascii_characters(label: str) -> None:
    with pytest.raises(DiceError) as caught:
        nwd1.roll(KEY, label, [(1, 6)])
    assert caught.value.code == "dice.label"


def test_the_longest_and_the_shortest_label() -> None:
    assert nwd1.roll(KEY, "x" * 255, [(1, 6)]).faces != ()
    assert nwd1.roll(KEY, "x", [(1, 6)]).faces != ()


@pytest.mark.parametrize("sides", [1, 0, -6, 65_537])
def test_a_die_has_2_to_65536_faces(sides: int) -> None:
    with pytest.raises(DiceError) as caught:
        nwd1.roll(KEY, "die", [(1, sides)])
    assert caught.value.code == "dice.sides"


@pytest.mark.parametrize(
    "pools",
    [[(2001, 6)], [(2000, 6), (1, 6)], [(1001, 257)], [(1000, 6), (1, 300)], [(-1, 6)]],
)
def test_too_many_dice_for_a_roll(pools: list[tuple[int, int]]) -> None:
    with pytest.raises(DiceError) as caught:
        nwd1.roll(KEY, "die", pools)
    assert caught.value.code == "dice.count"


@pytest.mark.parametrize("pools", [[(2000, 129)], [(1000, 65_536)], [(1000, 32_769)], [(2000, 2)]])
def test_as_many_dice_as_a_roll_may_have(pools: list[tuple[int, int]]) -> None:
    """The worst cases of rejection fit into what HKDF can give."""
    for number in range(20):
        rolled = nwd1.roll(KEY, f"many/{number}", pools)
        assert len(rolled.faces[0]) == pools[0][0]
        assert rolled.used <= nwd1.MAX_STREAM


def test_no_pools_are_no_faces() -> None:
    assert nwd1.roll(KEY, "none", []) == ((), 0, 0)
    assert nwd1.roll(KEY, "none", [(0, 6)]).faces == ((),)


def test_the_stream_ends() -> None:
    assert len(nwd1.stream(KEY, "all", nwd1.MAX_STREAM)) == 8160
    with pytest.raises(DiceError) as caught:
        nwd1.stream(KEY, "all", nwd1.MAX_STREAM + 1)
    assert caught.value.code == "dice.stream"


def slow_faces(label: str, pools: list[tuple[int, int]]) -> list[list[int]]:
    """The definition once more, written as plainly as it reads: bytes first, then dice."""
    info = b"nwd1/roll" + len(label).to_bytes(4, "big") + label.encode()
    stream, block = b"", b""
    for counter in range(1, 256):
        block = hmac.new(KEY, block + info + bytes([counter]), "sha256").digest()
        stream += block
    place, found = 0, []
    for count, sides in pools:
        faces: list[int] = []
        while len(faces) < count:
            width = 2 if sides > 256 else 1
            value = int.from_bytes(stream[place : place + width], "big")
            place += width
            if value < 256**width // sides * sides:
                faces.append(value % sides + 1)
        found.append(faces)
    return found


@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 30), st.integers(2, 65_536)), max_size=4),
)
def test_agrees_with_the_definition_written_plainly(
    label: str, pools: list[tuple[int, int]]
) -> None:
    assert [list(faces) for faces in nwd1.roll(KEY, label, pools).faces] == slow_faces(label, pools)


def test_a_pool_continues_the_stream_of_the_one_before() -> None:
    whole = nwd1.roll(KEY, "mixed", [(10, 6)]).faces[0]
    parts = nwd1.roll(KEY, "mixed", [(4, 6), (6, 6)]).faces
    assert (*parts[0], *parts[1]) == whole


# The faces below come from fixed keys, so these figures never vary: a wrong rejection limit or a
# biased modulus would push them over the bound for good.


@pytest.mark.parametrize(
    ("sides", "critical"), [(2, 10.83), (6, 20.52), (10, 27.88), (20, 43.82), (100, 148.23)]
)
def test_faces_are_even(sides: int, critical: int) -> None:
    """Chi-square over 60,000 dice, at the 0.1 % point of its distribution."""
    counts = [0] * sides
    for number in range(60):
        for face in nwd1.roll(KEY, f"fair/{sides}/{number}", [(1000, sides)]).faces[0]:
            counts[face - 1] += 1
    expected = 60_000 / sides
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    assert chi_square < critical


def test_d6_rejects_as_often_as_it_should() -> None:
    """4 of 256 values are thrown away: 1.5625 %."""
    rolled = [nwd1.roll(KEY, f"reject/{number}", [(2000, 6)]) for number in range(50)]
    share = sum(r.rejected for r in rolled) / sum(r.used for r in rolled)
    assert 0.0145 < share < 0.0168


def test_labels_are_independent() -> None:
    """Two labels of one batch agree in as many dice as chance would have it."""
    one = nwd1.roll(KEY, "gun/1", [(2000, 6)]).faces[0]
    other = nwd1.roll(KEY, "gun/2", [(2000, 6)]).faces[0]
    same = sum(a == b for a, b in zip(one, other, strict=True))
    assert 270 < same < 400

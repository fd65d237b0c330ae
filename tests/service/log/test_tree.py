"""The tree against a second implementation, leaf by leaf; proofs that were touched are refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from service.log import tree
from service.log.leaf import Leaf, LeafWrong, read_leaf, tag_of
from service.log.tree import ProofWrong
from tests.service.log import vectors
from tests.service.log.naive import Tree

LARGEST = 821
DATA = [b"%d" % i for i in range(LARGEST)]
NAIVE = Tree(DATA)


def nodes(level: int, index: int) -> bytes:
    return NAIVE.mth(index << level, (index + 1) << level)


def some(size: int) -> list[int]:
    """The borders, and a few that hang on the size."""
    return sorted({0, size // 2, size - 1, *random.Random(size).sample(range(size), min(size, 4))})


def test_every_root_up_to_821_leaves() -> None:
    grown = tree.Frontier()
    for size in range(LARGEST + 1):
        assert grown.root() == NAIVE.mth(0, size) == tree.root(size, nodes), size
        if size < LARGEST:
            grown.add(tree.leaf_hash(DATA[size]))


def test_a_leaf_of_every_tree_is_proved() -> None:
    for size in range(1, LARGEST + 1):
        for index in some(size):
            proof = tree.inclusion(index, size, nodes)
            assert proof == NAIVE.path(index, 0, size)
            leaf = tree.leaf_hash(DATA[index])
            tree.check_inclusion(leaf, index, size, proof, NAIVE.mth(0, size))


def test_every_tree_goes_on_from_earlier_ones() -> None:
    for new in range(1, LARGEST + 1):
        for old in some(new):
            proof = tree.consistency(old, new, nodes)
            if old:
                assert proof == NAIVE.subproof(old, 0, new, True)
            tree.check_consistency(old, NAIVE.mth(0, old), new, NAIVE.mth(0, new), proof)


def test_trees_of_up_to_twenty_leaves_whole() -> None:
    for size in range(1, 21):
        for at in range(size):
            proof = tree.inclusion(at, size, nodes)
            leaf = tree.leaf_hash(DATA[at])
            for other in range(size):
                check = tree.check_inclusion, leaf, other, size, proof, NAIVE.mth(0, size)
                assert _holds(*check) == (other == at), (size, at, other)
        for old in range(size + 1):
            proof = tree.consistency(old, size, nodes)
            for other in range(size + 1):
                roots = NAIVE.mth(0, other), size, NAIVE.mth(0, size)
                assert _holds(tree.check_consistency, other, *roots, proof) == (
                    other == old or (not proof and other in (0, size))
                ), (size, old, other)


def _holds(check: Callable[..., None], *given: Any) -> bool:
    try:
        check(*given)
    except ProofWrong:
        return False
    return True


def touched(proof: list[bytes], chance: random.Random) -> list[bytes]:
    """One thing is otherwise."""
    found, at = list(proof), chance.randrange(len(proof) + 1)
    kind = chance.randrange(4)
    if kind == 0 or not proof:
        found.insert(at, chance.randbytes(32))
    elif kind == 1:
        del found[at % len(proof)]
    elif kind == 2:
        byte = chance.randrange(32)
        each = bytearray(found[at % len(proof)])
        each[byte] ^= 1 << chance.randrange(8)
        found[at % len(proof)] = bytes(each)
    else:
        found[at % len(proof)] = found[at % len(proof)][:-1]
    return found


@pytest.mark.parametrize("seed", range(8))
def test_a_proof_that_was_touched_is_refused(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(400):
        size = chance.randrange(1, LARGEST + 1)
        index = chance.randrange(size)
        wrong = touched(tree.inclusion(index, size, nodes), chance)
        leaf = tree.leaf_hash(DATA[index])
        with pytest.raises(ProofWrong):
            tree.check_inclusion(leaf, index, size, wrong, NAIVE.mth(0, size))
        old = chance.randrange(1, size + 1)
        wrong = touched(tree.consistency(old, size, nodes), chance)
        with pytest.raises(ProofWrong):
            tree.check_consistency(old, NAIVE.mth(0, old), size, NAIVE.mth(0, size), wrong)


def test_another_leaf_root_or_size_is_refused() -> None:
    proof = tree.inclusion(5, 13, nodes)
    leaf, top = tree.leaf_hash(DATA[5]), NAIVE.mth(0, 13)
    tree.check_inclusion(leaf, 5, 13, proof, top)
    for given in (
        (tree.leaf_hash(DATA[6]), 5, 13, proof, top),
        (leaf, 6, 13, proof, top),
        (leaf, 13, 13, proof, top),
        (leaf, -1, 13, proof, top),
        (leaf, 5, 13, proof, NAIVE.mth(0, 12)),
    ):
        assert not _holds(tree.check_inclusion, *given)
    assert not _holds(tree.check_consistency, 13, top, 5, NAIVE.mth(0, 5), [])
    assert not _holds(tree.check_consistency, 0, top, 13, top, [])
    assert not _holds(tree.check_consistency, 13, NAIVE.mth(0, 12), 13, top, [])


def test_what_there_is_no_proof_of_is_not_asked_for() -> None:
    for index, size in ((0, 0), (3, 3), (-1, 3)):
        with pytest.raises(ValueError, match="there is no leaf"):
            tree.inclusion(index, size, nodes)
    with pytest.raises(ValueError, match="does not begin"):
        tree.consistency(4, 3, nodes)


def test_a_copy_grows_on_its_own() -> None:
    first = tree.Frontier(map(tree.leaf_hash, DATA[:7]))
    second = first.copy()
    second.add(tree.leaf_hash(DATA[7]))
    assert (first.root(), second.root()) == (NAIVE.mth(0, 7), NAIVE.mth(0, 8))


def test_the_vectors_are_those_of_the_second_implementation() -> None:
    assert vectors.FILE.read_text("utf-8") == vectors.text()


def test_the_vectors_of_trees() -> None:
    told = json.loads(vectors.FILE.read_text("utf-8"))
    eight = [bytes.fromhex(each) for each in told["tree"]["leaves"]]
    for data, rows in ((eight, told["tree"]["sizes"]), (DATA, told["large"]["sizes"])):
        for row in rows:
            size, top = row["size"], bytes.fromhex(row["root"])
            assert tree.Frontier(map(tree.leaf_hash, data[:size])).root() == top
            for index, proof in row["inclusion"]:
                hashes = [bytes.fromhex(each) for each in proof]
                tree.check_inclusion(tree.leaf_hash(data[index]), index, size, hashes, top)
            for old, proof in row["consistency"]:
                before = tree.Frontier(map(tree.leaf_hash, data[:old])).root()
                tree.check_consistency(
                    old, before, size, top, [bytes.fromhex(each) for each in proof]
                )
    assert told["tree"]["sizes"][8]["root"] == (
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    )


def test_the_vector_of_leaves() -> None:
    for row in json.loads(vectors.FILE.read_text("utf-8"))["leaf"]:
        leaf = Leaf(row["tag"], row["seq"], row["hash"])
        assert leaf.data.decode() == row["data"]
        assert tag_of(row["game"]) == row["tag"]
        assert tree.leaf_hash(leaf.data).hex() == row["leaf"]
        assert read_leaf(leaf.data) == leaf


@pytest.mark.parametrize(
    "wrong",
    [
        b"", b"nwl2 ", b"nwl3 " + b"0" * 32 + b" 1 " + b"0" * 64 + b"\n",
        b"nwl2 " + b"0" * 32 + b" 01 " + b"0" * 64 + b"\n",
        b"nwl2 " + b"0" * 32 + b" 1 " + b"A" * 64 + b"\n",
        b"nwl2 " + b"0" * 32 + b" 1 " + b"0" * 64,
        b"nwl2 " + b"0" * 32 + b" 1 " + b"0" * 64 + b"\n\n",
    ],
)  # fmt: skip
def test_what_is_no_leaf_is_refused(wrong: bytes) -> None:
    with pytest.raises(LeafWrong):
        read_leaf(wrong)


def test_a_tag_hangs_on_the_game_alone() -> None:
    assert tag_of("0" * 32) == tag_of("0" * 32) != tag_of("0" * 31 + "1")
    assert len(bytes.fromhex(tag_of("0" * 32))) == 16
